//! What OLM does in a namespace as it stands, and what decides that.
//!
//! The order of the questions is that of operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`
//! (`syncResolvingNamespace`): the first one with an answer decides, and hides the others.

use std::collections::BTreeSet;
use std::sync::Arc;

use catalog::BundleName;
use cluster::{
    CatalogKey, Cluster, ConditionStatus, ConditionType, Connection, Csv, CsvPhase, InstallPlan, OperatorGroup,
    PlanPhase, Requirement,
};
use source::{Approval, StateId, Verdict};

use super::csvs::Csvs;
use super::{Action, Controller, EventKind, FailureReason, InstallResult, Object, Remedy, SyncResult, phase};
use crate::step;

/// The next thing that the catalog operator does in a namespace, before anything else changes there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Now {
    /// The InstallPlan of the cluster that it executes first, with the CSVs that do not exist yet. What it does next depends
    /// on them.
    pub executes: Option<(Arc<str>, Vec<BundleName>)>,
    /// How far it gets without such a plan.
    pub synced: Option<SyncResult>,
    /// The InstallPlan that it makes.
    pub makes: Option<(Approval, Vec<BundleName>)>,
    /// Why the resolution fails, with OLM's text.
    pub fails: Option<(FailureReason, String)>,
}

/// What becomes of a CSV, if nothing but the OLM operator changes anything, and every Deployment becomes available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Becomes {
    pub csv: BundleName,
    /// The phase in which it stays; `None` if it is deleted.
    pub phase: Option<CsvPhase>,
    /// The reason for that phase, where it is known.
    pub reason: Option<Box<str>>,
}

/// What decides about a namespace.
#[derive(Clone, Debug, PartialEq)]
pub enum StateReason {
    /// The namespace is being deleted.
    NamespaceTerminating,
    /// There is no Subscription: what is installed stays as it is. `is_cut`: the input ends before it could tell of one.
    NoSubscription { csvs: Vec<BundleName>, is_cut: bool },
    /// There is not exactly one OperatorGroup.
    GroupCount { groups: Vec<OperatorGroup> },
    /// The ServiceAccount of the OperatorGroup does not exist, so that the group has no targets.
    GroupAccount { group: Arc<str>, message: Box<str> },
    /// OLM cannot read an annotation of the OperatorGroup.
    GroupAnnotation { group: Arc<str>, error: Box<str> },
    /// A generated Subscription names an InstallPlan that does not exist.
    GeneratingPlanGone { subscription: Arc<str>, plan: Arc<str> },
    /// A generated Subscription has no CSV, and its InstallPlan does not make one.
    GeneratedWithoutCsv { subscription: Arc<str> },
    /// An InstallPlan is being executed.
    PlanExecutes { plan: Arc<str>, csvs: Vec<BundleName> },
    /// An InstallPlan is executed again and again, because a step fails.
    PlanRetries { plan: Arc<str>, message: Box<str> },
    /// An InstallPlan waits for approval. `instead`: what OLM would plan without it, where that is something else; `gone`: the
    /// CatalogSource that its manifests went with, of which only the whole cluster tells.
    PlanWaits { plan: Arc<str>, csvs: Vec<BundleName>, instead: Vec<BundleName>, gone: Option<CatalogKey> },
    /// An InstallPlan failed.
    PlanFailed { plan: Arc<str>, csvs: Vec<BundleName>, message: Option<Box<str>> },
    /// An InstallPlan has neither status nor steps.
    PlanEmpty { plan: Arc<str> },
    /// A Subscription names an InstallPlan that does not exist; `runs` is the CSV that it has installed.
    PlanGone { subscription: Arc<str>, plan: Arc<str>, runs: Option<BundleName> },
    /// The CSV of a Subscription does not exist, and no InstallPlan is left to make it; `runs` is an older one that it has.
    CsvGone { subscription: Arc<str>, csv: BundleName, runs: Option<BundleName> },
    /// Bundles are being unpacked.
    Unpacking { message: Box<str> },
    /// A bundle could not be unpacked.
    UnpackFailed { message: Box<str> },
    /// A CSV is being installed, also in the place of another one.
    Installs { csv: BundleName, replaces: Option<BundleName> },
    /// A CSV is being deleted, and nothing takes its place. `subscription`: the one that has it, if one does.
    Terminating { csv: BundleName, subscription: Option<Arc<str>> },
    /// The operator of a CSV forbids its update.
    NotUpgradeable { csv: BundleName, replaces: BundleName, message: Box<str> },
    /// The requirements of a CSV are not met; those that are known.
    Requirements { csv: BundleName, unmet: Vec<Requirement> },
    /// A CSV failed.
    CsvFailed { csv: BundleName, reason: Box<str>, message: Box<str> },
    /// A CSV is being replaced by one that does not exist.
    ReplacementGone { csv: BundleName },
    /// CSVs that replace each other wait for each other.
    Chain { csvs: Vec<BundleName> },
    /// A CSV that no Subscription names is in the way.
    Orphan { csv: BundleName, message: String },
    /// OLM does not reach a CatalogSource; what a Subscription says about that, if one does already. `pod_fails`: whether its pod
    /// does not run, of which only the whole cluster tells.
    Catalog { source: CatalogKey, state: Box<str>, reported: Option<String>, pod_fails: bool },
    /// A catalog that a Subscription names is not known, so that nobody can tell what a resolution leads to.
    NoCatalog,
    /// A Subscription reports that the resolution failed, and a catalog is not known.
    Reported { message: String },
    /// The resolution fails.
    Unresolvable { reason: FailureReason, message: String },
    /// OLM makes an InstallPlan. `manual`: the Subscriptions because of which it needs approval; `waiting`: older plans that wait.
    NewPlan { approval: Approval, csvs: Vec<BundleName>, manual: Vec<Arc<str>>, waiting: Vec<Arc<str>> },
    /// Nothing is left to do.
    UpToDate,
}

