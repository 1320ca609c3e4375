//! Each namespace of a cluster as it stands: what OLM does there now, what decides that, and what becomes of the CSVs.

use super::scenario::Scenario;
use super::timeline::controller;
use super::wording::{self, StateWords};
use crate::Workbench;
use catalog::BundleName;
use report::contract::{CsvFuture, DecidingObject, NamespaceNow, NamespaceState};
use simulate::{Becomes, Cluster, Connection, Controller, Csv, Kind, Now, StateReason, SyncResult, Verdict};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Workbench {
    /// The namespaces with objects of OLM v0, by name. An object that the input does not have does not exist; where its kind may
    /// not be in the input at all, the verdict is unknown, and the sentence says what follows if the object is there.
    #[must_use]
    pub fn namespace_states(&self) -> Vec<NamespaceState> {
        let whole = &self.cluster_manifests().1.cluster;
        self.scenario("").of_occupied_namespaces().map(|scenario| state(self, whole, scenario)).collect()
    }
}

fn state(workbench: &Workbench, whole: &Cluster, mut scenario: Scenario) -> NamespaceState {
    let has_catalogs = !scenario.lacks_catalog();
    let missing = missing(&scenario);
    let assumed = (!missing.is_empty()).then(|| {
        scenario.complete(workbench);
        let (_, verdict, reason) = connected(workbench, &mut scenario).now(has_catalogs);
        (verdict, wording::state(&scenario.namespace, verdict, &reason))
    });
    make_literal(&mut scenario, whole);
    let controller = connected(workbench, &mut scenario);
    let has_catalogs = has_catalogs || whole.catalog_sources.is_empty();
    let (now, verdict, reason) = controller.clone().now(has_catalogs);
    let elsewhere = elsewhere(whole, &scenario);
    NamespaceState {
        csvs: controller.csvs_become().into_iter().map(|csv| future("", csv)).chain(elsewhere).collect(),
        now: match assumed {
            None => {
                view(now, verdict, &reason, wording::state(&scenario.namespace, verdict, &reason), objects(&reason))
            }
            Some((assumed_verdict, assumed)) => {
                let kinds: Vec<&str> = missing.iter().map(|object| object.kind).collect();
                let sentence = format!(
                    "the input has no {}; if there is one as usual, {}",
                    kinds.join(" and no "),
                    assumed.sentence
                );
                let words = StateWords { sentence, advice: None, never: assumed.never };
                let view = view(now, Verdict::Unknown, &reason, words, missing);
                NamespaceNow { verdict_if_there: Some(assumed_verdict.as_str()), ..view }
            }
        },
        namespace: scenario.namespace.to_string(),
    }
}

/// The kinds of which nobody knows whether the cluster has an object, because the input has none.
fn missing(scenario: &Scenario) -> Vec<DecidingObject> {
    let cluster = &scenario.cluster;
    if cluster.subscriptions.is_empty() {
        return Vec::new();
    }
    let of = |kind| DecidingObject { kind, name: String::new() };
    let group = cluster.groups_of(&scenario.namespace).is_empty() && !cluster.has_all_groups;
    let group = group.then(|| of("OperatorGroup"));
    group.into_iter().chain(cluster.has_assumed_csvs.then(|| of("ClusterServiceVersion"))).collect()
}

