//! Catalogs that are folders of bundle directories: a further file has the catalog that is made of them, which is served instead.

use answers::{overview, readiness};
use session::NewText;
use session::{Expand, Workbench};
use views::PackageKey;
use views::{BundleMode, BundleRules, CatalogId, FileKey};

const ANNOTATIONS: &str = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                           operators.operatorframework.io.bundle.channels.v1: stable\n";

fn csv(version: &str, replaces: &str) -> String {
    format!(
        "kind: ClusterServiceVersion\nmetadata: {{name: p.v{version}}}\nspec: {{displayName: P, version: {version}, \
         replaces: '{replaces}'}}\n"
    )
}

fn tree(others: &[(&str, &str)]) -> Vec<NewText> {
    let files = [
        ("1.0.0/manifests/csv.yaml", csv("1.0.0", "")),
        ("1.0.0/metadata/annotations.yaml", ANNOTATIONS.to_owned()),
        ("2.0.0/manifests/csv.yaml", csv("2.0.0", "p.v1.0.0")),
        ("2.0.0/metadata/annotations.yaml", ANNOTATIONS.to_owned()),
    ];
    let others = others.iter().map(|(path, text)| (*path, (*text).to_owned()));
    let text = |(path, text): (&str, String)| NewText { path: path.to_owned(), content: Ok(text.into_bytes()) };
    files.into_iter().chain(others).map(text).collect()
}

/// The path of the last file, the entries, and the rules of the findings.
fn shown_of(workbench: &Workbench, id: CatalogId) -> [String; 3] {
    let catalog = workbench.catalog(id).expect("it is there");
    let channels = catalog.analysis.catalog.packages.iter().flat_map(|package| &package.channels);
    let entries = channels.flat_map(|channel| &channel.entries).map(|entry| entry.name.value.to_string());
    let rules = catalog.analysis.findings.iter().map(|found| found.diagnostic.rule.id().to_owned());
    let path = catalog.files.last().expect("it is there").path.clone();
    [path, entries.collect::<Vec<_>>().join(" "), rules.collect::<Vec<_>>().join(" ")]
}

#[test]
fn a_folder_of_bundles_is_a_catalog() {
    let mut workbench = Workbench::expanding(Expand::Templates);
    let readme = NewText { path: "logo.png".to_owned(), content: Ok(vec![0, 255]) };
    let mut files = tree(&[("README.md", "# Hello\n"), ("ci.yaml", "updateGraph: replaces-mode\n")]);
    files.push(readme);
    let id = workbench.add_catalog("Tree", files, &mut |_| {});
    assert_eq!(shown_of(&workbench, id), ["tree (from its bundles)", "p.v1.0.0 p.v2.0.0", ""]);
    assert!(workbench.catalog(id).unwrap().is_accepted());
    let row = &overview(&workbench).catalogs[0];
    let rules = row.bundles.as_ref().map(|choice| &choice.rules);
    assert_eq!((rules, row.packages), (Some(&BundleRules::Mode(BundleMode::Replaces)), 1));
}

#[test]
fn readiness_has_the_manifests_of_the_bundles() {
    let mut workbench = Workbench::expanding(Expand::Templates);
    let other = ("2.0.0/manifests/d.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n");
    let catalog = workbench.add_catalog("tree", tree(&[other]), &mut |_| {});
    let found = readiness(&workbench, &PackageKey { catalog, package: "p".to_owned() }).unwrap();
    let modes = "unsupported bundle: bundle does not support AllNamespaces install mode";
    let refusals: Vec<_> = found.bundles.iter().map(|row| row.refusals.clone()).collect();
    assert_eq!(refusals, [vec![modes, "unsupported resource \"d\" with kind \"Deployment\""], vec![modes]]);
    assert_eq!(found.bundles[0].unknown, [""; 0]);
}

