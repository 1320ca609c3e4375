//! Each namespace of a cluster as it stands: what OLM does there now, what decides that, and what becomes of the CSVs.

use super::scenario;
use super::scenario::Scenario;
use super::subscriptions::IN_PROGRESS;
use super::timeline::controller;
use super::wording::{self, StateWords};
use catalog::BundleName;
use cluster::{
    CatalogKey, Cluster, ConditionStatus, ConditionType, Connection, Csv, FailingWorkload, Kind, Subscription,
};
use session::Workbench;
use simulate::{Becomes, Controller, Now, Snapshots, StateReason, SyncResult};
use source::{Approval, StateId, Verdict};
use std::collections::BTreeSet;
use std::sync::Arc;
use views::{CsvFuture, DecidingObject, NamespaceNow, NamespaceState, SubscriptionStatus};

/// The namespaces with objects of OLM v0, by name. An object that the input does not have does not exist; where its kind may
/// not be in the input at all, one is taken to be there, as on most clusters, for what decides.
#[must_use]
pub fn namespace_states(workbench: &Workbench) -> Vec<NamespaceState> {
    let whole = &workbench.cluster_manifests().1.cluster;
    let scenarios = scenario(workbench, "").of_occupied_namespaces();
    scenarios.map(|scenario| current_state(workbench, whole, scenario).view).collect()
}

/// The namespaces as they stand, and the cluster once what they are in the middle of has ended. InstallPlans that wait for
/// approval still do. CatalogSources serve what is given, or what is loaded for them.
pub(crate) fn cluster_after_current(workbench: &Workbench, served: Snapshots) -> (Cluster, Vec<NamespaceState>) {
    let whole = &workbench.cluster_manifests().1.cluster;
    let mut scenario = super::scenario(workbench, "");
    scenario.serve(whole, served);
    current_states(workbench, scenario, whole.clone(), NamespaceState::is_in_hand_over)
}

/// The namespaces of a scenario as they stand, and the cluster once that has ended which those are in the middle of that
/// `ends` chooses.
pub(crate) fn current_states(
    workbench: &Workbench,
    scenario: Scenario,
    mut cluster: Cluster,
    ends: impl Fn(&NamespaceState) -> bool,
) -> (Cluster, Vec<NamespaceState>) {
    let whole = &workbench.cluster_manifests().1.cluster;
    let mut states = Vec::new();
    for scenario in scenario.of_occupied_namespaces() {
        let namespace = Arc::clone(&scenario.namespace);
        let CurrentState { view, ended } = current_state(workbench, whole, scenario);
        if let Some(ended) = ended.filter(|_| ends(&view)) {
            let here = |csv: &Csv| csv.namespace == namespace;
            cluster.csvs.retain(|csv| !here(csv));
            cluster.csvs.extend(ended.csvs.into_iter().filter(here));
            cluster.subscriptions.retain(|one| one.namespace != namespace);
            cluster.subscriptions.extend(ended.subscriptions.into_iter().filter(|one| one.namespace == namespace));
        }
        states.push(view);
    }
    (cluster, states)
}

/// A namespace as it stands, and the cluster that follows.
struct CurrentState {
    pub(super) view: NamespaceState,
    /// The cluster once that has ended which the namespace is in the middle of.
    ended: Option<Cluster>,
}

impl Scenario {
    /// Begins with what the namespace is in the middle of: says what it is, and takes what follows for the cluster.
    pub(super) fn skip_current_state(&mut self, workbench: &Workbench) {
        if self.namespace.is_empty() {
            return;
        }
        let whole = &workbench.cluster_manifests().1.cluster;
        let CurrentState { view, ended } = current_state(workbench, whole, self.clone());
        if view.is_in_between() && !view.is_in_hand_over() {
            self.until_approved = Some(self.cluster.installed_csvs(&self.namespace));
        }
        if let Some(Cluster { subscriptions, csvs, install_plans, operator_conditions, .. }) = ended {
            (self.cluster.subscriptions, self.cluster.csvs) = (subscriptions, csvs);
            (self.cluster.install_plans, self.cluster.operator_conditions) = (install_plans, operator_conditions);
        }
        self.state = Some(Box::new(view));
    }