impl StateReason {
    /// What the reason is called, and whether the namespace goes on by itself.
    #[must_use]
    pub fn state(&self) -> StateId {
        match self {
            Self::NamespaceTerminating => StateId::NamespaceTerminating,
            Self::NoSubscription { is_cut: true, .. } => StateId::SubscriptionsUnknown,
            Self::NoSubscription { .. } => StateId::NoSubscription,
            Self::GroupCount { groups } if groups.is_empty() => StateId::NoOperatorGroup,
            Self::GroupCount { .. } => StateId::SeveralOperatorGroups,
            Self::GroupAccount { .. } => StateId::OperatorGroupAccount,
            Self::GroupAnnotation { .. } => StateId::OperatorGroupAnnotation,
            Self::GeneratingPlanGone { .. } => StateId::GeneratingPlanGone,
            Self::GeneratedWithoutCsv { .. } => StateId::GeneratedWithoutCsv,
            Self::PlanExecutes { .. } => StateId::PlanExecutes,
            Self::PlanRetries { message, .. } if ENDLESS.iter().any(|text| message.contains(text)) => {
                StateId::PlanRetriesForever
            }
            Self::PlanRetries { .. } => StateId::PlanRetries,
            Self::PlanWaits { .. } => StateId::PlanWaits,
            Self::PlanFailed { .. } => StateId::PlanFailed,
            Self::PlanEmpty { .. } => StateId::PlanEmpty,
            Self::PlanGone { .. } => StateId::PlanGone,
            Self::CsvGone { .. } => StateId::CsvGone,
            Self::Unpacking { .. } => StateId::Unpacking,
            Self::UnpackFailed { .. } => StateId::UnpackFailed,
            Self::Installs { .. } => StateId::CsvInstalls,
            Self::Terminating { subscription: None, .. } => StateId::CsvTerminating,
            Self::Terminating { .. } => StateId::CsvDeleted,
            Self::NotUpgradeable { .. } => StateId::NotUpgradeable,
            Self::Requirements { .. } => StateId::CsvRequirements,
            Self::CsvFailed { .. } => StateId::CsvFailed,
            Self::ReplacementGone { .. } => StateId::ReplacementGone,
            Self::Chain { .. } => StateId::CsvChain,
            Self::Orphan { .. } => StateId::CsvWithoutSubscription,
            Self::Catalog { state, pod_fails: false, .. } if &**state == "CONNECTING" => StateId::CatalogConnects,
            Self::Catalog { .. } => StateId::CatalogNotReached,
            Self::NoCatalog => StateId::CatalogNotLoaded,
            Self::Reported { .. } => StateId::ReportedFailure,
            Self::Unresolvable { .. } => StateId::ResolutionFails,
            Self::NewPlan { approval: Approval::Manual, .. } => StateId::NewPlanWaits,
            Self::NewPlan { approval: Approval::Automatic, .. } => StateId::NewPlan,
            Self::UpToDate => StateId::UpToDate,
        }
    }

