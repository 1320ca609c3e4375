//! Edits of a channel's entries: what changes, how it is applied, and in words. All parts that propose, try or write an edit use
//! these types.

use catalog::{BundleName, Channel, ChannelName, Entry, Package, SkipRange};
use go_semver::blang::Range;
use source::{Span, Spanned};
use std::collections::BTreeSet;

/// The most entries that a sentence names.
const NAMED: usize = 20;

/// An edit of an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The entry.
    pub entry: BundleName,
    /// What changes.
    pub change: Change,
}

/// A change of an entry's fields, in the order of the fields.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The channel lists the entry, which it did not; `replaces` names this entry.
    List(Option<BundleName>),
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

/// What has the edges of an entry, in the model or in a text: what a [`Change`] is applied to.
pub trait Edges {
    /// Sets or removes `replaces`.
    fn set_replaces(&mut self, name: Option<&BundleName>);
    /// Adds a name to `skips`.
    fn skip(&mut self, name: &BundleName);
    /// Takes a name out of `skips`.
    fn unskip(&mut self, name: &BundleName);
    /// Sets or removes `skipRange`.
    fn set_range(&mut self, range: Option<&str>);
}

impl Edges for Entry {
    fn set_replaces(&mut self, name: Option<&BundleName>) {
        self.replaces = name.map(|name| Spanned::new(name.clone(), self.span));
    }

    fn skip(&mut self, name: &BundleName) {
        self.skips.push(Spanned::new(name.clone(), self.span));
    }

    fn unskip(&mut self, name: &BundleName) {
        self.skips.retain(|skip| skip.value != *name);
    }

    fn set_range(&mut self, range: Option<&str>) {
        self.skip_range = range.map(|text| skip_range(text, self.span));
    }
}

fn skip_range(text: &str, span: Span) -> Spanned<SkipRange> {
    Spanned::new(SkipRange { text: text.into(), range: Range::parse(text) }, span)
}

impl Change {
    /// The kind in one word, as answers for programs have it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::List(_) => "list",
            Self::Replace(_) => "replace",
            Self::Unreplace => "unreplace",
            Self::Skip(_) => "skip",
            Self::Unskip(_) => "unskip",
            Self::Range(_) => "range",
        }
    }

    /// The change of a kind with its [`value`](Self::value); `None` for an unknown kind, or without the name that it needs.
    #[must_use]
    pub fn of(kind: &str, value: Option<&str>) -> Option<Self> {
        let name = value.map(BundleName::from);
        match kind {
            "list" => Some(Self::List(name)),
            "replace" => name.map(Self::Replace),
            "unreplace" => Some(Self::Unreplace),
            "skip" => name.map(Self::Skip),
            "unskip" => name.map(Self::Unskip),
            "range" => Some(Self::Range(value.map(Into::into))),
            _ => None,
        }
    }

    /// The name or the range that it is about.
    #[must_use]
    pub fn value(&self) -> Option<&str> {
        match self {
            Self::Replace(name) | Self::Skip(name) | Self::Unskip(name) => Some(name.as_str()),
            Self::Range(range) => range.as_deref(),
            Self::List(name) => name.as_ref().map(BundleName::as_str),
            Self::Unreplace => None,
        }
    }

    /// Makes the change.
    pub fn apply(&self, entry: &mut impl Edges) {
        match self {
            Self::List(name) => entry.set_replaces(name.as_ref()),
            Self::Replace(name) => entry.set_replaces(Some(name)),
            Self::Unreplace => entry.set_replaces(None),
            Self::Skip(name) => entry.skip(name),
            Self::Unskip(name) => entry.unskip(name),
            Self::Range(range) => entry.set_range(range.as_deref()),
        }
    }
}

impl Edit {
    /// What to do, as a sentence without its full stop.
    #[must_use]
    pub fn describe(&self) -> String {
        let entry = &self.entry;
        match &self.change {
            Change::List(Some(name)) => format!("list `{entry}`, which replaces `{name}`"),
            Change::List(None) => format!("list `{entry}`"),
            Change::Replace(name) => format!("let `{entry}` replace `{name}`"),
            Change::Unreplace => format!("remove `replaces` from `{entry}`"),
            Change::Skip(name) => format!("add `{name}` to `skips` of `{entry}`"),
            Change::Unskip(name) => format!("take `{name}` out of `skips` of `{entry}`"),
            Change::Range(Some(range)) => format!("set `skipRange` of `{entry}` to `{range}`"),
            Change::Range(None) => format!("remove `skipRange` from `{entry}`"),
        }
    }
}