    /// What a Subscription waits for as the namespace stands, where that decides and not the resolution that leads to `status`.
    pub(super) fn deciding_status(
        &self,
        subscription: &Subscription,
        status: SubscriptionStatus,
    ) -> Option<(SubscriptionStatus, String)> {
        let state = self.state.as_ref()?;
        let Subscription { spec, current_csv, status: reported, .. } = subscription;
        let csvs: Vec<&str> = spec.installed_csv.iter().chain(current_csv).map(BundleName::as_str).collect();
        if !state.is_before_resolution() || !state.is_about(&spec.name, &csvs) {
            let failed = reported.conditions.get(&ConditionType::ResolutionFailed);
            let is_failed = failed.is_some_and(|condition| condition.status == ConditionStatus::True);
            let is_fine = matches!(
                status,
                SubscriptionStatus::Installs | SubscriptionStatus::Updates | SubscriptionStatus::AtHead
            );
            return (is_failed && is_fine)
                .then(|| (SubscriptionStatus::Unknown, format!("{}: reported as not resolved", spec.name)));
        }
        let (status, what) = match state.now.reason {
            // What the simulation says of it is more.
            StateId::CsvGone if status == SubscriptionStatus::NotInstalled => return None,
            StateId::PlanWaits => (SubscriptionStatus::Waits, "waits for approval"),
            other if other.verdict() == Verdict::Waits => (SubscriptionStatus::Waits, "waits for you"),
            other if other.verdict() == Verdict::Passes => (SubscriptionStatus::Passes, IN_PROGRESS),
            _ => (SubscriptionStatus::Blocked, "is stuck"),
        };
        Some((status, format!("{} {what}", spec.name)))
    }
}

fn current_state(workbench: &Workbench, whole: &Cluster, mut scenario: Scenario) -> CurrentState {
    let has_catalogs = !scenario.lacks_catalog();
    // A cluster without any CatalogSource resolves nothing; manifests without one say nothing about it.
    let has_no_source = workbench.cluster_manifests().1.has_all_catalog_sources && whole.catalog_sources.is_empty();
    add_failing_sources(&mut scenario.cluster, whole);
    // No object that may be there helps a namespace that goes.
    let ends = whole.terminating_namespaces.contains(&scenario.namespace);
    let taken = if ends { Vec::new() } else { missing(&scenario) };
    let assumed = (!taken.is_empty()).then(|| {
        let mut scenario = scenario.clone();
        scenario.complete(workbench);
        connected(workbench, &mut scenario)
    });
    make_literal(&mut scenario, whole);
    let known = connected(workbench, &mut scenario);
    let mut alone = scenario.clone();
    if whole.catalog_sources.is_empty() && !has_catalogs {
        alone.cluster.catalog_sources.clear();
    }
    let literal = connected(workbench, &mut alone);
    let elsewhere = elsewhere(whole, &scenario);
    let csvs = literal.clone().csvs_become().into_iter().map(|csv| future("", csv)).chain(elsewhere).collect();
    let namespace = scenario.namespace.to_string();
    let (now, reason) = decided(&literal, has_catalogs || whole.catalog_sources.is_empty(), whole);
    // The fields about what OLM does are about the objects of the input alone; verdict and sentence are also about those that are
    // taken to be there.
    let (controller, has_catalogs, reason) = match assumed {
        None if has_catalogs || has_no_source => (literal, true, reason),
        None => {
            let (_, reason) = decided(&known, false, whole);
            (known, false, reason)
        }
        Some(controller) => {
            let (_, reason) = decided(&controller, has_catalogs, whole);
            (controller, has_catalogs, reason)
        }
    };
    let mut words = words(&controller, has_catalogs, &reason, whole);
    if let Some((csv, why, runs)) = end_of_approval(workbench, &scenario, &controller, &reason) {
        words.advice = Some(wording::not_approved(&csv, &why, runs.as_ref()));
    }
    // A notice tells what kind of OperatorGroup it has to be.
    let others: Vec<&str> =
        taken.iter().map(|kind| kind.as_str()).filter(|kind| *kind != Kind::OperatorGroup.as_str()).collect();
    if !others.is_empty() {
        let kinds = source::joined(others.iter().map(|kind| format!("no {kind}")), usize::MAX, "and");
        let they = if others.len() > 1 { "one of each" } else { "it" };
        words.sentence.push_str(&format!(" (the input has {kinds}; {they} is taken to be there)"));
    }
    let now = NamespaceNow {
        taken: taken.iter().map(|kind| kind.as_str().to_owned()).collect(),
        ..view(now, &reason, words, objects(&reason))
    };
    CurrentState::of(NamespaceState { namespace, now, csvs }, controller, &reason)
}

/// What OLM does, and what decides that. Where the CatalogSource of an InstallPlan that waits is gone, its manifests are, too.
fn decided(controller: &Controller, has_catalogs: bool, whole: &Cluster) -> (Now, StateReason) {
    let (now, mut reason) = controller.clone().now(has_catalogs);
    let workload = failing_workload(whole, controller, &reason);
    match &mut reason {
        // OLM has not noticed yet.
        StateReason::Unpacking { message } if workload.is_some() => {
            reason = StateReason::UnpackFailed { message: message.clone() };
        }
        StateReason::Catalog { pod_fails, .. } => *pod_fails = workload.is_some(),
        _ => {}
    }
    if let StateReason::PlanWaits { plan, instead, gone, .. } = &mut reason {
        let named = subscriptions(controller).filter(|one| one.status.install_plan.as_ref() == Some(plan));
        let is_there = |key: &&CatalogKey| whole.catalog_sources.iter().any(|source| source.key == **key);
        let is_known = !whole.catalog_sources.is_empty();
        let lost = named.filter_map(|one| one.spec.catalog.as_ref()).find(|key| is_known && !is_there(key));
        *gone = lost.cloned();
        if gone.is_some() {
            instead.clear();
        }
    }
    (now, reason)
}

