//! The entries of one CatalogSource, as the registry's `ListBundles` streams them.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/source_registry.go`. The registry reports
//! `olm.gvk.required` and `olm.package.required` once more as dependencies and OLM appends those to the properties, which
//! CEL rules can see.

use std::sync::Arc;

use catalog::predicate::{PackageName, Property};
use catalog::{Bundle, BundleName, Catalog, Channel, ChannelName, Package};
use cluster::{CatalogKey, PlacedProperty};
use go_semver::blang::{Range, Version};
use source::Span;
use update_graph::{Edges, Link};

use crate::index::Index;
use crate::pool::{Precomputed, Ranked};

/// One CatalogSource, as the resolver sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    pub key: CatalogKey,
    /// `spec.priority`; of catalogs that offer the same, the higher one is preferred.
    pub priority: i64,
    pub listing: Arc<Listing>,
}

impl Snapshot {
    /// A CatalogSource that serves a catalog. To resolve with one catalog several times, make its [`Listing`] once.
    #[must_use]
    pub fn of(catalog: &Catalog, key: CatalogKey, priority: i64) -> Self {
        Self { key, priority, listing: Arc::new(Listing::of(catalog)) }
    }
}

/// What one catalog serves, with all that resolutions look up in it. Depends on the catalog alone: it is made once for
/// each revision and shared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    entries: Vec<Entry>,
    index: Index,
    precomputed: Precomputed,
}

impl Listing {
    /// The entries of a catalog. Undeclared packages and entries without a bundle, which no registry serves, are left
    /// out; so are all but the first of several entries of one name in a channel.
    #[must_use]
    pub fn of(catalog: &Catalog) -> Self {
        let declared = catalog.packages.iter().filter(|package| package.declared.is_some());
        let mut entries: Vec<Entry> = declared.flat_map(|package| of_package(package)).collect();
        entries.sort_by(|a, b| (&a.channel, &a.package, &a.name).cmp(&(&b.channel, &b.package, &b.name)));
        entries.dedup_by(|b, a| (&a.channel, &a.package, &a.name) == (&b.channel, &b.package, &b.name));
        Self::new(entries)
    }

    /// A list in the given order, which a registry would sort by channel, package and name.
    #[must_use]
    pub fn new(entries: Vec<Entry>) -> Self {
        let index = Index::of(&entries);
        Self { precomputed: Precomputed::of(&index, &entries), index, entries }
    }

    /// By channel, then package, then bundle name.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries of a bundle name, in the order of the list.
    pub fn named<'l>(&'l self, name: &BundleName) -> impl Iterator<Item = &'l Entry> {
        self.index.named(name).iter().map(|&at| &self.entries[at as usize])
    }

    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// The entries that meet one of the list's own requirements, if they are precomputed.
    pub(crate) fn precomputed(&self, requirement: u32) -> Option<&Ranked> {
        self.precomputed.get(requirement)
    }
}
fn of_package(package: &Package) -> Vec<Entry> {
    let served: Vec<Served<'_>> = package.bundles.iter().map(|bundle| Served::of(package, bundle)).collect();
    package.channels.iter().flat_map(|channel| of_channel(package, channel, &served)).collect()
}

/// A bundle without its place in a channel.
struct Served<'c> {
    bundle: &'c Bundle,
    version: Option<Version>,
    properties: Arc<[PlacedProperty]>,
}

impl<'c> Served<'c> {
    fn of(package: &Package, bundle: &'c Bundle) -> Self {
        let kept = bundle.properties.iter().filter(|property| !is_manifest(&property.value));
        let mut properties: Vec<PlacedProperty> = kept
            .map(|property| PlacedProperty { property: property.value.clone(), span: Some(property.span) })
            .collect();
        let dependencies: Vec<PlacedProperty> = properties.iter().filter_map(as_dependency).collect();
        properties.extend(dependencies);
        let version = properties.iter().find_map(|placed| match &placed.property {
            Property::Package { version, .. } => Some(Version::parse_tolerant(version).ok()),
            _ => None,
        });
        if version.is_none() {
            let property = Property::package(package.name.clone(), "".into());
            properties.push(PlacedProperty { property, span: None });
        }
        Self { bundle, version: version.flatten(), properties: properties.into() }
    }
}