/// An entry with its edges, which is added to a channel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewEntry {
    /// The bundle.
    pub name: BundleName,
    /// `replaces`
    pub replaces: Option<BundleName>,
    /// `skips`, each name once.
    pub skips: Vec<BundleName>,
    /// `skipRange`
    pub skip_range: Option<Box<str>>,
}

impl Edges for NewEntry {
    fn set_replaces(&mut self, name: Option<&BundleName>) {
        self.replaces = name.cloned();
    }

    fn skip(&mut self, name: &BundleName) {
        self.skips.push(name.clone());
    }

    fn unskip(&mut self, name: &BundleName) {
        self.skips.retain(|skip| skip != name);
    }

    fn set_range(&mut self, range: Option<&str>) {
        self.skip_range = range.map(Into::into);
    }
}

impl NewEntry {
    /// An entry without edges.
    const fn named(name: BundleName) -> Self {
        Self { name, replaces: None, skips: Vec::new(), skip_range: None }
    }

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

    /// The entry of a catalog, at a place.
    #[must_use]
    pub fn entry(&self, span: Span) -> Entry {
        let name = |name: &BundleName| Spanned::new(name.clone(), span);
        Entry {
            span,
            name: name(&self.name),
            replaces: self.replaces.as_ref().map(name),
            skips: self.skips.iter().map(name).collect(),
            skip_range: self.skip_range.as_deref().map(|text| skip_range(text, span)),
        }
    }

    /// The edges in words.
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

/// What changes in a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelEdit {
    /// The channel.
    pub channel: ChannelName,
    /// Whether the channel is made.
    pub is_new: bool,
    /// The entries that it gets.
    pub added: Vec<NewEntry>,
    /// The edits of its entries.
    pub edits: Vec<Edit>,
    /// The entries that it loses.
    pub removed: Vec<BundleName>,
}

impl ChannelEdit {
    /// Edits of entries of a channel, some of which it may get.
    #[must_use]
    pub fn of(channel: &ChannelName, edits: Vec<Edit>) -> Self {
        let mut found =
            Self { channel: channel.clone(), is_new: false, added: Vec::new(), edits: Vec::new(), removed: Vec::new() };
        for edit in edits {
            if matches!(edit.change, Change::List(_)) {
                found.added.push(NewEntry::named(edit.entry.clone()));
            }
            match found.added.iter_mut().find(|added| added.name == edit.entry) {
                Some(added) => edit.change.apply(added),
                None => found.edits.push(edit),
            }
        }
        found
    }

    /// All of it as edits of entries, for a channel that is there and loses none.
    #[must_use]
    pub fn as_edits(&self) -> Vec<Edit> {
        let of_added = |added: &NewEntry| {
            let skips = added.skips.iter().cloned().map(Change::Skip);
            let range = added.skip_range.iter().map(|range| Change::Range(Some(range.clone())));
            let changes = std::iter::once(Change::List(added.replaces.clone())).chain(skips).chain(range);
            changes.map(|change| Edit { entry: added.name.clone(), change }).collect::<Vec<_>>()
        };
        self.added.iter().flat_map(of_added).chain(self.edits.iter().cloned()).collect()
    }

    /// The channel after the edit. Edits of entries that it does not list change nothing.
    #[must_use]
    pub fn applied(&self, channel: &Channel) -> Channel {
        let mut channel = applied(channel, &self.edits);
        channel.entries.retain(|entry| !self.removed.contains(&entry.name.value));
        let span = channel.span;
        channel.entries.splice(0..0, self.added.iter().map(|added| added.entry(span)));
        channel
    }

    /// The package after the edit.
    #[must_use]
    pub fn applied_to(&self, package: &Package) -> Package {
        let mut package = package.clone();
        for channel in package.channels.iter_mut().filter(|channel| channel.name.value == self.channel) {
            *channel = self.applied(channel);
        }
        package
    }
}

