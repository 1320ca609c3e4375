//! `opscope compare`

use super::{CHAIN, FOLDER, answer, catalog, check, check_failure, put, report};
use serde_json::{Value, json};

#[test]
fn a_comparison_tells_who_gets_stuck() {
    assert_eq!(answer("compare catalog.yaml added.yaml --deny breaking").1, 1);
    check("compare catalog.yaml catalog.yaml --deny risky", 0, "2 packages: nothing changes for what is installed\n");
    let report = report("compare catalog.yaml added.yaml --package store --format json").0;
    assert_eq!(report["summary"], json!({"breaking": 3, "risky": 0, "neutral": 5, "good": 0}));
    let package = &report["packages"][0];
    let stuck = package["rows"].as_array().unwrap().iter().find(|row| row["rule"] == "v0-stranded");
    let fates = stuck.map(|row| (row["old"]["hops"].clone(), row["new"]["hops"].clone()));
    assert_eq!(fates, Some((json!(["store.v2.0.0"]), json!([]))));
    let group = &package["groups"][0];
    assert_eq!((&group["rule"], &group["versions"]), (&json!("v0-stranded"), &json!(["1.0.0", "1.5.0"])));
    assert_eq!(group["cause"][0]["after"]["place"]["line"], 10);
    assert_eq!(group["fixes"].as_array().map(Vec::len), Some(3));
}

#[test]
fn the_plainest_release_is_told_for_olm_v1() {
    put("first.yaml", fixture::yaml("package p, default c\nc: 1.0.0"));
    put("second.yaml", fixture::yaml("package p, default c\nc: 1.0.0 <- 1.1.0"));
    let (text, code) = answer("compare first.yaml second.yaml --runtime v1");
    let says = "p: OLM v1: 1 installed version moves on to 1.1.0 as expected; 1 other change\n";
    assert!(code == 0 && text.starts_with(says), "{text}");
    assert!(text.contains("OLM v1: 1.0.0 in any channel: 1.1.0; before: stays (v1-end-higher)"), "{text}");
}

/// Two channels, with an edge from one to the other or without.
#[test]
fn an_edge_between_channels_is_told_when_it_comes_and_when_it_goes() {
    let channels = |edge: &str| fixture::yaml(&format!("package p, default v2\nv1: 1.0.0\nv2: 2.0.0{edge}"));
    put("apart.yaml", channels(""));
    put("joined.yaml", channels(" (replaces 1.0.0)"));
    let nothing = "p: nothing changes for versions that their channels list";
    let (text, _) = answer("compare apart.yaml joined.yaml");
    assert!(text.starts_with(&format!("{nothing}; 1 other change\n")), "{text}");
    assert!(text.contains("1.0.0 in channel `v2`, which does not list it, is no longer stuck"), "{text}");
    let (text, code) = answer("compare joined.yaml apart.yaml --deny risky");
    let lost = "1 risk: 1.0.0 in channel `v2`, which does";
    assert!(code == 1 && text.starts_with(&format!("{nothing}; {lost}")), "{text}");
    // A Subscription without a channel follows the new edge.
    let subscribed = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n---\nkind: Subscription\nmetadata: {name: p, namespace: ns}\n\
        spec: {name: p, source: c, sourceNamespace: olm}\nstatus: {installedCSV: p.v1.0.0, currentCSV: p.v1.0.0}\n---\nkind: ClusterServiceVersion\n\
        metadata: {name: p.v1.0.0, namespace: ns}\nspec: {version: 1.0.0}\nstatus: {phase: Succeeded}\n";
    put("no-channel.yaml", subscribed);
    let (text, _) = answer("compare apart.yaml joined.yaml --cluster no-channel.yaml");
    assert!(text.contains("updated to 2.0.0") && !text.contains("nothing changes for what is installed"), "{text}");
}

