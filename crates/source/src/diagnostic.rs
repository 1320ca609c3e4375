//! Findings as values: severity, place, message, help, and what `opm` prints for the same problem.

use crate::escape::{shortened, shortened_line};
use crate::vocabulary::Severity;
use crate::{OpmVersion, Rule, Span};

/// The most bytes of a line of `opm`. None that `opm` was seen to print about a catalog is longer.
const MAX_OPM: usize = 64 << 10;

/// Another place that a finding refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// How it relates to the finding: lower case, no final stop.
    pub message: String,
}

/// A finding: one problem at one place.
///
/// Messages are lower case without a final full stop, with names in backticks. Very long names in them are cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub rule: Rule,
    /// How bad it is.
    pub severity: Severity,
    /// The place.
    pub span: Span,
    /// What is wrong or risky.
    pub message: String,
    /// Other places that belong to it.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// Edits that remove it, the most likely one first.
    pub fixes: Vec<QuickFix>,
    /// The names that it misses, or some of them. Where a text that has them cannot be read, that is its cause.
    pub missing: Vec<Box<str>>,
    /// Rules and places of findings that go with it, because all have the same cause.
    pub entails: Vec<(Rule, Span)>,
    /// The line that `opm validate` prints for this problem, to the letter; absent if `opm` does not report it.
    pub opm: Option<String>,
    /// The rank of that line among all that `opm` could print: `opm` finds errors of lower rank first. This crate only
    /// carries the number; `catalog::OpmPhase` says what it means.
    pub opm_rank: u8,
    /// The first release of `opm` that prints the line; absent if every release does, or none.
    pub opm_since: Option<OpmVersion>,
    /// The last release of `opm` that prints the line, if later ones accept the text.
    pub opm_until: Option<OpmVersion>,
}

// The constructors are never inlined. A hundred rules call them, none of them often; inlined, they took 7 kB of the
// worker.
impl Diagnostic {
    /// Whether it is one of a habit: see [`Rule::is_habit`]. So are fields that nobody reads, but not those that are misspelt.
    #[must_use]
    pub fn is_habit(&self) -> bool {
        self.rule.is_habit() || (self.rule == Rule::UnknownField && self.fixes.is_empty())
    }

    /// A finding of `rule`, with the severity of the rule.
    #[must_use]
    #[inline(never)]
    pub fn new(rule: Rule, span: Span, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.severity(),
            span,
            message: shortened(message.into()),
            labels: Vec::new(),
            help: None,
            fixes: Vec::new(),
            missing: Vec::new(),
            entails: Vec::new(),
            opm: None,
            opm_rank: 0,
            opm_since: None,
            opm_until: None,
        }
    }

    /// Adds a label.
    #[must_use]
    #[inline(never)]
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: shortened(message.into()) });
        self
    }

    /// Sets the help.
    #[must_use]
    #[inline(never)]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shortened(help.into()));
        self
    }

    /// Adds a quick fix, if there is one.
    #[must_use]
    #[inline(never)]
    pub fn with_fix(mut self, fix: impl Into<Option<QuickFix>>) -> Self {
        self.fixes.extend(fix.into());
        self
    }

    /// Sets the names that it misses.
    #[must_use]
    pub fn with_missing<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.missing = names.into_iter().map(Box::from).collect();
        self
    }

    /// Sets the line that `opm validate` prints while it loads the text. Loading comes before all other checks, so the
    /// rank is 0.
    #[must_use]
    #[inline(never)]
    pub fn with_opm(self, line: impl Into<String>) -> Self {
        self.with_opm_at(0, line)
    }

    /// Sets the line that `opm validate` prints, and its rank.
    #[must_use]
    #[inline(never)]
    pub fn with_opm_at(mut self, rank: impl Into<u8>, line: impl Into<String>) -> Self {
        self.opm = Some(shortened_line(line.into(), MAX_OPM));
        self.opm_rank = rank.into();
        self
    }

    /// Sets the first release of `opm` that prints the line.
    #[must_use]
    pub const fn since(mut self, version: OpmVersion) -> Self {
        self.opm_since = Some(version);
        self
    }

    /// Sets the last release of `opm` that prints the line.
    #[must_use]
    pub const fn until(mut self, version: OpmVersion) -> Self {
        self.opm_until = Some(version);
        self
    }

    /// Whether a release of `opm` prints the line.
    #[must_use]
    pub fn is_printed_by(&self, opm: OpmVersion) -> bool {
        self.opm.is_some()
            && self.opm_since.is_none_or(|since| since <= opm)
            && self.opm_until.is_none_or(|until| opm <= until)
    }

    /// Moves all places of the finding by `by` bytes.
    pub fn shift(&mut self, by: i64) {
        self.span = self.span.shifted(by);
        for label in &mut self.labels {
            label.span = label.span.shifted(by);
        }
        self.entails.iter_mut().for_each(|(_, span)| *span = span.shifted(by));
        self.fixes.iter_mut().flat_map(|fix| &mut fix.changes).for_each(|change| change.shift(by));
    }
}

/// Names for a message: the first five in backticks, the others as a number.
///
/// ```
/// assert_eq!(source::name_list(["a", "b"]), "`a`, `b`");
/// assert_eq!(source::name_list(["a", "b", "c", "d", "e", "f", "g"]), "`a`, `b`, `c`, `d`, `e` and 2 more");
/// ```
pub fn name_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 5;
    let quoted = |name: &str| if name.is_empty() { "one without a name".to_owned() } else { format!("`{name}`") };
    // A trait object, so that there is one copy of the code for all kinds of iterators: nothing here is hot.
    let names: &mut dyn Iterator<Item = String> = &mut names.into_iter().map(quoted);
    crate::vocabulary::first_and_more(names, SHOWN)
}

// Quick fixes: edits that remove a finding, described by what they change and not by bytes.
//
// A rule knows names and places, but not how the text around them is written. `fbc::text_edits` turns a quick fix into
// edits of the text when somebody looks at it.

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
        span: Span,
        /// The new text, without quotes.
        text: String,
    },
    /// Puts a scalar in quotes.
    Quote { span: Span },
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
    RemoveDocument { span: Span },
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
