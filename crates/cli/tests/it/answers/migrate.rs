//! `opscope migrate`

use super::{CHAIN, CLUSTER, answer, catalog, check, check_failure, put, report};
use serde_json::{Value, json};

/// A Subscription that moves, in a namespace of its own.
const MOVING: &str = "kind: CatalogSource
metadata: {name: community, namespace: olm}
spec: {image: 'example.com/community@sha256:0'}
---
kind: OperatorGroup
metadata: {name: own, namespace: shop}
spec: {targetNamespaces: [shop]}
---
kind: Subscription
metadata: {name: my-store, namespace: shop}
spec: {name: store, channel: stable, source: community, sourceNamespace: olm}
status: {installedCSV: store.v1.0.0}
---
kind: ClusterServiceVersion
metadata: {name: store.v1.0.0, namespace: shop}
spec: {version: 1.0.0}
";

/// Writes the catalog with install modes of `store`, and a cluster.
fn write(name: &str, cluster: &str) -> String {
    let version = "- {type: olm.package, value: {packageName: store";
    let modes = "- {type: olm.csv.metadata, value: {installModes: [{type: AllNamespaces, supported: true}]}}\n";
    let path = format!("ready-{name}");
    put(&path, catalog(CHAIN).replace(version, &[modes, version].concat()));
    put(name, cluster);
    format!("migrate --cluster {name} --catalog community={path}")
}

#[test]
fn a_subscription_that_moves() {
    check(
        &write("moving.yaml", MOVING),
        0,
        "note: OLM v1 adopts nothing that OLM v0 installed; the answers say what it does with the installed
      bundle once a ClusterExtension has installed it

Subscription my-store in shop
✓ moves to `store.v1.5.0`
▲ OperatorGroup `own` lets the operator watch the namespace `shop` only; OLM v1 installs it for all
  namespaces
▲ a new ClusterExtension does not know that `store.v1.0.0` is installed, and installs
  `store.v2.0.0`; with `version: 1.0.0` it begins with the installed version
? the catalog does not show the webhooks, deployments and other manifests of `store.v1.5.0`
? whether OLM v1 upgrades the CustomResourceDefinitions to those of `store.v1.5.0` is not known: the
  catalog does not have all of their manifests
note: ClusterCatalog `community` is made of the image of the CatalogSource

bundle        version             OLM v1
store.v2.0.0  2.0.0               refuses nothing that the catalog shows
store.v1.5.0  1.5.0    next       refuses nothing that the catalog shows
store.v1.0.0  1.0.0    installed  refuses nothing that the catalog shows

1 of 1 Subscription would move or stay; `--format yaml` prints the ClusterExtensions
",
    );
}

#[test]
fn the_objects_to_create() {
    let expected = "apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  name: community
spec:
  source:
    image:
      ref: example.com/community@sha256:0
    type: Image
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: my-store
spec:
  namespace: shop
  source:
    catalog:
      channels:
      - stable
      packageName: store
      selector:
        matchLabels:
          olm.operatorframework.io/metadata.name: community
      upgradeConstraintPolicy: CatalogProvided
    sourceType: Catalog
";
    check(&format!("{} --format yaml", write("objects.yaml", MOVING)), 0, expected);
}

#[test]
fn a_dependency_is_refused_with_exit_code_1() {
    let (report, code) = report(&format!("{} --format json", write("refused.yaml", CLUSTER)));
    assert_eq!(code, 1);
    let groups: Vec<_> = report["groups"].as_array().unwrap().iter().collect();
    let verdicts: Vec<&Value> = groups.iter().map(|group| &group["verdict"]).collect();
    assert_eq!(verdicts, ["refused", "stays", "moves"]);
    assert_eq!(groups[0]["summary"], "is refused, because `app.v1.1.0` has a dependency");
    let own = json!([{"subscription": "my-store", "namespace": "team", "extension": "my-store-team", "notes": []}]);
    assert_eq!(groups[2]["subscriptions"], own);
    let shared = "2 Subscriptions have package `store`: `my-store` in `operators`, `my-store` in `team`; OLM v1 installs a package once for the whole cluster";
    assert_eq!(groups[2]["notes"][0], json!({"kind": "obstacle", "text": shared}));
    let chosen: Vec<&Value> = groups[1]["bundles"].as_array().unwrap().iter().collect();
    assert_eq!((&chosen[0]["isInstalled"], &chosen[0]["isChosen"]), (&json!(true), &json!(true)));
    assert_eq!(report["manifests"].as_str().unwrap().matches("kind: ClusterExtension\n").count(), 3);
}

