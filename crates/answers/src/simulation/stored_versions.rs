//! InstallPlans that fail because a new CustomResourceDefinition drops a version that objects are stored in.
//!
//! The manifests tell the stored versions, and bundles with `olm.bundle.object` properties the new ones. Bundles that were
//! migrated to `olm.csv.metadata` have no CustomResourceDefinitions, so nothing is said about them.

use super::scenario::Scenario;
use catalog::predicate::PackageName;
use catalog::{BundleCrd, BundleName, bundle_crds};
use cluster::{CatalogKey, Cluster, PlanPhase};
use session::Workbench;
use simulate::{BundleCrds, Step, Timeline};
use std::collections::BTreeMap;
use std::sync::Arc;
use views::FileKey;

/// The failure of the InstallPlan of a step.
pub(super) struct PlanFailure {
    /// The index of the step.
    step: usize,
    /// The CSV of the bundle, which exists before the plan fails.
    csv: BundleName,
    /// OLM's error.
    error: String,
}

impl PlanFailure {
    /// The failures of all InstallPlans of a timeline. A step that follows a failure happens only after a user migrated the
    /// objects, so that the removed version is no longer stored.
    pub(super) fn all(scenario: &Scenario, crds: &BundleCrds, timeline: &Timeline) -> Vec<Self> {
        let mut cluster = Cluster { crds: Arc::new(stored_versions(scenario, crds)), ..Cluster::default() };
        let mut failures = Vec::new();
        for (at, step) in timeline.steps.iter().enumerate().filter(|(_, step)| step.install_plan_created) {
            for bundle in &step.selected {
                let key = (bundle.catalog.clone(), bundle.package.clone(), bundle.name.clone());
                for crd in crds.get(&key).into_iter().flatten() {
                    let Err(error) = simulate::apply_crd(&mut cluster, crd) else { continue };
                    failures.push(Self { step: at, csv: bundle.name.clone(), error });
                    let storage = crd.storage.iter().cloned().collect();
                    Arc::make_mut(&mut cluster.crds).insert(crd.name.clone(), storage);
                }
            }
        }
        failures
    }

    /// The failure as a notice about the namespace.
    pub(super) fn notice(&self) -> String {
        let Self { step, csv, error } = self;
        format!(
            "the InstallPlan of step {} fails when `{csv}` is already created: `{error}`; the steps show what happens without that. Migrate the objects to another version, and remove the old one from `status.storedVersions` of the CustomResourceDefinition",
            step + 1
        )
    }

    /// What the failure means for a Subscription that gets the CSVs `moves`, each with the index of its step; `None` if it does
    /// not get the CSV that the plan fails after.
    pub(super) fn consequence(&self, moves: &[(usize, &BundleName)]) -> Option<String> {
        let Self { step, csv, error } = self;
        moves.contains(&(*step, csv)).then(|| {
            format!(
                "the InstallPlan of step {} fails with `{error}`: `{csv}` stays in phase `Pending`, and OLM installs no later version",
                step + 1
            )
        })
    }
}

/// The versions that objects are stored in, for the CustomResourceDefinitions that the bundles have.
fn stored_versions(scenario: &Scenario, crds: &BundleCrds) -> BTreeMap<Box<str>, Vec<Box<str>>> {
    let stored = |crd: &BundleCrd| Some((crd.name.clone(), scenario.cluster.crds.get(&crd.name)?.clone()));
    crds.values().flatten().filter_map(stored).collect()
}

