//! Every command says the same of what a Subscription has installed, whatever the manifests leave out.

use super::{CHAIN, answer, catalog, ended, put, report};
use serde_json::Value;

const VERSION: &str = "apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata: {name: version}
status: {history: [{state: Completed, version: 4.18.9}]}
---
";

const SOURCE: &str = "kind: CatalogSource
metadata: {name: community, namespace: olm}
---
";

const SUBSCRIPTION: &str = "kind: Subscription
metadata: {name: my-store, namespace: team}
spec: {name: store, channel: stable, source: community, sourceNamespace: olm}
status: {installedCSV: store.v1.0.0, currentCSV: store.v1.0.0, state: AtLatestKnown}
";

const CSV: &str = "---
kind: ClusterServiceVersion
metadata: {name: store.v1.0.0, namespace: team}
spec: {version: 1.0.0}
status: {phase: Succeeded}
";

const OTHER: &str = "---
kind: ClusterServiceVersion
metadata: {name: packageserver, namespace: olm}
";

const ASSUMED: &str = "the manifests have no ClusterServiceVersion, so what `status.installedCSV` of a Subscription names counts \
                       as installed";

const GONE: &str = "`status.installedCSV` of a Subscription names `team/store.v1.0.0`, which is not among the \
                    ClusterServiceVersions of the manifests, so OLM takes it for not installed";

/// What each command says is installed.
fn installed(cluster: &str, source: &str) -> Vec<(&'static str, Option<String>)> {
    let with_catalog = format!("--cluster {cluster} --catalog {source}=installed/v4.18/catalog.yaml");
    let json = |arguments: String| report(&format!("{arguments} --format json")).0;
    let text = |value: &Value| value.as_str().map(str::to_owned).filter(|text| !text.is_empty());
    let resolved = json(format!("resolve {with_catalog}"));
    let migrated = json(format!("migrate {with_catalog}"));
    let states = "installed/v4.18/catalog.yaml installed/v4.19/catalog.yaml";
    let compared = json(format!("compare {states} --cluster {cluster}"));
    let planned = json(format!("plan --catalogs installed --to 4.19 --cluster {cluster}"));
    let why = answer(&format!("why my-store {with_catalog}")).0;
    let repaired = ended(&format!("repair installed/unlisted.yaml --cluster {cluster} --format json")).out;
    let selected = &resolved["outcomes"][0]["steps"][0]["selected"][0];
    assert!(selected["name"].is_string(), "{resolved}");
    let says = |text: &str| text.contains("store.v1.0.0\"").then(|| "store.v1.0.0".to_owned());
    vec![
        // A new installation names what the catalog replaces.
        ("resolve", text(&selected["replaces"]).filter(|_| selected["name"] == "store.v1.5.0")),
        ("why", why.contains("store.v1.5.0  store.v1.0.0").then(|| "store.v1.0.0".to_owned())),
        ("compare", text(&compared["cluster"]["subscriptions"][0]["installed"])),
        ("plan", text(&planned["plans"][0]["installed"])),
        ("migrate", text(&migrated["groups"][0]["installed"])),
        ("repair", says(&repaired)),
    ]
}

/// The notices of each command about what is installed.
fn notices(cluster: &str) -> Vec<Vec<String>> {
    let with_catalog = format!("--cluster {cluster} --catalog community=installed/v4.18/catalog.yaml");
    let states = "installed/v4.18/catalog.yaml installed/v4.19/catalog.yaml";
    let all = [
        (format!("resolve {with_catalog}"), "/notices"),
        (format!("migrate {with_catalog}"), "/notices"),
        (format!("compare {states} --cluster {cluster}"), "/cluster/notices"),
        (format!("plan --catalogs installed --to 4.19 --cluster {cluster}"), "/notices"),
    ];
    let about = |text: &String| text.contains("status.installedCSV");
    let in_json = all.map(|(arguments, pointer)| {
        let found = report(&format!("{arguments} --format json")).0;
        let texts = found.pointer(pointer).and_then(Value::as_array).cloned().unwrap_or_default();
        texts.iter().filter_map(Value::as_str).map(str::to_owned).filter(about).collect()
    });
    let repaired = ended(&format!("repair installed/unlisted.yaml --cluster {cluster}")).errors;
    let on_errors = repaired.lines().filter_map(|line| line.strip_prefix("opscope: ")).map(str::to_owned);
    let mut found = Vec::from(in_json);
    found.push(on_errors.filter(about).collect());
    found
}

#[test]
fn every_command_says_the_same_of_what_is_installed() {
    put("installed/v4.18/catalog.yaml", catalog(CHAIN));
    put("installed/v4.19/catalog.yaml", catalog(CHAIN));
    put("installed/unlisted.yaml", catalog("2.0.0 (replaces 1.5.0), 1.5.0"));
    let elsewhere = SUBSCRIPTION.replace("source: community", "source: other");
    type Row = (&'static str, String, &'static str, Option<&'static str>, &'static [&'static str]);
    let rows: [Row; 6] = [
        ("csv", format!("{SOURCE}{SUBSCRIPTION}{CSV}"), "community", Some("store.v1.0.0"), &[]),
        ("none", format!("{SOURCE}{SUBSCRIPTION}"), "community", Some("store.v1.0.0"), &[ASSUMED]),
        ("other", format!("{SOURCE}{SUBSCRIPTION}{OTHER}"), "community", None, &[GONE]),
        ("sourceless", format!("{SUBSCRIPTION}{CSV}"), "community", Some("store.v1.0.0"), &[]),
        ("bare", SUBSCRIPTION.to_owned(), "community", Some("store.v1.0.0"), &[ASSUMED]),
        ("elsewhere", format!("{elsewhere}{CSV}"), "other", Some("store.v1.0.0"), &[]),
    ];
    for (name, text, source, expected, about) in rows {
        let cluster = format!("installed-{name}.yaml");
        put(&cluster, format!("{VERSION}{text}"));
        for (command, found) in installed(&cluster, source) {
            assert_eq!(found.as_deref(), expected, "{command} with {cluster}");
        }
        if source == "community" {
            for found in notices(&cluster) {
                assert_eq!(found, about, "{cluster}");
            }
        }
    }
}

#[test]
fn a_subscription_to_a_catalog_source_that_the_cluster_lacks_keeps_its_csv() {
    put("installed-lost.yaml", format!("{SOURCE}{}{CSV}", SUBSCRIPTION.replace("source: community", "source: other")));
    let (text, code) = answer("resolve --cluster installed-lost.yaml --catalog community=catalog.yaml");
    assert!(text.contains("stays at store.v1.0.0") && code == 1, "{text}");
}
