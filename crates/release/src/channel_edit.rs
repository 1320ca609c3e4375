//! What changes in a channel.

use catalog::{BundleName, Channel, ChannelName, Entry, SkipRange};
use go_semver::blang::Range;
use repair::Edit;
use source::{Span, Spanned};

/// An entry that is added.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewEntry {
    pub name: BundleName,
    pub replaces: Option<BundleName>,
    /// `skips`, each name once.
    pub skips: Vec<BundleName>,
    /// `skipRange`
    pub skip_range: Option<Box<str>>,
}

/// What changes in a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelEdit {
    pub channel: ChannelName,
    /// Whether the channel is made.
    pub is_new: bool,
    pub added: Option<NewEntry>,
    pub edits: Vec<Edit>,
    /// The entries that it loses.
    pub removed: Vec<BundleName>,
}

impl ChannelEdit {
    /// Edits of entries of a channel.
    #[must_use]
    pub fn of(channel: &ChannelName, edits: &[Edit]) -> Self {
        let (channel, edits) = (channel.clone(), edits.to_vec());
        Self { channel, is_new: false, added: None, edits, removed: Vec::new() }
    }
}

impl NewEntry {
    /// An entry of a catalog with its edges alone.
    #[must_use]
    pub fn of(entry: &Entry) -> Self {
        let mut skips: Vec<BundleName> = entry.skips.iter().map(|name| name.value.clone()).collect();
        skips.sort();
        skips.dedup();
        Self {
            name: entry.name.value.clone(),
            replaces: entry.replaces.as_ref().map(|name| name.value.clone()),
            skips,
            skip_range: entry.skip_range.as_ref().map(|range| range.value.text.clone()),
        }
    }

    /// It as an entry of a catalog, at a place.
    #[must_use]
    pub fn entry(&self, span: Span) -> Entry {
        let name = |name: &BundleName| Spanned::new(name.clone(), span);
        let range = |text: &str| Spanned::new(SkipRange { text: text.into(), range: Range::parse(text) }, span);
        Entry {
            span,
            name: name(&self.name),
            replaces: self.replaces.as_ref().map(name),
            skips: self.skips.iter().map(name).collect(),
            skip_range: self.skip_range.as_deref().map(range),
        }
    }

    /// Its edges in words.
    #[must_use]
    pub fn edges(&self) -> String {
        let replaces = self.replaces.as_ref().map(|name| format!("replaces `{name}`"));
        let skips: Vec<String> = self.skips.iter().map(|name| format!("`{name}`")).collect();
        let skips = (!skips.is_empty()).then(|| format!("skips {}", skips.join(", ")));
        let range = self.skip_range.as_ref().map(|range| format!("has the skipRange `{range}`"));
        let parts: Vec<String> = replaces.into_iter().chain(skips).chain(range).collect();
        if parts.is_empty() { "updates no version".to_owned() } else { parts.join("; ") }
    }
}

/// The channel after an edit.
#[must_use]
pub fn applied(channel: &Channel, edit: &ChannelEdit) -> Channel {
    let mut channel = repair::applied(channel, &edit.edits);
    let kept: Vec<Entry> =
        channel.entries.iter().filter(|entry| !edit.removed.contains(&entry.name.value)).cloned().collect();
    let added = edit.added.iter().map(|added| added.entry(channel.span));
    channel.entries = added.chain(kept).collect();
    channel
}
