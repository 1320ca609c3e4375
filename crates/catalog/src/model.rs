//! The model of a catalog: packages with their channels, entries, bundles and deprecations, each with its place.
//!
//! Follows operator-registry `alpha/declcfg/declcfg_to_model.go`, but keeps what `opm` would reject: a package that no
//! document declares, an entry without a bundle, a bundle that no channel lists. So they can still be shown.

use crate::predicate::{PackageName, Property};
use crate::{Lifecycle, name};
use go_semver::blang::{Range, RangeError, Version, VersionError};
use source::{FileId, OpmVersion, Span, Spanned};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

/// All packages of one catalog.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    /// Sorted by name. Catalogs that have a package in common may share it.
    pub packages: Vec<Arc<Package>>,
    /// The documents with lifecycle data that name no package of the catalog, in the order of the text.
    pub unmatched_lifecycles: Vec<Lifecycle>,
    /// Whether a part of its files was not read: what is missing here may be there ([`Catalog::set_partial`]).
    pub is_partial: bool,
    /// The release of `opm` that judges it.
    pub opm: OpmVersion,
}

impl Catalog {
    /// The package with the given name.
    #[must_use]
    pub fn package(&self, name: &str) -> Option<&Package> {
        self.shared_package(name).map(Arc::as_ref)
    }

    /// The package with the given name, to share it.
    #[must_use]
    pub fn shared_package(&self, name: &str) -> Option<&Arc<Package>> {
        let at = self.packages.binary_search_by(|package| package.name.as_str().cmp(name)).ok()?;
        Some(&self.packages[at])
    }

    /// All documents with lifecycle data: those of each package together.
    pub fn lifecycles(&self) -> impl Iterator<Item = &Lifecycle> {
        self.packages.iter().flat_map(|package| &package.lifecycles).chain(&self.unmatched_lifecycles)
    }
}

/// A package with its channels and bundles.
#[derive(Clone, Debug, PartialEq)]
pub struct Package {
    pub name: PackageName,
    /// The `olm.package` document; absent if only other documents name the package.
    pub declared: Option<Span>,
    /// `defaultChannel` as it stands in the text.
    pub default_channel: Option<Spanned<ChannelName>>,
    /// `description` as it stands in the text.
    pub description: Option<Spanned<Box<str>>>,
    /// `icon`, not decoded.
    pub icon: Option<Icon>,
    /// Sorted by name. Of two channels with the same name only the first.
    pub channels: Vec<Channel>,
    /// Sorted by name. Of two bundles with the same name only the first.
    pub bundles: Vec<Bundle>,
    /// The entries of `olm.deprecations`, in the order of the text.
    pub deprecations: Vec<Deprecation>,
    /// The documents with its lifecycle data, in the order of the text.
    pub lifecycles: Vec<Lifecycle>,
    /// Whether it may have further bundles: it comes from a template with images that no loaded catalog has, or a part of
    /// the catalog was not read. The bundle of an entry may then be one of them, so that nobody can tell whether it is missing.
    pub has_unknown_bundles: bool,
}

impl Package {
    /// The channel with the given name.
    #[must_use]
    pub fn channel(&self, name: &str) -> Option<&Channel> {
        let at = self.channels.binary_search_by(|channel| channel.name.value.as_str().cmp(name)).ok()?;
        Some(&self.channels[at])
    }

    /// The bundle with the given name.
    #[must_use]
    pub fn bundle(&self, name: &str) -> Option<&Bundle> {
        let at = self.bundles.binary_search_by(|bundle| bundle.name.value.as_str().cmp(name)).ok()?;
        Some(&self.bundles[at])
    }