#[test]
fn levels_are_the_users() {
    let of = |name: &str, text: &str| {
        put(name, text);
        answer(&format!("compare catalog.yaml added.yaml --package store --deny risky --levels {name}"))
    };
    let (text, code) = of("some.levels", "v0-stranded: off\nprovider-lost: off\nhead-changed: risky\n");
    assert!(code == 1 && !text.contains("v0-stranded") && text.contains("▲ the head of channel"), "{text}");
    assert!(text.contains("; 3 hidden by comments\nor settings\n"), "{text}");
    assert_eq!(of("neutral.levels", "v0-stranded: neutral\nprovider-lost: neutral\n").1, 0);
    assert_eq!(of("empty.levels", "").1, 1, "an empty file changes nothing");
    put("wrong.levels", "v0-strand: off\nv0-loop: bad\n");
    check_failure(
        "compare catalog.yaml added.yaml --levels wrong.levels",
        "wrong.levels:1:1: there is no rule `v0-strand`; did you mean `v0-stranded`?
opscope: wrong.levels:2:10: `v0-loop` needs a level: breaking, risky, neutral, good or off",
    );
}

#[test]
fn a_rejected_catalog_updates_nothing() {
    let (text, code) = answer("compare catalog.yaml rejected.yaml --deny breaking");
    let cause = "✕ Not served after the change: opm rejects the catalog: channel must contain at least one bundle\n  (rejected.yaml:4:17)\n✕ 1 more package (";
    assert!(code == 1 && text.starts_with(cause) && !text.contains("\napp: "), "{text}");
    let of = |format: &str| answer(&format!("compare catalog.yaml rejected.yaml --format {format}")).0;
    let follows = "can no longer be resolved for this reason alone";
    for format in ["markdown", "json", "sarif", "github"] {
        assert_eq!(of(format).matches(follows).count(), 1, "{format}");
    }
}

#[test]
fn what_is_not_compared_is_never_unchanged() {
    put("unordered.yaml", fixture::yaml("c:"));
    std::fs::create_dir_all(FOLDER.join("nothing")).unwrap();
    let catalog = catalog(CHAIN);
    put("half.yaml", catalog.replacen("entries:", "entries: [", 1));
    // What cannot be read at all has no answer.
    let mut cases =
        vec![("unordered.yaml", "unordered.yaml", 1), ("nothing", "catalog.yaml", 2), ("half.yaml", "catalog.yaml", 2)];
    if cfg!(unix) {
        put("dangling/catalog.yaml", catalog);
        #[cfg(unix)]
        std::os::unix::fs::symlink("gone", FOLDER.join("dangling/gone.yaml")).unwrap();
        cases.push(("dangling", "catalog.yaml", 2));
    }
    for (before, after, expected) in cases {
        let (text, code) = answer(&format!("compare {before} {after} --deny breaking"));
        assert_eq!(code, expected, "{before}: {text}");
        assert!(text.contains(" before ") && !text.contains("nothing changes"), "{text}");
    }
    let (text, code) = answer("compare catalog.yaml half.yaml");
    let alone =
        text.starts_with("✕ Not comparable after the change: opm rejects") && text.ends_with("(half.yaml:10:1)\n");
    assert!(alone && code == 2 && !text.contains("store"), "{text}");
    check_failure("compare catalog.yaml added.yaml --package typo", "neither catalog has a package `typo`");
}

#[test]
fn what_opscope_cannot_tell_of_a_cluster_is_no_answer_and_denied() {
    // OLM would crash on this range.
    let chain = "c: 1.1.0 (replaces 1.0.0; skipRange <1.0.0 || || >2.0.0), 1.0.0";
    put("crash.yaml", fixture::yaml(&format!("package p\n{chain}")));
    put(
        "crash-cluster.yaml",
        "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n---\nkind: Subscription\nmetadata: {name: s, namespace: ns}\n\
         spec: {name: p, channel: c, source: c, sourceNamespace: olm}\nstatus: {installedCSV: p.v1.0.0, currentCSV: p.v1.0.0}\n---\nkind: ClusterServiceVersion\n\
         metadata: {name: p.v1.0.0, namespace: ns}\nspec: {version: 1.0.0}\nstatus: {phase: Succeeded}\n",
    );
    let compared = "compare crash.yaml crash.yaml --cluster crash-cluster.yaml";
    let ended = super::ended(compared);
    assert!(ended.out.contains("(not-compared)") && ended.errors.contains("cannot tell"), "{ended:?}");
    assert_eq!(ended.code, 2);
    assert_eq!(answer(&format!("{compared} --deny breaking")).1, 1);
}

