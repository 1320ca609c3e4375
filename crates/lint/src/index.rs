//! Packages and channels with what most rules look up: versions, positions, OLM's order, who reaches the head.

use crate::ranges::matching;
use catalog::{Bundle, BundleName, Catalog, Channel, ChannelName, Entry, Package, ParsedFile};
use fbc::Value;
use fbc::raw::{RawBundle, RawDoc, RawProperty};
use go_semver::blang::{Range, Version};
use source::{FileId, Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use update_graph::sort_channel;

/// A package with its channels, and its bundles by version.
pub(crate) struct IndexedPackage<'c> {
    pub(crate) package: &'c Package,
    pub(crate) channels: Vec<IndexedChannel<'c>>,
    /// The bundles that have a version, ascending.
    pub(crate) bundles: Vec<&'c Bundle>,
    /// Their versions, in the same order.
    pub(crate) ascending: Vec<&'c Version>,
}

impl<'c> IndexedPackage<'c> {
    pub(crate) fn of(package: &'c Package) -> Self {
        let versioned = package.bundles.iter().filter_map(|bundle| Some((bundle.version()?, bundle)));
        let mut pairs: Vec<_> = versioned.collect();
        pairs.sort_by_key(|(version, _)| *version);
        let (ascending, bundles) = pairs.into_iter().unzip();
        let channels = package.channels.iter().map(|channel| IndexedChannel::of(package, channel)).collect();
        Self { package, channels, bundles, ascending }
    }

    /// The older version that the entry with this skipRange replaces, if the package contains it.
    pub(crate) fn replaced(&self, skip: &SkipRange<'c>) -> Option<(&'c Spanned<BundleName>, &'c Version)> {
        let replaces = skip.entry.replaces.as_ref()?;
        let older = self.package.bundle(replaces.value.as_str())?.version()?;
        (*older < *skip.version?).then_some((replaces, older))
    }

    /// Whether the range matches any version of the package.
    pub(crate) fn has_any_in(&self, range: &Range) -> bool {
        !range.runs(&self.ascending).is_empty()
    }

    /// The names of the heads of all channels.
    pub(crate) fn heads(&self) -> BTreeSet<&'c str> {
        let head = |channel: &IndexedChannel<'c>| {
            let at = *channel.update_chain.as_ref()?.first()?;
            Some(channel.entries()[at].name.value.as_str())
        };
        self.channels.iter().filter_map(head).collect()
    }

    /// The skipRanges that can be parsed.
    pub(crate) fn skip_ranges(&self) -> impl Iterator<Item = SkipRange<'c>> {
        self.channels.iter().flat_map(|channel| {
            let entries = channel.entries().iter().enumerate();
            entries.filter_map(move |(at, entry)| {
                let range = entry.skip_range.as_ref()?.value.range.as_ref().ok()?;
                Some(SkipRange { entry, version: channel.versions[at], range })
            })
        })
    }
}

/// The bundle with the highest version; the first bundle if none has a version.
pub(crate) fn newest<'b>(bundles: impl IntoIterator<Item = &'b Bundle>) -> Option<&'b Bundle> {
    bundles.into_iter().reduce(|newest, bundle| if bundle.version() > newest.version() { bundle } else { newest })
}

/// A skipRange with its entry.
pub(crate) struct SkipRange<'c> {
    pub(crate) entry: &'c Entry,
    /// The version of the entry's bundle.
    pub(crate) version: Option<&'c Version>,
    pub(crate) range: &'c Range,
}

impl SkipRange<'_> {
    pub(crate) fn span(&self) -> Span {
        self.entry.skip_range.as_ref().map_or(self.entry.span, |range| range.span)
    }

    /// The versions of the package that it matches, as a clause of a message.
    pub(crate) fn matching(&self, package: &IndexedPackage<'_>) -> String {
        matching(self.range, self.text(), &package.ascending)
    }

    /// The range as it stands in the text.
    pub(crate) fn text(&self) -> &str {
        self.entry.skip_range.as_ref().map_or("", |range| &range.value.text)
    }
}

