//! ClusterExtensions of OLM v1

use super::{CHAIN, CLUSTER, answer, catalog, check_failure, put, report};
use serde_json::json;

/// `app` has a dependency, and `store` an update of one hop.
const EXTENSIONS: &str = "kind: ClusterCatalog
metadata: {name: community}
---
kind: ClusterExtension
metadata: {name: app}
spec:
  namespace: app
  source: {sourceType: Catalog, catalog: {packageName: app}}
---
kind: ClusterExtension
metadata: {name: store}
spec:
  namespace: store
  source: {sourceType: Catalog, catalog: {packageName: store, version: '>=1.0.0 <9.0.0'}}
status: {install: {bundle: {name: store.v1.0.0, version: 1.0.0}}}
";

#[test]
fn a_rejected_extension_is_not_created() {
    put("no-such-range.yaml", EXTENSIONS.replace("'>=1.0.0 <9.0.0'", "1.0.0 - 9.0.0"));
    let (text, code) = answer("resolve --cluster no-such-range.yaml --catalog community=catalog.yaml");
    let expected = "
ClusterExtension store
✕ the API server rejects it, so nothing is created or changed
    spec.source.catalog.version: invalid version expression
";
    assert!(text.ends_with(expected) && text.contains("\nwarning: no-such-range.yaml:14:72: the API server"), "{text}");
    assert_eq!(code, 1);
    let only = EXTENSIONS.replace("packageName: app", "packageName: store, version: 1.0.0 - 9.0.0");
    put("rejected-extension.yaml", &only);
    let (answers, code) =
        report("resolve --cluster rejected-extension.yaml --catalog community=catalog.yaml --format json");
    assert_eq!(
        answers["extensions"][0]["rejected"],
        json!(["spec.source.catalog.version: invalid version expression"])
    );
    assert_eq!((answers["extensions"][1].get("rejected"), code), (None, 1));
}

#[test]
fn extensions_in_json() {
    put("extension.yaml", EXTENSIONS.replace("packageName: app", "packageName: store, channels: [fast]"));
    let (answers, code) = report("resolve --cluster extension.yaml --catalog community=catalog.yaml --format json");
    assert_eq!(code, 0);
    assert_eq!(answers.get("outcomes"), None, "there is no Subscription");
    let because = |bundle: &str, version: &str, because: &str| json!({"catalog": "community", "bundle": bundle, "version": version, "because": because});
    let expected = json!({
        "extension": "app",
        "bundle": "store.v2.0.0",
        "version": "2.0.0",
        "catalog": "community",
        "image": "example.com/store:2.0.0",
        "dropped": [
            because("store.v1.5.0", "1.5.0", "in none of the selected channels"),
            because("store.v1.0.0", "1.0.0", "in none of the selected channels"),
        ],
        "skipped": [],
    });
    assert_eq!(answers["extensions"][0], expected);
    assert_eq!(answers["extensions"][1]["bundle"], "store.v1.5.0");
}

#[test]
fn what_is_refused_at_the_installation_is_said() {
    let version = "{packageName: store, version: 1.5.0}}\n";
    let modes = "- {type: olm.csv.metadata, value: {installModes: [{type: OwnNamespace, supported: true}]}}\n";
    put("own-namespace.yaml", catalog(CHAIN).replace(version, &[version, modes].concat()));
    put("own.yaml", EXTENSIONS);
    let (text, code) = answer("resolve --cluster own.yaml --catalog community=own-namespace.yaml");
    assert_eq!(code, 1);
    let expected = "✕ chooses `store.v1.5.0` from catalog `community`
    but OLM v1 refuses to install it: unsupported bundle: bundle does not support AllNamespaces
    install mode
";
    assert!(text.contains(expected), "{text}");
    let (answers, _) = report("resolve --cluster own.yaml --catalog community=own-namespace.yaml --format json");
    let modes = "unsupported bundle: bundle does not support AllNamespaces install mode";
    assert_eq!(answers["extensions"][1]["refusals"], json!([modes]));
    let configured =
        EXTENSIONS.replace("namespace: store", "namespace: store\n  config: {configType: Inline, inline: {a: b}}");
    put("own-config.yaml", &configured);
    let (answers, _) = report("resolve --cluster own-config.yaml --catalog community=own-namespace.yaml --format json");
    let configuration = "invalid ClusterExtension configuration: invalid configuration: multiple errors found:
  - required field \"watchNamespace\" is missing
  - unknown field \"a\"";
    assert_eq!(answers["extensions"][1]["refusals"], json!([modes, configuration]));
}

#[test]
fn subscriptions_and_extensions_have_both_answers() {
    put("both.yaml", format!("{CLUSTER}---\n{EXTENSIONS}"));
    let (answers, code) = report("resolve --cluster both.yaml --catalog community=catalog.yaml --format json");
    assert_eq!(code, 1);
    assert!(answers["outcomes"].is_array() && answers["extensions"].is_array());
    let (text, _) = answer("resolve --cluster both.yaml --catalog community=catalog.yaml");
    assert!(text.contains("ConfigMap settings") && !text.contains("ignored: ClusterCatalog"), "{text}");
    assert!(text.contains("\nClusterExtension store\n"), "{text}");
}

