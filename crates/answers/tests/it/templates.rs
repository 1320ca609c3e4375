//! Catalogs that consist of templates: each template gets a further file with its expansion, which is served instead.

use answers::{graph, set_form, simulate};
use session::{Expand, NewText, Workbench};
use views::ClusterForm;
use views::{CatalogId, GraphOptions, Mark, PackageKey, SubscriptionForm};

const SEMVER: &str = "schema: olm.semver\ngenerateMinorChannels: true\nstable:\n  bundles:\n  - image: p:1.0.0\n";
const BUNDLE: &str = "schema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: p:1.0.0\nproperties:\n\
                      - {type: olm.package, value: {packageName: p, version: 1.0.0}}\n\
                      - {type: olm.csv.metadata, value: {displayName: P}}\n";

fn add(workbench: &mut Workbench, path: &str, text: &str) -> CatalogId {
    let file = NewText { path: path.to_owned(), content: Ok(text.as_bytes().to_vec()) };
    workbench.add_catalog(path, vec![file], &mut |_| {})
}

/// The paths of the files, the channels, and the rules of the findings of a catalog.
fn shown(workbench: &Workbench, id: CatalogId) -> [String; 3] {
    let catalog = workbench.catalog(id).expect("it is there");
    let channels = catalog.analysis.catalog.packages.iter().flat_map(|package| &package.channels);
    let channels: Vec<&str> = channels.map(|channel| channel.name.value.as_str()).collect();
    let paths: Vec<&str> = catalog.files.iter().map(|file| &*file.path).collect();
    let rules: Vec<&str> = catalog.analysis.findings.iter().map(|found| found.diagnostic.rule.id()).collect();
    [paths.join(", "), channels.join(", "), rules.join(", ")]
}

#[test]
fn an_expansion_follows_the_other_catalogs() {
    let mut workbench = Workbench::expanding(Expand::Templates);
    let template = add(&mut workbench, "t.yaml", SEMVER);
    let [paths, channels, rules] = shown(&workbench, template);
    assert_eq!((&*paths, &*channels, &*rules), ("t.yaml", "", "needs-registry"));

    let catalog = add(&mut workbench, "c.yaml", BUNDLE);
    let [paths, channels, rules] = shown(&workbench, template);
    assert_eq!((&*paths, &*channels, &*rules), ("t.yaml, t.yaml (expanded)", "stable-v1.0", ""));

    let key = workbench.catalog(catalog).unwrap().files[0].key;
    let at = BUNDLE.find("p:1.0.0").unwrap() as u32;
    workbench.edit(key, at..at, "other-");
    assert_eq!(shown(&workbench, template)[2], "needs-registry");
    workbench.edit(key, at..at + 6, "");
    assert_eq!(shown(&workbench, template)[1], "stable-v1.0");
    workbench.remove(catalog);
    assert_eq!(shown(&workbench, template)[2], "needs-registry");
}

#[test]
fn templates_can_be_edited_and_expansions_cannot() {
    let mut workbench = Workbench::expanding(Expand::Templates);
    let template = add(&mut workbench, "t.yaml", SEMVER);
    add(&mut workbench, "c.yaml", BUNDLE);
    let keys: Vec<_> = workbench.catalog(template).unwrap().files.iter().map(|file| file.key).collect();
    workbench.edit(keys[1], 0..3, "");
    assert_eq!(shown(&workbench, template)[1], "stable-v1.0");
    let at = SEMVER.find("generate").unwrap() as u32;
    workbench.edit(keys[0], at..at, "generateMajorChannels: true\n");
    assert_eq!(shown(&workbench, template)[1], "stable-v1, stable-v1.0");
    // Broken while it is being typed, and whole again.
    workbench.edit(keys[0], at..at, "[");
    assert_eq!(shown(&workbench, template), ["t.yaml", "", "broken-document"].map(str::to_owned));
    workbench.edit(keys[0], at..at + 1, "");
    assert_eq!(shown(&workbench, template)[1], "stable-v1, stable-v1.0");
    // It is not a template any more.
    workbench.edit(keys[0], 0..at, "schema: olm.package\nname: q\n---\n");
    assert_eq!(workbench.catalog(template).unwrap().files.len(), 1);
}

