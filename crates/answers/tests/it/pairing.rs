//! Which loaded catalog is which CatalogSource and ClusterCatalog of the cluster, and how to get those that are missing.

use session::testing::workbench;
use views::{CatalogId, SimulationView};

const CATALOG: &str = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
const OTHER: &str = "package q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";

const OPENSHIFT: &str = "kind: ClusterVersion\napiVersion: config.openshift.io/v1\nmetadata: {name: version}\n\
                         status: {history: [{state: Completed, version: 4.18.3}]}\n---\n";
const SUBSCRIPTION: &str = "kind: Subscription\nmetadata: {name: s, namespace: ns}\n\
                            spec: {name: p, source: red, sourceNamespace: openshift-marketplace}\n";

#[test]
fn a_catalog_for_the_openshift_of_the_cluster_stands_for_the_source_of_its_packages() {
    let view = answers::simulate(
        &workbench(&[("4.19", CATALOG), ("4.18", CATALOG)]).with_cluster(&format!("{OPENSHIFT}{SUBSCRIPTION}")),
        "",
    );
    assert_eq!(view.outcomes[0].subscriptions[0].verdict, "installs p.v1.0.0");
    let assumed = "catalog `4.18` is taken as CatalogSource `red` in `openshift-marketplace`, because the cluster has \
                   OpenShift 4.18";
    assert_eq!(view.notices[0], assumed);
    let rows = view.manifests.unwrap().sources;
    let bound: Vec<_> = rows.iter().map(|row| (&*row.name, row.catalog)).collect();
    assert_eq!(bound, [("red", Some(CatalogId(1)))]);
}

#[test]
fn without_a_catalog_for_it_no_subscription_is_simulated() {
    let text = format!("{OPENSHIFT}{SUBSCRIPTION}");
    let view = answers::simulate(&workbench(&[("4.15", CATALOG), ("4.16", CATALOG)]).with_cluster(&text), "");
    assert_eq!(view.outcomes, []);
    let expected = "no loaded catalog stands for a CatalogSource of the namespace, so nothing is simulated";
    assert!(view.notices.contains(&expected.to_owned()), "{:?}", view.notices);
}

#[test]
fn what_fails_for_want_of_a_catalog_gets_no_fix() {
    let other = SUBSCRIPTION.replace("name: s,", "name: t,").replace("name: p,", "name: q,").replace("red", "one");
    let text = format!("{SUBSCRIPTION}---\n{other}");
    let view = answers::simulate(&workbench(&[("one", OTHER), ("two", CATALOG)]).with_cluster(&text), "");
    let failure = view.outcomes[0].steps[0].failure.as_ref().expect("`red` is not loaded");
    assert_eq!(failure.fixes, []);
}

fn simulate(catalogs: &[(&str, &str)], sources: &[&str]) -> SimulationView {
    let source = |name: &&str| {
        format!(
            "kind: CatalogSource\nmetadata: {{name: {name}, namespace: openshift-marketplace}}\nspec: {{image: 'quay.io/{name}:1'}}\n---\n"
        )
    };
    let text: String = sources.iter().map(source).collect();
    let text = text
        + "kind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p, source: red, sourceNamespace: openshift-marketplace}\n";
    answers::simulate(&workbench(catalogs).with_cluster(&text), "")
}

#[test]
fn one_source_and_one_catalog_are_paired() {
    let assumed =
        "catalog `pasted` is taken as CatalogSource `red` in `openshift-marketplace`, because there is no other";
    for sources in [&["red"][..], &[]] {
        let view = simulate(&[("pasted", CATALOG)], sources);
        assert_eq!(view.outcomes[0].subscriptions[0].verdict, "installs p.v1.0.0");
        let group = "the manifests have no OperatorGroup in namespace `ns`; one for all namespaces is assumed";
        assert_eq!(view.notices, [assumed, group]);
    }
}

#[test]
fn a_missing_catalog_has_candidates_and_a_command() {
    let view = simulate(&[("one", OTHER), ("two", CATALOG)], &["red", "blue"]);
    let rows = view.manifests.unwrap().sources;
    let red = (rows[0].name.as_str(), rows[0].catalog, &rows[0].candidates[..], rows[0].command.clone());
    let command = Ok("opm render quay.io/red:1 -o yaml > red.yaml".to_owned());
    let expected = ("red", None, &[CatalogId(1), CatalogId(0)][..], command);
    assert_eq!(red, expected);
}

#[test]
fn a_catalog_that_only_a_subscription_names_is_listed() {
    let view = simulate(&[("one", OTHER), ("two", CATALOG)], &[]);
    let rows = view.manifests.unwrap().sources;
    let names: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.catalog)).collect();
    assert_eq!(names, [("red", None), ("one", Some(CatalogId(0))), ("two", Some(CatalogId(1)))]);
    let command = "opm render \"$(kubectl get catalogsource red -n openshift-marketplace -o jsonpath='{.spec.image}')\" -o yaml > red.yaml";
    assert_eq!(rows[0].command.as_deref(), Ok(command));
}
