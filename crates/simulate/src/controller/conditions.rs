//! The conditions of Subscriptions about their InstallPlan and the catalogs.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/catalog/subscription`.

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::predicate::PackageName;
use catalog::{Catalog, Deprecation, DeprecationTarget};
use cluster::{
    CatalogKey, Cluster, Condition, ConditionStatus, ConditionType, PlanPhase, Subscription, SubscriptionState,
};

use super::{Controller, Event, EventKind, subscription_event};

/// The conditions about the InstallPlan. At most one of them is set.
const ABOUT_PLANS: [ConditionType; 3] =
    [ConditionType::InstallPlanPending, ConditionType::InstallPlanFailed, ConditionType::InstallPlanMissing];

impl Controller {
    /// Updates the conditions of the first Subscription whose conditions are outdated, if there is one.
    pub(super) fn advance_conditions(&mut self) -> Option<Vec<Event>> {
        if !self.behind {
            return None;
        }
        for at in self.subscriptions() {
            let mut events = Vec::new();
            events.extend(self.update_catalog_condition(at));
            events.extend(self.update_deprecation_conditions(at));
            events.extend(self.update_plan_conditions(at));
            if !events.is_empty() {
                self.due = true;
                return Some(events);
            }
        }
        self.behind = false;
        None
    }

    /// Sets or removes a condition; the event if that changed something.
    pub(super) fn set_condition(
        &mut self,
        at: usize,
        kind: ConditionType,
        condition: Option<Condition>,
    ) -> Option<Event> {
        let Subscription { spec, status, .. } = &mut self.cluster.subscriptions[at];
        let what = match condition {
            Some(condition) if status.conditions.get(&kind) == Some(&condition) => return None,
            Some(condition) => {
                status.conditions.insert(kind, condition.clone());
                EventKind::ConditionSet(kind, condition)
            }
            None => {
                status.conditions.remove(&kind)?;
                EventKind::ConditionRemoved(kind)
            }
        };
        Some(subscription_event(&spec.name, what))
    }

    fn update_catalog_condition(&mut self, at: usize) -> Option<Event> {
        let condition = self.catalog_health(&self.cluster.subscriptions[at]);
        self.set_condition(at, ConditionType::CatalogSourcesUnhealthy, Some(condition))
    }

    /// The condition is informative: OLM resolves whatever it says. OLM counts global catalogs even if the OperatorGroup
    /// excludes them, and considers a catalog healthy if its pod and its service exist, even if the pod crashes. Reasons
    /// that only announce a change are left out, because the next update replaces them.
    fn catalog_health(&self, subscription: &Subscription) -> Condition {
        let global = &self.cluster.global_namespace;
        let keys = self.cluster.catalog_sources.iter().map(|source| &source.key);
        let mut visible = keys.filter(|key| key.namespace == self.namespace || key.namespace == *global).peekable();
        if visible.peek().is_none() {
            let message = "dependency resolution requires at least one catalogsource";
            return Condition::is_true("NoCatalogSourcesFound", message);
        }
        let target = subscription.spec.catalog.clone().unwrap_or_else(|| CatalogKey::new("", ""));
        if !visible.any(|key| *key == target) {
            let message = format!("targeted catalogsource {target} missing");
            return Condition::is_true("UnhealthyCatalogSourceFound", message);
        }
        Condition {
            status: ConditionStatus::False,
            reason: "AllCatalogSourcesHealthy".into(),
            message: "all available catalogsources are healthy".into(),
        }
    }

    fn update_plan_conditions(&mut self, at: usize) -> Vec<Event> {
        let Some(name) = self.cluster.subscriptions[at].status.install_plan.clone() else { return Vec::new() };
        let plan = self.plan(&name).map(|at| &self.cluster.install_plans[at]);
        let error = plan.filter(|plan| plan.phase == PlanPhase::Failed).and_then(|plan| plan.error.clone());
        let wanted = match plan.map(|plan| plan.phase) {
            None => return self.handle_missing_plan(at),
            Some(PlanPhase::Complete) => None,
            Some(PlanPhase::Failed) => Some((ConditionType::InstallPlanFailed, "InstallPlanFailed")),
            Some(PlanPhase::None) => Some((ConditionType::InstallPlanPending, "InstallPlanNotYetReconciled")),
            Some(phase) => Some((ConditionType::InstallPlanPending, phase.as_str())),
        };
        let set = ABOUT_PLANS.map(|kind| {
            let wanted = wanted.filter(|(wanted, _)| *wanted == kind);
            // A condition from a manifest has the message of a failed plan, which the plan's own manifest may lack.
            let known = self.cluster.subscriptions[at].status.conditions.get(&kind);
            let known = known.filter(|_| kind == ConditionType::InstallPlanFailed).cloned();
            let condition = wanted.map(|(_, reason)| match &error {
                Some(error) => Condition::is_true("InstallComponentFailed", error.clone()),
                None => known.unwrap_or_else(|| Condition::is_true(reason, "")),
            });
            self.set_condition(at, kind, condition)
        });
        set.into_iter().flatten().collect()
    }

    /// Resets a Subscription whose plan was deleted while it was pending. It is not reset if it had no condition about its
    /// plan, because OLM writes only if a condition changes.
    fn handle_missing_plan(&mut self, at: usize) -> Vec<Event> {
        let pending = self.cluster.subscriptions[at].status.state == SubscriptionState::UpgradePending;
        let mut events: Vec<Event> =
            ABOUT_PLANS[..2].iter().filter_map(|&kind| self.set_condition(at, kind, None)).collect();
        if !pending {
            let missing = Condition::is_true("ReferencedInstallPlanNotFound", "");
            events.extend(self.set_condition(at, ConditionType::InstallPlanMissing, Some(missing)));
        } else if !events.is_empty() {
            let subscription = &mut self.cluster.subscriptions[at];
            subscription.status.install_plan = None;
            subscription.status.state = SubscriptionState::None;
            subscription.current_csv = None;
            events.push(self.state_event(at));
        }
        events
    }

    /// An event with the current status of a Subscription.
    pub(super) fn state_event(&self, at: usize) -> Event {
        let Subscription { spec, status, current_csv, .. } = &self.cluster.subscriptions[at];
        let what = EventKind::SubscriptionState {
            state: status.state,
            current_csv: current_csv.clone(),
            installed_csv: spec.installed_csv.clone(),
            install_plan: status.install_plan.as_ref().map(Arc::clone),
        };
        subscription_event(&spec.name, what)
    }
}

// The conditions of Subscriptions about deprecations. No choice of OLM depends on them.
//
// Follows operator-lifecycle-manager `pkg/controller/operators/catalog/subscription`, `updateDeprecatedStatus`: at
// every synchronisation of a Subscription, resolved or not. OLM looks up the installed bundle in its own catalog,
// package and channel; if it is not there, the conditions do not change.

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
    fn update_deprecation_conditions(&mut self, at: usize) -> Vec<Event> {
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
