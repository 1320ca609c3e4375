//! Edits of entries, and how they change a channel.

use catalog::{BundleName, Channel, Entry, SkipRange};
use go_semver::blang::Range;
use source::{Span, Spanned};

/// An edit of an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    pub entry: BundleName,
    pub change: Change,
}

/// A change of an entry's fields, in the order of the fields.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// `replaces` names this entry.
    Replace(BundleName),
    /// `replaces` is removed.
    Unreplace,
    /// `skips` has this name, too.
    Skip(BundleName),
    /// `skips` no longer has this name.
    Unskip(BundleName),
    /// `skipRange` is this text, or is removed.
    Range(Option<Box<str>>),
}

impl Change {
    /// Its kind in one word.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Replace(_) => "replace",
            Self::Unreplace => "unreplace",
            Self::Skip(_) => "skip",
            Self::Unskip(_) => "unskip",
            Self::Range(_) => "range",
        }
    }

    /// The name or the range that it is about.
    #[must_use]
    pub fn value(&self) -> Option<&str> {
        match self {
            Self::Replace(name) | Self::Skip(name) | Self::Unskip(name) => Some(name.as_str()),
            Self::Range(range) => range.as_deref(),
            Self::Unreplace => None,
        }
    }

    fn apply(&self, entry: &mut Entry) {
        let span = entry.span;
        match self {
            Self::Replace(name) => entry.replaces = Some(Spanned::new(name.clone(), span)),
            Self::Unreplace => entry.replaces = None,
            Self::Skip(name) => entry.skips.push(Spanned::new(name.clone(), span)),
            Self::Unskip(name) => entry.skips.retain(|skip| skip.value != *name),
            Self::Range(range) => entry.skip_range = range.as_deref().map(|text| skip_range(text, span)),
        }
    }
}

impl Edit {
    /// What to do, as a sentence without its full stop.
    #[must_use]
    pub fn describe(&self) -> String {
        let entry = &self.entry;
        match &self.change {
            Change::Replace(name) => format!("let `{entry}` replace `{name}`"),
            Change::Unreplace => format!("remove `replaces` from `{entry}`"),
            Change::Skip(name) => format!("add `{name}` to `skips` of `{entry}`"),
            Change::Unskip(name) => format!("take `{name}` out of `skips` of `{entry}`"),
            Change::Range(Some(range)) => format!("set `skipRange` of `{entry}` to `{range}`"),
            Change::Range(None) => format!("remove `skipRange` from `{entry}`"),
        }
    }
}

/// The channel with the edits. Edits of entries that it does not list change nothing.
#[must_use]
pub fn applied(channel: &Channel, edits: &[Edit]) -> Channel {
    let mut channel = channel.clone();
    for edit in edits {
        let entry = channel.entries.iter_mut().find(|entry| entry.name.value == edit.entry);
        entry.into_iter().for_each(|entry| edit.change.apply(entry));
    }
    channel
}

pub(crate) fn skip_range(text: &str, span: Span) -> Spanned<SkipRange> {
    Spanned::new(SkipRange { text: text.into(), range: Range::parse(text) }, span)
}
