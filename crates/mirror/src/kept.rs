//! What a mirror has of a catalog, as a model and as text. Edges stay as they are: what an entry replaces or skips may be gone.

use catalog::predicate::PackageName;
use catalog::{BundleName, Catalog, Channel, ChannelName, DeprecationTarget, Package};
use source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a mirror has of a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub packages: BTreeMap<PackageName, KeptPackage>,
    /// Whether the configuration names packages, so that all others are left out on purpose.
    pub is_selection: bool,
    /// Whether it has `olm.deprecations` and documents of other schemas.
    pub has_all_schemas: bool,
}

/// What a mirror has of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPackage {
    /// The default channel that takes the place of the one of the catalog.
    pub default_channel: Option<ChannelName>,
    pub channels: BTreeMap<ChannelName, BTreeSet<BundleName>>,
    pub bundles: BTreeSet<BundleName>,
    /// The channels that the configuration selects, also those that are empty within their bounds: `olm.deprecations` are cut
    /// to these.
    pub(crate) selected: BTreeSet<ChannelName>,
}

impl Kept {
    /// The catalog that a mirror serves.
    #[must_use]
    pub fn catalog(&self, full: &Catalog) -> Catalog {
        let package = |package: &Arc<Package>| {
            let mut kept = self.packages.get(&package.name)?.package(package);
            if !self.has_all_schemas {
                kept.deprecations.clear();
                kept.lifecycles.clear();
            }
            Some(Arc::new(kept))
        };
        let keeps_unmatched = self.has_all_schemas && !self.is_selection;
        Catalog {
            packages: full.packages.iter().filter_map(package).collect(),
            unmatched_lifecycles: if keeps_unmatched { full.unmatched_lifecycles.clone() } else { Vec::new() },
            is_partial: full.is_partial,
            opm: full.opm,
        }
    }
}

impl KeptPackage {
    /// The package that a mirror serves.
    #[must_use]
    pub fn package(&self, full: &Package) -> Package {
        let channel = |channel: &Channel| {
            let names = self.channels.get(&channel.name.value)?;
            let entries = channel.entries.iter().filter(|entry| names.contains(&entry.name.value));
            Some(Channel { entries: entries.cloned().collect(), ..channel.clone() })
        };
        let place = || full.default_channel.as_ref().map(|channel| channel.span).or_else(|| full.span());
        let default_channel = match (&self.default_channel, place()) {
            (Some(name), Some(place)) => Some(Spanned::<ChannelName>::new(name.clone(), place)),
            _ => full.default_channel.clone(),
        };
        let has_target = |target: &DeprecationTarget| match target {
            DeprecationTarget::Package => true,
            DeprecationTarget::Channel(name) => self.selected.contains(name),
            DeprecationTarget::Bundle(name) => self.bundles.contains(name),
        };
        Package {
            name: full.name.clone(),
            declared: full.declared,
            default_channel,
            description: full.description.clone(),
            icon: full.icon.clone(),
            channels: full.channels.iter().filter_map(channel).collect(),
            bundles: full.bundles.iter().filter(|bundle| self.bundles.contains(&bundle.name.value)).cloned().collect(),
            deprecations: full.deprecations.iter().filter(|entry| has_target(&entry.target)).cloned().collect(),
            lifecycles: full.lifecycles.clone(),
            has_unknown_bundles: full.has_unknown_bundles,
        }
    }

    /// Whether an entry of `olm.deprecations` is kept.
    pub(crate) fn keeps_deprecation(&self, schema: Option<&str>, name: &str) -> bool {
        match schema {
            Some("olm.bundle") => self.bundles.contains(name),
            Some("olm.channel") => self.selected.contains(name),
            _ => true,
        }
    }
}

/// A place in a text that is kept or not.
pub(crate) struct Item {
    pub(crate) span: Span,
    pub(crate) is_kept: bool,
}