/// Adds the CustomResourceDefinitions of all bundles that the steps or the InstallPlans of the cluster install. Adds none for
/// a cluster without CustomResourceDefinitions: it has some, but the manifests do not tell which.
pub(super) fn add_crds(crds: &mut BundleCrds, workbench: &Workbench, scenario: &Scenario, steps: &[Step]) {
    if scenario.cluster.crds.is_empty() {
        return;
    }
    let selected = steps.iter().flat_map(|step| &step.selected);
    let selected = selected.map(|bundle| (&bundle.catalog, &bundle.package, &bundle.name));
    for (catalog, package, bundle) in selected.chain(planned(scenario)) {
        let key = (catalog.clone(), package.clone(), bundle.clone());
        crds.entry(key).or_insert_with(|| of_bundle(workbench, scenario, catalog, package, bundle).unwrap_or_default());
    }
}

/// The bundles of the InstallPlans of the cluster that are not complete, in each catalog that has them.
fn planned(scenario: &Scenario) -> impl Iterator<Item = (&CatalogKey, &PackageName, &BundleName)> {
    let plans = scenario.cluster.install_plans.iter().filter(|plan| plan.namespace == scenario.namespace);
    let open = plans.filter(|plan| !matches!(plan.phase, PlanPhase::Complete | PlanPhase::Failed));
    open.flat_map(|plan| &plan.csvs).flat_map(|csv| {
        scenario.snapshots.iter().flat_map(move |(key, snapshot)| {
            let entries = snapshot.listing.entries().iter().filter(move |entry| entry.name == *csv);
            entries.map(move |entry| (key, &entry.package, csv))
        })
    })
}

/// The CustomResourceDefinitions of a bundle; `None` if no loaded catalog has it.
fn of_bundle(
    workbench: &Workbench,
    scenario: &Scenario,
    catalog: &CatalogKey,
    package: &PackageName,
    bundle: &BundleName,
) -> Option<Vec<BundleCrd>> {
    let catalog = scenario.stands_for(workbench, catalog)?;
    let bundle = catalog.analysis.catalog.package(package.as_str())?.bundle(bundle.as_str())?;
    let file = catalog.file(FileKey(bundle.span.file.0))?;
    Some(bundle_crds(bundle, &file.text))
}

#[cfg(test)]
mod tests {
    use crate::simulate;
    use crate::timeline;
    use session::testing::{workbench, yaml};
    use session::{NewText, Workbench};
    use views::{EventStatus, ObjectKind};

    /// `{"kind":"CustomResourceDefinition","metadata":{"name":"a.b"},"spec":{"versions":[{"name":"v1","storage":true}]}}`
    const CRD: &str = "eyJraW5kIjoiQ3VzdG9tUmVzb3VyY2VEZWZpbml0aW9uIiwibWV0YWRhdGEiOnsibmFtZSI6ImEuYiJ9LCJzcGVjIjp7InZlcnNpb25zIjpbeyJuYW1lIjoidjEiLCJzdG9yYWdlIjp0cnVlfV19fQ==";

    const ERROR: &str = "risk of data loss updating \"a.b\": new CRD removes version v1alpha1 that is listed as a stored version on \
                         the existing CRD";

    /// A catalog with `p.v1.0.0`, whose manifest is `crd`, and a cluster that installs it.
    fn world(stored: &str, crd: &str) -> Workbench {
        world_of("package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0", stored, crd)
    }

    /// A catalog with the manifest `crd` in each bundle, and a cluster with a Subscription to `p`.
    fn world_of(catalog: &str, stored: &str, crd: &str) -> Workbench {
        let property = format!("properties:\n- type: olm.bundle.object\n  value: {{data: {crd}}}\n");
        let text = yaml(catalog).replace("properties:\n", &property);
        let mut workbench = Workbench::new();
        let file = NewText { path: "c.yaml".to_owned(), content: Ok(text.into_bytes()) };
        workbench.add_catalog("c", vec![file], &mut |_| {});
        let text = format!(
            "kind: CatalogSource\nmetadata: {{name: c, namespace: olm}}\n---\nkind: OperatorGroup\nmetadata: {{name: g, \
             namespace: ns}}\n---\nkind: Subscription\nmetadata: {{name: s, namespace: ns}}\nspec: {{name: p, source: c, \
             sourceNamespace: olm}}\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: \
             {{name: a.b}}\nspec: {{group: b}}\nstatus: {{storedVersions: {stored}}}\n"
        );
        workbench.with_cluster(&text)
    }