/// The output is as long as the list of names, not the number of Subscriptions times the answer, or their square.
#[test]
fn subscriptions_with_the_same_answer_are_a_group() {
    let source = "kind: CatalogSource\nmetadata: {name: community, namespace: olm}\n";
    let objects = |number: usize| {
        let targets = if number == 7 { "spec: {targetNamespaces: [elsewhere]}\n" } else { "" };
        format!(
            "---\nkind: OperatorGroup\nmetadata: {{name: own, namespace: ns-{number}}}\n{targets}---\nkind: Subscription\n\
             metadata: {{name: s, namespace: ns-{number}}}\nspec: {{name: store, channel: stable, source: community, sourceNamespace: olm}}\n"
        )
    };
    let run = |count: usize, format: &str| {
        let cluster = source.to_owned() + &(0..count).map(objects).collect::<String>();
        answer(&format!("{} --format {format}", write(&format!("same-{count}.yaml"), &cluster))).0
    };
    let text = run(9, "text");
    let expected = "
store.v1.0.0  1.0.0          refuses nothing that the catalog shows

- s in ns-7
  ▲ OperatorGroup `own` lets the operator watch the namespace `elsewhere` only; OLM v1 installs it
    for all namespaces
- s in ns-0, s in ns-1, s in ns-2, s in ns-3, s in ns-4, s in ns-5, s in ns-6, s in ns-8

9 of 9 Subscriptions would move or stay";
    assert!(text.contains("9 Subscriptions to store\n") && text.contains(expected), "{text}");
    let report: Value = serde_json::from_str(&run(9, "json")).unwrap();
    let [group] = &report["groups"].as_array().unwrap()[..] else { panic!("{report}") };
    let own: Vec<usize> =
        group["subscriptions"].as_array().unwrap().iter().map(|row| row["notes"].as_array().unwrap().len()).collect();
    assert_eq!(own, [0, 0, 0, 0, 0, 0, 0, 1, 0]);
    for format in ["text", "json"] {
        let [few, many] = [9, 90].map(|count| run(count, format).len());
        assert!(many < 10 * few, "{format}: {few} and {many} bytes");
    }
}

#[test]
fn bundles_with_the_same_answer_are_counted() {
    let text = answer("migrate --subscribe store/stable --catalog catalog.yaml").0;
    let expected = "bundle        version        OLM v1
store.v2.0.0  2.0.0    next  cannot be known
store.v1.5.0  1.5.0          cannot be known
store.v1.0.0  1.0.0          cannot be known
";
    assert!(text.contains(expected), "{text}");
    let chain: Vec<String> = (1..9).map(|minor| format!("0.{minor}.0")).collect();
    put("long.yaml", fixture::yaml(&format!("package store\nlong: {}", chain.join(" <- "))));
    let text = answer("migrate --subscribe store/long --catalog long.yaml").0;
    let expected = "bundle          version        OLM v1
store.v0.8.0    0.8.0    next  cannot be known
store.v0.7.0    0.7.0          cannot be known
and 6 more, to  0.1.0          the same
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn an_error_of_olm_v1_is_printed() {
    let text = answer(&write("fails.yaml", &MOVING.replace("channel: stable", "channel: beta"))).0;
    let expected = "✕ fails, because OLM v1 finds no bundle
  OLM v0 finds no such channel in the catalog
  OLM v1 fails: `error upgrading from currently installed version \"1.0.0\": no bundles found for
  package \"store\" in channels [beta]`
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn the_order_of_objects_does_not_matter() {
    let first = answer(&format!("{} --format json", write("ordered.yaml", CLUSTER)));
    let mut documents: Vec<&str> = CLUSTER.split("---\n").collect();
    documents.reverse();
    let second = answer(&format!("{} --format json", write("reversed.yaml", &documents.join("---\n"))));
    assert_eq!(first, second);
}

#[test]
fn a_cluster_without_answer_ends_with_exit_code_2() {
    let empty = write("empty.yaml", "kind: CatalogSource\nmetadata: {name: community, namespace: olm}\n");
    check_failure(&empty, "`empty.yaml` has no Subscription, so there is nothing to migrate");
    check_failure(
        "migrate --cluster broken.yaml --catalog community=catalog.yaml",
        "broken.yaml:11:11: `metadata` must be an object, found a list",
    );
}