/// Takes out of a scenario what was assumed.
fn make_literal(scenario: &mut Scenario, whole: &Cluster) {
    let cluster = &mut scenario.cluster;
    cluster.operator_groups = Arc::clone(&whole.operator_groups);
    cluster.has_all_groups = true;
    if std::mem::take(&mut cluster.has_assumed_csvs) {
        cluster.csvs.clear();
    }
    if whole.catalog_sources.is_empty() && scenario.lacks_catalog() {
        scenario.cluster.catalog_sources.clear();
    }
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

fn view(
    now: Now,
    verdict: Verdict,
    reason: &StateReason,
    words: StateWords,
    objects: Vec<DecidingObject>,
) -> NamespaceNow {
    let names = |names: Vec<BundleName>| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let Now { executes, synced, makes, fails } = now;
    let StateWords { sentence, advice, never } = words;
    NamespaceNow {
        resolved: synced == Some(SyncResult::Resolved),
        approval: makes.as_ref().map(|(approval, _)| approval.as_str()),
        new_install_plan: makes.map(|(_, csvs)| names(csvs)),
        existing_plan_installs: executes.map(|(_, csvs)| names(csvs)).unwrap_or_default(),
        resolution_fails: fails.map(|(_, message)| message),
        verdict: verdict.as_str(),
        verdict_if_there: None,
        reason: reason.id(),
        sentence,
        advice,
        never,
        objects,
    }
}

/// The objects that decide.
fn objects(reason: &StateReason) -> Vec<DecidingObject> {
    let of = |kind: Kind, names: Vec<String>| {
        let kind = kind.as_str();
        names.into_iter().map(|name| DecidingObject { kind, name }).collect::<Vec<_>>()
    };
    let csvs = |csvs: &[BundleName]| of(Kind::ClusterServiceVersion, csvs.iter().map(ToString::to_string).collect());
    let csv = |csv: &BundleName| csvs(std::slice::from_ref(csv));
    let one = |kind, name: &Arc<str>| of(kind, vec![name.to_string()]);
    match reason {
        StateReason::NoSubscription { csvs: all } | StateReason::Chain { csvs: all } => csvs(all),
        StateReason::GroupCount { groups } => of(Kind::OperatorGroup, groups.iter().map(ToString::to_string).collect()),
        StateReason::GroupAnnotation { group, .. } => one(Kind::OperatorGroup, group),
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
        StateReason::Requirements { csv: one }
        | StateReason::CsvFailed { csv: one, .. }
        | StateReason::ReplacementGone { csv: one }
        | StateReason::Orphan { csv: one, .. } => csv(one),
        StateReason::Catalog { source, .. } => of(Kind::CatalogSource, vec![source.to_string()]),
        StateReason::Unpacking { .. }
        | StateReason::UnpackFailed { .. }
        | StateReason::NoCatalog
        | StateReason::Unresolvable { .. }
        | StateReason::NewPlan { .. }
        | StateReason::UpToDate => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::workbench;
    use report::contract::NamespaceState;
    use simulate::ManifestFacts;

    const CATALOG: &str = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\n\
                           bundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
    const SOURCE: &str = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n";
    const GROUP: &str = "kind: OperatorGroup\nmetadata: {name: og, namespace: ns}\n";

    /// A Subscription with this status.
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
        let mut states = workbench(&[("c", CATALOG)]).with_cluster(&text).namespace_states();
        assert_eq!(states.len(), 1, "{text}");
        states.remove(0)
    }

    /// The verdict and what decides.
    #[track_caller]
    fn check(objects: &[&str], verdict: &str, reason: &str, sentence: &str) -> NamespaceState {
        let state = state(objects);
        assert_eq!((state.now.verdict, state.now.reason, &*state.now.sentence), (verdict, reason, sentence));
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
        let state = check(&objects, "waits", "install-plan-waits", sentence);
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
        check(&objects, "stuck", "install-plan-failed", sentence);
    }

    #[test]
    fn what_runs_keeps_its_subscription_when_its_update_is_planned_anew() {
        let status =
            "currentCSV: p.v2.0.0, installedCSV: p.v1.0.0, state: UpgradePending, installPlanRef: {name: plan}";
        let advice = |objects: &[&str]| {
            let now = state(objects).now;
            assert_eq!((now.verdict, now.reason), ("stuck", "csv-gone"));
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
        let state = check(&objects, "passes", "csv-installs", sentence);
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
        let state = check(&objects, "waits", "operator-not-upgradeable", &sentence);
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
        assert_eq!((state.now.verdict, state.now.reason), ("stuck", "csv-without-subscription"));
        let advice = state.now.advice.unwrap();
        assert!(advice.contains("--subresource=status") && !advice.contains("startingCSV"), "{advice}");
    }

    #[test]
    fn without_an_operator_group_the_verdict_depends_on_the_input() {
        let objects = [SOURCE, &subscription("")];
        let sentence = "the input has no OperatorGroup; if there is one as usual, OLM installs `p.v3.0.0`";
        let state = check(&objects, "unknown", "operator-group-count", sentence);
        assert_eq!(state.now.verdict_if_there, Some("acts"));
        let mut complete = workbench(&[("c", CATALOG)]);
        let facts = ManifestFacts { is_complete: true, ..ManifestFacts::default() };
        complete.set_cluster_with(&objects.join("---\n"), facts);
        let now = complete.namespace_states().remove(0).now;
        assert_eq!((now.verdict, now.reason, now.advice.is_some()), ("stuck", "operator-group-count", true));
    }

    #[test]
    fn what_stands_before_a_resolution_is_known_without_catalogs() {
        let status =
            "currentCSV: p.v2.0.0, installedCSV: p.v1.0.0, state: UpgradePending, installPlanRef: {name: plan}";
        let installed = csv("1.0.0", "''", "phase: Succeeded");
        let waiting = plan("2.0.0", "phase: RequiresApproval");
        let reason = |objects: &[&str]| {
            let now = workbench(&[]).with_cluster(&objects.join("---\n")).namespace_states().remove(0).now;
            (now.verdict, now.reason)
        };
        let objects = [SOURCE, GROUP, &subscription(status), &installed, &waiting];
        assert_eq!(reason(&objects), ("waits", "install-plan-waits"));
        let installed_only = "currentCSV: p.v1.0.0, installedCSV: p.v1.0.0, state: AtLatestKnown";
        let objects = [SOURCE, GROUP, &subscription(installed_only), &installed];
        assert_eq!(reason(&objects), ("unknown", "catalog-not-loaded"));
    }

    #[test]
    fn a_catalog_that_connects_passes_and_one_that_fails_does_not() {
        let source = |state: &str| format!("{SOURCE}status: {{connectionState: {{lastObservedState: {state}}}}}\n");
        let verdict = |state: &str| {
            let now = self::state(&[&source(state), GROUP, &subscription("")]).now;
            (now.verdict, now.reason)
        };
        assert_eq!(verdict("READY"), ("acts", "new-install-plan"));
        assert_eq!(verdict("CONNECTING"), ("passes", "catalog-not-reached"));
        assert_eq!(verdict("TRANSIENT_FAILURE"), ("stuck", "catalog-not-reached"));
        let live = SOURCE.replace("namespace: olm", "namespace: olm, uid: 1f");
        let now = self::state(&[&live, GROUP, &subscription("")]).now;
        assert_eq!((now.verdict, now.reason), ("stuck", "catalog-not-reached"));
    }

    #[test]
    fn an_annotation_that_olm_cannot_read_stops_it() {
        let group = "kind: OperatorGroup\nmetadata: {name: og, namespace: ns, annotations: \
                     {operatorframework.io/bundle-unpack-timeout: ten}}\n";
        let now = state(&[SOURCE, group, &subscription("")]).now;
        assert_eq!((now.verdict, now.reason, now.resolved), ("stuck", "operator-group-annotation", false));
    }
}
