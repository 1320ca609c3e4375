//! What a Subscription says of its plan and of the catalogs.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/catalog/subscription`.

use std::sync::Arc;

use resolver::CatalogKey;

use super::{Controller, Event, EventKind, subscription_event};
use crate::cluster::Subscription;
use crate::status::{Condition, ConditionStatus, ConditionType, PlanPhase, SubscriptionState};

/// The conditions about the plan, at most one of which holds.
const ABOUT_PLANS: [ConditionType; 3] =
    [ConditionType::InstallPlanPending, ConditionType::InstallPlanFailed, ConditionType::InstallPlanMissing];

impl Controller {
    /// Brings the conditions of the first Subscription that is behind up to date, if there is one.
    pub(super) fn advance_conditions(&mut self) -> Option<Vec<Event>> {
        if !self.behind {
            return None;
        }
        for at in self.subscriptions() {
            let mut events = Vec::new();
            events.extend(self.about_catalogs(at));
            events.extend(self.about_deprecations(at));
            events.extend(self.about_plan(at));
            if !events.is_empty() {
                self.due = true;
                return Some(events);
            }
        }
        self.behind = false;
        None
    }

    /// Sets or takes away a condition; tells what changed.
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

    fn about_catalogs(&mut self, at: usize) -> Option<Event> {
        let condition = self.catalog_health(&self.cluster.subscriptions[at]);
        self.set_condition(at, ConditionType::CatalogSourcesUnhealthy, Some(condition))
    }

    /// Told for information: no resolution waits for it. Global catalogs count even if the OperatorGroup hides them, and
    /// a catalog whose pod crashes is healthy: its pod and its service exist. The reasons that tell of a change, which the
    /// next look replaces, are left out.
    fn catalog_health(&self, subscription: &Subscription) -> Condition {
        let global = &self.cluster.global_namespace;
        let keys = self.cluster.catalog_sources.iter().map(|source| &source.key);
        let mut near = keys.filter(|key| key.namespace == self.namespace || key.namespace == *global).peekable();
        if near.peek().is_none() {
            let message = "dependency resolution requires at least one catalogsource";
            return Condition::holds("NoCatalogSourcesFound", message);
        }
        let target = subscription.spec.catalog.clone().unwrap_or_else(|| CatalogKey::new("", ""));
        if !near.any(|key| *key == target) {
            let message = format!("targeted catalogsource {target} missing");
            return Condition::holds("UnhealthyCatalogSourceFound", message);
        }
        Condition {
            status: ConditionStatus::False,
            reason: "AllCatalogSourcesHealthy".into(),
            message: "all available catalogsources are healthy".into(),
        }
    }

    fn about_plan(&mut self, at: usize) -> Vec<Event> {
        let Some(name) = self.cluster.subscriptions[at].status.install_plan.clone() else { return Vec::new() };
        let plan = self.plan(&name).map(|at| &self.cluster.install_plans[at]);
        let wanted = match plan.map(|plan| plan.phase) {
            None => return self.plan_is_missing(at),
            Some(PlanPhase::Complete) => None,
            Some(PlanPhase::Failed) => Some((ConditionType::InstallPlanFailed, "InstallPlanFailed")),
            Some(PlanPhase::None) => Some((ConditionType::InstallPlanPending, "InstallPlanNotYetReconciled")),
            Some(phase) => Some((ConditionType::InstallPlanPending, phase.as_str())),
        };
        let set = ABOUT_PLANS.map(|kind| {
            let wanted = wanted.filter(|(wanted, _)| *wanted == kind);
            // What a manifest says of a failed plan tells more than we know.
            let known = self.cluster.subscriptions[at].status.conditions.get(&kind);
            let known = known.filter(|_| kind == ConditionType::InstallPlanFailed).cloned();
            let condition = wanted.map(|(_, reason)| known.unwrap_or_else(|| Condition::holds(reason, "")));
            self.set_condition(at, kind, condition)
        });
        set.into_iter().flatten().collect()
    }

    /// A Subscription whose plan was deleted while it was pending begins anew. One that had no condition about its plan
    /// does not: OLM compares conditions alone before it writes.
    fn plan_is_missing(&mut self, at: usize) -> Vec<Event> {
        let pending = self.cluster.subscriptions[at].status.state == SubscriptionState::UpgradePending;
        let mut events: Vec<Event> =
            ABOUT_PLANS[..2].iter().filter_map(|&kind| self.set_condition(at, kind, None)).collect();
        if !pending {
            let missing = Condition::holds("ReferencedInstallPlanNotFound", "");
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

    /// The status of a Subscription as it is now.
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
