//! InstallPlans that fail because a CustomResourceDefinition removes a version that objects are stored in.

use catalog::BundleCrd;
use cluster::{CatalogKey, ConditionType};

use super::world::{World, csv, installed, lines, subscription};
use simulate::{Action, Blocker, End};

const CHAIN: &str = "package a\nch: a.v1 <- a.v2 <- a.v3";
const ERROR: &str = "risk of data loss updating \"as.g\": new CRD removes version v1alpha1 that is listed as a stored version on \
                     the existing CRD";

/// A CustomResourceDefinition of the cluster.
fn crd(stored: &str) -> String {
    format!(
        "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: as.g}}\n\
         status: {{storedVersions: [{stored}]}}\n"
    )
}

impl World {
    /// Gives a bundle the CustomResourceDefinition `as.g` with these versions, the last of which objects are stored in.
    fn with_crd(mut self, bundle: &str, versions: &[&str]) -> Self {
        let package = bundle.split_once('.').expect("names end in .vN").0;
        let crd = BundleCrd {
            name: "as.g".into(),
            versions: versions.iter().map(|&version| version.into()).collect(),
            storage: versions.last().map(|&version| version.into()),
        };
        self.bundle_crds.insert((CatalogKey::new("c", "olm"), package.into(), bundle.into()), vec![crd]);
        self
    }
}

/// A cluster with `a.v1`, whose objects are stored in `stored`, and whose CustomResourceDefinition loses `v1alpha1` in `a.v2`.
fn update(stored: &str) -> World {
    let manifests = installed("a", "", "a.v1") + &crd(stored);
    World::new(CHAIN, &manifests).with_crd("a.v2", &["v1"])
}

#[test]
fn a_plan_that_removes_a_stored_version_fails_and_the_new_csv_stays_pending() {
    let mut controller = update("v1alpha1, v1").controller();
    let run = controller.settle(200);
    let lines = lines(&run.events);
    let expected = [
        "csv a.v2: created replaces a.v1".to_owned(),
        format!("plan install-1: retrying execution due to error: {ERROR}"),
        format!("plan install-1: failed: {ERROR}"),
        "sub a: InstallPlanPending removed".to_owned(),
        "sub a: InstallPlanFailed=True InstallComponentFailed".to_owned(),
        "sub a: state 'AtLatestKnown' current a.v2 installed a.v2 plan install-1".to_owned(),
        "ns: failed ConstraintsNotSatisfiable".to_owned(),
        "sub a: ResolutionFailed=True ConstraintsNotSatisfiable".to_owned(),
        "csv a.v1: Succeeded->Replacing".to_owned(),
        "csv a.v2: ->Pending".to_owned(),
    ];
    let end: Vec<&String> = lines.iter().skip_while(|line| !line.starts_with("csv ")).collect();
    assert_eq!(end, expected.iter().collect::<Vec<_>>());
    let conditions = &controller.cluster().subscriptions[0].status.conditions;
    assert_eq!(&*conditions[&ConditionType::InstallPlanFailed].message, ERROR);
    let End::Blocked(blockers) = run.end else { panic!("{:?}", run.end) };
    assert!(blockers.contains(&Blocker::CsvIncomplete { name: "a.v2".into(), error: ERROR.into() }), "{blockers:?}");
    // The phase `Failed` is final, and a resync finds nothing to do.
    assert_eq!(controller.act(Action::Sync), []);
    assert_eq!(&*controller.cluster().crds["as.g"], ["v1alpha1".into(), "v1".into()]);
}

#[test]
fn deleting_the_failed_plan_does_not_help() {
    let mut controller = update("v1alpha1").controller();
    controller.settle(200);
    controller.act(Action::DeletePlan("install-1".into()));
    let run = controller.settle(200);
    assert!(!lines(&run.events).iter().any(|line| line.starts_with("plan ")), "{:?}", run.events);
    let End::Blocked(blockers) = run.end else { panic!("{:?}", run.end) };
    assert!(blockers.contains(&Blocker::CsvIncomplete { name: "a.v2".into(), error: ERROR.into() }), "{blockers:?}");
}

#[test]
fn a_plan_succeeds_if_all_stored_versions_stay() {
    assert_eq!(update("v1").plans(), ["a.v2", "a.v3"]);
    assert_eq!(update("v1alpha1").with_crd("a.v2", &["v1alpha1", "v1"]).plans(), ["a.v2", "a.v3"]);
}

