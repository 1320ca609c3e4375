//! Entries: the bundles of a catalog and the CSVs of a cluster, as OLM's resolver sees them.

use cluster::PlacedProperty;
use std::sync::Arc;

use catalog::predicate::{PackageName, Property};
use catalog::{BundleName, ChannelName};
use go_semver::blang::{Range, Version};
use source::Span;
use update_graph::{Edges, Link};

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