const BASIC: &str = "schema: olm.template.basic\nentries:\n- {schema: olm.package, name: p, defaultChannel: c}\n\
    - schema: olm.channel\n  package: p\n  name: c\n  entries: [{name: p.v1.1.0, replaces: p.v1.0.0}, {name: p.v1.0.0}]\n\
    - {schema: olm.bundle, image: 'p:1.0.0'}\n- {schema: olm.bundle, image: 'p:1.1.0'}\n\
    - {schema: olm.deprecations, package: p, entries: [{reference: {schema: olm.bundle, name: p.v1.1.0}, message: m}]}\n";

/// Labels and marks of the nodes of the template's package.
fn drawn(workbench: &Workbench, id: CatalogId) -> Vec<(String, Vec<Mark>)> {
    let key = PackageKey { catalog: id, package: "p".to_owned() };
    let view = graph(workbench, &key, &GraphOptions::default()).expect("it is there");
    view.nodes.into_iter().map(|node| (node.label, node.marks)).collect()
}

#[test]
fn channels_are_shown_though_their_bundles_are_unknown() {
    let mut workbench = Workbench::expanding(Expand::Templates);
    let template = add(&mut workbench, "t.yaml", BASIC);
    let [_, channels, rules] = shown(&workbench, template);
    assert_eq!((&*channels, &*rules), ("c", "needs-registry"), "opm's verdict is not known");
    let unknown = vec![
        ("p.v1.0.0".to_owned(), vec![Mark::UnknownBundle]),
        ("p.v1.1.0".to_owned(), vec![Mark::Head, Mark::Deprecated, Mark::UnknownBundle]),
    ];
    assert_eq!(drawn(&workbench, template), unknown);
    // One of the two images is known.
    let catalog = add(&mut workbench, "c.yaml", BUNDLE);
    let half = vec![("1.0.0".to_owned(), vec![]), unknown[1].clone()];
    assert_eq!(drawn(&workbench, template), half);
    assert_eq!(shown(&workbench, template)[2], "needs-registry");
    let spec = SubscriptionForm { package: "p".to_owned(), ..SubscriptionForm::default() };
    set_form(&mut workbench, &ClusterForm { subscriptions: vec![spec], ..ClusterForm::default() });
    let view = simulate(&workbench, "");
    assert_eq!(view.blocked.map(|blocked| blocked.sources[0].name.clone()).as_deref(), Some("c"));
    let notice = "template `t` has images that no loaded catalog has; the simulation leaves these bundles out, so OLM may \
                  choose others";
    assert!(view.notices.iter().any(|said| said == notice), "{:?}", view.notices);
    // A template that names all its images lists bundles that none of them has.
    workbench.remove(catalog);
    let both = BUNDLE.to_owned() + "---\n" + &BUNDLE.replace("p.v1.0.0", "p.v1.2.0").replace("1.0.0", "1.1.0");
    add(&mut workbench, "d.yaml", &both);
    let rules = shown(&workbench, template)[2].clone();
    assert!(rules.contains("missing-bundle") && !rules.contains("needs-registry"), "{rules}");
}

#[test]
fn a_template_among_catalog_files_is_not_expanded() {
    let mut workbench = Workbench::expanding(Expand::Templates);
    let files = [("a.yaml", BUNDLE), ("t.yaml", SEMVER)]
        .map(|(path, text)| NewText { path: path.to_owned(), content: Ok(text.into()) });
    let id = workbench.add_catalog("folder", files.into(), &mut |_| {});
    assert_eq!(shown(&workbench, id)[0], "a.yaml, t.yaml");
    let mut as_opm = Workbench::new();
    let id = add(&mut as_opm, "t.yaml", SEMVER);
    assert_eq!(shown(&as_opm, id), ["t.yaml", "", ""].map(str::to_owned));
}
