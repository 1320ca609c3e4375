//! Changes of one entry's edges that let a channel update a version which it leaves where it is.

use crate::hop::{field_to_add, range_of};
use crate::{Paths, UpdateChain, Via, hop};
use catalog::{BundleName, Channel, Entry, SkipRange};
use go_semver::blang::Range;
use source::Spanned;

/// A change of an entry's edges.
#[derive(Clone, Debug)]
pub struct EdgeChange<'c> {
    pub entry: &'c Entry,
    pub edit: EdgeEdit<'c>,
}

/// What to change of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeEdit<'c> {
    /// Add a value to a field, which has none yet unless it is `skips`.
    Add(Via, String),
    /// Let it replace another entry than it does.
    Replace(&'c BundleName),
    /// Take a name out of its `skips`.
    Unskip(&'c BundleName),
}

impl EdgeChange<'_> {
    /// The channel with the change.
    #[must_use]
    pub fn applied(&self, channel: &Channel) -> Channel {
        let mut changed = channel.clone();
        for entry in changed.entries.iter_mut().filter(|entry| entry.name.span == self.entry.name.span) {
            let spanned = |name: &str| Spanned::new(BundleName::from(name), entry.span);
            match &self.edit {
                EdgeEdit::Add(Via::Replaces, name) => entry.replaces = Some(spanned(name)),
                EdgeEdit::Add(Via::Skips, name) => {
                    let name = spanned(name);
                    entry.skips.push(name);
                }
                EdgeEdit::Add(Via::SkipRange, text) => {
                    let range = SkipRange { text: text.as_str().into(), range: Range::parse(text) };
                    entry.skip_range = Some(Spanned::new(range, entry.span));
                }
                EdgeEdit::Replace(name) => entry.replaces = Some(spanned(name.as_str())),
                EdgeEdit::Unskip(name) => entry.skips.retain(|skip| skip.value != **name),
            }
        }
        changed
    }
}

/// Changes of the channel, each of which may update `at`: the smallest first. None of them was tried.
///
/// Of the entries at `position` and behind it, they change the last one that is newer than `at`: it can name `at` without
/// anything newer being left out. Or they take an entry out of `skips` that leads on from `at`.
pub(crate) fn changes<'c>(
    paths: &Paths<'c>,
    chain: &UpdateChain<'c>,
    at: &'c BundleName,
    position: usize,
) -> Vec<EdgeChange<'c>> {
    let version = paths.version(at);
    let newer = |entry: &&&'c Entry| paths.version(&entry.name.value) > version;
    let mut found = Vec::new();
    if let Some(entry) = chain.entries[position..].iter().rev().find(newer) {
        let (has_replaces, has_range) = (entry.replaces.is_some(), range_of(entry).is_some());
        let newer = paths.version(&entry.name.value);
        let fields = [(has_replaces, has_range), (true, has_range), (true, true)];
        found.extend(fields.map(|(has_replaces, has_range)| {
            let (via, value) = field_to_add(has_replaces, has_range, newer.as_ref(), (at, version.as_ref()));
            EdgeChange { entry, edit: EdgeEdit::Add(via, value) }
        }));
        found.dedup_by(|one, other| one.edit == other.edit);
        if entry.replaces.as_ref().is_some_and(|replaced| chain.position(&replaced.value).is_none()) {
            found.push(EdgeChange { entry, edit: EdgeEdit::Replace(at) });
        }
    }
    for entry in &chain.channel.entries {
        let leads_on = |skip: &&'c Spanned<BundleName>| {
            let skipped = chain.channel.entry(skip.value.as_str());
            skipped.is_some_and(|skipped| hop(skipped, at, version.as_ref()).is_some())
        };
        let unskip = |skip: &'c Spanned<BundleName>| EdgeChange { entry, edit: EdgeEdit::Unskip(&skip.value) };
        found.extend(entry.skips.iter().filter(leads_on).map(unskip));
    }
    found
}
