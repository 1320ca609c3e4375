//! What CEL rules see of bundles and installed CSVs, and the effect of an invalid rule.

use simulate::timeline;
use source::FileId;

/// A bundle `a.v1` with the rule as its requirement, and a bundle `b.v1` that provides an API and requires `a`'s.
fn catalog(rule: &str) -> String {
    let rule = serde_json::to_string(rule).expect("a text is JSON");
    fixture::yaml(&format!(
        "
        package a
        ch: a.v1
        bundle a.v1 (provides a/v1/A; property olm.constraint {{failureMessage: need it, cel: {{rule: {rule}}}}})
        package b
        ch: b.v1
        bundle b.v1 (property olm.gvk {{group: g, version: v1, kind: K, plural: ks}};
          requires a/v1/A; requires a 1.x)
        "
    ))
}

const CLUSTER: &str = "kind: CatalogSource
metadata: {name: c, namespace: olm}
---
kind: Subscription
metadata: {name: a, namespace: ns}
spec: {name: a, channel: ch, source: c, sourceNamespace: olm}
";

/// The bundles of the first resolution, or its error.
fn first(rule: &str, more: &str) -> String {
    let catalog = super::catalog(&catalog(rule));
    let cluster = cluster::read(FileId(0), &format!("{CLUSTER}{more}")).cluster;
    let snapshots = simulate::snapshots(&cluster, |key| (&*key.name == "c").then_some(&catalog));
    let steps = timeline(&cluster, "ns", &snapshots, &simulate::no_modes, 1).steps;
    match &steps[0].error {
        Some(error) => error.clone(),
        None => steps[0].selected.iter().map(|bundle| bundle.name.as_str()).collect::<Vec<_>>().join(", "),
    }
}

#[track_caller]
fn check(rule: &str, more: &str, expected: &str) {
    assert_eq!(first(rule, more), expected, "{rule}");
}

#[test]
fn rules_see_dependencies_twice() {
    let twice = |kind: &str| {
        format!(
            r#"properties.filter(p, p.type == "{kind}").size() == 2 && properties.exists(p, p.type == "olm.gvk" && p.value.kind == "K")"#
        )
    };
    check(&twice("olm.gvk.required"), "", "a.v1, b.v1");
    check(&twice("olm.package.required"), "", "a.v1, b.v1");
}

#[test]
fn rules_see_fields_that_nothing_else_reads() {
    check(r#"properties.exists(p, has(p.value.plural) && p.value.plural == "ks")"#, "", "a.v1, b.v1");
}

#[test]
fn rules_see_what_olm_infers_from_a_csv() {
    let csv = "---
kind: ClusterServiceVersion
metadata: {name: b.v0, namespace: ns}
spec:
  version: 0.5.0
  customresourcedefinitions: {owned: [{name: zs.z, version: v1, kind: Z}]}
---
kind: Subscription
metadata: {name: b, namespace: ns}
spec: {name: b, channel: ch, source: c, sourceNamespace: olm}
status: {installedCSV: b.v0, currentCSV: b.v0}
";
    let rule =
        r#"properties.exists(p, p.type == "olm.package" && p.value.packageName == "b" && p.value.version == "0.5.0")"#;
    check(rule, csv, "a.v1");
    let rule = r#"properties.exists_one(p, p.type == "olm.gvk") && properties[0].value.kind == "Z""#;
    check(rule, csv, "a.v1");
}

#[test]
fn an_invalid_rule_prevents_the_resolution() {
    let wrapped = |text: &str| format!("convert olm.constraint to resolver predicate: {text}");
    check("properties.size()", "", &wrapped("cel expressions must have type Bool"));
    let text = "ERROR: <input>:1:8: undeclared reference to 'nope' (in container '')\n | true ||nope\n | .......^";
    check("true ||nope", "", &wrapped(text));
}

#[test]
fn a_rule_that_exceeds_its_budget_gives_no_answer() {
    let list = format!("[{}]", ["1"; 100].join(","));
    let rule = format!("{list}.all(a, {list}.all(b, {list}.all(c, {list}.all(d, a == b || c >= 0))))");
    let found = first(&rule, "");
    assert!(found.starts_with("bundle `a.v1` requires an operator with constraint: "), "{found}");
    assert!(found.ends_with("and that rule takes too many steps"), "{found}");
}
