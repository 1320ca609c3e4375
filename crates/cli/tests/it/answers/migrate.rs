//! `opscope migrate`

use super::{CHAIN, CLUSTER, answer, catalog, check, check_failure, put, report};
use serde_json::{Value, json};

/// A Subscription that moves, in a namespace of its own.
const MOVING: &str = "kind: CatalogSource
metadata: {name: community, namespace: olm}
spec: {sourceType: grpc, image: 'example.com/community@sha256:0'}
---
kind: OperatorGroup
metadata: {name: own, namespace: shop}
spec: {targetNamespaces: [shop]}
---
kind: Subscription
metadata: {name: my-store, namespace: shop}
spec: {name: store, channel: stable, source: community, sourceNamespace: olm}
status: {installedCSV: store.v1.0.0, state: AtLatestKnown}
---
kind: ClusterServiceVersion
metadata: {name: store.v1.0.0, namespace: shop}
spec: {version: 1.0.0}
status: {phase: Succeeded, reason: InstallSucceeded}
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
    let acknowledged = format!("{} --acknowledge watch-scope-change", write("moving.yaml", MOVING));
    check(
        &acknowledged,
        0,
        "note: the checks are those of the migration tool of operator-framework/library-olm, a prototype; it
      makes the installed bundle known to OLM v1, which a ClusterExtension written by hand does not

Subscription my-store in shop
? Eligible as far as the manifests show; 8 checks are not known
    ▲ [AllNamespaces mode] overridden: operator will run AllNamespaces post-migration (watch scope
      change acknowledged)
    ? not known from the manifests: ClusterObjectSet API, Namespace scope change, AllNamespaces
      install mode supported, No dependency resolution, No APIService definitions, No
      OperatorCondition usage, OLMv0-API RBAC, Catalog availability
✓ moves first to `store.v1.5.0`
▲ OperatorGroup `own` lets the operator watch the namespace `shop` only; OLM v1 installs it for all
  namespaces, and it then sees all
? the catalog does not show the webhooks, deployments and other manifests of `store.v1.5.0`
? whether OLM v1 upgrades the CustomResourceDefinitions to those of `store.v1.5.0` is not known: the
  catalog does not have all of their manifests
note: ClusterCatalog `community` is made of the image of the CatalogSource
note: without the migration tool, a ClusterExtension that is written by hand does not know that
      `store.v1.0.0` is installed, and installs `store.v2.0.0`; with `version: 1.0.0` it begins with
      the installed version

bundle        version             OLM v1
store.v2.0.0  2.0.0               refuses nothing that the catalog shows
store.v1.5.0  1.5.0    next       refuses nothing that the catalog shows
store.v1.0.0  1.0.0    installed  refuses nothing that the catalog shows

CatalogSources, as `migrate-catalogs-v0-to-v1` migrates them
✓ community in olm, ClusterCatalog community: created from image example.com/community@sha256:0
  note: with `--delete-catalogsource`: CatalogSource retained because one or more Subscriptions
        still reference it
? whether created ClusterCatalogs serve within 10 minutes is not known, because only the cluster
  shows it; without it the result is the error `ClusterCatalog not serving: …`

1 of 1 Subscription can be migrated as far as the manifests show; `--format yaml` prints the objects
",
    );
    let (text, code) = answer(&write("moving.yaml", MOVING));
    let refused = "
✕ the migration tool refuses it: Ineligible, 1 check(s) failed
    ✗ [AllNamespaces mode] OperatorGroup has spec.targetNamespaces set; operator must be in
      AllNamespaces mode for migration
";
    assert!(code == 1 && text.contains(refused), "{text}");
    // What a complete dump lacks does not exist.
    let (report, _) = report(&format!("{acknowledged} --complete --format json"));
    let eligibility = &report["groups"][0]["eligibility"];
    let failed: Vec<&Value> =
        eligibility["checks"].as_array().unwrap().iter().filter(|row| row["outcome"] == "failed").collect();
    assert_eq!((&eligibility["state"], &failed[0]["name"]), (&json!("Ineligible"), &json!("ClusterObjectSet API")));
}