impl CurrentState {
    fn of(view: NamespaceState, controller: Controller, reason: &StateReason) -> Self {
        Self { ended: view.is_in_between().then(|| controller.ended(reason)), view }
    }
}

/// What decides in words, with what helps.
fn words(controller: &Controller, has_catalogs: bool, reason: &StateReason, whole: &Cluster) -> StateWords {
    let remedy = controller.remedy(has_catalogs, reason);
    let workload = failing_workload(whole, controller, reason);
    wording::state(controller.namespace(), reason, remedy.as_ref(), workload)
}

/// The Subscriptions of the namespace.
fn subscriptions(controller: &Controller) -> impl Iterator<Item = &Subscription> {
    let all = controller.cluster().subscriptions.iter();
    all.filter(|one| *one.namespace == *controller.namespace())
}

/// The pod or Job that keeps a catalog or a bundle from coming up, if it is in the input: a pod says more than its Job.
fn failing_workload<'c>(
    whole: &'c Cluster,
    controller: &Controller,
    reason: &StateReason,
) -> Option<&'c FailingWorkload> {
    let sources = subscriptions(controller).filter_map(|one| one.spec.catalog.as_ref());
    let homes: BTreeSet<&Arc<str>> = sources.map(|source| &source.namespace).collect();
    let is_it = |one: &&FailingWorkload| match reason {
        StateReason::Catalog { source, .. } => {
            one.namespace == source.namespace && one.serves.as_ref() == Some(&source.name)
        }
        StateReason::Unpacking { .. } | StateReason::UnpackFailed { .. } => {
            one.serves.is_none() && homes.contains(&one.namespace)
        }
        _ => false,
    };
    whole.failing_workloads.iter().filter(is_it).min_by_key(|one| (one.is_job, &one.name))
}

/// The CSV that never runs once somebody approves what waits, why, and the CSV that runs until then.
fn end_of_approval(
    workbench: &Workbench,
    scenario: &Scenario,
    controller: &Controller,
    reason: &StateReason,
) -> Option<(BundleName, String, Option<BundleName>)> {
    let csvs = match reason {
        StateReason::PlanWaits { csvs, .. } | StateReason::NewPlan { approval: Approval::Manual, csvs, .. } => csvs,
        _ => return None,
    };
    let pending = scenario.look_up(workbench, csvs).map(|(csv, obstacle)| (csv, obstacle.short()));
    let controller = controller.clone().with_install_modes(scenario.modes.known());
    let failed = || controller.end_of_approval(reason).map(|(csv, why)| (csv, format!("never runs (`{why}`)")));
    let (csv, why) = pending.or_else(failed)?;
    let runs = controller.runs_before(&csv).cloned();
    Some((csv, why, runs))
}

/// The kinds of which nobody knows whether the cluster has an object, because the input has none.
fn missing(scenario: &Scenario) -> Vec<Kind> {
    let cluster = &scenario.cluster;
    if cluster.subscriptions.is_empty() {
        return Vec::new();
    }
    let group = cluster.groups_of(&scenario.namespace).is_empty() && !cluster.has_all_groups;
    let (csv, plan) = (cluster.assumed_csvs() > 0, cluster.install_plans.iter().any(|plan| plan.is_assumed));
    let kinds = [(group, Kind::OperatorGroup), (csv, Kind::ClusterServiceVersion), (plan, Kind::InstallPlan)];
    kinds.into_iter().filter(|(is_missing, _)| *is_missing).map(|(_, kind)| kind).collect()
}

/// Takes out of a scenario what was assumed, but for the CatalogSources.
fn make_literal(scenario: &mut Scenario, whole: &Cluster) {
    let cluster = &mut scenario.cluster;
    cluster.operator_groups = Arc::clone(&whole.operator_groups);
    cluster.has_all_groups = true;
    cluster.csvs.retain(|csv| !csv.is_assumed);
    cluster.install_plans.retain(|plan| !plan.is_assumed);
}

/// Adds the CatalogSources that OLM does not reach, also without a loaded catalog: they count whatever they have.
fn add_failing_sources(cluster: &mut Cluster, whole: &Cluster) {
    let mut failing = whole.catalog_sources.clone();
    failing.retain(|source| matches!(source.connection, Connection::Fails(_)));
    failing.retain(|source| cluster.catalog_sources.iter().all(|known| known.key != source.key));
    cluster.catalog_sources.extend(failing);
}

/// The operators of OLM in the namespace, which reach the CatalogSources as the manifests say.
fn connected(workbench: &Workbench, scenario: &mut Scenario) -> Controller {
    for source in scenario.cluster.catalog_sources.clone() {
        match source.connection {
            Connection::Answers => {}
            Connection::Never => drop(scenario.snapshots.remove(&source.key)),
            Connection::Fails(_) => drop(scenario.cluster.not_served.insert(source.key)),
        }
    }
    controller(workbench, scenario, &[])
}