#[test]
fn a_catalog_must_belong_to_an_object() {
    put("unnamed.yaml", EXTENSIONS);
    check_failure(
        "resolve --cluster unnamed.yaml --catalog community=catalog.yaml --catalog other=catalog.yaml",
        "`unnamed.yaml` has no CatalogSource or ClusterCatalog named `other`",
    );
}

#[test]
fn a_catalog_that_is_not_loaded_blocks() {
    put("unserved.yaml", EXTENSIONS);
    let (text, code) = answer("resolve --cluster unserved.yaml");
    assert_eq!(code, 1);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("no catalog is loaded for ClusterCatalog `community`, so it counts as not served"), "{text}");
    assert!(text.contains("catalog \"community\" is not being served"), "{text}");
}

#[test]
fn an_object_that_cannot_be_read_is_not_said_to_be_missing() {
    let boolean = "`spec.namespace` must be text, found a boolean; put it in quotes";
    put("boolean.yaml", EXTENSIONS.replace("namespace: app", "namespace: n"));
    for format in ["text", "json"] {
        check_failure(
            &format!("resolve --cluster boolean.yaml --catalog community=catalog.yaml --format {format}"),
            &format!("boolean.yaml:7:14: {boolean}"),
        );
    }
    // The other ClusterCatalog can be read.
    let broken = "kind: ClusterCatalog\nmetadata: {name: community}\nspec: {availabilityMode: off}\n---\n";
    put("broken-catalog.yaml", &(broken.to_owned() + &EXTENSIONS.replace("name: community", "name: other")));
    check_failure(
        "resolve --cluster broken-catalog.yaml --catalog community=catalog.yaml",
        "broken-catalog.yaml:3:26: `spec.availabilityMode` must be text, found a boolean; put it in quotes",
    );
}

#[test]
fn a_catalog_that_the_api_server_rejects_does_not_count() {
    let rejected = "kind: ClusterCatalog\nmetadata: {name: community}\nspec: {availabilityMode: Disabled}\n---\n";
    put(
        "rejected-catalog.yaml",
        &(rejected.to_owned() + &EXTENSIONS.replacen("kind: ClusterCatalog", "kind: Secret", 1)),
    );
    let (text, code) = answer("resolve --cluster rejected-catalog.yaml --catalog community=catalog.yaml");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let reason = "Unsupported value: \"Disabled\": supported values: \"Unavailable\", \"Available\"";
    let said = format!("rejects `spec.availabilityMode`: {reason}, so ClusterCatalog `community` does not count");
    assert!(text.contains(&said) && text.contains("✕ no bundles found for package \"app\""), "{text}");
    assert_eq!(code, 1);
}

#[test]
fn an_unavailable_catalog_need_not_be_loaded() {
    let unavailable = "kind: ClusterCatalog\nmetadata: {name: other}\nspec: {availabilityMode: Unavailable}\n---\n";
    put("unavailable.yaml", &(unavailable.to_owned() + EXTENSIONS));
    let (text, _) = answer("resolve --cluster unavailable.yaml --catalog community=catalog.yaml");
    assert!(!text.contains("no catalog is loaded"), "{text}");
    assert!(text.contains("catalog `other` does not count: its availability mode is `Unavailable`"), "{text}");
}

#[test]
fn a_long_list_of_bundles_keeps_to_the_width() {
    let versions: Vec<String> = (0..30).map(|minor| format!("1.{minor}.0")).collect();
    put("long-list-catalog.yaml", fixture::yaml(&format!("package store\nc: {}", versions.join(", "))));
    let extension = "kind: ClusterExtension\nmetadata: {name: store}\nspec:\n  namespace: store\n  source: {sourceType: Catalog, catalog: {packageName: store, version: '<1.5.0'}}\n";
    put("long-list.yaml", extension);
    let (text, _) = answer("resolve --cluster long-list.yaml --catalog c=long-list-catalog.yaml");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let words: Vec<&str> = text.split([' ', '\n', ',']).filter(|word| word.starts_with("store.v")).collect();
    assert_eq!(
        (words.len(), words.first(), words.last()),
        (29, Some(&"store.v1.29.0"), Some(&"store.v1.0.0")),
        "{text}"
    );
}

#[test]
fn the_newest_of_the_other_bundles_is_first() {
    put("versions-catalog.yaml", fixture::yaml("package store\nc: 1.2.0, 1.10.0, 1.9.0, 2.0.0"));
    let extension = "kind: ClusterExtension\nmetadata: {name: store}\nspec:\n  namespace: store\n  source: {sourceType: Catalog, catalog: {packageName: store}}\n";
    put("versions.yaml", extension);
    let (text, _) = answer("resolve --cluster versions.yaml --catalog c=versions-catalog.yaml");
    let list =
        "\nNot taken from catalog `c`:\n· not as high as `store.v2.0.0`: store.v1.10.0, store.v1.9.0, store.v1.2.0\n";
    assert!(text.ends_with(list), "{text}");
}