    /// The lifecycle data. There is none if several documents have some: the console then shows none either.
    #[must_use]
    pub fn lifecycle(&self) -> Option<&Lifecycle> {
        match &self.lifecycles[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether the name may be that of a bundle that is not known.
    #[must_use]
    pub fn may_be_unknown(&self, name: &str) -> bool {
        self.has_unknown_bundles && self.bundle(name).is_none()
    }

    /// The files of its documents, each perhaps several times.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        let channels = self.channels.iter().map(|channel| channel.span);
        let bundles = self.bundles.iter().map(|bundle| bundle.span);
        let others = self.deprecations.iter().map(|deprecation| deprecation.span);
        let lifecycles = self.lifecycles.iter().map(|lifecycle| lifecycle.span);
        let spans = self.declared.into_iter().chain(channels).chain(bundles).chain(others).chain(lifecycles);
        spans.map(|span| span.file)
    }

    /// A place to show for the package: its document, or else its first channel or bundle.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        let channels = self.channels.iter().map(|channel| channel.span);
        let bundles = self.bundles.iter().map(|bundle| bundle.span);
        self.declared.or_else(|| channels.chain(bundles).min())
    }
}

/// The icon of a package.
#[derive(Clone, Debug, PartialEq)]
pub struct Icon {
    /// The place of the base64 text.
    pub base64data: Span,
    /// The media type, such as `image/svg+xml`; `opm` does not check it.
    pub media_type: Box<str>,
}

/// A channel: a list of entries with their update edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    pub name: Spanned<ChannelName>,
    /// The `olm.channel` document.
    pub span: Span,
    /// In the order of the text. Entries with the same name are all kept.
    pub entries: Entries,
}

impl Channel {
    /// The first entry with the given name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.named(name)
    }
}

/// A bundle listed in a channel, with its update edges: they may differ from channel to channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub span: Span,
    /// The name of the bundle. If it is missing: the empty name, at the place of the entry.
    pub name: Spanned<BundleName>,
    /// `replaces`; absent if empty.
    pub replaces: Option<Spanned<BundleName>>,
    /// `skips`, in the order of the text, with empty names.
    pub skips: Vec<Spanned<BundleName>>,
    /// `skipRange`: the versions that may update to this entry directly.
    pub skip_range: Option<Spanned<SkipRange>>,
}

/// A `skipRange` as text and as blang parses it.
#[derive(Clone, Debug, PartialEq)]
pub struct SkipRange {
    /// As it stands in the text.
    pub text: Box<str>,
    /// The range; or the error for which `opm` rejects it and OLM silently ignores it.
    pub range: Result<Range, RangeError>,
}

/// A bundle: one version of an operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    pub name: Spanned<BundleName>,
    /// The `olm.bundle` document.
    pub span: Span,
    /// The image; absent if empty.
    pub image: Option<Spanned<Box<str>>>,
    /// The version of its `olm.package` property; absent unless there is exactly one such property.
    pub version: Option<Spanned<BundleVersion>>,
    /// Whether it has manifests in `olm.bundle.object` properties; `opm` then requires no image.
    pub has_objects: bool,
    /// Whether it has an `olm.csv.metadata` property.
    pub has_metadata: bool,
    /// Whether only its image, name and version are known, as of an image that a release puts into a template: what it provides and
    /// requires is not.
    pub has_unknown_contents: bool,
    /// In the order of the text. Without `olm.csv.metadata` and `olm.bundle.object`, which are large and only describe
    /// the bundle, and without properties that cannot be read, which are reported as findings.
    pub properties: Vec<Spanned<Property>>,
}

/// A version as text and as blang parses it, in strict mode.
#[derive(Clone, Debug, PartialEq)]
pub struct BundleVersion {
    /// As it stands in the text.
    pub text: Box<str>,
    /// The version, or the error for which `opm` rejects it.
    pub version: Result<Version, VersionError>,
}

impl Bundle {
    /// What tells its image from others; see [`crate::image_identity`].
    #[must_use]
    pub fn image_identity(&self) -> Option<&str> {
        self.image.as_ref().map(|image| crate::image_identity(&image.value))
    }

    /// The version, if blang accepts it.
    #[must_use]
    pub fn version(&self) -> Option<&Version> {
        self.version.as_ref()?.value.version.as_ref().ok()
    }
}