/// The registry turns this property into a dependency; returns the property into which OLM turns that.
fn as_dependency(placed: &PlacedProperty) -> Option<PlacedProperty> {
    let property = match &placed.property {
        Property::GvkRequired(gvk, _) => Property::gvk_required(gvk.clone()),
        Property::PackageRequired { name, range, .. } => Property::package_required(name.clone(), range.clone()),
        Property::Package { .. } | Property::Gvk(..) | Property::Other { .. } => return None,
    };
    Some(PlacedProperty { property, span: placed.span })
}

/// Whether the registry keeps the property to itself.
fn is_manifest(property: &Property) -> bool {
    matches!(property.kind(), "olm.bundle.object" | "olm.csv.metadata")
}

fn of_channel(package: &Package, channel: &Channel, served: &[Served<'_>]) -> Vec<Entry> {
    let default_channel = package.default_channel.as_ref().is_some_and(|default| default.value == channel.name.value);
    let listed = channel.entries.iter().filter_map(|entry| {
        let at = served.binary_search_by(|served| served.bundle.name.value.cmp(&entry.name.value)).ok()?;
        let skip_range = entry.skip_range.as_ref().and_then(|range| range.value.range.as_ref().ok());
        Some(Entry {
            name: entry.name.value.clone(),
            package: package.name.clone(),
            channel: channel.name.value.clone(),
            default_channel,
            replaces: entry.replaces.as_ref().map(|name| name.value.clone()),
            skips: entry.skips.iter().map(|name| name.value.clone()).collect(),
            skip_range: skip_range.cloned(),
            version: served[at].version.clone(),
            properties: Arc::clone(&served[at].properties),
            span: Some(entry.span),
        })
    });
    listed.collect()
}

// Entries: the bundles of a catalog and the CSVs of a cluster, as OLM's resolver sees them.

/// One bundle in one channel of a catalog, or one installed CSV.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The bundle's or CSV's name.
    pub name: BundleName,
    /// The package; empty for a CSV of which it is not known.
    pub package: PackageName,
    /// The channel; empty for a CSV.
    pub channel: ChannelName,
    /// Whether the channel is the package's default.
    pub default_channel: bool,
    /// The entry that this one comes after in its channel.
    pub replaces: Option<BundleName>,
    /// The entries that this one makes superfluous.
    pub skips: Vec<BundleName>,
    /// The versions that may jump here; absent also when the text is no range, which OLM ignores.
    pub skip_range: Option<Range>,
    /// The version; absent if even tolerant parsing rejects its text.
    pub version: Option<Version>,
    /// The properties of the bundle, in the order of the text.
    pub properties: Arc<[PlacedProperty]>,
    /// The channel entry in the catalog's text.
    pub span: Option<Span>,
}

impl Entry {
    /// Whether it belongs to the package, according to its list or to any of its `olm.package` properties.
    #[must_use]
    pub fn is_of(&self, package: &str) -> bool {
        let named = |placed: &PlacedProperty| matches!(&placed.property, Property::Package { name, .. } if name.as_str() == package);
        self.package.as_str() == package || self.properties.iter().any(named)
    }

    /// Whether the bundle carries `olm.deprecated`, which forbids it.
    #[must_use]
    pub fn is_deprecated(&self) -> bool {
        self.properties.iter().any(|placed| placed.property.kind() == "olm.deprecated")
    }
}

impl Link for Entry {
    fn name(&self) -> &str {
        self.name.as_str()
    }

    fn replaces(&self) -> Option<&str> {
        self.replaces.as_ref().map(BundleName::as_str)
    }

    fn skips(&self) -> impl Iterator<Item = &str> {
        self.skips.iter().map(BundleName::as_str)
    }
}

impl Edges for Entry {
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
        self.skip_range = range.and_then(|text| Range::parse(text).ok());
    }
}
