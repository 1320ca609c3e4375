//! One synchronisation of the namespace by the catalog operator, in the order of its code.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`, `syncResolvingNamespace`.

use std::sync::Arc;

use cluster::{Condition, ConditionType, PlanPhase, SubscriptionState};
use resolver::{Namespace, Outcome, Problem, Resolution, outcomes, resolve};

use super::{Controller, Event, EventKind, FailureReason, Object, SyncResult};
use crate::namespace::namespace_of;
use crate::step;
use crate::step::PlannedChanges;

/// How many outcomes of a resolution are computed at most.
const MAX_OUTCOMES: usize = 64;

/// The conditions that a successful resolution removes.
const CLEARED: [ConditionType; 3] =
    [ConditionType::BundleUnpacking, ConditionType::BundleUnpackFailed, ConditionType::ResolutionFailed];

/// The name of a generated Subscription that was linked to its plan without a change of its state; OLM does not write
/// such a change.
pub(super) struct UnwrittenLink(Arc<str>);

impl Controller {
    /// Synchronises the namespace.
    pub(super) fn sync(&mut self) -> Vec<Event> {
        (self.due, self.stale) = (false, false);
        let mut events = self.delete_old_plans();
        let synced = self.sync_subscriptions(&mut events);
        let has_own_events = synced == SyncResult::Resolved || synced == SyncResult::StatesChanged;
        if !has_own_events && self.synced.as_ref() != Some(&synced) {
            events.push(Event { object: Object::Namespace, kind: EventKind::Synced(synced.clone()) });
        }
        self.synced = Some(synced);
        self.behind |= !events.is_empty();
        events
    }

    fn sync_subscriptions(&mut self, events: &mut Vec<Event>) -> SyncResult {
        let here = self.subscriptions();
        if here.is_empty() {
            return SyncResult::NoSubscriptions;
        }
        if let Some(count) = step::wrong_group_count(&self.cluster, &self.namespace) {
            return SyncResult::OperatorGroups(count);
        }
        if let Some(error) =
            self.cluster.groups_of(&self.namespace).first().and_then(|group| group.annotation_error.clone())
        {
            return SyncResult::GroupAnnotation(error);
        }
        let mut waits_for = None;
        let before = events.len();
        for &at in &here {
            match self.update_state(at, events) {
                Ok(linked) => waits_for = waits_for.or(linked),
                Err(missing) => return missing,
            }
        }
        if events.len() > before {
            self.due = true;
            return SyncResult::StatesChanged;
        }
        if let Some(UnwrittenLink(name)) = waits_for {
            return SyncResult::WaitsForGenerated(name);
        }
        if here.iter().all(|&at| self.is_pending(at)) {
            return SyncResult::AllPending;
        }
        events.extend(self.resolve());
        SyncResult::Resolved
    }

    /// Links a generated Subscription to its plan, and updates the state from whether the current CSV exists. OLM writes the
    /// Subscription only if its state changes.
    pub(super) fn update_state(
        &mut self,
        at: usize,
        events: &mut Vec<Event>,
    ) -> Result<Option<UnwrittenLink>, SyncResult> {
        let mut next = self.cluster.subscriptions[at].clone();
        let mut linked = None;
        if let (None, Some(by)) = (&next.status.install_plan, next.status.generated_by.clone()) {
            let name = Arc::clone(&next.spec.name);
            let Some(plan) = self.plan(&by).map(|at| &self.cluster.install_plans[at]) else {
                return Err(SyncResult::PlanMissing { subscription: name, plan: by });
            };
            next.status.install_plan = Some(by);
            next.status.install_plan_generation = plan.generation;
            next.status.state = self.pending_state(plan.phase);
            next.current_csv = next.spec.starting_csv.clone();
            linked = Some(UnwrittenLink(name));
        }
        let Some(current) = next.current_csv.clone() else { return Ok(linked) };
        let is_copied = || self.cluster.copied_csvs.contains(&(Arc::clone(&self.namespace), current.clone()));
        let state = if self.csv(&current).is_some() || is_copied() {
            next.spec.installed_csv = Some(current);
            SubscriptionState::AtLatestKnown
        } else {
            let plan = next.status.install_plan.as_ref().and_then(|name| self.plan(name));
            self.pending_state(plan.map_or(PlanPhase::None, |at| self.cluster.install_plans[at].phase))
        };
        if state == next.status.state {
            return Ok(linked);
        }
        next.status.state = state;
        self.cluster.subscriptions[at] = next;
        events.push(self.state_event(at));
        Ok(None)
    }

    /// The state of a Subscription whose current CSV does not exist.
    fn pending_state(&self, plan: PlanPhase) -> SubscriptionState {
        match plan == PlanPhase::Failed && self.fails_forward() {
            true => SubscriptionState::UpgradeFailed,
            false => SubscriptionState::UpgradePending,
        }
    }