    fn notices(stored: &str, crd: &str) -> Vec<String> {
        let view = simulate(&world(stored, crd), "");
        assert!(view.manifests.is_some_and(|view| view.findings.is_empty() && view.skipped.is_empty()));
        view.notices
    }

    #[test]
    fn a_plan_that_drops_a_stored_version_fails() {
        let expected = "the InstallPlan of step 1 fails when `p.v1.0.0` is already created: `risk of data loss updating \"a.b\": \
                        new CRD removes version v1alpha1 that is listed as a stored version on the existing CRD`; the steps show \
                        what happens without that. Migrate the objects to another version, and remove the old one from \
                        `status.storedVersions` of the CustomResourceDefinition";
        assert_eq!(notices("[v1alpha1, v1]", CRD), [expected]);
    }

    /// The objects were migrated before the second step.
    #[test]
    fn later_plans_do_not_fail_because_of_the_same_version() {
        let catalog = "package p c\nchannel p c p.v1.0.0 p.v2.0.0>p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        let workbench = world_of(catalog, "[v1alpha1]", CRD);
        let (text, _) = workbench.cluster_manifests();
        let text = text.replace("spec: {name: p,", "spec: {name: p, startingCSV: p.v1.0.0,");
        let view = simulate(&workbench.with_cluster(&text), "");
        assert_eq!(view.outcomes[0].subscriptions[0].verdict, "ends at p.v2.0.0");
        assert_eq!(view.notices.len(), 1, "{:?}", view.notices);
    }

    #[test]
    fn the_subscription_and_the_events_say_that_the_plan_fails() {
        let workbench = world("[v1alpha1]", CRD);
        let outcome = simulate(&workbench, "").outcomes.remove(0);
        let expected = format!(
            "the InstallPlan of step 1 fails with `{ERROR}`: `p.v1.0.0` stays in phase `Pending`, and OLM installs no later version"
        );
        let row = &outcome.subscriptions[0];
        assert_eq!((row.verdict.as_str(), row.plan_failure.as_ref()), ("installs p.v1.0.0", Some(&expected)));
        let view = timeline(&workbench, "", 0, 0);
        let events = view.groups.iter().flat_map(|group| &group.events);
        let failed = events.filter(|event| event.status == EventStatus::Failed);
        let failed: Vec<_> = failed.map(|event| (event.object, event.text.as_str(), event.detail.as_str())).collect();
        let expected = [
            (ObjectKind::InstallPlan, "fails after the retries (`InstallComponentFailed`)", ERROR),
            (ObjectKind::Subscription, "gets condition `InstallPlanFailed` = `True` (`InstallComponentFailed`)", ERROR),
        ];
        assert_eq!(failed, expected);
        let end = format!("`p.v1.0.0` stays in phase `Pending`, because its InstallPlan failed: `{ERROR}`");
        assert_eq!(view.ends, [end]);
        let workbench = world("[v1]", CRD);
        assert_eq!(simulate(&workbench, "").outcomes[0].subscriptions[0].plan_failure, None);
        assert_eq!(timeline(&workbench, "", 0, 0).ends, ["OLM finds no further update for any Subscription"]);
    }

    #[test]
    fn nothing_is_said_where_all_versions_stay_or_the_new_ones_are_not_known() {
        assert_eq!(notices("[v1]", CRD), [""; 0]);
        // `{"kind":"Service"}`
        assert_eq!(notices("[v1alpha1]", "eyJraW5kIjoiU2VydmljZSJ9"), [""; 0]);
        let migrated = workbench(&[("c", "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0")]);
        assert!(!migrated.catalogs()[0].analysis.catalog.packages[0].bundles[0].has_objects);
    }
}