/// The CSVs of other namespaces that own the same CustomResourceDefinitions: only one of them runs where their OperatorGroups
/// meet.
fn elsewhere(whole: &Cluster, scenario: &Scenario) -> Vec<CsvFuture> {
    let owned: BTreeSet<_> = scenario.cluster.csvs.iter().flat_map(|csv| &csv.owned_crds).collect();
    let is_other =
        |csv: &&Csv| csv.namespace != scenario.namespace && csv.owned_crds.iter().any(|crd| owned.contains(crd));
    let homes: BTreeSet<Arc<str>> = whole.csvs.iter().filter(is_other).map(|csv| Arc::clone(&csv.namespace)).collect();
    if homes.is_empty() {
        return Vec::new();
    }
    let parts = whole.parts_of(homes);
    let of_part = |(namespace, cluster): (Arc<str>, Cluster)| {
        let others: BTreeSet<&BundleName> = whole.csvs.iter().filter(is_other).map(|csv| &csv.installed.name).collect();
        let controller = Controller::new(cluster, &namespace, Default::default(), Default::default());
        let futures = controller.csvs_become().into_iter().filter(|csv| others.contains(&csv.csv));
        futures.map(|csv| future(&format!("{namespace}/"), csv)).collect::<Vec<_>>()
    };
    parts.into_iter().flat_map(of_part).collect()
}

fn future(home: &str, Becomes { csv, phase, reason }: Becomes) -> CsvFuture {
    let becomes = phase.map_or_else(|| "deleted".to_owned(), |phase| phase.to_string());
    CsvFuture { name: format!("{home}{csv}"), becomes, reason: reason.map(Into::into) }
}

fn view(now: Now, reason: &StateReason, words: StateWords, objects: Vec<DecidingObject>) -> NamespaceNow {
    let names = |names: Vec<BundleName>| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let Now { executes, synced, makes, fails } = now;
    let StateWords { sentence, advice, never } = words;
    NamespaceNow {
        resolved: synced == Some(SyncResult::Resolved),
        approval: makes.as_ref().map(|(approval, _)| *approval),
        new_install_plan: makes.map(|(_, csvs)| names(csvs)),
        existing_plan_installs: executes.map(|(_, csvs)| names(csvs)).unwrap_or_default(),
        resolution_fails: fails.map(|(_, message)| message),
        verdict: reason.verdict(),
        reason: reason.state(),
        taken: Vec::new(),
        sentence,
        advice,
        never,
        objects,
    }
}

// The objects that decide about a namespace.

