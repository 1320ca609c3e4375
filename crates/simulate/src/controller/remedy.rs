//! What a person can do about the state of a namespace. Each change is tried in the model before it is offered: the operators run
//! on with the changed objects. None deletes a CSV or a Subscription.

use std::sync::Arc;

use catalog::BundleName;
use catalog::predicate::{PackageName, Property};
use cluster::{ConditionType, Csv, CsvPhase, CsvProperties, InstallPlan, PlanPhase, Subscription, SubscriptionState};
use source::{Approval, Verdict};

use super::{Controller, StateReason, phase};
use crate::operator_groups::group_for_all;

/// The most events after a change. A cluster that does not come to rest is not better.
const EVENTS: usize = 400;

/// A change of objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// One OperatorGroup instead of none or several.
    OneGroup,
    /// The annotation of the OperatorGroup that OLM cannot read is corrected.
    CorrectAnnotation,
    /// A Subscription loses the annotation that names the InstallPlan which made it.
    Ungenerate(Arc<str>),
    /// An InstallPlan is approved.
    Approve(Arc<str>),
    /// An InstallPlan is deleted, after the cause of its failure is removed, so that OLM makes a new one.
    DeletePlan(Arc<str>),
    /// A failed InstallPlan is executed again, after the cause of its failure is removed.
    RunAgain(Arc<str>),
    /// The status of a Subscription forgets its InstallPlan, so that OLM plans anew from this CSV.
    Reset { subscription: Arc<str>, csv: Option<BundleName> },
    /// The status of a Subscription names a CSV, which it then owns.
    Adopt { subscription: Arc<str>, csv: BundleName },
    /// An override in the OperatorCondition of a CSV allows its update.
    AllowUpdate(BundleName),
    /// The OperatorGroup lets failed CSVs be replaced; its name.
    FailForward(Arc<str>),
}

impl Controller {
    /// The change that helps, the mildest first; `None` if none of those that are known does, or if nobody has to do anything.
    #[must_use]
    pub fn remedy(&self, has_catalogs: bool, reason: &StateReason) -> Option<Remedy> {
        if !matches!(reason.verdict(), Verdict::Waits | Verdict::Stuck) {
            return None;
        }
        self.candidates(reason).into_iter().find(|remedy| self.is_helped_by(remedy, has_catalogs, reason))
    }