    /// Whether the namespace goes on by itself.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.state().verdict()
    }
}

impl Controller {
    /// What the catalog operator does next, and whether the namespace goes on by itself. The verdict is about the objects that
    /// there are. Without the catalogs of its Subscriptions it is not known what a resolution leads to; what the Subscriptions
    /// report stands for it.
    #[must_use]
    pub fn now(mut self, has_catalogs: bool) -> (Now, StateReason) {
        if self.cluster.terminating_namespaces.contains(&self.namespace) {
            return (Now::default(), StateReason::NamespaceTerminating);
        }
        // A resolution removes the conditions that tell.
        let (unpacking, reported) = (self.unpacking(), self.reported());
        // What the objects show is known without a catalog, and decides with it.
        let (executed, unsettled) = (self.executed(), self.unsettled_csv());
        let leads_on = unsettled.as_ref().is_some_and(|one| self.leads_on(one));
        let mut now = self.run_now();
        let unsettled = unsettled.filter(|_| !leads_on || has_catalogs && now.makes.is_none());
        if !has_catalogs {
            now.executes = now.executes.or(executed);
        }
        if !has_catalogs && now.synced == Some(SyncResult::Resolved) {
            (now.makes, now.fails) = (None, reported.clone());
        }
        // Without catalogs nobody knows whether there is anything to unpack, but the Subscriptions report it.
        let is_reported = !has_catalogs && now.synced == Some(SyncResult::Resolved) && reported.is_none();
        let found = unpacking.filter(|_| now.makes.is_some() || is_reported);
        if found.is_some() {
            now.makes = None;
        }
        let reason = found.unwrap_or_else(|| self.decided(&now, has_catalogs, reported, unsettled));
        if !has_catalogs {
            now.fails = None;
        }
        let reason = self.with_alternatives(reason, has_catalogs);
        match (&reason, self.cluster.groups_of(&self.namespace)) {
            (StateReason::UpToDate | StateReason::NoSubscription { .. } | StateReason::NoCatalog, _) => {}
            (_, [group]) if let Some(message) = group.account_error.clone() => {
                let group = Arc::clone(&group.name);
                return (now, StateReason::GroupAccount { group, message });
            }
            _ => {}
        }
        (now, reason)
    }