#[test]
fn a_new_package_is_counted() {
    put("more.yaml", catalog(CHAIN) + &fixture::yaml("package more\nc: 1.0.0"));
    let expected = "1 package is new: more\n\n2 packages: nothing changes for what is installed\n";
    check("compare catalog.yaml more.yaml --deny risky", 0, expected);
}

/// An operator that the change leaves stuck, on OpenShift, and one of another catalog.
pub(crate) const INSTALLED: &str = "kind: CatalogSource
metadata: {name: community, namespace: olm}
---
kind: CatalogSource
metadata: {name: other, namespace: olm}
---
kind: ClusterVersion
apiVersion: config.openshift.io/v1
metadata: {name: version}
status: {history: [{state: Completed, version: 4.18.3}]}
---
kind: Subscription
metadata: {name: my-store, namespace: team}
spec: {name: store, channel: stable, source: community, sourceNamespace: olm}
status: {installedCSV: store.v1.5.0, currentCSV: store.v1.5.0}
---
kind: ClusterServiceVersion
metadata:
  name: store.v1.5.0
  namespace: team
  annotations: {operatorframework.io/properties: '{\"properties\": [{\"type\": \"olm.maxOpenShiftVersion\", \"value\": \"4.18\"}]}'}
spec: {version: 1.5.0}
status: {phase: Succeeded}
";

#[test]
fn the_subscriptions_of_a_cluster_are_compared() {
    put("installed.yaml", INSTALLED);
    let command = "compare catalog.yaml added.yaml --cluster installed.yaml --catalog other=catalog.yaml";
    let (text, _) = answer(command);
    let expected = "In the cluster\n✕ team/my-store (store.v1.5.0): The operator is stuck; before, it was updated or was the head.\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("▲ after its updates, `store.v1.5.0` in namespace `team`: - maximum"), "{text}");
    assert_eq!(answer(&format!("{command} --package app --deny breaking")).1, 1, "the cluster counts");
    let report = report(&format!("{command} --format json")).0;
    let row = &report["cluster"]["subscriptions"][0];
    assert_eq!(
        (&row["rule"], &row["level"], &row["before"]),
        (&json!("stuck"), &json!("breaking"), &json!("updated to 2.0.0"))
    );
    let (markdown, _) = answer(&format!("{command} --format markdown"));
    assert!(markdown.contains("### In the cluster\n\n- breaking: team/my-store (store.v1.5.0): "), "{markdown}");
    let (commands, _) = answer(&format!("{command} --format github"));
    assert!(commands.contains("::error title=stuck::team/my-store"), "{commands}");
    check_failure(
        "compare catalog.yaml added.yaml --cluster installed.yaml --catalog x=stuck.yaml",
        "`installed.yaml` has no CatalogSource named `x`",
    );
}

/// Compares `catalog.yaml` with a catalog that has only `store.v2.0.0` of `store`, in a file of this name.
fn compare_v1(name: &str, options: &str) -> (String, i32) {
    put(name, catalog("2.0.0"));
    answer(&format!("compare catalog.yaml {name} --package store {options}"))
}