    fn is_pending(&self, at: usize) -> bool {
        let status = &self.cluster.subscriptions[at].status;
        status.install_plan.is_some() && status.state == SubscriptionState::UpgradePending
    }

    fn resolve(&mut self) -> Vec<Event> {
        let (problem, outcome) = self.current_outcome();
        self.resolution = Some((Arc::clone(&problem), outcome.clone()));
        match &outcome {
            Outcome::Resolved(resolution) => return self.apply_resolution(resolution),
            Outcome::GaveUp(gave_up) => {
                let kind = EventKind::CannotTell(gave_up.clone());
                return vec![Event { object: Object::Namespace, kind }];
            }
            Outcome::Unsolvable(_) | Outcome::Prevented(_) => {}
        }
        let Some((reason, message)) = self.failure() else { return Vec::new() };
        let condition = Condition::is_true(reason.as_str(), message.as_str());
        let mut conditions = Vec::new();
        for at in self.subscriptions() {
            conditions.extend(self.set_condition(at, ConditionType::ResolutionFailed, Some(condition.clone())));
        }
        // A repeated failure is not an event.
        if conditions.is_empty() {
            return Vec::new();
        }
        self.due = true;
        let transient = self.is_failure_transient();
        let failed = EventKind::ResolutionFailed { reason, message, transient };
        let mut events = vec![Event { object: Object::Namespace, kind: failed }];
        events.extend(conditions);
        events
    }

    /// Why the last resolution failed, with OLM's text.
    pub(super) fn failure(&self) -> Option<(FailureReason, String)> {
        let (problem, outcome) = self.resolution.as_ref()?;
        let reason = match outcome {
            Outcome::Resolved(_) | Outcome::GaveUp(_) => return None,
            Outcome::Unsolvable(_) => FailureReason::ConstraintsNotSatisfiable,
            Outcome::Prevented(_) => FailureReason::ErrorPreventedResolution,
        };
        Some((reason, step::error(problem, outcome).unwrap_or_default()))
    }

    /// The outcome for the current namespace. OLM resolves whenever something triggers it, mostly without a change of its
    /// input; then the last outcome is reused.
    fn current_outcome(&self) -> (Arc<Problem>, Outcome) {
        let namespace = namespace_of(&self.cluster, &self.namespace, &self.snapshots);
        if let Some((problem, outcome)) = &self.resolution
            && is_same_input(problem.namespace(), &namespace)
        {
            return (Arc::clone(problem), outcome.clone());
        }
        let problem = Arc::new(Problem::new(namespace));
        let outcome = match self.outcome {
            0 => resolve(&problem, problem.anchors()),
            wanted => {
                let mut all = outcomes(&problem, MAX_OUTCOMES).outcomes;
                all.swap_remove(if wanted < all.len() { wanted } else { 0 })
            }
        };
        (problem, outcome)
    }

    fn apply_resolution(&mut self, resolution: &Resolution) -> Vec<Event> {
        let cluster = self.cluster.clone();
        let planned = PlannedChanges::of(&cluster, &self.namespace, resolution);
        let plan = !planned.updated.is_empty();
        let mut changes = Vec::new();
        if plan {
            changes.extend(self.create_plan(&planned));
        }
        for at in self.subscriptions() {
            changes.extend(CLEARED.iter().filter_map(|&kind| self.set_condition(at, kind, None)));
        }
        // A resolution that changes nothing is not an event.
        if changes.is_empty() {
            return Vec::new();
        }
        self.due = true;
        let succeeded = EventKind::ResolutionSucceeded { selected: planned.selected, plan };
        let mut events = vec![Event { object: Object::Namespace, kind: succeeded }];
        events.extend(changes);
        events
    }

    /// Whether the namespace can be resolved after all CSVs have reached their final phase.
    fn is_failure_transient(&self) -> bool {
        let mut later = self.clone();
        later.settle_csvs() && matches!(later.current_outcome().1, Outcome::Resolved(_))
    }
}

/// Whether the two namespaces are the same input to a resolution.
fn is_same_input(a: &Namespace, b: &Namespace) -> bool {
    let sorted = |namespace: &Namespace| {
        let mut subscriptions = namespace.subscriptions.clone();
        subscriptions.sort_by(|a, b| a.name.cmp(&b.name));
        let mut installed = namespace.installed.clone();
        installed.sort_by(|a, b| a.name.cmp(&b.name));
        let mut broken = namespace.broken.clone();
        broken.sort();
        (subscriptions, installed, broken)
    };
    let catalogs = || a.catalogs.iter().zip(&b.catalogs);
    a.catalogs.len() == b.catalogs.len() && catalogs().all(|(a, b)| Arc::ptr_eq(a, b)) && sorted(a) == sorted(b)
}