/// An entry of `olm.deprecations`.
#[derive(Clone, Debug, PartialEq)]
pub struct Deprecation {
    /// The whole entry.
    pub span: Span,
    /// The name of the deprecated object; the whole entry if it has none.
    pub place: Span,
    pub target: DeprecationTarget,
    pub message: Box<str>,
}

/// The object that a deprecation is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeprecationTarget {
    Package,
    Channel(ChannelName),
    Bundle(BundleName),
}

impl DeprecationTarget {
    /// The schema of the reference to it (operator-registry `alpha/declcfg/declcfg.go`, `Deprecation`).
    #[must_use]
    pub const fn schema(&self) -> &'static str {
        match self {
            Self::Package => "olm.package",
            Self::Channel(_) => "olm.channel",
            Self::Bundle(_) => "olm.bundle",
        }
    }

    /// The name of the channel or bundle.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Package => None,
            Self::Channel(name) => Some(name.as_str()),
            Self::Bundle(name) => Some(name.as_str()),
        }
    }
}

name! {
    /// The name of a channel, unique in its package.
    ChannelName
}
name! {
    /// The name of a bundle, which is also the name of its channel entries and of its CSV on a cluster.
    BundleName
}

// The entries of a channel, with an index of their names.

/// Lists up to this length are searched without an index.
const SHORT: usize = 16;

/// The entries of a channel in the order of the text. It is used as a `Vec`; a look-up by name takes logarithmic time.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    list: Vec<Entry>,
    /// The positions in the list by name, of equal names the first one first. Made by the first look-up, and dropped by
    /// whatever may change the list.
    by_name: OnceLock<Vec<u32>>,
}

impl Entries {
    /// The first entry with a name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Entry> {
        if self.list.len() <= SHORT {
            return self.list.iter().find(|entry| entry.name.value.as_str() == name);
        }
        let by_name = self.by_name.get_or_init(|| {
            let mut positions: Vec<u32> = (0..self.list.len() as u32).collect();
            positions.sort_by_key(|&at| &self.list[at as usize].name.value);
            positions
        });
        let name_at = |at: &u32| self.list[*at as usize].name.value.as_str();
        let first = by_name.partition_point(|at| name_at(at) < name);
        by_name.get(first).filter(|at| name_at(at) == name).map(|&at| &self.list[at as usize])
    }
}

impl Deref for Entries {
    type Target = Vec<Entry>;

    fn deref(&self) -> &Vec<Entry> {
        &self.list
    }
}

impl DerefMut for Entries {
    fn deref_mut(&mut self) -> &mut Vec<Entry> {
        self.by_name.take();
        &mut self.list
    }
}