/// A channel with positions and versions of its entries.
pub(crate) struct IndexedChannel<'c> {
    pub(crate) channel: &'c Channel,
    /// The positions of the entries by name; of two entries with the same name the first.
    pub(crate) positions: BTreeMap<&'c str, usize>,
    /// The versions of the entries' bundles, by position.
    pub(crate) versions: Vec<Option<&'c Version>>,
    /// The names that some entry skips.
    pub(crate) skipped: BTreeSet<&'c str>,
    /// The positions of the entries that OLM chooses from, head first; absent if OLM cannot order the channel.
    pub(crate) update_chain: Option<Vec<usize>>,
}

impl<'c> IndexedChannel<'c> {
    pub(crate) fn of(package: &'c Package, channel: &'c Channel) -> Self {
        let entries = &channel.entries;
        let version = |entry: &Entry| package.bundle(entry.name.value.as_str())?.version();
        Self {
            channel,
            // In reverse, so that of two entries with the same name the first counts.
            positions: (0..entries.len()).rev().map(|at| (entries[at].name.value.as_str(), at)).collect(),
            versions: entries.iter().map(version).collect(),
            skipped: entries.iter().flat_map(|entry| &entry.skips).map(|name| name.value.as_str()).collect(),
            update_chain: sort_channel(channel.name.value.as_str(), package.name.as_str(), entries).ok(),
        }
    }

    pub(crate) fn name(&self) -> &'c Spanned<ChannelName> {
        &self.channel.name
    }

    pub(crate) fn entries(&self) -> &'c [Entry] {
        &self.channel.entries
    }

    /// The head that OLM installs, with its version.
    pub(crate) fn head(&self) -> Option<(&'c Entry, &'c Version)> {
        let at = *self.update_chain.as_ref()?.first()?;
        Some((&self.entries()[at], self.versions[at]?))
    }

    /// The positions of the entries that OLM chooses from; all entries if OLM cannot order the channel, so that rules
    /// still report what they can.
    pub(crate) fn selectable(&self) -> impl Iterator<Item = usize> {
        let all = self.update_chain.is_none().then_some(0..self.entries().len());
        self.update_chain.iter().flatten().copied().chain(all.into_iter().flatten())
    }

    /// By position: whether a sequence of updates leads from the entry to the head. `None` if OLM cannot order the
    /// channel.
    pub(crate) fn reaches_head(&self) -> Option<Vec<bool>> {
        Some(update_graph::reaches_head(self.entries(), &self.versions, self.update_chain.as_ref()?))
    }
}

// The input of the rules: the model of a catalog, and its documents for what the model leaves out.

/// The files of a catalog, each found by its id without looking at the others: a catalog may have a hundred thousand.
#[derive(Debug)]
pub struct ParsedFiles<'a> {
    list: Vec<ParsedFile<'a>>,
    /// The index of each file that has documents.
    positions: BTreeMap<FileId, usize>,
}

impl<'a> From<Vec<ParsedFile<'a>>> for ParsedFiles<'a> {
    fn from(list: Vec<ParsedFile<'a>>) -> Self {
        let ids = list.iter().enumerate().filter_map(|(at, file)| Some((file.parse.docs.first()?.span.file, at)));
        Self { positions: ids.collect(), list }
    }
}

impl<'a> Deref for ParsedFiles<'a> {
    type Target = [ParsedFile<'a>];

    fn deref(&self) -> &[ParsedFile<'a>] {
        &self.list
    }
}

/// A catalog and the files that it was built from.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The model.
    pub catalog: &'a Catalog,
    /// The files, in any order.
    pub files: &'a ParsedFiles<'a>,
}

