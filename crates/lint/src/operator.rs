//! A package ready to be asked.

use crate::lane::Lane;
use crate::matching::matching;
use blang_semver::{Range, Version};
use catalog::{Bundle, BundleName, Entry, Package};
use predicate::PackageName;
use source::Spanned;
use std::collections::BTreeSet;

/// A package with its channels.
pub(crate) struct Operator<'c> {
    pub(crate) package: &'c Package,
    pub(crate) lanes: Vec<Lane<'c>>,
    /// The bundles that have a version, ascending.
    pub(crate) bundles: Vec<&'c Bundle>,
    /// Their versions.
    pub(crate) ascending: Vec<&'c Version>,
}

impl<'c> Operator<'c> {
    pub(crate) fn of(package: &'c Package) -> Self {
        let versioned = package.bundles.iter().filter_map(|bundle| Some((bundle.version()?, bundle)));
        let mut pairs: Vec<_> = versioned.collect();
        pairs.sort_by_key(|(version, _)| *version);
        let (ascending, bundles) = pairs.into_iter().unzip();
        let lanes = package.channels.iter().map(|channel| Lane::of(package, channel)).collect();
        Self { package, lanes, bundles, ascending }
    }

    /// The one of that name among all of a catalog, which are sorted by name.
    pub(crate) fn named<'o>(operators: &'o [Self], name: &PackageName) -> Option<&'o Self> {
        let at = operators.binary_search_by(|operator| operator.package.name.cmp(name)).ok()?;
        operators.get(at)
    }

    /// The older version that the entry of a skipRange replaces, if the package has it.
    pub(crate) fn replaced(&self, skip: &SkipRange<'c>) -> Option<(&'c Spanned<BundleName>, &'c Version)> {
        let replaces = skip.entry.replaces.as_ref()?;
        let older = self.package.bundle(replaces.value.as_str())?.version()?;
        (*older < *skip.version?).then_some((replaces, older))
    }

    /// Whether the range matches any version of the package.
    pub(crate) fn has_any_in(&self, range: &Range) -> bool {
        !range.runs(&self.ascending).is_empty()
    }

    /// The newest of some bundles; the first where none has a version.
    pub(crate) fn newest<'b>(bundles: impl IntoIterator<Item = &'b Bundle>) -> Option<&'b Bundle> {
        bundles.into_iter().reduce(|newest, bundle| if bundle.version() > newest.version() { bundle } else { newest })
    }

    /// The names of the heads of all channels.
    pub(crate) fn heads(&self) -> BTreeSet<&'c str> {
        let head = |lane: &Lane<'c>| {
            let at = *lane.order.as_ref()?.first()?;
            Some(lane.channel.entries[at].name.value.as_str())
        };
        self.lanes.iter().filter_map(head).collect()
    }

    /// The entries that have a skipRange that can be read, with the version of their bundle.
    pub(crate) fn skip_ranges(&self) -> impl Iterator<Item = SkipRange<'c>> {
        self.lanes.iter().flat_map(|lane| {
            let entries = lane.channel.entries.iter().enumerate();
            entries.filter_map(move |(at, entry)| {
                let range = entry.skip_range.as_ref()?.value.range.as_ref().ok()?;
                Some(SkipRange { entry, version: lane.versions[at], range })
            })
        })
    }
}

/// A skipRange and whose it is.
pub(crate) struct SkipRange<'c> {
    pub(crate) entry: &'c Entry,
    pub(crate) version: Option<&'c Version>,
    pub(crate) range: &'c Range,
}

impl SkipRange<'_> {
    /// Where the range stands.
    pub(crate) fn span(&self) -> source::Span {
        self.entry.skip_range.as_ref().map_or(self.entry.span, |range| range.span)
    }

    /// As written, with what blang makes of it and what it matches, as a clause.
    pub(crate) fn matching(&self, operator: &Operator<'_>) -> String {
        matching(self.range, self.text(), &operator.ascending)
    }

    /// As written.
    pub(crate) fn text(&self) -> &str {
        self.entry.skip_range.as_ref().map_or("", |range| &range.value.text)
    }
}