/// The channel with edits of its entries. Edits of entries that it does not list change nothing.
#[must_use]
pub fn applied(channel: &Channel, edits: &[Edit]) -> Channel {
    let mut channel = channel.clone();
    for edit in edits {
        if matches!(edit.change, Change::List(_)) {
            channel.entries.insert(0, NewEntry::named(edit.entry.clone()).entry(channel.span));
        }
        let entry = channel.entries.iter_mut().find(|entry| entry.name.value == edit.entry);
        entry.into_iter().for_each(|entry| edit.change.apply(entry));
    }
    channel
}

/// Edits in words, as a sentence without its full stop.
#[must_use]
pub fn describe(edits: &[Edit]) -> String {
    edits.iter().map(Edit::describe).collect::<Vec<_>>().join("; ")
}

/// An edit of a package that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackageEdit {
    Entries(ChannelEdit),
    /// Lists removed entries in a channel again, as they were.
    Restore {
        /// The channel, which is still there.
        channel: ChannelName,
        names: Vec<BundleName>,
    },
    /// Keeps a channel as it was, without the bundles that no channel lists then.
    KeepChannel(ChannelName),
    /// Keeps the package as it was.
    KeepPackage,
}

impl PackageEdit {
    /// Entries of a channel before the change as an edit of the channel.
    #[must_use]
    pub fn restored(channel: &Channel, names: &[BundleName]) -> ChannelEdit {
        let wanted: BTreeSet<&BundleName> = names.iter().collect();
        let entries = channel.entries.iter().filter(|entry| wanted.contains(&entry.name.value));
        ChannelEdit { added: entries.map(NewEntry::of).collect(), ..ChannelEdit::of(&channel.name.value, Vec::new()) }
    }

    /// The package with the edit: `new` is its state after the change, `old` the one before.
    #[must_use]
    pub fn applied(&self, new: Option<&Package>, old: &Package) -> Package {
        let Some(new) = new else { return old.clone() };
        match self {
            Self::Entries(edit) => edit.applied_to(new),
            Self::Restore { channel, names } => match old.channel(channel.as_str()) {
                Some(before) => {
                    let mut package = Self::restored(before, names).applied_to(new);
                    restore_bundles(&mut package, old, names);
                    package
                }
                None => new.clone(),
            },
            Self::KeepChannel(name) => {
                let mut package = new.clone();
                package.channels.retain(|channel| channel.name.value != *name);
                if let Some(channel) = old.channel(name.as_str()) {
                    let names: Vec<_> = channel.entries.iter().map(|entry| entry.name.value.clone()).collect();
                    package.channels.push(channel.clone());
                    package.channels.sort_by(|a, b| a.name.value.cmp(&b.name.value));
                    restore_bundles(&mut package, old, &names);
                }
                // `opm` rejects bundles that no channel lists.
                let Package { channels, bundles, .. } = &mut package;
                let is_listed =
                    |name: &BundleName| channels.iter().any(|channel| channel.entry(name.as_str()).is_some());
                bundles.retain(|bundle| is_listed(&bundle.name.value));
                package
            }
            Self::KeepPackage => old.clone(),
        }
    }

    /// What to do, as a sentence without its full stop.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Entries(edit) => format!("in channel `{}`, {}", edit.channel, describe(&edit.edits)),
            Self::Restore { channel, names } => {
                let some: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
                let more = match names.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                format!("list {}{more} in channel `{channel}` again", some.join(", "))
            }
            Self::KeepChannel(name) => format!("keep channel `{name}` as it was"),
            Self::KeepPackage => "keep the package".to_owned(),
        }
    }
}

/// Entries need their bundles: else `opm` rejects the catalog.
fn restore_bundles(package: &mut Package, old: &Package, names: &[BundleName]) {
    let missing = names.iter().filter(|name| package.bundle(name.as_str()).is_none());
    let bundles: Vec<_> = missing.filter_map(|name| old.bundle(name.as_str())).cloned().collect();
    package.bundles.extend(bundles);
    package.bundles.sort_by(|a, b| a.name.value.cmp(&b.name.value));
}
