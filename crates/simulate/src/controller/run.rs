//! Runs the operators, one event at a time or until nothing changes.

use std::sync::Arc;

use catalog::BundleName;
use resolver::{GaveUp, Outcome};

use super::csvs::Csvs;
use super::{Controller, Event, FailureReason, SyncResult, phase};
use crate::step;
use cluster::{ConditionType, Csv, CsvPhase, GroupMismatch, PlanPhase};

/// The result of [`Controller::settle`].
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// All events, in order.
    pub events: Vec<Event>,
    pub end: End,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Nothing is left to do.
    Settled,
    /// Plans wait for approval, by generation.
    WaitsForApproval(Vec<Arc<str>>),
    /// Something blocks the namespace.
    Blocked(Vec<Blocker>),
    /// The limit on events was reached.
    Bounded,
}

/// Something that blocks the namespace, or a part of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Blocker {
    /// The namespace has this many OperatorGroups instead of one. No condition says so.
    OperatorGroups(usize),
    /// OLM cannot read an annotation of the OperatorGroup. No condition says so.
    GroupAnnotation(Box<str>),
    /// A generated Subscription names a plan that does not exist.
    PlanMissing { subscription: Arc<str>, plan: Arc<str> },
    /// A generated Subscription has no CSV, and no plan creates it.
    GeneratedWithoutCsv(Arc<str>),
    /// A Subscription references a plan that does not exist, and no condition makes OLM notice.
    PlanLost(Arc<str>),
    /// A plan failed before it created its CSVs.
    PlanFailed(Arc<str>),
    /// A plan from a manifest names a CSV that no visible catalog has.
    PlanUnknown { plan: Arc<str>, csv: BundleName },
    /// A CSV does not reach a final phase, or blocks the CSV that replaces it.
    Csv { name: BundleName, phase: CsvPhase },
    /// A CSV stays in phase `Pending`, because its plan failed before it created all objects of the bundle.
    CsvIncomplete { name: BundleName, error: Box<str> },
    /// A CSV does not fit the OperatorGroup.
    CsvFailed {
        name: BundleName,
        /// `status.reason`
        reason: GroupMismatch,
        /// `status.message`
        message: Box<str>,
    },
    /// The namespace cannot be resolved.
    Resolution {
        /// The condition's reason.
        reason: FailureReason,
        /// OLM's text.
        message: String,
    },
    /// The resolver gave up, so we do not know what OLM does.
    CannotTell(GaveUp),
}

impl Controller {
    /// Runs until the next events, and returns them; empty if nothing changes.
    ///
    /// The order: conditions of Subscriptions, a synchronisation that something triggered, the next step of a plan, the next
    /// phase of a CSV, and last the periodic resync, which finds changes that OLM does not watch.
    pub fn advance(&mut self) -> Vec<Event> {
        loop {
            let next = self
                .advance_conditions()
                .or_else(|| self.due.then(|| self.sync()))
                .or_else(|| self.advance_plans())
                .or_else(|| self.advance_csvs())
                .or_else(|| self.stale.then(|| self.sync()));
            // A change without events may lead to events.
            match next {
                Some(events) if events.is_empty() => {}
                Some(events) => return events,
                None => return Vec::new(),
            }
        }
    }

    /// Runs until nothing changes, or until there are at least `max` events.
    pub fn settle(&mut self, max: usize) -> Run {
        let mut events = Vec::new();
        while events.len() < max {
            let more = self.advance();
            if more.is_empty() {
                return Run { events, end: self.end() };
            }
            events.extend(more);
        }
        Run { events, end: End::Bounded }
    }

    fn end(&self) -> End {
        let plans = self.plans().into_iter().map(|at| &self.cluster.install_plans[at]);
        let waiting = plans.filter(|plan| plan.phase == PlanPhase::RequiresApproval && !plan.approved);
        let waiting: Vec<Arc<str>> = waiting.map(|plan| Arc::clone(&plan.name)).collect();
        if !waiting.is_empty() {
            return End::WaitsForApproval(waiting);
        }
        let blockers = self.blockers();
        if blockers.is_empty() { End::Settled } else { End::Blocked(blockers) }
    }

