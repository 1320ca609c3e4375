//! What holds for all CRDs, tried on the recorded ones with changes.

use crd_upgrade::{BundleCrds, Crd, SchemaChange, compare, findings, read, upgrade_findings};
use flate2::read::GzDecoder;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use source::FileId;
use std::io::{BufRead, BufReader};
use std::sync::LazyLock;

/// The CRDs of the recorded pairs.
static CRDS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let rows = BufReader::new(GzDecoder::new(&include_bytes!("../crds.jsonl.gz")[..])).lines();
    let crds = |row: Value| [row["old"].clone(), row["new"].clone()];
    rows.flat_map(|row| crds(serde_json::from_str(&row.expect("a line")).expect("a row"))).collect()
});

/// The keys of schemas and CRDs.
const KEYS: &str = "$ref additionalItems additionalProperties allOf anyOf conversion default definitions \
                    dependencies description enum example exclusiveMaximum externalDocs format items maxLength \
                    maximum minimum multipleOf name not nullable oneOf openAPIV3Schema pattern patternProperties \
                    properties required schema served storage type versions x-kubernetes-list-type \
                    x-kubernetes-validations";

/// Any JSON, with keys that mean something.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        select(vec!["", "a", "string", "v1", "v1beta1", "Webhook", "a: b, \"c\"", "\u{e9}\n`"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let entries = proptest::collection::btree_map(select(KEYS.split(' ').collect::<Vec<_>>()), inner.clone(), 0..5);
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(Value::from),
            entries.prop_map(|entries| {
                Value::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
            }),
        ]
    })
}

fn places(value: &Value, at: String, found: &mut Vec<String>) {
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| places(value, format!("{at}/{}", escaped(key)), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, value)| places(value, format!("{at}/{index}"), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    found.push(at);
}

/// A recorded CRD with other values at some places.
fn changed_crd() -> impl Strategy<Value = Value> {
    let changes = proptest::collection::vec((any::<Index>(), any_json()), 0..3);
    (any::<Index>(), changes).prop_map(|(crd, changes)| {
        let mut crd = crd.get(&CRDS).clone();
        for (index, with) in changes {
            let mut found = Vec::new();
            places(&crd, String::new(), &mut found);
            if let Some(place) = crd.pointer_mut(&found[index.index(found.len())]) {
                *place = with;
            }
        }
        crd
    })
}

fn crd(value: &Value) -> Option<Crd> {
    read(FileId(0), &value.to_string()).ok()
}

/// The text of a value with the keys of all objects in descending order.
fn reversed(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let entries: Vec<String> =
                map.iter().rev().map(|(key, value)| format!("{}:{}", json!(key), reversed(value))).collect();
            format!("{{{}}}", entries.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(reversed).collect::<Vec<_>>().join(",")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_crd_may_become_itself(value in changed_crd()) {
        let Some(crd) = crd(&value) else { return Ok(()) };
        let compared = compare(&crd, &crd);
        let is_known = |change: &SchemaChange| matches!(change, SchemaChange::OneOf { is_repeatable: false, .. });
        // A stored version may be missing from the beginning.
        let is_gone = |change: &SchemaChange| matches!(change, SchemaChange::StoredVersions(_));
        prop_assert!(compared.v1.iter().all(|finding| is_known(&finding.change) || is_gone(&finding.change)), "{compared:?}");
        prop_assert_eq!((compared.v0.restrictions, compared.lost), (vec![], vec![]));
    }

    #[test]
    fn any_two_crds_are_compared(old in changed_crd(), new in changed_crd()) {
        for manifest in [&old, &new] {
            if let Err(error) = read(FileId(0), &manifest.to_string()) {
                prop_assert!(manifest.to_string().get(error.span.start as usize..error.span.end as usize).is_some(), "{error:?}");
            }
        }
        let bundle = |value: &Value| BundleCrds::of_manifests([value.to_string().as_str()]);
        prop_assert!(upgrade_findings(&bundle(&old), &bundle(&new)).len() <= 2);
        let (Some(old), Some(new)) = (crd(&old), crd(&new)) else { return Ok(()) };
        for finding in findings(&old, &new) {
            prop_assert!(!finding.to_string().is_empty());
        }
    }

    #[test]
    fn the_order_of_keys_does_not_count(old in changed_crd(), new in changed_crd()) {
        let (Some(one), Some(other)) = (crd(&old), crd(&new)) else { return Ok(()) };
        let read = |value: &Value| read(FileId(0), &reversed(value)).expect("the other order can be read");
        prop_assert_eq!(findings(&one, &other), findings(&read(&old), &read(&new)));
    }
}

#[test]
fn deep_schemas_are_read_or_refused() {
    for depth in [10, 50, 100, 200, 400, 2000] {
        for (open, close) in
            [("{\"properties\":{\"a\":", "}}"), ("{\"allOf\":[", "]}"), ("{\"not\":", "}"), ("{\"items\":", "}")]
        {
            let schema = |inner: &str| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
            let text = |inner: &str| {
                format!(
                    "{{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\",\"metadata\":{{\"name\":\"a\"}},\
                     \"spec\":{{\"versions\":[{{\"name\":\"v1\",\"schema\":{{\"openAPIV3Schema\":{}}}}}]}}}}",
                    schema(inner)
                )
            };
            let [old, new] =
                [text("{\"type\":\"string\"}"), text("{\"type\":\"integer\"}")].map(|text| read(FileId(0), &text));
            match (old, new) {
                (Ok(old), Ok(new)) => assert_ne!(findings(&old, &new), []),
                (Err(error), _) | (_, Err(error)) => {
                    assert!(depth >= 100 && !error.message.is_empty(), "{depth} {error:?}");
                }
            }
        }
    }
}