#[test]
fn the_objects_to_create() {
    let expected = r#"apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  annotations:
    olm.operatorframework.io/migrated-from-catalogsource: olm/community
  name: community
spec:
  availabilityMode: Available
  priority: 0
  source:
    image:
      ref: example.com/community@sha256:0
    type: Image
---
# `convert` of the migration tool creates this object.
# `phases` has the objects of the cluster. Of these the manifests name: none.
apiVersion: olm.operatorframework.io/v1
kind: ClusterObjectSet
metadata:
  annotations:
    olm.operatorframework.io/bundle-name: store.v1.0.0
    olm.operatorframework.io/bundle-version: 1.0.0
    olm.operatorframework.io/migrated-from-subscription: shop/my-store
    olm.operatorframework.io/package-name: store
  labels:
    olm.operatorframework.io/owner-kind: ClusterExtension
    olm.operatorframework.io/owner-name: my-store
  name: my-store-1
spec:
  collisionProtection: None
  lifecycleState: Active
  revision: 1
---
# `convert` of the migration tool creates this object; if it exists before, `convert` refuses.
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  annotations:
    olm.operatorframework.io/acknowledged-watch-scope-change: "true"
    olm.operatorframework.io/migrated-from-subscription: shop/my-store
    olm.operatorframework.io/migration-operatorgroup-backup: '{"targetNamespaces":["shop"]}'
    olm.operatorframework.io/migration-subscription-backup: '{"source":"community","sourceNamespace":"olm","name":"store","channel":"stable"}'
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
    sourceType: Catalog
"#;
    let arguments = "--format yaml --acknowledge watch-scope-change";
    check(&format!("{} {arguments}", write("objects.yaml", MOVING)), 0, expected);
}

#[test]
fn a_dependency_is_refused_with_exit_code_1() {
    let (report, code) = report(&format!("{} --format json", write("refused.yaml", CLUSTER)));
    assert_eq!(code, 1);
    let groups: Vec<_> = report["groups"].as_array().unwrap().iter().collect();
    let verdicts: Vec<&Value> = groups.iter().map(|group| &group["verdict"]).collect();
    assert_eq!(verdicts, ["refused", "stays", "moves"]);
    assert_eq!(groups[0]["summary"], "is refused, because `app.v1.1.0` has a dependency");
    let own = json!([{"subscription": "my-store", "namespace": "team", "extension": "my-store", "notes": [], "conversion": {
        "refusal": "readiness checks failed (1 issues)", "unknown": [], "phases": [], "plan": [],
    }}]);
    assert_eq!(groups[2]["subscriptions"], own);
    let shared = "[Package uniqueness] another Subscription operators/my-store references the same package \"store\"";
    let checks = groups[2]["eligibility"]["checks"].as_array().unwrap();
    let failed = checks.iter().find(|check| check["outcome"] == "failed").unwrap();
    assert_eq!(format!("[{}] {}", failed["name"].as_str().unwrap(), failed["message"].as_str().unwrap()), shared);
    let chosen: Vec<&Value> = groups[1]["bundles"].as_array().unwrap().iter().collect();
    assert_eq!((&chosen[0]["isInstalled"], &chosen[0]["isChosen"]), (&json!(true), &json!(true)));
    assert_eq!(report["manifests"].as_str().unwrap().matches("kind: ClusterExtension\n").count(), 3);
}