    fn candidates(&self, reason: &StateReason) -> Vec<Remedy> {
        let subscriptions = || self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at]);
        match reason {
            StateReason::GroupCount { .. } => vec![Remedy::OneGroup],
            StateReason::GroupAnnotation { .. } => vec![Remedy::CorrectAnnotation],
            StateReason::GeneratingPlanGone { subscription, .. } => vec![Remedy::Ungenerate(Arc::clone(subscription))],
            StateReason::PlanWaits { gone: Some(_), .. } => Vec::new(),
            StateReason::PlanWaits { plan, instead, .. } => {
                let anew = (!instead.is_empty()).then(|| Remedy::DeletePlan(Arc::clone(plan)));
                [Remedy::Approve(Arc::clone(plan))].into_iter().chain(anew).collect()
            }
            // A CSV that the plan has made stays without the rest of its bundle, whatever becomes of the plan.
            StateReason::PlanFailed { plan, csvs, .. } if csvs.iter().any(|csv| self.csv(csv).is_some()) => {
                vec![Remedy::RunAgain(Arc::clone(plan))]
            }
            StateReason::PlanFailed { plan, .. } => {
                vec![Remedy::DeletePlan(Arc::clone(plan)), Remedy::RunAgain(Arc::clone(plan))]
            }
            StateReason::PlanEmpty { plan } => vec![Remedy::DeletePlan(Arc::clone(plan))],
            StateReason::PlanGone { subscription, runs, .. } | StateReason::CsvGone { subscription, runs, .. } => {
                vec![Remedy::Reset { subscription: Arc::clone(subscription), csv: runs.clone() }]
            }
            StateReason::ReplacementGone { csv } => {
                let owners = subscriptions().filter(|one| {
                    let named = [&one.spec.installed_csv, &one.current_csv];
                    named
                        .iter()
                        .all(|named| named.as_ref().is_none_or(|named| named == csv || self.csv(named).is_none()))
                });
                let reset = |name: &Arc<str>| Remedy::Reset { subscription: Arc::clone(name), csv: Some(csv.clone()) };
                owners.map(|one| reset(&one.spec.name)).collect()
            }
            StateReason::NotUpgradeable { replaces, .. } => vec![Remedy::AllowUpdate(replaces.clone())],
            StateReason::Chain { .. } => {
                let group = self.cluster.groups_of(&self.namespace).first();
                group.map(|group| Remedy::FailForward(Arc::clone(&group.name))).into_iter().collect()
            }
            StateReason::Orphan { csv, .. } => {
                let package = self.csv(csv).and_then(|csv| self.package_of(csv));
                let without = subscriptions().filter(|one| {
                    let installed = one.spec.installed_csv.as_ref().filter(|installed| self.csv(installed).is_some());
                    installed.is_none() && package.as_ref() == Some(&one.spec.package)
                });
                let adopt = |name: &Arc<str>| Remedy::Adopt { subscription: Arc::clone(name), csv: csv.clone() };
                without.map(|one| adopt(&one.spec.name)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The CSV that fails once the InstallPlan is approved that the cluster has or that OLM makes next, and its reason.
    #[must_use]
    pub fn end_of_approval(&self, reason: &StateReason) -> Option<(BundleName, Box<str>)> {
        let mut after = self.clone();
        let csvs = match reason {
            StateReason::PlanWaits { csvs, .. } => csvs,
            StateReason::NewPlan { approval: Approval::Manual, csvs, .. } => {
                after.run_now();
                csvs
            }
            _ => return None,
        };
        let is_waiting = |plan: &&InstallPlan| csvs.iter().all(|csv| plan.csvs.contains(csv)) && !plan.approved;
        let plan = after.all_plans().filter(is_waiting).last().map(|plan| Arc::clone(&plan.name))?;
        after = after.with_remedy(&Remedy::Approve(plan));
        after.settle(EVENTS);
        let never_runs = |csv: &&BundleName| {
            after.csv(csv).is_some_and(|csv| phase(csv) == CsvPhase::Failed) && self.csv(csv).is_none()
        };
        let csv = csvs.iter().find(never_runs)?;
        Some((csv.clone(), after.csv(csv)?.reason.clone().unwrap_or_default()))
    }

    /// The CSV that runs now and that an InstallPlan puts this one in place of.
    #[must_use]
    pub fn runs_before(&self, csv: &BundleName) -> Option<&BundleName> {
        let planned = |one: &&Subscription| one.current_csv.as_ref() == Some(csv);
        let here = || self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at]);
        let by_plan = here().find(planned);
        let package = self.snapshots.values().find_map(|snapshot| snapshot.listing.named(csv).next());
        let by_package = || here().find(|one| package.is_some_and(|entry| entry.package == one.spec.package));
        let installed = by_plan.or_else(by_package)?.spec.installed_csv.as_ref();
        installed.filter(|installed| self.csv(installed).is_some())
    }

    /// The package of a CSV, as its properties or a catalog tell it.
    fn package_of(&self, csv: &Csv) -> Option<PackageName> {
        let of_property = match &csv.installed.properties {
            CsvProperties::Known(properties) => properties.iter().rev().find_map(|placed| match &placed.property {
                Property::Package { name, .. } => Some(name.clone()),
                _ => None,
            }),
            CsvProperties::Inferred { .. } | CsvProperties::Broken(_) => None,
        };
        let listed = || self.snapshots.values().find_map(|snapshot| snapshot.listing.named(&csv.installed.name).next());
        of_property.or_else(|| Some(listed()?.package.clone()))
    }

    fn is_helped_by(&self, remedy: &Remedy, has_catalogs: bool, before: &StateReason) -> bool {
        let mut after = self.clone().with_remedy(remedy);
        let (_, first) = after.clone().now(has_catalogs);
        if has_catalogs {
            after.settle(EVENTS);
        } else {
            after.settle_csvs();
        }
        let (_, reason) = after.clone().now(has_catalogs);
        match remedy {
            // What is asked later by OLM may stand in the way, too.
            Remedy::OneGroup | Remedy::CorrectAnnotation | Remedy::Ungenerate(_) => first.state() != before.state(),
            Remedy::Approve(plan) => {
                let csvs = self.plan(plan).map_or(&[][..], |at| &self.cluster.install_plans[at].csvs);
                let is_wanted = |csv: &BundleName| {
                    let here = self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at]);
                    here.into_iter().any(|one| one.current_csv.as_ref() == Some(csv))
                };
                // What other Subscriptions want may stand in the way afterwards.
                let is_stuck = reason.verdict() == Verdict::Stuck
                    && !matches!(reason, StateReason::Unresolvable { .. } | StateReason::Catalog { .. });
                // The input may have the plan alone, without the Subscription that wants it.
                let is_alone = self.subscriptions().is_empty();
                is_alone || !is_stuck && csvs.iter().any(is_wanted)
            }
            _ => reason.verdict() != Verdict::Stuck && reason != *before,
        }
    }

    /// The same with the changed objects.
    #[must_use]
    pub fn with_remedy(mut self, remedy: &Remedy) -> Self {
        // On a cluster the conditions of Subscriptions are up to date when somebody acts.
        while self.advance_conditions().is_some() {}
        (self.behind, self.due) = (true, true);
        // OLM resolves again.
        for at in self.subscriptions() {
            self.cluster.subscriptions[at].status.conditions.remove(&ConditionType::ResolutionFailed);
        }
        match remedy {
            Remedy::OneGroup => {
                let groups = Arc::make_mut(&mut self.cluster.operator_groups);
                let groups = groups.entry(Arc::clone(&self.namespace)).or_default();
                if groups.is_empty() {
                    groups.push(group_for_all(&self.namespace));
                }
                groups.truncate(1);
            }
            Remedy::CorrectAnnotation => {
                let groups = Arc::make_mut(&mut self.cluster.operator_groups);
                groups
                    .entry(Arc::clone(&self.namespace))
                    .or_default()
                    .iter_mut()
                    .for_each(|one| one.annotation_error = None);
            }
            Remedy::Ungenerate(name) => {
                if let Some(at) = self.subscription(name) {
                    self.cluster.subscriptions[at].status.generated_by = None;
                }
            }
            Remedy::Approve(name) => {
                if let Some(at) = self.plan(name) {
                    self.cluster.install_plans[at].approved = true;
                }
            }
            Remedy::DeletePlan(name) => {
                self.cluster.crds = Arc::default();
                self.remove_plan(name);
            }
            Remedy::RunAgain(name) => {
                self.cluster.crds = Arc::default();
                if let Some(at) = self.plan(name) {
                    let plan = &mut self.cluster.install_plans[at];
                    (plan.phase, plan.error, plan.retries) = (PlanPhase::Installing, None, None);
                }
            }
            Remedy::Reset { subscription, csv } => {
                if let Some(at) = self.subscription(subscription) {
                    let one = &mut self.cluster.subscriptions[at];
                    (one.current_csv, one.spec.installed_csv) = (csv.clone(), csv.clone());
                    (one.status.state, one.status.install_plan) = (SubscriptionState::None, None);
                }
            }
            Remedy::Adopt { subscription, csv } => {
                if let Some(at) = self.subscription(subscription) {
                    let one = &mut self.cluster.subscriptions[at];
                    (one.current_csv, one.spec.installed_csv) = (Some(csv.clone()), Some(csv.clone()));
                }
            }
            Remedy::AllowUpdate(csv) => {
                let conditions = self.cluster.operator_conditions.iter_mut();
                let own = conditions.filter(|one| one.namespace == self.namespace && one.csv == *csv);
                own.for_each(|one| one.refusal = None);
            }
            Remedy::FailForward(name) => {
                let groups = Arc::make_mut(&mut self.cluster.operator_groups);
                let here = groups.entry(Arc::clone(&self.namespace)).or_default().iter_mut();
                here.filter(|one| one.name == *name).for_each(|one| one.fail_forward = true);
            }
        }
        self
    }
}