#[test]
fn a_bundle_without_known_crds_fails_no_plan() {
    let manifests = installed("a", "", "a.v1") + &crd("v1alpha1");
    assert_eq!(World::new(CHAIN, &manifests).plans(), ["a.v2", "a.v3"]);
}

#[test]
fn a_version_that_an_earlier_plan_stored_objects_in_may_not_be_removed() {
    let world = World::new(CHAIN, &subscription("a", ", startingCSV: a.v1"));
    let world = world.with_crd("a.v1", &["v1alpha1"]).with_crd("a.v2", &["v1alpha1", "v1"]).with_crd("a.v3", &["v1"]);
    let lines = lines(&world.controller().settle(300).events);
    assert!(lines.contains(&format!("plan install-3: failed: {ERROR}")), "{lines:#?}");
}

#[test]
fn bundles_after_the_failed_one_are_not_installed() {
    let text = "package a\nch: a.v1 <- a.v2 (requires g/v1/K)\npackage b\nch: b.v1 (provides g/v1/K)";
    let world = World::new(text, &(installed("a", "", "a.v1") + &crd("v1alpha1"))).with_crd("a.v2", &["v1"]);
    let mut controller = world.controller();
    let End::Blocked(blockers) = controller.settle(200).end else { panic!("it goes on") };
    assert!(blockers.contains(&Blocker::GeneratedWithoutCsv("b-ch-c-olm".into())), "{blockers:?}");
    assert!(controller.cluster().csvs.iter().all(|csv| csv.installed.name.as_str() != "b.v1"));
}

#[test]
fn a_crd_without_versions_fails_the_plan() {
    let lines = lines(&update("v1").with_crd("a.v2", &[]).controller().settle(200).events);
    let error = "checking CRD for potential data loss updating \"as.g\": could not find any versions in the new CRD";
    assert!(lines.contains(&format!("plan install-1: failed: {error}")), "{lines:#?}");
}

#[test]
fn an_approved_plan_of_the_manifests_is_checked_too() {
    let plan = "---\nkind: InstallPlan\nmetadata: {name: install-x, namespace: ns}\nspec: {generation: 1, approved: true, \
                clusterServiceVersionNames: [a.v2]}\nstatus: {phase: Installing}\n";
    let status =
        "status: {currentCSV: a.v2, installedCSV: a.v1, state: UpgradePending, installPlanRef: {name: install-x}}\n";
    let manifests = subscription("a", "") + status + &csv("a.v1", "Succeeded", "") + plan + &crd("v1alpha1");
    let world = World::new(CHAIN, &manifests).with_crd("a.v2", &["v1"]);
    let lines = lines(&world.controller().settle(200).events);
    assert!(lines.contains(&format!("plan install-x: failed: {ERROR}")), "{lines:#?}");
}

#[test]
fn a_csv_of_a_plan_that_failed_before_stays_pending() {
    let plan = format!(
        "---\nkind: InstallPlan\nmetadata: {{name: install-x, namespace: ns}}\nspec: {{generation: 1, approved: true, \
         clusterServiceVersionNames: [a.v2]}}\nstatus:\n  phase: Failed\n  conditions:\n  - {{type: Installed, status: 'False', \
         reason: InstallComponentFailed, message: '{ERROR}'}}\n"
    );
    let status =
        "status: {currentCSV: a.v2, installedCSV: a.v2, state: AtLatestKnown, installPlanRef: {name: install-x}}\n";
    let csvs = csv("a.v1", "Replacing", "") + &csv("a.v2", "Pending", "a.v1");
    let world = World::new(CHAIN, &(subscription("a", "") + status + &csvs + &plan));
    let mut controller = world.controller();
    let End::Blocked(blockers) = controller.settle(200).end else { panic!("it goes on") };
    assert!(blockers.contains(&Blocker::CsvIncomplete { name: "a.v2".into(), error: ERROR.into() }), "{blockers:?}");
    let condition = &controller.cluster().subscriptions[0].status.conditions[&ConditionType::InstallPlanFailed];
    assert_eq!((&*condition.reason, &*condition.message), ("InstallComponentFailed", ERROR));
}