    /// What the Subscriptions say about the last resolution, if it is about CSVs that are still there.
    fn reported(&self) -> Option<(FailureReason, String)> {
        let here = self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at].status.conditions);
        let mut failed = here.clone().filter_map(|conditions| conditions.get(&ConditionType::ResolutionFailed));
        let failed = failed.find(|condition| {
            condition.status == ConditionStatus::True && self.is_about_what_is_there(&condition.message)
        });
        // With that CatalogSource missing, the resolution finds nothing.
        let missing = || {
            let mut found =
                here.clone().filter_map(|conditions| conditions.get(&ConditionType::CatalogSourcesUnhealthy));
            found.find(|one| one.status == ConditionStatus::True && is_missing(&one.message))
        };
        let failed = failed.or_else(missing)?;
        let reason = match &*failed.reason {
            "ErrorPreventedResolution" => FailureReason::ErrorPreventedResolution,
            _ => FailureReason::ConstraintsNotSatisfiable,
        };
        Some((reason, failed.message.to_string()))
    }

    /// Whether each CSV exists that a message names as installed. OLM removes an old message only with the next resolution.
    fn is_about_what_is_there(&self, message: &str) -> bool {
        let existing = format!("@existing/{}//", self.namespace);
        let named = [&*existing, "clusterserviceversion "].into_iter().flat_map(|lead| message.split(lead).skip(1));
        let mut names = named.filter_map(|rest| rest.split([' ', ',']).next());
        let is_unknown = self.cluster.csvs.iter().all(|csv| csv.is_assumed);
        is_unknown || names.all(|name| self.csv(&name.into()).is_some())
    }

    /// Adds to an InstallPlan that waits what OLM would do without it.
    fn with_alternatives(&self, reason: StateReason, has_catalogs: bool) -> StateReason {
        let StateReason::PlanWaits { plan, csvs, .. } = reason else { return reason };
        let without = || self.clone().with_remedy(&Remedy::DeletePlan(Arc::clone(&plan))).run_now().makes;
        let planned = has_catalogs.then(without).flatten();
        let instead = planned.map(|(_, csvs)| csvs).filter(|other| *other != csvs).unwrap_or_default();
        StateReason::PlanWaits { plan, csvs, instead, gone: None }
    }

    pub(super) fn run_now(&mut self) -> Now {
        let mut now = Now::default();
        // Each round changes a condition, a state or a plan, of which there are few.
        let rounds = 16 * (1 + self.cluster.subscriptions.len() + self.cluster.install_plans.len());
        for _ in 0..rounds {
            let next = self.advance_conditions().or_else(|| self.advance_plans());
            let Some(events) = next.or_else(|| self.due.then(|| self.sync())) else { break };
            for event in events {
                match event.kind {
                    EventKind::CsvCreated { .. } => return self.executing(&event.object),
                    EventKind::PlanCreated { approval, csvs, .. } => now.makes = Some((approval, csvs)),
                    EventKind::ResolutionFailed { reason, message, .. } => now.fails = Some((reason, message)),
                    _ => {}
                }
            }
            if now.makes.is_some() {
                break;
            }
        }
        now.synced = self.synced.clone();
        // That a resolution fails as before is no event.
        if now.makes.is_none() && now.synced == Some(SyncResult::Resolved) {
            now.fails = now.fails.or_else(|| self.failure());
        }
        now
    }

    /// The plan that has just created a CSV.
    fn executing(&self, created: &Object) -> Now {
        let Object::Csv(csv) = created else { return Now::default() };
        let plan = self.all_plans().find(|plan| plan.done > 0 && plan.csvs.contains(csv));
        let missing = |name: &&BundleName| *name == csv || self.csv(name).is_none();
        let executes = plan.map(|plan| (Arc::clone(&plan.name), plan.csvs.iter().filter(missing).cloned().collect()));
        Now { executes, ..Now::default() }
    }

    pub(super) fn all_plans(&self) -> impl Iterator<Item = &InstallPlan> {
        self.plans().into_iter().map(|at| &self.cluster.install_plans[at])
    }

    /// The plan that is being executed and has CSVs to create.
    fn executed(&self) -> Option<(Arc<str>, Vec<BundleName>)> {
        if step::wrong_group_count(&self.cluster, &self.namespace).is_some() {
            return None;
        }
        let is_running = |plan: &&InstallPlan| match plan.phase {
            PlanPhase::Installing => plan.retries.is_none(),
            PlanPhase::RequiresApproval => plan.approved,
            _ => false,
        };
        let mut running = self.all_plans().filter(is_running).map(|plan| {
            let missing = plan.csvs.iter().filter(|csv| self.csv(csv).is_none()).cloned();
            (Arc::clone(&plan.name), missing.collect::<Vec<_>>())
        });
        running.find(|(_, missing)| !missing.is_empty())
    }

    fn decided(
        &self,
        now: &Now,
        has_catalogs: bool,
        reported: Option<(FailureReason, String)>,
        unsettled: Option<StateReason>,
    ) -> StateReason {
        // A plan that is being executed does not change that.
        if let [group] = self.cluster.groups_of(&self.namespace)
            && let Some(error) = group.annotation_error.clone().filter(|_| !self.subscriptions().is_empty())
        {
            return StateReason::GroupAnnotation { group: Arc::clone(&group.name), error };
        }
        if let Some((plan, csvs)) = now.executes.clone() {
            return StateReason::PlanExecutes { plan, csvs };
        }
        match now.synced.clone() {
            Some(SyncResult::OperatorGroups(_)) => {
                let groups = self.cluster.groups_of(&self.namespace).to_vec();
                StateReason::GroupCount { groups }
            }
            Some(SyncResult::PlanMissing { subscription, plan }) => {
                StateReason::GeneratingPlanGone { subscription, plan }
            }
            Some(SyncResult::WaitsForGenerated(subscription)) => {
                let waits = StateReason::GeneratedWithoutCsv { subscription };
                self.pending().unwrap_or(waits)
            }
            Some(SyncResult::AllPending) => self.pending().unwrap_or(StateReason::UpToDate),
            Some(SyncResult::Resolved) => {
                self.resolved(now, has_catalogs, reported.map(|(_, message)| message), unsettled)
            }
            Some(SyncResult::NoSubscriptions | SyncResult::StatesChanged | SyncResult::GroupAnnotation(_)) | None => {
                let here = Csvs::of(self);
                let csvs = here.all().map(|csv| csv.installed.name.clone());
                let csvs: Vec<BundleName> = csvs.filter(|csv| csv.as_str() != PACKAGE_SERVER).collect();
                let is_decided = |reason: &StateReason| {
                    let all_end = here.all().all(|csv| csv.is_terminating);
                    reason.verdict() == Verdict::Stuck || all_end && reason.state() == StateId::CsvTerminating
                };
                if let Some(found) = unsettled.filter(is_decided) {
                    return found;
                }
                match csvs.is_empty() {
                    // OLM executes a plan whatever becomes of the Subscriptions.
                    true => {
                        let plans = self.all_plans().filter_map(|plan| self.planned(plan));
                        plans.min_by_key(|reason| reason.verdict().attention()).unwrap_or(StateReason::UpToDate)
                    }
                    // One may follow behind the end of the input.
                    false => StateReason::NoSubscription { csvs, is_cut: self.cluster.lacks_subscriptions },
                }
            }
        }
    }

    /// What the InstallPlans of Subscriptions wait for whose CSV does not exist: what is worst for its user first.
    fn pending(&self) -> Option<StateReason> {
        let here = self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at]);
        let reasons = here.filter_map(|one| {
            let (name, csv) = (one.status.install_plan.as_ref()?, one.current_csv.clone()?);
            let subscription = Arc::clone(&one.spec.name);
            if self.csv(&csv).is_some() {
                return None;
            }
            let runs = one.spec.installed_csv.clone().filter(|installed| self.csv(installed).is_some());
            Some(match self.all_plans().find(|plan| plan.name == *name) {
                None => StateReason::PlanGone { subscription, plan: Arc::clone(name), runs },
                Some(plan) => self.planned(plan).unwrap_or(StateReason::CsvGone { subscription, csv, runs }),
            })
        });
        reasons.min_by_key(|reason| reason.verdict().attention())
    }

    /// What an InstallPlan waits for; `None` if it is complete.
    fn planned(&self, plan: &InstallPlan) -> Option<StateReason> {
        let (name, csvs) = (Arc::clone(&plan.name), plan.csvs.clone());
        let message = || {
            let here = self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at].status);
            let named = here.filter(|status| status.install_plan.as_ref() == Some(&plan.name));
            let texts = named.filter_map(|status| status.conditions.get(&ConditionType::InstallPlanFailed));
            texts.map(|condition| condition.message.clone()).find(|text| !text.is_empty())
        };
        Some(match plan.phase {
            PlanPhase::Complete => return None,
            PlanPhase::RequiresApproval if !plan.approved => {
                StateReason::PlanWaits { plan: name, csvs, instead: Vec::new(), gone: None }
            }
            PlanPhase::Failed => {
                let message = plan.error.clone().or_else(|| plan.retries.clone()).or_else(message);
                StateReason::PlanFailed { plan: name, csvs, message }
            }
            PlanPhase::None | PlanPhase::Planning if plan.is_empty => StateReason::PlanEmpty { plan: name },
            _ => match plan.retries.clone() {
                Some(message) => StateReason::PlanRetries { plan: name, message },
                None => StateReason::PlanExecutes { plan: name, csvs },
            },
        })
    }

    /// The CSV of a Subscription that OLM would choose again, and therefore does not plan (operator-lifecycle-manager
    /// `pkg/controller/registry/resolver/step_resolver.go`).
    fn never_planned(&self) -> Option<StateReason> {
        let here = self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at]);
        let mut without = here.filter_map(|one| {
            let csv =
                one.current_csv.clone().filter(|csv| one.status.install_plan.is_none() && self.csv(csv).is_none())?;
            let runs = one.spec.installed_csv.clone().filter(|installed| self.csv(installed).is_some());
            Some(StateReason::CsvGone { subscription: Arc::clone(&one.spec.name), csv, runs })
        });
        without.next()
    }

    fn resolved(
        &self,
        now: &Now,
        has_catalogs: bool,
        reported: Option<String>,
        unsettled: Option<StateReason>,
    ) -> StateReason {
        if let Some(found) = unsettled.clone().filter(|_| now.makes.is_some()) {
            return found;
        }
        if let Some((approval, csvs)) = now.makes.clone() {
            let here = self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at]);
            let manual = here.filter(|one| one.approval == Approval::Manual).map(|one| Arc::clone(&one.spec.name));
            let older = self.all_plans().filter(|plan| plan.phase == PlanPhase::RequiresApproval && !plan.approved);
            let older = older.filter(|plan| !csvs.iter().all(|csv| plan.csvs.contains(csv)));
            let (manual, waiting) = (manual.collect(), older.map(|plan| Arc::clone(&plan.name)).collect());
            return StateReason::NewPlan { approval, csvs, manual, waiting };
        }
        let pending = if now.fails.is_none() { self.pending() } else { None };
        if let Some(found) = pending.into_iter().chain(unsettled).min_by_key(|reason| reason.verdict().attention()) {
            return found;
        }
        let message = now.fails.as_ref().map(|(_, message)| message.clone()).unwrap_or_default();
        if let Some(found) = self.unreached(&message, has_catalogs, reported) {
            return found;
        }
        let Some((reason, _)) = now.fails.clone() else {
            let otherwise = if has_catalogs {
                self.never_planned().unwrap_or(StateReason::UpToDate)
            } else {
                StateReason::NoCatalog
            };
            return otherwise;
        };
        let named: BTreeSet<&BundleName> =
            self.cluster.subscriptions.iter().filter_map(|one| one.spec.installed_csv.as_ref()).collect();
        let orphan = Csvs::of(self)
            .all()
            .map(|csv| &csv.installed.name)
            .find(|name| !named.contains(name) && message.contains(&format!("clusterserviceversion {name} exists")));
        match orphan {
            Some(csv) => StateReason::Orphan { csv: csv.clone(), message },
            None if !has_catalogs => StateReason::Reported { message },
            None => StateReason::Unresolvable { reason, message },
        }
    }

    /// The CatalogSource that keeps OLM from resolving: the one that the message is about; without catalogs any that is not
    /// reached.
    fn unreached(&self, message: &str, has_catalogs: bool, reported: Option<String>) -> Option<StateReason> {
        let visible: BTreeSet<&CatalogKey> = self.cluster.visible_to(&self.namespace).collect();
        let sources = self.cluster.catalog_sources.iter().filter(|source| visible.contains(&source.key));
        // Older versions of OLM put the name before the namespace.
        let is_in = |message: &str, CatalogKey { name, namespace }: &CatalogKey| {
            message.contains(&format!("{namespace}/{name}:")) || message.contains(&format!("{name}/{namespace}:"))
        };
        let sources = sources.filter(|source| is_in(message, &source.key) || !has_catalogs && message.is_empty());
        let mut found = sources.filter_map(|source| {
            let state = match &source.connection {
                Connection::Answers => return None,
                Connection::Never => "".into(),
                Connection::Fails(state) => state.clone(),
            };
            let source = source.key.clone();
            let reported = reported.clone().filter(|message| is_in(message, &source));
            Some(StateReason::Catalog { source, state, reported, pod_fails: false })
        });
        found.next()
    }

    /// What the conditions say about bundles that are being unpacked. An attempt that follows a failed one, or whose image cannot be
    /// pulled, ends as the one before it unless somebody makes the image pullable.
    fn unpacking(&self) -> Option<StateReason> {
        let here = self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at].status.conditions);
        let here: Vec<_> = here.collect();
        let message = |kind| {
            let found = here.iter().filter_map(|conditions| conditions.get(&kind));
            let mut found = found.filter(|condition| condition.status == ConditionStatus::True);
            found.next().map(|condition| condition.message.clone())
        };
        let (failed, running) = (message(ConditionType::BundleUnpackFailed), message(ConditionType::BundleUnpacking));
        let failed = failed.or_else(|| running.clone().filter(|message| message.starts_with(PULL_FAILED)));
        let failed = failed.map(|message| StateReason::UnpackFailed { message });
        failed.or(running.map(|message| StateReason::Unpacking { message }))
    }

    /// The CSV that has not reached its place yet, and whether it does by itself; what is worst first.
    fn unsettled_csv(&self) -> Option<StateReason> {
        let csvs = Csvs::of(self);
        let found = csvs.all().filter_map(|csv| self.unsettled(&csvs, csv));
        found.min_by_key(|reason| reason.verdict().attention())
    }

    /// Whether an update may lead on from a CSV: from one that is still being replaced, but not from one that failed or is not
    /// installed yet (operator-lifecycle-manager `pkg/controller/operators/olm/operator.go`, `checkReplacementsAndUpdateStatus`).
    fn leads_on(&self, unsettled: &StateReason) -> bool {
        match unsettled {
            StateReason::ReplacementGone { csv } => self.only_owner(csv).is_some(),
            _ => self.fails_forward() && unsettled.verdict() == Verdict::Stuck,
        }
    }

    fn unsettled<'c>(&'c self, csvs: &Csvs<'c>, csv: &'c Csv) -> Option<StateReason> {
        let name = || csv.installed.name.clone();
        let old = csvs.predecessor(csv);
        let replaces = old.map(|old| old.installed.name.clone());
        let reason = csv.reason.as_deref().unwrap_or_default();
        let message = || csv.message.clone().unwrap_or_default();
        let installs = StateReason::Installs { csv: name(), replaces: replaces.clone() };
        Some(match phase(csv) {
            _ if csv.is_terminating && csvs.successor(csv).is_none() => {
                StateReason::Terminating { csv: name(), subscription: self.only_owner(&csv.installed.name) }
            }
            CsvPhase::Pending if reason == "OperatorConditionNotUpgradeable" => {
                let replaces = replaces?;
                // What the operator says now counts, and not what it said before.
                if self.cluster.allows_update(&self.namespace, &replaces) {
                    return Some(installs);
                }
                StateReason::NotUpgradeable { csv: name(), replaces, message: message() }
            }
            CsvPhase::Pending if reason == "RequirementsNotMet" => {
                let plan = self.all_plans().filter(|plan| plan.csvs.contains(&csv.installed.name)).last();
                match plan.and_then(|plan| self.planned(plan)) {
                    Some(found) => found,
                    None => {
                        let unmet = csv.unmet.clone();
                        StateReason::Requirements { csv: name(), unmet }
                    }
                }
            }
            // An abbreviated manifest has no status.
            CsvPhase::None if old.is_none() => return None,
            CsvPhase::Pending | CsvPhase::None | CsvPhase::InstallReady | CsvPhase::Installing => match old {
                Some(old) if phase(old) == CsvPhase::Failed && !self.fails_forward() => return None,
                _ => installs,
            },
            CsvPhase::Failed | CsvPhase::Unknown => {
                StateReason::CsvFailed { csv: name(), reason: reason.into(), message: message() }
            }
            CsvPhase::Replacing => match csvs.successor(csv) {
                None => StateReason::ReplacementGone { csv: name() },
                Some(next) if phase(next) == CsvPhase::Replacing && !self.fails_forward() => {
                    let csvs = csvs.chain(csv).into_iter().map(|csv| csv.installed.name.clone()).collect();
                    StateReason::Chain { csvs }
                }
                Some(next) => {
                    let (csv, replaces) = (next.installed.name.clone(), Some(name()));
                    StateReason::Installs { csv, replaces }
                }
            },
            CsvPhase::Deleting => {
                let next = csvs.successor(csv).map(|next| next.installed.name.clone());
                let replaces = next.is_some().then(name);
                StateReason::Installs { csv: next.unwrap_or_else(name), replaces }
            }
            CsvPhase::Succeeded if old.is_some() => installs,
            CsvPhase::Succeeded => return None,
        })
    }

    /// The Subscription that has a CSV, and plans no other one.
    fn only_owner(&self, csv: &BundleName) -> Option<Arc<str>> {
        let mut here = self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at]);
        let has_it = |one: &&cluster::Subscription| {
            one.spec.installed_csv.as_ref() == Some(csv)
                && one.current_csv.as_ref().is_none_or(|current| current == csv)
        };
        here.find(has_it).map(|one| Arc::clone(&one.spec.name))
    }

    /// The cluster once what the namespace is in the middle of has ended: InstallPlans that wait are approved, an update that the
    /// operator forbids is allowed, and each CSV is in its last phase.
    #[must_use]
    pub fn ended(mut self, reason: &StateReason) -> Cluster {
        match reason {
            StateReason::PlanWaits { .. } => {
                let here = self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at].status);
                let plans: Vec<Arc<str>> = here.filter_map(|status| status.install_plan.clone()).collect();
                plans.into_iter().for_each(|plan| drop(self.act(Action::Approve(plan))));
            }
            StateReason::NotUpgradeable { replaces, .. } => {
                let Self { cluster, namespace, .. } = &mut self;
                cluster.operator_conditions.retain(|one| one.namespace != *namespace || one.csv != *replaces);
                self.release(replaces);
            }
            _ => {}
        }
        while self.advance_plans().is_some() {}
        self.settle_csvs();
        let mut events = Vec::new();
        for at in self.subscriptions() {
            // One that OLM generated and cannot link stays as it is.
            drop(self.update_state(at, &mut events));
        }
        self.cluster
    }

    /// Lets the CSV that replaces this one go on, which OLM looks at again.
    fn release(&mut self, replaced: &BundleName) {
        let csvs = self.cluster.csvs.iter_mut().filter(|csv| csv.namespace == self.namespace);
        for csv in csvs.filter(|csv| csv.replaces.as_ref() == Some(replaced)) {
            (csv.reason, csv.message) = (None, None);
        }
    }

    /// What becomes of the CSVs of the namespace, by name.
    #[must_use]
    pub fn csvs_become(mut self) -> Vec<Becomes> {
        let here = self.cluster.csvs.iter().filter(|csv| csv.namespace == self.namespace);
        let mut names: Vec<BundleName> = here.map(|csv| csv.installed.name.clone()).collect();
        names.sort();
        for csv in self.cluster.csvs.iter().filter(|csv| csv.namespace == self.namespace && is_tried_again(csv)) {
            self.install_results.insert(csv.installed.name.clone(), InstallResult::Succeeds);
        }
        self.settle_csvs();
        let future = |name: BundleName| {
            let csv = self.csv(&name);
            let reason = csv.and_then(|csv| csv.reason.clone());
            Becomes { phase: csv.map(phase), reason, csv: name }
        };
        names.into_iter().map(future).collect()
    }
}

