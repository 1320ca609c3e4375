//! The conditions of Subscriptions about deprecations. No choice of OLM depends on them.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/catalog/subscription`, `updateDeprecatedStatus`: at
//! every synchronisation of a Subscription, resolved or not. OLM looks up the installed bundle in its own catalog, package
//! and channel; if it is not there, the conditions do not change.

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::predicate::PackageName;
use catalog::{Catalog, Deprecation, DeprecationTarget};
use cluster::{CatalogKey, Cluster, Condition, ConditionType, Subscription};

use super::{Controller, Event};

/// The conditions about deprecations; the last one summarises the others.
const KINDS: [ConditionType; 4] = [
    ConditionType::PackageDeprecated,
    ConditionType::ChannelDeprecated,
    ConditionType::BundleDeprecated,
    ConditionType::Deprecated,
];

/// The `olm.deprecations` of the catalogs, by CatalogSource and package.
pub type Deprecations = BTreeMap<CatalogKey, BTreeMap<PackageName, Arc<[Deprecation]>>>;

/// The deprecations of the CatalogSources for which `content` returns a catalog.
#[must_use]
pub fn deprecations<'c>(cluster: &Cluster, content: impl Fn(&CatalogKey) -> Option<&'c Catalog>) -> Deprecations {
    let known = cluster.catalog_sources.iter().filter_map(|source| {
        let packages = content(&source.key)?.packages.iter().filter(|package| !package.deprecations.is_empty());
        let by_package = packages.map(|package| (package.name.clone(), package.deprecations.as_slice().into()));
        Some((source.key.clone(), by_package.collect()))
    });
    known.collect()
}

impl Controller {
    /// Updates the four conditions of a Subscription.
    pub(super) fn update_deprecation_conditions(&mut self, at: usize) -> Vec<Event> {
        if !self.may_change(&self.cluster.subscriptions[at]) {
            return Vec::new();
        }
        let Some(found) = self.deprecations_of(&self.cluster.subscriptions[at]) else { return Vec::new() };
        let messages: Vec<&str> = found.iter().map(|(_, message)| message.as_str()).collect();
        let summary = (!messages.is_empty()).then(|| (ConditionType::Deprecated, messages.join("; ")));
        let wanted: BTreeMap<ConditionType, String> = found.iter().cloned().chain(summary).collect();
        let conditions = KINDS.map(|kind| (kind, wanted.get(&kind).map(|text| Condition::is_true("", text.as_str()))));
        conditions.into_iter().filter_map(|(kind, condition)| self.set_condition(at, kind, condition)).collect()
    }

    /// Whether the conditions may change. Most packages have no deprecations, so the installed bundle need not be looked up.
    fn may_change(&self, subscription: &Subscription) -> bool {
        let catalog = subscription.spec.catalog.as_ref().and_then(|catalog| self.deprecations.get(catalog));
        catalog.is_some_and(|packages| packages.contains_key(&subscription.spec.package))
            || KINDS.iter().any(|kind| subscription.status.conditions.contains_key(kind))
    }

    /// The conditions about package, channel and bundle that apply, with their messages. `None` if OLM cannot find the
    /// installed bundle.
    fn deprecations_of(&self, subscription: &Subscription) -> Option<Vec<(ConditionType, String)>> {
        let spec = &subscription.spec;
        let (catalog, installed) = (spec.catalog.as_ref()?, spec.installed_csv.as_ref()?);
        let snapshot = self.snapshots.get(catalog).filter(|_| !self.cluster.not_served.contains(catalog))?;
        snapshot.listing.entries().iter().find(|entry| {
            entry.name == *installed
                && entry.package == spec.package
                && spec.channel.as_ref().is_none_or(|channel| entry.channel == *channel)
        })?;
        let all: &[Deprecation] =
            self.deprecations.get(catalog).and_then(|packages| packages.get(&spec.package)).map_or(&[], |all| all);
        let of = |target: &DeprecationTarget| all.iter().find(|entry| entry.target == *target);
        let package = of(&DeprecationTarget::Package).map(|entry| {
            (ConditionType::PackageDeprecated, format!("olm.package/{}: {}", spec.package, entry.message))
        });
        let channel = spec.channel.as_ref().and_then(|channel| {
            let entry = of(&DeprecationTarget::Channel(channel.clone()))?;
            Some((ConditionType::ChannelDeprecated, format!("olm.channel/{channel}: {}", entry.message)))
        });
        let bundle = of(&DeprecationTarget::Bundle(installed.clone()))
            .map(|entry| (ConditionType::BundleDeprecated, format!("olm.bundle/{installed}: {}", entry.message)));
        Some(package.into_iter().chain(channel).chain(bundle).collect())
    }
}
