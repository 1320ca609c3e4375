//! Which loaded catalog is which ClusterCatalog of OLM v1.

use answers::simulate;
use session::testing::workbench;
use views::CatalogId;

const P: &str = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
const Q: &str = "package q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";
const CLUSTER: &str = "kind: ClusterCatalog\nmetadata: {name: one, labels: {olm.operatorframework.io/metadata.name: one}}\nspec: {source: {image: {ref: 'example.com/one:1'}}}\n---\n\
    kind: ClusterCatalog\nmetadata: {name: two, labels: {olm.operatorframework.io/metadata.name: two}}\n---\n\
    kind: ClusterExtension\nmetadata: {name: e}\nspec: {namespace: apps, source: {sourceType: Catalog, catalog: {packageName: q, selector: {matchLabels: {olm.operatorframework.io/metadata.name: two}}}}}\n";

#[test]
fn each_cluster_catalog_without_a_catalog_has_those_that_it_may_be() {
    let workbench = workbench(&[("a", P), ("b", Q), ("c", P)]).with_cluster(CLUSTER);
    let read = simulate(&workbench, "").manifests.unwrap();
    let [one, two] = &read.cluster_catalogs[..] else { panic!("{read:?}") };
    assert_eq!((&*one.name, &*one.namespace, &one.candidates), ("one", "", &[0, 1, 2].map(CatalogId).to_vec()));
    assert_eq!((&*two.name, &two.candidates[0]), ("two", &CatalogId(1)), "its extension names package `q`");
    assert_eq!(one.command.as_deref(), Ok("opm render example.com/one:1 -o yaml > one.yaml"));
    let of_cluster =
        "opm render \"$(kubectl get clustercatalog two -o jsonpath='{.spec.source.image.ref}')\" -o yaml > two.yaml";
    assert_eq!(two.command.as_deref(), Ok(of_cluster));
}

#[test]
fn what_stands_for_another_object_is_no_candidate() {
    let mut workbench = workbench(&[("one", P), ("b", Q), ("source", P)]);
    let source = "---\nkind: CatalogSource\nmetadata: {name: source, namespace: olm}\n";
    workbench.set_cluster(&format!("{CLUSTER}{source}"));
    let read = simulate(&workbench, "").manifests.unwrap();
    // `b` alone is left for `two`, and is taken for it.
    assert_eq!(read.cluster_catalogs, []);
    workbench.set_cluster(&format!("{CLUSTER}{source}").replace("name: one", "name: other"));
    let read = simulate(&workbench, "").manifests.unwrap();
    let rows: Vec<_> = read.cluster_catalogs.iter().map(|row| (&*row.name, &row.candidates[..])).collect();
    assert_eq!(rows, [("other", &[CatalogId(0), CatalogId(1)][..]), ("two", &[CatalogId(1), CatalogId(0)][..])]);
}
