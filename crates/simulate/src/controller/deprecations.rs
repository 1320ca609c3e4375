//! What a Subscription says of deprecations: conditions alone, no choice depends on them.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`, `setDeprecatedConditions`. The
//! installed bundle is looked up in the Subscription's own catalog, package and channel.

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::{Catalog, Deprecation, DeprecationTarget};
use predicate::PackageName;
use resolver::CatalogKey;

use super::{Controller, Event};
use crate::cluster::{Cluster, Subscription};
use crate::status::{Condition, ConditionType};

/// The `olm.deprecations` of the catalogs, by CatalogSource and package.
pub type Deprecations = BTreeMap<CatalogKey, BTreeMap<PackageName, Arc<[Deprecation]>>>;

impl Cluster {
    /// The deprecations of the CatalogSources whose content is at hand.
    #[must_use]
    pub fn deprecations<'c>(&self, content: impl Fn(&CatalogKey) -> Option<&'c Catalog>) -> Deprecations {
        let known = self.catalog_sources.iter().filter_map(|source| {
            let packages = content(&source.key)?.packages.iter().filter(|package| !package.deprecations.is_empty());
            let by_package = packages.map(|package| (package.name.clone(), package.deprecations.as_slice().into()));
            Some((source.key.clone(), by_package.collect()))
        });
        known.collect()
    }
}

impl Controller {
    /// Brings the four conditions of a Subscription up to date.
    pub(super) fn update_deprecations(&mut self, at: usize) -> Vec<Event> {
        let found = self.deprecations_of(&self.cluster.subscriptions[at]);
        let joined: Vec<&str> = found.iter().map(|(_, message)| message.as_str()).collect();
        let roll_up = (!joined.is_empty()).then(|| (ConditionType::Deprecated, joined.join("; ")));
        let wanted: BTreeMap<ConditionType, String> = found.iter().cloned().chain(roll_up).collect();
        let kinds = [
            ConditionType::PackageDeprecated,
            ConditionType::ChannelDeprecated,
            ConditionType::BundleDeprecated,
            ConditionType::Deprecated,
        ];
        let conditions = kinds.map(|kind| (kind, wanted.get(&kind).map(|text| Condition::holds("", text.as_str()))));
        conditions.into_iter().filter_map(|(kind, condition)| self.set_condition(at, kind, condition)).collect()
    }

    /// Package, channel, bundle: what is deprecated, each with its message.
    fn deprecations_of(&self, subscription: &Subscription) -> Vec<(ConditionType, String)> {
        let wish = &subscription.wish;
        let (Some(catalog), Some(installed)) = (&wish.catalog, &wish.installed_csv) else { return Vec::new() };
        let listed = self.snapshots.get(catalog).is_some_and(|snapshot| {
            snapshot.listing.entries().iter().any(|entry| {
                entry.name == *installed
                    && entry.package == wish.package
                    && wish.channel.as_ref().is_none_or(|channel| entry.channel == *channel)
            })
        });
        let packages = self.deprecations.get(catalog).filter(|_| listed);
        let Some(all) = packages.and_then(|packages| packages.get(&wish.package)) else { return Vec::new() };
        let of = |target: &DeprecationTarget| all.iter().find(|entry| entry.target == *target);
        let package = of(&DeprecationTarget::Package).map(|entry| {
            (ConditionType::PackageDeprecated, format!("olm.package/{}: {}", wish.package, entry.message))
        });
        let channel = wish.channel.as_ref().and_then(|channel| {
            let entry = of(&DeprecationTarget::Channel(channel.clone()))?;
            Some((ConditionType::ChannelDeprecated, format!("olm.channel/{channel}: {}", entry.message)))
        });
        let bundle = of(&DeprecationTarget::Bundle(installed.clone()))
            .map(|entry| (ConditionType::BundleDeprecated, format!("olm.bundle/{installed}: {}", entry.message)));
        package.into_iter().chain(channel).chain(bundle).collect()
    }
}