impl<'a> Input<'a> {
    pub(crate) fn text(self, span: Span) -> &'a str {
        self.file(span.file).map_or("", |file| span.slice(file.text))
    }

    /// The place of a field in the value of the property at `span`; `span` itself if there is no such field.
    pub(crate) fn field(self, span: Span, name: &str) -> Span {
        let value = self.property(span).and_then(|property| property.value.as_ref());
        let Some(Value::Mapping(pairs)) = value.map(|node| &node.value) else { return span };
        fbc::member(pairs, name).map_or(span, |(_, node)| node.span)
    }

    /// The place of such a field, if the property has it.
    pub(crate) fn scalar(self, span: Span, name: &str) -> Option<Span> {
        Some(self.field(span, name)).filter(|field| *field != span)
    }

    /// The document of a bundle, with the text of its file; `span` is of the document or of something in it.
    pub(crate) fn bundle(self, span: Span) -> Option<(&'a RawBundle, &'a str)> {
        let file = self.file(span.file)?;
        let after = file.parse.docs.partition_point(|doc| doc.span.start <= span.start);
        let RawDoc::Bundle(bundle) = &file.parse.docs[..after].last()?.raw else { return None };
        Some((bundle, file.text))
    }

    fn property(self, span: Span) -> Option<&'a RawProperty> {
        self.bundle(span)?.0.properties.iter().find(|property| property.span == span)
    }

    fn file(self, file: FileId) -> Option<&'a ParsedFile<'a>> {
        self.files.get(*self.files.positions.get(&file)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::{Catalog, ParsedFile, lower};
    use source::FileId;
    use update_graph::hop;

    const NAMES: u32 = 7;

    /// A channel with pseudo-random edges; its versions descend from `p.v7.0.0`.
    fn channel(seed: u32) -> Catalog {
        let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
        let mut below = |end: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % end
        };
        let mut entries = Vec::new();
        for major in (1..=NAMES).rev() {
            let mut clauses = Vec::new();
            if below(4) > 0 {
                clauses.push(format!("replaces {}.0.0", below(NAMES) + 1));
            }
            if below(2) == 0 {
                clauses.push(format!("skips {}.0.0, {}.0.0", below(NAMES) + 1, below(NAMES) + 1));
            }
            if below(3) == 0 {
                clauses.push(format!("skipRange >={}.0.0 <{}.0.0", below(NAMES), below(NAMES) + 2));
            }
            entries.push(format!("{major}.0.0 ({})", clauses.join("; ")));
        }
        let text = fixture::yaml(&format!("c: {}", entries.join(", ")));
        let parse = fbc::parse(FileId(0), &text);
        lower(&[ParsedFile { text: &text, parse: &parse }]).0
    }

    /// The same answer, found by trying every hop until nothing changes.
    fn reaches_head_by_fixpoint(channel: &IndexedChannel<'_>, chain: &[usize]) -> Vec<bool> {
        let entries = channel.entries();
        let mut reaches: Vec<bool> = (0..entries.len()).map(|at| chain.first() == Some(&at)).collect();
        for _ in 0..entries.len() {
            for (at, entry) in entries.iter().enumerate() {
                let mut targets = chain.iter().filter(|&&to| reaches[to]);
                reaches[at] |= targets.any(|&to| hop(&entries[to], &entry.name.value, channel.versions[at]).is_some());
            }
        }
        reaches
    }

    #[test]
    fn entries_that_reach_the_head_are_those_that_a_fixpoint_finds() {
        let (mut ordered, mut stuck) = (0, 0);
        for seed in 0..600 {
            let catalog = channel(seed);
            let package = &catalog.packages[0];
            let channel = IndexedChannel::of(package, &package.channels[0]);
            let Some(chain) = &channel.update_chain else { continue };
            let reaches = channel.reaches_head().unwrap();
            assert_eq!(reaches, reaches_head_by_fixpoint(&channel, chain), "seed {seed}");
            ordered += 1;
            stuck += usize::from(reaches.contains(&false));
        }
        assert!(ordered > 30 && stuck > 10, "{ordered} channels, {stuck} with stuck entries");
    }
}