/// The CSV of OLM's own package server, which has no Subscription (operator-lifecycle-manager `cmd/package-server-manager/main.go`
/// on OpenShift, `deploy/chart/templates/_packageserver.clusterserviceversion.yaml` elsewhere).
const PACKAGE_SERVER: &str = "packageserver";

/// Parts of errors of InstallPlans that OLM does not give up: missing rights, and a wrong OperatorGroup
/// (operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`).
const ENDLESS: [&str; 3] = ["forbidden", "operator group", "service account exists"];

/// How the text begins that OLM has for a bundle whose image cannot be pulled, while it tries (operator-lifecycle-manager
/// `pkg/controller/operators/catalog/operator.go`).
const PULL_FAILED: &str = "Bundle image pull failed";

/// Whether a Subscription says that its CatalogSource does not exist (operator-lifecycle-manager
/// `pkg/controller/operators/catalog/subscription/state.go`).
fn is_missing(message: &str) -> bool {
    message.starts_with("targeted catalogsource ") && message.ends_with(" missing")
}

/// Reasons of failed CSVs that OLM leaves alone (operator-lifecycle-manager `pkg/controller/operators/olm/operator.go`).
const LEFT_ALONE: [&str; 3] = ["InstallComponentFailedNoRetry", "InvalidInstallStrategy", "InvalidWebhookDescription"];

/// Whether OLM installs a failed CSV again by itself.
fn is_tried_again(csv: &Csv) -> bool {
    phase(csv) == CsvPhase::Failed && !csv.reason.as_deref().is_some_and(|reason| LEFT_ALONE.contains(&reason))
}