#[test]
fn the_formats_are_about_the_versions_of_olm_that_were_asked_for() {
    for format in ["text", "markdown", "github", "sarif", "json"] {
        let of = |runtime: &str| compare_v1("v1-after.yaml", &format!("--runtime {runtime} --format {format}")).0;
        let has = |text: &str| (text.contains("v0-stranded"), text.contains("v1-error"));
        assert_eq!([has(&of("v0")), has(&of("v1")), has(&of("both"))], [(true, false), (false, true), (true, true)]);
    }
    assert_eq!(compare_v1("v1-after.yaml", "--runtime v1 --deny breaking").1, 1);
    let report = |runtime: &str| -> Value {
        let text = compare_v1("v1-json.yaml", &format!("--runtime {runtime} --format json")).0;
        serde_json::from_str(&text).unwrap()
    };
    let fields = |report: &Value| -> Vec<String> {
        report["packages"][0]["rows"][0].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(fields(&report("v0")), ["channel", "installed", "level", "new", "old", "rule"]);
    assert_eq!(fields(&report("v1")), ["channel", "installed", "v1_new", "v1_old"]);
}

#[test]
fn levels_of_olm_v1_are_the_users() {
    let of = |name: &str, text: &str| {
        put(name, format!("provider-lost: off\nentry-removed: off\n{text}"));
        compare_v1("v1-levels.yaml", &format!("--runtime v1 --levels {name} --deny breaking"))
    };
    let (text, code) = of("v1-off.levels", "v1-error: off\n");
    assert!(code == 0 && !text.contains("v1-error") && text.contains("hidden by comments or settings"), "{text}");
    let alike = "OLM v1: 1.5.0 in any channel: 2.0.0 as before. No bundle has the version any more (v1-pin-lost)";
    assert!(text.contains(alike), "{text}");
    let (text, code) = of("v1-on.levels", "");
    assert!(code == 1 && text.contains("v1-error"), "{text}");
    // A row has a rule for each choice of channels, and the worse one need not have the worse level.
    let (text, code) = of("v1-turned.levels", "v1-error: off\nv1-pin-lost: breaking\n");
    assert!(code == 1 && text.contains("✕ OLM v1: 1.5.0 in any channel"), "{text}");
}

/// A catalog without `store`.
const APP: &str = "package app\nstable: 1.1.0";

#[test]
fn the_priority_of_a_cluster_catalog_decides_between_catalogs() {
    put("only-app.yaml", fixture::yaml(APP));
    let command = "compare only-app.yaml catalog.yaml --runtime v1 --package store --catalog second=catalog.yaml";
    let (text, _) = answer(command);
    let error = "in multiple catalogs with the same priority [catalog second]";
    let is_ambiguous = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").contains(error);
    assert!(is_ambiguous(&text) && text.contains("(v1-ambiguous)"), "{text}");
    let of_priority = |priority: i32| {
        let manifests = format!(
            "apiVersion: operators.coreos.com/v1alpha1\nkind: CatalogSource\nmetadata: {{name: catalog, namespace: olm}}\n---\n\
             apiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog\nmetadata: {{name: second}}\nspec: {{priority: {priority}}}\n"
        );
        put("priority.yaml", manifests);
        answer(&format!("{command} --cluster priority.yaml")).0
    };
    assert!(is_ambiguous(&of_priority(0)), "{}", of_priority(0));
    assert!(!of_priority(1).contains("v1-ambiguous"), "{}", of_priority(1));
}

#[test]
fn a_cluster_with_cluster_catalogs_alone_is_compared_under_olm_v1() {
    put("app-alone.yaml", fixture::yaml(APP));
    let extension = |selector: &str| {
        format!(
            "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {{name: store}}\nspec:\n  namespace: s\n  \
             source: {{sourceType: Catalog, catalog: {{packageName: store{selector}}}}}\n"
        )
    };
    let object = |name: &str, spec: &str| {
        format!(
            "---\napiVersion: olm.operatorframework.io/v1\nkind: ClusterCatalog\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\n"
        )
    };
    let of_cluster = |manifests: &str, options: &str| {
        put("v1-alone.yaml", manifests);
        let command = "compare app-alone.yaml catalog.yaml --package store --cluster v1-alone.yaml";
        answer(&format!("{command} --catalog second=catalog.yaml{options}")).0
    };
    let [mine, second] = ["mine", "second"].map(|name| object(name, ""));
    let both = [mine.as_str(), &second].concat();
    let text = of_cluster(&(both.clone() + &extension("")), "");
    let ambiguous = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(ambiguous.contains("with the same priority [mine second]") && !text.contains("In the cluster"), "{text}");
    let of_v0 = of_cluster(&(both.clone() + &extension("")), " --runtime v0");
    assert!(!of_v0.contains("v1-ambiguous"), "{of_v0}");
    let only = ", selector: {matchLabels: {olm.operatorframework.io/metadata.name: mine}}";
    let unavailable = [mine.as_str(), &object("second", "availabilityMode: Unavailable")].concat();
    for manifests in [both + &extension(only), unavailable + &extension("")] {
        let text = of_cluster(&manifests, "");
        assert!(!text.contains("v1-ambiguous"), "{text}");
    }
    put("v1-second.yaml", second);
    let command = "compare app-alone.yaml catalog.yaml --cluster v1-second.yaml --catalog second=catalog.yaml";
    check_failure(command, "`v1-second.yaml` has no CatalogSource or ClusterCatalog for the compared catalog");
}