pub(super) fn objects(reason: &StateReason) -> Vec<DecidingObject> {
    let of = |kind: Kind, names: Vec<String>| {
        let kind = kind.as_str();
        names.into_iter().map(|name| DecidingObject { kind: kind.to_owned(), name }).collect::<Vec<_>>()
    };
    let csvs = |csvs: &[BundleName]| of(Kind::ClusterServiceVersion, csvs.iter().map(ToString::to_string).collect());
    let csv = |csv: &BundleName| csvs(std::slice::from_ref(csv));
    let one = |kind, name: &Arc<str>| of(kind, vec![name.to_string()]);
    match reason {
        StateReason::NoSubscription { csvs: all, .. } | StateReason::Chain { csvs: all } => csvs(all),
        StateReason::GroupCount { groups } => {
            of(Kind::OperatorGroup, groups.iter().map(|group| group.name.to_string()).collect())
        }
        StateReason::GroupAnnotation { group, .. } | StateReason::GroupAccount { group, .. } => {
            one(Kind::OperatorGroup, group)
        }
        StateReason::GeneratingPlanGone { subscription, .. }
        | StateReason::GeneratedWithoutCsv { subscription }
        | StateReason::PlanGone { subscription, .. }
        | StateReason::CsvGone { subscription, .. } => one(Kind::Subscription, subscription),
        StateReason::PlanExecutes { plan, .. }
        | StateReason::PlanRetries { plan, .. }
        | StateReason::PlanWaits { plan, .. }
        | StateReason::PlanFailed { plan, .. }
        | StateReason::PlanEmpty { plan } => one(Kind::InstallPlan, plan),
        StateReason::Installs { csv: new, replaces } => {
            csv(new).into_iter().chain(replaces.iter().flat_map(csv)).collect()
        }
        StateReason::NotUpgradeable { csv: new, replaces, .. } => {
            csv(new).into_iter().chain(of(Kind::OperatorCondition, vec![replaces.to_string()])).collect()
        }
        StateReason::Requirements { csv: one, .. }
        | StateReason::CsvFailed { csv: one, .. }
        | StateReason::ReplacementGone { csv: one }
        | StateReason::Terminating { csv: one, .. }
        | StateReason::Orphan { csv: one, .. } => csv(one),
        StateReason::Catalog { source, .. } => of(Kind::CatalogSource, vec![source.to_string()]),
        StateReason::NamespaceTerminating
        | StateReason::Unpacking { .. }
        | StateReason::UnpackFailed { .. }
        | StateReason::NoCatalog
        | StateReason::Reported { .. }
        | StateReason::Unresolvable { .. }
        | StateReason::NewPlan { .. }
        | StateReason::UpToDate => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{namespace_states, namespaces, simulate};
    use cluster::ManifestFacts;
    use session::testing::workbench;
    use source::{StateId, Verdict};
    use views::{NamespaceState, SubscriptionStatus};

    const CATALOG: &str = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\n\
                           bundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
    const SOURCE: &str = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n";
    const GROUP: &str = "kind: OperatorGroup\nmetadata: {name: og, namespace: ns}\n";

    fn subscription(status: &str) -> String {
        format!(
            "kind: Subscription\nmetadata: {{name: s, namespace: ns}}\n\
             spec: {{name: p, channel: c, source: c, sourceNamespace: olm}}\nstatus: {{{status}}}\n"
        )
    }

    fn csv(version: &str, replaces: &str, status: &str) -> String {
        let properties = format!(
            r#"{{"properties":[{{"type":"olm.package","value":{{"packageName":"p","version":"{version}"}}}}]}}"#
        );
        format!(
            "kind: ClusterServiceVersion\n\
             metadata: {{name: p.v{version}, namespace: ns, annotations: {{operatorframework.io/properties: '{properties}'}}}}\n\
             spec: {{version: {version}, replaces: {replaces}}}\nstatus: {{{status}}}\n"
        )
    }

    fn plan(version: &str, status: &str) -> String {
        format!(
            "kind: InstallPlan\nmetadata: {{name: plan, namespace: ns}}\n\
             spec: {{approval: Manual, approved: false, clusterServiceVersionNames: [p.v{version}], generation: 1}}\n\
             status: {{{status}}}\n"
        )
    }

    fn state(objects: &[&str]) -> NamespaceState {
        let text = objects.join("---\n");
        let mut states = namespace_states(&workbench(&[("c", CATALOG)]).with_cluster(&text));
        assert_eq!(states.len(), 1, "{text}");
        states.remove(0)
    }

    /// The verdict and what decides.
    #[track_caller]
    fn check(objects: &[&str], verdict: Verdict, reason: &str, sentence: &str) -> NamespaceState {
        let state = state(objects);
        assert_eq!((state.now.verdict, state.now.reason.id(), &*state.now.sentence), (verdict, reason, sentence));
        state
    }

    const UPDATING: &str = "installedCSV: p.v2.0.0, currentCSV: p.v2.0.0, state: AtLatestKnown";

    #[test]
    fn a_plan_that_waits_for_approval_decides() {
        let status =
            "currentCSV: p.v2.0.0, installedCSV: p.v1.0.0, state: UpgradePending, installPlanRef: {name: plan}";
        let installed = csv("1.0.0", "''", "phase: Succeeded");
        let plan = plan("2.0.0", "phase: RequiresApproval");
        let objects = [SOURCE, GROUP, &subscription(status), &installed, &plan];
        let sentence = "the InstallPlan `plan` waits for approval; it installs `p.v2.0.0`";
        let state = check(&objects, Verdict::Waits, "install-plan-waits", sentence);
        assert!(!state.now.resolved && state.now.new_install_plan.is_none());
        let approve =
            "approve it: `kubectl patch installplan plan -n ns --type merge -p '{\"spec\":{\"approved\":true}}'`";
        assert_eq!(state.now.advice.as_deref(), Some(approve));
    }

    #[test]
    fn a_failed_plan_is_named_with_its_text() {
        let failed = "type: InstallPlanFailed, status: 'True', reason: InstallComponentFailed, message: no such kind";
        let status = format!(
            "currentCSV: p.v2.0.0, installedCSV: p.v1.0.0, state: UpgradePending, installPlanRef: {{name: plan}}, \
             conditions: [{{{failed}}}]"
        );
        let installed = csv("1.0.0", "''", "phase: Succeeded");
        let objects = [SOURCE, GROUP, &subscription(&status), &installed, &plan("2.0.0", "phase: Failed")];
        let sentence = "the InstallPlan `plan` for `p.v2.0.0` failed, and OLM does not try it again: no such kind";
        check(&objects, Verdict::Stuck, "install-plan-failed", sentence);
    }

    #[test]
    fn what_runs_keeps_its_subscription_when_its_update_is_planned_anew() {
        let status =
            "currentCSV: p.v2.0.0, installedCSV: p.v1.0.0, state: UpgradePending, installPlanRef: {name: plan}";
        let advice = |objects: &[&str]| {
            let now = state(objects).now;
            assert_eq!((now.verdict, now.reason.id()), (Verdict::Stuck, "csv-gone"));
            now.advice.unwrap()
        };
        let (old, complete) = (csv("1.0.0", "''", "phase: Succeeded"), plan("2.0.0", "phase: Complete"));
        let with_old = advice(&[SOURCE, GROUP, &subscription(status), &old, &complete]);
        assert!(
            with_old.contains(r#""currentCSV":"p.v1.0.0""#) && with_old.contains(r#""installedCSV":"p.v1.0.0""#),
            "{with_old}"
        );
        // Nothing of the package is left.
        let other = old.replace("p.v1.0.0", "q.v1.0.0").replace(r#""p","#, r#""q","#);
        let without = advice(&[SOURCE, GROUP, &subscription(status), &other, &complete]);
        assert!(without.contains(r#""installedCSV":"""#), "{without}");
    }

    #[test]
    fn an_update_in_progress_passes_and_nothing_is_to_be_deleted() {
        let (old, new) = (csv("1.0.0", "''", "phase: Replacing"), csv("2.0.0", "p.v1.0.0", "phase: Installing"));
        let objects = [SOURCE, GROUP, &subscription(UPDATING), &old, &new];
        let sentence = "`p.v2.0.0` is taking the place of `p.v1.0.0`; then `p.v1.0.0` is removed, and OLM goes on";
        let state = check(&objects, Verdict::Passes, "csv-installs", sentence);
        assert_eq!((state.now.advice, state.now.never.is_some()), (None, true));
        assert!(state.now.resolution_fails.is_some(), "meanwhile the resolution fails");
        let futures: Vec<_> = state.csvs.iter().map(|csv| (&*csv.name, &*csv.becomes)).collect();
        assert_eq!(futures, [("p.v1.0.0", "deleted"), ("p.v2.0.0", "Succeeded")]);
    }

    #[test]
    fn an_operator_that_must_not_be_updated_is_waited_for() {
        let message = "operator is not upgradeable: the operator is not upgradeable: busy";
        let status = format!("phase: Pending, reason: OperatorConditionNotUpgradeable, message: '{message}'");
        let (old, new) = (csv("1.0.0", "''", "phase: Replacing"), csv("2.0.0", "p.v1.0.0", &status));
        let condition = "kind: OperatorCondition\nmetadata: {name: p.v1.0.0, namespace: ns, generation: 2}\n\
                         status: {conditions: [{type: Upgradeable, status: 'False', observedGeneration: 2, message: busy}]}\n";
        let objects = [SOURCE, GROUP, &subscription(UPDATING), &old, &new, condition];
        let sentence = format!("`p.v2.0.0` waits, because `p.v1.0.0` says that it must not be updated: {message}");
        let state = check(&objects, Verdict::Waits, "operator-not-upgradeable", &sentence);
        let futures: Vec<_> = state.csvs.iter().map(|csv| (&*csv.name, &*csv.becomes)).collect();
        assert_eq!(futures, [("p.v1.0.0", "Replacing"), ("p.v2.0.0", "Pending")]);
        // An override counts before what the operator says.
        let allowed = condition.replace("status:", "spec: {overrides: [{type: Upgradeable, status: 'True'}]}\nstatus:");
        let objects = [SOURCE, GROUP, &subscription(UPDATING), &old, &new, &allowed];
        assert_eq!(super::tests::state(&objects).csvs[1].becomes, "Succeeded");
    }

    #[test]
    fn a_csv_without_a_subscription_is_in_the_way() {
        let objects = [SOURCE, GROUP, &subscription(""), &csv("1.0.0", "''", "phase: Succeeded")];
        let state = state(&objects);
        assert_eq!((state.now.verdict, state.now.reason.id()), (Verdict::Stuck, "csv-without-subscription"));
        let advice = state.now.advice.unwrap();
        assert!(advice.contains("--subresource=status") && !advice.contains("startingCSV"), "{advice}");
    }

    #[test]
    fn without_an_operator_group_the_verdict_depends_on_the_input() {
        let objects = [SOURCE, &subscription("")];
        let state = check(&objects, Verdict::Acts, "new-install-plan", "OLM installs `p.v3.0.0`");
        assert_eq!((&state.now.taken[..], state.now.new_install_plan), (&["OperatorGroup".to_owned()][..], None));
        // What OLM would say is told in words.
        let misspelt = subscription("").replace("channel: c", "channel: d");
        let now = self::state(&[SOURCE, &misspelt]).now;
        assert_eq!(now.reason, StateId::ResolutionFails);
        assert!(!now.sentence.contains("constraints not satisfiable"), "{}", now.sentence);
        let mut complete = workbench(&[("c", CATALOG)]);
        let facts = ManifestFacts { is_complete: true, ..ManifestFacts::default() };
        complete.set_cluster_with(&objects.join("---\n"), facts);
        let now = namespace_states(&complete).remove(0).now;
        assert_eq!((now.verdict, now.reason.id(), now.advice.is_some()), (Verdict::Stuck, "no-operator-group", true));
        // The text of a must-gather, as the page keeps it, says so itself.
        let gathered = cluster::must_gather([("a.yaml", SOURCE), ("b.yaml", objects[1])]);
        let text = gathered.marked_complete();
        let of = |text: &str| namespace_states(&workbench(&[("c", CATALOG)]).with_cluster(text)).remove(0).now.verdict;
        assert_eq!([of(&text), of(&gathered.manifests)], [Verdict::Stuck, Verdict::Acts]);
    }

    #[test]
    fn what_stands_before_a_resolution_is_known_without_catalogs() {
        let status =
            "currentCSV: p.v2.0.0, installedCSV: p.v1.0.0, state: UpgradePending, installPlanRef: {name: plan}";
        let installed = csv("1.0.0", "''", "phase: Succeeded");
        let waiting = plan("2.0.0", "phase: RequiresApproval");
        let reason = |objects: &[&str]| {
            let now = namespace_states(&workbench(&[]).with_cluster(&objects.join("---\n"))).remove(0).now;
            (now.verdict, now.reason)
        };
        let objects = [SOURCE, GROUP, &subscription(status), &installed, &waiting];
        assert_eq!(reason(&objects), (Verdict::Waits, StateId::PlanWaits));
        let installed_only = "currentCSV: p.v1.0.0, installedCSV: p.v1.0.0, state: AtLatestKnown";
        let objects = [SOURCE, GROUP, &subscription(installed_only), &installed];
        assert_eq!(reason(&objects), (Verdict::Unknown, StateId::CatalogNotLoaded));
    }

    #[test]
    fn a_catalog_that_connects_passes_and_one_that_fails_does_not() {
        let source = |state: &str| format!("{SOURCE}status: {{connectionState: {{lastObservedState: {state}}}}}\n");
        let verdict = |state: &str| {
            let now = self::state(&[&source(state), GROUP, &subscription("")]).now;
            (now.verdict, now.reason)
        };
        assert_eq!(verdict("READY"), (Verdict::Acts, StateId::NewPlan));
        assert_eq!(verdict("CONNECTING"), (Verdict::Passes, StateId::CatalogConnects));
        assert_eq!(verdict("TRANSIENT_FAILURE"), (Verdict::Stuck, StateId::CatalogNotReached));
        let live = SOURCE.replace("namespace: olm", "namespace: olm, uid: 1f");
        let now = self::state(&[&live, GROUP, &subscription("")]).now;
        assert_eq!((now.verdict, now.reason.id()), (Verdict::Stuck, "catalog-not-reached"));
    }

    #[test]
    fn an_annotation_that_olm_cannot_read_stops_it() {
        let group = "kind: OperatorGroup\nmetadata: {name: og, namespace: ns, annotations: \
                     {operatorframework.io/bundle-unpack-timeout: ten}}\n";
        let now = state(&[SOURCE, group, &subscription("")]).now;
        assert_eq!((now.verdict, now.reason.id(), now.resolved), (Verdict::Stuck, "operator-group-annotation", false));
    }

    /// What the simulation says of the Subscription: its status, the CSVs that it gets, and the fixes that are offered.
    fn simulated(objects: &[&str]) -> (SubscriptionStatus, Vec<String>, usize) {
        let view = simulate(&workbench(&[("c", CATALOG)]).with_cluster(&objects.join("---\n")), "");
        let outcome = &view.outcomes[0];
        let row = &outcome.subscriptions[0];
        let failures = outcome.steps.iter().filter_map(|step| step.failure.as_ref());
        let fixes = row.fixes.len() + failures.map(|failure| failure.fixes.len()).sum::<usize>();
        (row.status, row.hops.iter().map(|hop| hop.label.clone()).collect(), fixes)
    }

    #[test]
    fn a_simulation_begins_with_what_a_waiting_plan_installs() {
        let status =
            "currentCSV: p.v2.0.0, installedCSV: p.v1.0.0, state: UpgradePending, installPlanRef: {name: plan}";
        let installed = csv("1.0.0", "''", "phase: Succeeded");
        let plan = plan("2.0.0", "phase: RequiresApproval");
        let found = simulated(&[SOURCE, GROUP, &subscription(status), &installed, &plan]);
        assert_eq!(found, (SubscriptionStatus::Waits, vec!["2.0.0".to_owned(), "3.0.0".to_owned()], 0));
        // Without OperatorGroups in the input the same, because each such namespace has one.
        let found = simulated(&[SOURCE, &subscription(status), &installed, &plan]);
        assert_eq!(found.0, SubscriptionStatus::Waits);
        let status = "currentCSV: p.v2.0.0, state: UpgradePending, installPlanRef: {name: plan}";
        let found = simulated(&[SOURCE, GROUP, &subscription(status), &plan]);
        assert_eq!(found.1, ["2.0.0", "3.0.0"], "the first installation");
    }

    #[test]
    fn an_install_plan_that_waits_is_an_approval_of_its_own() {
        let verdicts = |objects: &[&str]| {
            let view = simulate(&workbench(&[("c", CATALOG)]).with_cluster(&objects.join("---\n")), "");
            let rows = view.outcomes[0].subscriptions.iter();
            rows.map(|row| row.verdict.clone()).collect::<Vec<_>>()
        };
        let pending = |installed: &str, version: &str| {
            subscription(&format!(
                "installedCSV: {installed}, currentCSV: p.v{version}, state: UpgradePending, installPlanRef: {{name: plan}}"
            ))
        };
        let waiting = |version: &str| plan(version, "phase: RequiresApproval");
        let first = [SOURCE, GROUP, &pending("''", "3.0.0"), &waiting("3.0.0")];
        assert_eq!(verdicts(&first), ["installs p.v3.0.0 after 1 approval"]);
        let old = csv("2.0.0", "''", "phase: Succeeded");
        let update = [SOURCE, GROUP, &pending("p.v2.0.0", "3.0.0"), &old, &waiting("3.0.0")];
        assert_eq!(verdicts(&update), ["ends at p.v3.0.0 after 1 approval"]);
        let old = csv("1.0.0", "''", "phase: Succeeded");
        let manual = pending("p.v1.0.0", "2.0.0").replace("olm}", "olm, installPlanApproval: Manual}");
        let two = [SOURCE, GROUP, &manual, &old, &waiting("2.0.0")];
        assert_eq!(verdicts(&two), ["ends at p.v3.0.0 after 2 approvals"]);
    }

    #[test]
    fn a_simulation_begins_after_an_update_that_goes_on() {
        let after = vec!["2.0.0".to_owned(), "3.0.0".to_owned()];
        let check = |old: &str, new: &str, more: &str, status: SubscriptionStatus| {
            let (old, new) = (csv("1.0.0", "''", old), csv("2.0.0", "p.v1.0.0", new));
            let found = simulated(&[SOURCE, GROUP, &subscription(UPDATING), &old, &new, more]);
            assert_eq!(found, (status, after.clone(), 0));
        };
        check("phase: Replacing", "phase: Installing", "", SubscriptionStatus::Passes);
        check("phase: Deleting", "phase: Succeeded", "", SubscriptionStatus::Passes);
        let condition = "kind: OperatorCondition\nmetadata: {name: p.v1.0.0, namespace: ns, generation: 2}\n\
                         status: {conditions: [{type: Upgradeable, status: 'False', observedGeneration: 2, message: busy}]}\n";
        let pending = "phase: Pending, reason: OperatorConditionNotUpgradeable, message: busy";
        check("phase: Replacing", pending, condition, SubscriptionStatus::Waits);
    }

    #[test]
    fn a_failed_plan_offers_no_fix_that_uninstalls() {
        let status =
            "currentCSV: p.v2.0.0, installedCSV: p.v1.0.0, state: UpgradePending, installPlanRef: {name: plan}";
        let installed = csv("1.0.0", "''", "phase: Succeeded");
        let found = simulated(&[SOURCE, GROUP, &subscription(status), &installed, &plan("2.0.0", "phase: Failed")]);
        assert_eq!((found.0, found.2), (SubscriptionStatus::Blocked, 0));
    }

    #[test]
    fn a_reported_failure_is_no_success() {
        let failed = "conditions: [{type: ResolutionFailed, status: 'True', reason: ConstraintsNotSatisfiable, message: conflict}]";
        let status = |more: &str| format!("installedCSV: p.v1.0.0, currentCSV: p.v1.0.0, state: AtLatestKnown{more}");
        let installed = csv("1.0.0", "''", "phase: Succeeded");
        let of = |status: &str| simulated(&[SOURCE, GROUP, &subscription(status), &installed]).0;
        assert_eq!(of(&status("")), SubscriptionStatus::Updates);
        assert_eq!(of(&status(&format!(", {failed}"))), SubscriptionStatus::Unknown);
        assert_eq!(of(&status(&format!(", {}", failed.replace("'True'", "'False'")))), SubscriptionStatus::Updates);
    }

    #[test]
    fn the_namespace_that_needs_most_attention_comes_first() {
        let elsewhere = |text: &str| text.replace("namespace: ns", "namespace: idle");
        let (group, installed) = (elsewhere(GROUP), elsewhere(&csv("1.0.0", "''", "phase: Succeeded")));
        let idle = elsewhere(&subscription("installedCSV: p.v1.0.0, currentCSV: p.v1.0.0, state: AtLatestKnown"));
        let held = csv("3.0.0", "''", "phase: Failed, reason: ComponentUnhealthy, message: no pods");
        let at_head = subscription("installedCSV: p.v3.0.0, currentCSV: p.v3.0.0, state: AtLatestKnown");
        let objects = [SOURCE, &group, &idle, &installed, GROUP, &at_head, &held];
        let view = namespaces(&workbench(&[("c", CATALOG)]).with_cluster(&objects.join("---\n")));
        assert_eq!((&*view.rows[0].namespace, view.rows[0].status), ("ns", SubscriptionStatus::Blocked));
        assert_eq!((&*view.states[0].namespace, view.states[0].now.verdict), ("ns", Verdict::Stuck));
    }
}
