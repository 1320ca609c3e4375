//! InstallPlans that fail because a new CustomResourceDefinition drops a version that objects are stored in.
//!
//! The manifests tell the stored versions, and bundles with `olm.bundle.object` properties the new ones. Bundles that were
//! migrated to `olm.csv.metadata` have no CustomResourceDefinitions, so nothing is said about them.

use super::Scenario;
use crate::Workbench;
use catalog::{BundleCrd, bundle_crds};
use simulate::{NewBundle, Step, stored_versions_error};
use views::FileKey;

/// A notice for each plan of a timeline that fails so.
pub(super) fn notices(workbench: &Workbench, scenario: &Scenario, steps: &[Step]) -> Vec<String> {
    let mut stored = scenario.cluster.crds.clone();
    if stored.is_empty() {
        return Vec::new();
    }
    let mut notices = Vec::new();
    for (number, step) in (1..).zip(steps).filter(|(_, step)| step.install_plan_created) {
        for bundle in &step.selected {
            for BundleCrd { name, versions, storage } in crds(workbench, scenario, bundle) {
                let Some(stored) = stored.get_mut(&name) else { continue };
                if let Some(error) = stored_versions_error(&name, stored, &versions) {
                    notices.push(format!(
                        "the InstallPlan of step {number} fails when `{}` is already created: `{error}`; the steps show what happens without that. Migrate the objects to another version, and remove the old one from `status.storedVersions` of the CustomResourceDefinition",
                        bundle.name
                    ));
                }
                // Objects that are written from now on are stored in the new version.
                stored.extend(storage.filter(|storage| !stored.contains(storage)));
            }
        }
    }
    notices
}

/// The CustomResourceDefinitions of a bundle.
fn crds(workbench: &Workbench, scenario: &Scenario, selected: &NewBundle) -> Vec<BundleCrd> {
    let found = || {
        let catalog = scenario.stands_for(workbench, &selected.catalog)?;
        let package = catalog.analysis.catalog.package(selected.package.as_str())?;
        let bundle = package.bundle(selected.name.as_str())?;
        let file = catalog.file(FileKey(bundle.span.file.0))?;
        Some(bundle_crds(bundle, &file.text))
    };
    found().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::testing::{workbench, yaml};
    use crate::{NewText, Workbench};
    use views::ClusterInput;

    /// `{"kind":"CustomResourceDefinition","metadata":{"name":"a.b"},"spec":{"versions":[{"name":"v1","storage":true}]}}`
    const CRD: &str = "eyJraW5kIjoiQ3VzdG9tUmVzb3VyY2VEZWZpbml0aW9uIiwibWV0YWRhdGEiOnsibmFtZSI6ImEuYiJ9LCJzcGVjIjp7InZlcnNpb25zIjpbeyJuYW1lIjoidjEiLCJzdG9yYWdlIjp0cnVlfV19fQ==";

    fn told(stored: &str, crd: &str) -> Vec<String> {
        let text = yaml("package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0");
        let property = format!("- type: olm.bundle.object\n  value: {{data: {crd}}}\n");
        let at = text.find("properties:\n").unwrap() + "properties:\n".len();
        let text = format!("{}{property}{}", &text[..at], &text[at..]);
        let mut workbench = Workbench::new();
        let file = NewText { path: "c.yaml".to_owned(), content: Ok(text.into_bytes()) };
        workbench.add_catalog("c", vec![file], &mut |_| {});
        let text = format!(
            "kind: CatalogSource\nmetadata: {{name: c, namespace: olm}}\n---\nkind: OperatorGroup\nmetadata: {{name: g, \
             namespace: ns}}\n---\nkind: Subscription\nmetadata: {{name: s, namespace: ns}}\nspec: {{name: p, source: c, \
             sourceNamespace: olm}}\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: \
             {{name: a.b}}\nspec: {{group: b}}\nstatus: {{storedVersions: {stored}}}\n"
        );
        let view = workbench.simulate(&ClusterInput::Manifests { text, namespace: String::new() });
        assert!(view.manifests.is_some_and(|view| view.findings.is_empty() && view.skipped.is_empty()));
        view.notices
    }

    #[test]
    fn a_plan_that_drops_a_stored_version_fails() {
        let expected = "the InstallPlan of step 1 fails when `p.v1.0.0` is already created: `risk of data loss updating \"a.b\": \
                        new CRD removes version v1alpha1 that is listed as a stored version on the existing CRD`; the steps show \
                        what happens without that. Migrate the objects to another version, and remove the old one from \
                        `status.storedVersions` of the CustomResourceDefinition";
        assert_eq!(told("[v1alpha1, v1]", CRD), [expected]);
    }

    #[test]
    fn nothing_is_said_where_all_versions_stay_or_the_new_ones_are_not_known() {
        assert_eq!(told("[v1]", CRD), [""; 0]);
        // `{"kind":"Service"}`
        assert_eq!(told("[v1alpha1]", "eyJraW5kIjoiU2VydmljZSJ9"), [""; 0]);
        let migrated = workbench(&[("c", "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0")]);
        assert!(!migrated.catalogs()[0].analysis.catalog.packages[0].bundles[0].has_objects);
    }
}