#[test]
fn catalog_sources_have_the_results_of_the_official_tool() {
    let more = "---
kind: CatalogSource
metadata: {name: community, namespace: shop}
spec: {sourceType: grpc, image: 'example.com/community@sha256:0', secrets: [pull]}
---
kind: CatalogSource
metadata: {name: taken, namespace: olm}
spec: {sourceType: grpc, image: 'example.com/new:1'}
---
kind: ClusterCatalog
metadata: {name: taken}
spec: {source: {type: Image, image: {ref: 'example.com/old:1'}}}
---
kind: CatalogSource
metadata: {name: high, namespace: olm}
spec: {sourceType: grpc, image: 'example.com/high:1', priority: 2147483648}
---
kind: CatalogSource
metadata: {name: old, namespace: olm}
spec: {sourceType: configmap}
";
    let arguments = write("catalog-sources.yaml", &(MOVING.to_owned() + more));
    let text = answer(&arguments).0;
    let expected = "
CatalogSources, as `migrate-catalogs-v0-to-v1` migrates them
▲ old in olm: skipped, configmap-type CatalogSource has no OLMv1 equivalent
✓ community in olm, ClusterCatalog community: created from image example.com/community@sha256:0
  note: with `--delete-catalogsource`: CatalogSource retained because one or more Subscriptions
        still reference it
▲ high in olm: skipped, spec.priority 2147483648 is out of int32 range; pass
  --acknowledge-priority-overflow to cap and proceed
  note: with `--acknowledge-priority-overflow` the priority is 2147483647
✕ taken in olm: error, ClusterCatalog taken already exists with image \"example.com/old:1\", which
  does not match CatalogSource image \"example.com/new:1\"
✓ community in shop, ClusterCatalog community: consolidated into shared ClusterCatalog community
  note: spec.secrets (1 secret(s)) has no OLMv1 equivalent; OLMv1 uses the cluster global pull
        secret
  note: with `--delete-catalogsource`: deleted unreferenced CatalogSource
";
    assert!(text.contains(expected), "{text}");
    let (report, _) = report(&format!("{arguments} --format json"));
    let last = json!({
        "catalogSource": "community",
        "namespace": "shop",
        "status": "adopted",
        "clusterCatalog": "community",
        "reason": "consolidated into shared ClusterCatalog community",
        "notes": ["spec.secrets (1 secret(s)) has no OLMv1 equivalent; OLMv1 uses the cluster global pull secret"],
        "deletion": "deleted unreferenced CatalogSource",
    });
    assert_eq!(report["catalogs"][4], last);
    let statuses: Vec<&Value> = report["catalogs"].as_array().unwrap().iter().map(|row| &row["status"]).collect();
    assert_eq!(statuses, ["skipped", "created", "skipped", "error", "adopted"]);
    assert_eq!(report["failedCatalogs"], "1 catalog source(s) failed to migrate");
    let flags = "--dry-run --delete-catalogsource --acknowledge priority-overflow";
    let text = answer(&format!("{arguments} {flags}")).0;
    let expected = "
▲ old in olm: skipped, configmap-type CatalogSource has no OLMv1 equivalent
✓ community in olm, ClusterCatalog community: would create ClusterCatalog community from image
  example.com/community@sha256:0
  note: CatalogSource retained because one or more Subscriptions still reference it
✓ high in olm, ClusterCatalog high: would create ClusterCatalog high from image example.com/high:1
  note: would delete unreferenced CatalogSource
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_dry_run_says_what_is_created_and_deleted() {
    let acknowledged = "--acknowledge watch-scope-change --system-managed-install-namespace --dry-run";
    let text = answer(&format!("{} {acknowledged}", write("dry-run.yaml", MOVING))).0;
    let expected = "
Dry run of my-store in shop
+ ClusterObjectSet my-store-1
    namespaces: Namespace store-system
+ ClusterExtension my-store; the operator is in namespace store-system
- Delete Subscription shop/my-store with orphan propagation (operator workloads remain).
- Delete ClusterServiceVersion shop/store.v1.0.0 with orphan propagation (operator workloads
  remain).
- Delete Operator CR store.shop.
- Delete OperatorCondition shop/store.v1.0.0 if present.
- Delete copied ClusterServiceVersions derived from store.v1.0.0 if present, with orphan
  propagation.
- Retain InstallPlan resources; conversion does not delete them.
- Retain OperatorGroup(s); --delete-operatorgroup was not specified.
- Prepare install namespace store-system from bundle metadata for the migration COS;
  ClusterExtension.spec.namespace is omitted and OLMv1 manages the namespace.
";
    assert!(text.contains(expected), "{text}");
    let text = answer(&format!("{} --dry-run", write("dry-run.yaml", MOVING))).0;
    let expected = "
Dry run of my-store in shop
✕ operator shop/my-store is not eligible for migration (Ineligible): 1 check(s) failed
";
    assert!(text.contains(expected), "{text}");
    // What `convert` refuses and `check` does not look at.
    let refused = "--acknowledge watch-scope-change --acknowledge namespace-delete --install-namespace shop";
    let (text, code) = answer(&format!("{} {refused}", write("dry-run.yaml", MOVING)));
    let expected = "
✕ `convert` refuses: `--acknowledge-namespace-delete requires --install-namespace to differ from
  -n/--namespace`
";
    assert!(code == 1 && text.contains(expected), "{text}");
}

#[test]
fn a_migrated_operator_can_be_rolled_back() {
    let made = "---
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata:
  name: my-store
  annotations:
    olm.operatorframework.io/migrated-from-subscription: shop/my-store
    olm.operatorframework.io/migration-subscription-backup: '{\"name\":\"store\",\"source\":\"community\",\"sourceNamespace\":\"olm\"}'
spec: {namespace: shop, source: {sourceType: Catalog, catalog: {packageName: store}}}
";
    let arguments = write("conflict.yaml", &(MOVING.to_owned() + made));
    let text = answer(&arguments).0;
    let expected = "
Recovery of ClusterExtension my-store, made of shop/my-store
✓ `rollback` deletes ClusterObjectSet my-store-1, ClusterExtension my-store
";
    let cleanup = "
✓ `cleanup` deletes Subscription shop/my-store, ClusterServiceVersion shop/store.v1.0.0,
  OperatorCondition shop/store.v1.0.0, Operator store.shop
";
    assert!(text.contains(expected) && text.contains(cleanup), "{text}");
    let (report, _) = report(&format!("{arguments} --format json"));
    let restored = report["recoveries"][0]["restored"].as_str().unwrap();
    assert!(restored.starts_with("apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\n"), "{restored}");
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

- s in ns-0, s in ns-1, s in ns-2, s in ns-3, s in ns-4, s in ns-5, s in ns-6, s in ns-8

Subscription s in ns-7
";
    assert!(text.contains("8 Subscriptions to store\n") && text.contains(expected), "{text}");
    let catalogs = "CatalogSources, as `migrate-catalogs-v0-to-v1` migrates them
? community in olm: not known, the manifests do not show the image of the CatalogSource
";
    assert!(text.contains(catalogs), "{text}");
    let report: Value = serde_json::from_str(&run(9, "json")).unwrap();
    let members =
        report["groups"].as_array().unwrap().iter().map(|group| group["subscriptions"].as_array().unwrap().len());
    assert_eq!(members.collect::<Vec<_>>(), [8, 1]);
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
    let cluster = MOVING.replace("channel: stable", "channel: beta").replace("spec: {targetNamespaces: [shop]}\n", "");
    let text = answer(&write("fails.yaml", &cluster)).0;
    let expected = "✕ fails, because OLM v1 finds no bundle
  OLM v0 finds no such channel in the catalog
  OLM v1 fails: `error upgrading from currently installed version \"1.0.0\": no bundles found for
  package \"store\" in channels [beta]`
";
    assert!(text.contains(expected), "{text}");
    // The channel is not in the catalog, so the tool refuses; of one that has no edge, it would not see that OLM v1 fails.
    assert!(!text.contains("still reports success"), "{text}");
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