#[test]
fn the_catalog_follows_edits_of_the_bundles() {
    let mut workbench = Workbench::expanding(Expand::Templates);
    let id = workbench.add_catalog("tree", tree(&[]), &mut |_| {});
    let catalog = workbench.catalog(id).unwrap();
    let (csv, made) = (catalog.files[2].key, catalog.files[4].key);
    let at = catalog.files[2].text.find("p.v1.0.0").unwrap() as u32;
    workbench.edit(made, 0..3, "");
    workbench.edit(csv, at..at + 8, "gone");
    assert_eq!(shown_of(&workbench, id)[1..], ["", "unbuilt-package"]);
    workbench.edit(csv, at..at + 4, "");
    assert_eq!(shown_of(&workbench, id)[1..], ["p.v2.0.0", "pruned-bundle"]);
    let found = &workbench.catalog(id).unwrap().analysis.findings[0];
    let file = FileKey(found.diagnostic.span.file.0);
    assert_eq!(workbench.file(file).unwrap().1.path, "1.0.0/manifests/csv.yaml");
    let subject = found.subject.as_ref().unwrap();
    assert_eq!((subject.package.as_str(), subject.entry.as_ref().unwrap().as_str()), ("p", "p.v1.0.0"));
    workbench.set_bundle_rules(id, Some(BundleRules::Mode(BundleMode::Semver)));
    assert_eq!(shown_of(&workbench, id)[1..], ["p.v1.0.0 p.v2.0.0", ""]);
    workbench.set_bundle_rules(id, None);
    assert_eq!(shown_of(&workbench, id)[2], "pruned-bundle");
}

#[test]
fn catalog_templates_follow_the_other_catalogs() {
    let ci = "fbc: {enabled: true, catalog_mapping: [{template_name: t.yaml, type: olm.semver, catalog_names: [a]}]}";
    let template = "schema: olm.semver\ngenerateMinorChannels: true\nstable: {bundles: [{image: 'x@sha256:0'}]}\n";
    let mut workbench = Workbench::expanding(Expand::Templates);
    let files = tree(&[("ci.yaml", ci), ("catalog-templates/t.yaml", template)]);
    let id = workbench.add_catalog("tree", files, &mut |_| {});
    assert!(shown_of(&workbench, id)[2].contains("needs-registry"), "{:?}", shown_of(&workbench, id));
    let catalog = "schema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: x@sha256:0\nproperties:\n\
                   - {type: olm.package, value: {packageName: p, version: 1.0.0}}\n\
                   - {type: olm.csv.metadata, value: {displayName: P}}\n";
    let other = workbench.add_text("other", "c.yaml", catalog);
    assert_eq!(shown_of(&workbench, id)[1..], ["p.v1.0.0", "pruned-bundle"]);
    let choice = overview(&workbench).catalogs[0].bundles.clone().unwrap();
    assert_eq!((choice.rules, choice.all.len()), (BundleRules::Template("t.yaml".to_owned()), 4));
    workbench.remove(other);
    assert!(shown_of(&workbench, id)[2].contains("needs-registry"));
}

#[test]
fn a_single_bundle_is_a_catalog_and_a_catalog_with_bundles_is_none() {
    let mut workbench = Workbench::expanding(Expand::BundleTrees);
    let files = tree(&[]).into_iter().filter_map(|mut file| {
        file.path = file.path.strip_prefix("1.0.0/")?.to_owned();
        Some(file)
    });
    let id = workbench.add_catalog("image", files.collect(), &mut |_| {});
    assert_eq!(shown_of(&workbench, id)[1..], ["p.v1.0.0", ""]);
    let catalog = tree(&[("catalog.yaml", "schema: olm.package\nname: q\n")]);
    let id = workbench.add_catalog("catalog", catalog, &mut |_| {});
    assert!(workbench.catalog(id).unwrap().bundle_tree.is_none());
    let mut as_opm = Workbench::new();
    let id = as_opm.add_catalog("tree", tree(&[]), &mut |_| {});
    assert!(as_opm.catalog(id).unwrap().bundle_tree.is_none());
}