    fn blockers(&self) -> Vec<Blocker> {
        let mut blockers: Vec<Blocker> = self.sync_blocker().into_iter().collect();
        blockers.extend(self.plan_blockers());
        blockers.extend(self.csv_blockers());
        blockers
    }

    fn sync_blocker(&self) -> Option<Blocker> {
        match self.synced.as_ref()? {
            SyncResult::NoSubscriptions | SyncResult::StatesChanged | SyncResult::AllPending => None,
            SyncResult::OperatorGroups(count) => Some(Blocker::OperatorGroups(*count)),
            SyncResult::GroupAnnotation(error) => Some(Blocker::GroupAnnotation(error.clone())),
            SyncResult::PlanMissing { subscription, plan } => {
                Some(Blocker::PlanMissing { subscription: Arc::clone(subscription), plan: Arc::clone(plan) })
            }
            SyncResult::WaitsForGenerated(name) => Some(Blocker::GeneratedWithoutCsv(Arc::clone(name))),
            SyncResult::Resolved => {
                let (problem, outcome) = self.resolution.as_ref()?;
                let reason = match outcome {
                    Outcome::Resolved(_) => return None,
                    Outcome::GaveUp(gave_up) => return Some(Blocker::CannotTell(gave_up.clone())),
                    Outcome::Unsolvable(_) => FailureReason::ConstraintsNotSatisfiable,
                    Outcome::Prevented(_) => FailureReason::ErrorPreventedResolution,
                };
                Some(Blocker::Resolution { reason, message: step::error(problem, outcome)? })
            }
        }
    }

    fn plan_blockers(&self) -> Vec<Blocker> {
        let here = self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at]);
        let pending = here.clone().filter(|subscription| {
            subscription.current_csv.as_ref().is_some_and(|current| self.csv(current).is_none())
        });
        let mut blockers: Vec<Blocker> = Vec::new();
        for subscription in pending {
            let Some(name) = &subscription.status.install_plan else { continue };
            match self.plan(name).map(|at| &self.cluster.install_plans[at]) {
                None if !subscription.status.conditions.contains_key(&ConditionType::InstallPlanMissing) => {
                    blockers.push(Blocker::PlanLost(Arc::clone(&subscription.spec.name)));
                }
                Some(plan) if plan.phase == PlanPhase::Failed => blockers.push(Blocker::PlanFailed(Arc::clone(name))),
                Some(_) | None => {}
            }
        }
        for plan in self.plans().into_iter().map(|at| &self.cluster.install_plans[at]) {
            if plan.phase == PlanPhase::Installing
                && let Err(csv) = self.steps_of(plan)
            {
                blockers.push(Blocker::PlanUnknown { plan: Arc::clone(&plan.name), csv });
            }
        }
        blockers
    }

    /// CSVs that have not reached a final phase, and failed CSVs in a chain.
    fn csv_blockers(&self) -> Vec<Blocker> {
        let csvs = Csvs::of(self);
        let blocking = csvs.all().filter(|csv| match phase(csv) {
            CsvPhase::None | CsvPhase::Pending | CsvPhase::InstallReady | CsvPhase::Installing => true,
            CsvPhase::Replacing | CsvPhase::Deleting => true,
            CsvPhase::Failed if csv.group_mismatch().is_some() => true,
            CsvPhase::Failed | CsvPhase::Unknown => csvs.successor(csv).is_some() || csvs.predecessor(csv).is_some(),
            CsvPhase::Succeeded => false,
        });
        let blocker = |csv: &Csv| {
            let name = csv.installed.name.clone();
            if let Some(reason) = csv.group_mismatch() {
                return Blocker::CsvFailed { name, reason, message: csv.message.clone().unwrap_or_default() };
            }
            match (phase(csv), self.incomplete.get(&name)) {
                (CsvPhase::Pending, Some(error)) => Blocker::CsvIncomplete { name, error: error.clone() },
                (phase, _) => Blocker::Csv { name, phase },
            }
        };
        blocking.map(blocker).collect()
    }
}
