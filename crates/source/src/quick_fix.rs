//! Quick fixes: edits that remove a finding, described by what they change and not by bytes.
//!
//! A rule knows names and places, but not how the text around them is written. `fbc::text_edits` turns a quick fix into
//! edits of the text when somebody looks at it.

use crate::Span;
use crate::shortened::shortened;

/// An edit of one file that removes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuickFix {
    /// What it does: verb first, names in backticks.
    pub title: String,
    /// What it changes, all at once and in one file.
    pub changes: Vec<Rewrite>,
}

impl QuickFix {
    /// A quick fix of one change.
    #[must_use]
    pub fn new(title: impl Into<String>, change: Rewrite) -> Self {
        Self { title: shortened(title.into()), changes: vec![change] }
    }

    /// Replaces a name that does not exist by one that does.
    #[must_use]
    pub fn rename(span: Span, to: &str) -> Self {
        Self::new(format!("Change to `{to}`"), Rewrite::Replace { span, text: to.to_owned() })
    }

    /// Removes an item or a field, which `what` names.
    #[must_use]
    pub fn remove(span: Span, what: &str) -> Self {
        Self::new(format!("Remove {what}"), Rewrite::Remove { span })
    }

    /// Puts a scalar in quotes, so that it is read as text.
    #[must_use]
    pub fn quote(span: Span) -> Self {
        Self::new("Put it in quotes", Rewrite::Quote { span })
    }
}

/// A change of a text that keeps its style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rewrite {
    /// Writes another text in the place of a scalar or of a key.
    Replace {
        /// The scalar.
        span: Span,
        /// The new text, without quotes.
        text: String,
    },
    /// Puts a scalar in quotes.
    Quote {
        /// The scalar.
        span: Span,
    },
    /// Removes an item of a list or a field of a mapping. The last item takes the field of its list with it.
    Remove {
        /// The item, the value of the field or its key.
        span: Span,
    },
    /// Sets a field of a mapping.
    Set {
        mapping: Span,
        /// The field within it that has the mapping to change, if it is not the mapping itself.
        within: Option<&'static str>,
        field: &'static str,
        /// The new text, without quotes.
        text: String,
    },
    /// Takes texts out of the list that is a field of a mapping, and adds others. An empty list goes with its field.
    List {
        mapping: Span,
        /// The field.
        list: &'static str,
        /// The texts that are taken out, without quotes.
        removed: Vec<String>,
        /// The texts that are added, without quotes.
        added: Vec<String>,
    },
    /// Removes a document with the separator before it.
    RemoveDocument {
        /// The document.
        span: Span,
    },
    /// Adds a document of these fields before another one.
    AddDocument {
        /// The document that it is written before.
        before: Span,
        /// The names and values of the fields, without quotes.
        fields: Vec<(&'static str, String)>,
    },
    /// Writes bytes as they stand, where the text cannot be read as values.
    Splice {
        /// The bytes that are replaced.
        span: Span,
        /// The new bytes.
        text: String,
    },
}

impl Rewrite {
    /// The place that it changes, or that contains it.
    #[must_use]
    pub const fn span(&self) -> Span {
        match self {
            Self::Replace { span, .. }
            | Self::Quote { span }
            | Self::Remove { span }
            | Self::RemoveDocument { span }
            | Self::Splice { span, .. } => *span,
            Self::AddDocument { before, .. } => *before,
            Self::Set { mapping, .. } | Self::List { mapping, .. } => *mapping,
        }
    }

    /// The bytes of names that it holds.
    pub(crate) fn text_bytes(&self) -> usize {
        match self {
            Self::Replace { text, .. } | Self::Set { text, .. } | Self::Splice { text, .. } => text.len(),
            Self::AddDocument { fields, .. } => fields.iter().map(|(_, text)| text.len()).sum(),
            Self::List { removed, added, .. } => removed.iter().chain(added).map(String::len).sum(),
            Self::Quote { .. } | Self::Remove { .. } | Self::RemoveDocument { .. } => 0,
        }
    }

    /// Moves its place by `by` bytes.
    pub fn shift(&mut self, by: i64) {
        let span = match self {
            Self::Replace { span, .. }
            | Self::Quote { span }
            | Self::Remove { span }
            | Self::RemoveDocument { span }
            | Self::Splice { span, .. } => span,
            Self::AddDocument { before, .. } => before,
            Self::Set { mapping, .. } | Self::List { mapping, .. } => mapping,
        };
        *span = span.shifted(by);
    }
}