impl PartialEq for Entries {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl FromIterator<Entry> for Entries {
    fn from_iter<T: IntoIterator<Item = Entry>>(entries: T) -> Self {
        Self { list: entries.into_iter().collect(), by_name: OnceLock::new() }
    }
}

impl<'e> IntoIterator for &'e Entries {
    type Item = &'e Entry;
    type IntoIter = std::slice::Iter<'e, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

// The replaces chain of a channel as `opm` walks it (operator-registry `alpha/model/model.go`, 195-312).
//
// OLM's resolver orders a channel differently and accepts more (`update_graph::sort_channel`).

/// The result of walking a channel from its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chain<'c> {
    /// The channel has no entries.
    Empty,
    /// Every entry is replaced or skipped by some entry.
    NoHead,
    /// Entries that nothing replaces or skips, sorted by name.
    ManyHeads(Vec<&'c str>),
    /// The chain returns to an earlier entry: the entries from the head on, of which the last is that earlier entry.
    Cycle(Vec<&'c str>),
    /// The channel has exactly one head.
    Headed {
        /// The entry that nothing replaces or skips.
        head: &'c str,
        /// Entries that the chain does not reach and that nothing skips, sorted by name.
        stranded: Vec<&'c str>,
    },
}

impl<'c> Chain<'c> {
    /// Walks `channel`. `opm` ignores skipRange here.
    #[must_use]
    pub fn of(channel: &'c Channel) -> Self {
        if channel.entries.is_empty() {
            return Self::Empty;
        }
        let heads = heads(channel);
        match heads.as_slice() {
            [] => Self::NoHead,
            [head] => walk(channel, head, |is_skipped| is_skipped),
            _ => Self::ManyHeads(heads),
        }
    }

    /// The head, if there is exactly one.
    #[must_use]
    pub fn head(&self) -> Option<&'c str> {
        match self {
            Self::Headed { head, .. } => Some(head),
            Self::Cycle(path) => path.first().copied(),
            Self::Empty | Self::NoHead | Self::ManyHeads(_) => None,
        }
    }
}

/// The chain from `head` that goes on at skipped entries, as `opm` before v1.58.0 walked it (operator-registry#1750).
pub(crate) fn whole_chain<'c>(channel: &'c Channel, head: &'c str) -> Chain<'c> {
    walk(channel, head, |_| false)
}

/// The entries that no entry of the channel replaces or skips, itself included; sorted by name.
#[must_use]
pub fn heads(channel: &Channel) -> Vec<&str> {
    let named: HashSet<&str> =
        channel.entries.iter().flat_map(|entry| replaced(entry).into_iter().chain(skips(entry))).collect();
    let heads: BTreeSet<&str> = names(channel).filter(|name| !named.contains(name)).collect();
    heads.into_iter().collect()
}

/// `ends_at` says whether the chain ends before an entry that is skipped or not.
fn walk<'c>(channel: &'c Channel, head: &'c str, ends_at: impl Fn(bool) -> bool) -> Chain<'c> {
    // In reverse, so that of two entries of one name the first counts.
    let entries: HashMap<&str, &Entry> =
        channel.entries.iter().rev().map(|entry| (entry.name.value.as_str(), entry)).collect();
    let skipped: HashSet<&str> = channel.entries.iter().flat_map(skips).collect();
    let mut path = vec![head];
    let mut seen = HashSet::from([head]);
    while let Some(entry) = path.last().and_then(|name| entries.get(name)) {
        let next = replaced(entry).unwrap_or("");
        // The chain ends before a skipped entry, so what only that entry replaces is stranded.
        if ends_at(skipped.contains(next)) {
            break;
        }
        path.push(next);
        if !seen.insert(next) {
            return Chain::Cycle(path);
        }
    }
    let stranded: BTreeSet<&str> =
        names(channel).filter(|name| !seen.contains(name) && !skipped.contains(name)).collect();
    Chain::Headed { head, stranded: stranded.into_iter().collect() }
}

fn names(channel: &Channel) -> impl Iterator<Item = &str> {
    channel.entries.iter().map(|entry| entry.name.value.as_str())
}

fn replaced(entry: &Entry) -> Option<&str> {
    entry.replaces.as_ref().map(|name| name.value.as_str())
}

fn skips(entry: &Entry) -> impl Iterator<Item = &str> {
    entry.skips.iter().map(|name| name.value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::{FileId, Span, Spanned};

    fn entry(name: &str, at: u32) -> Entry {
        let span = Span::new(FileId(0), at, at);
        Entry { span, name: Spanned::new(name.into(), span), replaces: None, skips: Vec::new(), skip_range: None }
    }

    #[test]
    fn the_first_entry_of_a_name_is_found_after_every_change() {
        for count in [3, 40] {
            let mut entries: Entries = (0..count).map(|at| entry(&format!("p.v{}", at / 2), at)).collect();
            let found = |entries: &Entries, name: &str| entries.named(name).map(|entry| entry.span.start);
            assert_eq!((found(&entries, "p.v1"), found(&entries, "p.v99")), (Some(2), None));
            entries.push(entry("p.v99", 100));
            assert_eq!(found(&entries, "p.v99"), Some(100));
            entries.remove(2);
            assert_eq!(found(&entries, "p.v1"), (count > 3).then_some(3));
        }
    }
}
