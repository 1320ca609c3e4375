//! Requirements by their JSON: which are refused and in which words, which bundles meet them, how OLM prints them.

use catalog::predicate::{Property, Requirement};
use go_semver::blang::Version;
use serde_json::{Value, json};

fn requirement(kind: &str, value: Value) -> Result<Requirement, String> {
    let property = Property::parse(kind, &value).unwrap_or_else(|_| Property::Other { kind: kind.into(), value });
    Requirement::of(&property).expect("a property that requires something").map_err(|error| error.to_string())
}

#[track_caller]
fn check_error(kind: &str, value: Value, expected: &str) {
    assert_eq!(requirement(kind, value), Err(expected.to_owned()));
}

/// A bundle `etcd` 1.2.3 that provides `K (g/v1)` and has the label `lbl`; its catalog says 9.0.0 of it.
#[track_caller]
fn check_constraint(constraint: Value, expected: Result<bool, &str>) {
    let properties = [
        Property::parse("olm.package", &json!({"packageName": "etcd", "version": "1.2.3"})).expect("well-formed"),
        Property::parse("olm.gvk", &json!({"group": "g", "version": "v1", "kind": "K"})).expect("well-formed"),
        Property::parse("olm.label", &json!({"label": "lbl"})).expect("well-formed"),
    ];
    let version = Version::parse("9.0.0").expect("well-formed");
    let requirement = requirement("olm.constraint", constraint).expect("well-formed");
    let holds = requirement.holds(&"alias".into(), Some(&version), properties.iter());
    assert_eq!(holds.map_err(|error| error.to_string()), expected.map_err(str::to_owned));
}

#[track_caller]
fn check_text(kind: &str, value: Value, expected: &str) {
    assert_eq!(requirement(kind, value).expect("well-formed").to_string(), expected);
}

#[test]
fn legacy_requirements_of_the_wrong_shape_have_gos_errors() {
    let gvk = r#"json: cannot unmarshal array into Go value of type struct { Group string "json:\"group\""; Version string "json:\"version\""; Kind string "json:\"kind\"" }"#;
    check_error("olm.gvk.required", json!([]), gvk);
    let group = "json: cannot unmarshal number into Go struct field .group of type string";
    check_error("olm.gvk.required", json!({"group": 1, "kind": 2}), group);
    let label = r#"json: cannot unmarshal bool into Go value of type struct { Label string "json:\"label\"" }"#;
    check_error("olm.label.required", json!(true), label);
}

#[test]
fn bad_ranges_have_blangs_errors() {
    check_error("olm.package.required", json!({"packageName": "a"}), "Last element in range is '||'");
    let abc = "Could not get version from string: \"abc\"";
    check_error("olm.package.required", json!({"packageName": "a", "versionRange": "abc"}), abc);
    check_error(
        "olm.constraint",
        json!({"package": {"packageName": "a", "versionRange": "abc"}}),
        "convert olm.constraint to resolver predicate: Could not get version from string: \"abc\"",
    );
}

#[test]
fn constraints_that_olm_cannot_read_have_its_errors() {
    let empty = "convert olm.constraint to resolver predicate: constraint is empty";
    for value in [json!({}), json!(null), json!({"gvk": null}), json!({"all": {"constraints": [{}]}})] {
        check_error("olm.constraint", value, empty);
    }
    let unknown = "parse olm.constraint: json: unknown field \"plural\"";
    check_error("olm.constraint", json!({"gvk": {"plural": "ks"}}), unknown);
    check_error("olm.constraint", json!({"any": {"constraints": [{"gvk": {"plural": 1}}]}}), unknown);
    check_error("olm.constraint", json!({"foo": 1}), "parse olm.constraint: json: unknown field \"foo\"");
    check_error(
        "olm.constraint",
        json!("x"),
        "parse olm.constraint: json: cannot unmarshal string into Go value of type constraints.Constraint",
    );
    check_error(
        "olm.constraint",
        json!({"all": {"constraints": [{"gvk": {"group": 1}}]}}),
        "parse olm.constraint: json: cannot unmarshal number into Go struct field GVKConstraint.all.constraints.gvk.group of type string",
    );
}

#[test]
fn a_constraint_may_have_131072_bytes() {
    let of_length = |length: usize| {
        let frame = json!({"failureMessage": "", "all": {}}).to_string().len();
        json!({"failureMessage": "x".repeat(length - frame), "all": {}})
    };
    assert!(requirement("olm.constraint", of_length(131_072)).is_ok());
    let message = "parse olm.constraint: olm.constraint value is greater than max constraint size 131072 bytes";
    check_error("olm.constraint", of_length(131_073), message);
}

#[test]
fn of_several_kinds_the_first_in_olms_order_counts() {
    let gvk = json!({"group": "g", "version": "v1", "kind": "K"});
    check_constraint(json!({"cel": {"rule": "not a rule"}, "not": {}, "any": {}}), Ok(false));
    check_constraint(json!({"any": {}, "all": {}, "failureMessage": "m"}), Ok(true));
    check_constraint(json!({"any": {}, "GVK": gvk}), Ok(true));
}

#[test]
fn empty_lists() {
    check_constraint(json!({"all": {}}), Ok(true));
    check_constraint(json!({"any": {"constraints": null}}), Ok(false));
    check_constraint(json!({"not": {"constraints": []}}), Ok(true));
}

#[test]
fn package_and_version_may_come_from_different_places() {
    let package = |name: &str, range: &str| json!({"package": {"packageName": name, "versionRange": range}});
    check_constraint(package("etcd", "1.2.3"), Ok(true));
    check_constraint(package("alias", "1.2.3"), Ok(true));
    check_constraint(package("etcd", "9.0.0"), Ok(true));
    check_constraint(package("etcd", "<1.0.0"), Ok(false));
    check_constraint(package("other", "1.2.3"), Ok(false));
}

#[test]
fn rules_that_cannot_be_evaluated_are_reported() {
    let rule = r#"timestamp("2024-01-01T00:00:00Z").getDayOfYear() == 0"#;
    let cel = json!({"cel": {"rule": rule}});
    let gvk = json!({"gvk": {"group": "g", "version": "v1", "kind": "K"}});
    // Rare functions of time have no verdict on purpose: to take the rule for false would be a guess.
    let why = format!(
        "cannot evaluate the CEL rule `{rule}`: it uses the function `getDayOfYear` of a timestamp or duration, which is not supported"
    );
    check_constraint(cel.clone(), Err(&why));
    check_constraint(json!({"any": {"constraints": [gvk, cel]}}), Ok(true));
    check_constraint(json!({"not": {"constraints": [cel, gvk]}}), Err(&why));
    let crash = json!({"package": {"packageName": "etcd", "versionRange": "1.0.0 || || 2.0.0"}});
    check_constraint(
        crash,
        Err("the range `1.0.0 || || 2.0.0`: OLM would crash: nothing between two `||`, expected a comparator"),
    );
}

#[test]
fn rules_are_asked_of_all_properties() {
    let cel = |rule: &str| json!({"cel": {"rule": rule}});
    check_constraint(cel(r#"properties.exists(p, p.type == "olm.package" && p.value.version == "1.2.3")"#), Ok(true));
    check_constraint(cel(r#"properties.exists_one(p, p.type == "olm.gvk" && p.value.kind == "K")"#), Ok(true));
    check_constraint(cel(r#"properties.exists(p, has(p.value.label) && p.value.label == "lbl")"#), Ok(true));
    check_constraint(cel(r#"properties.all(p, p.type == "olm.label")"#), Ok(false));
    // An error of the evaluation is a no.
    check_constraint(cel(r#"properties[7].type == "olm.label""#), Ok(false));
    check_constraint(json!({"not": {"constraints": [cel(r#"properties[7].type == "olm.label""#)]}}), Ok(true));
}

#[test]
fn rules_see_values_as_written() {
    let value = json!({"group": "g", "version": "v1", "kind": "K", "plural": "ks"});
    let properties = [Property::parse("olm.gvk", &value).expect("well-formed")];
    for (rule, expected) in [
        (r#"properties[0].value.plural == "ks""#, true),
        ("properties[0].value.size() == 4", true),
        ("has(properties[0].value.Kind)", false),
    ] {
        let requirement = requirement("olm.constraint", json!({"cel": {"rule": rule}})).expect("well-formed");
        assert_eq!(requirement.holds(&"p".into(), None, properties.iter()), Ok(expected), "{rule}");
    }
}

#[test]
fn refused_rules_have_cel_gos_errors() {
    let refused = |rule: &str, text: &str| {
        let message = format!("convert olm.constraint to resolver predicate: {text}");
        check_error("olm.constraint", json!({"all": {"constraints": [{"cel": {"rule": rule}}]}}), &message);
    };
    refused("properties.size()", "cel expressions must have type Bool");
    let syntax =
        "cel-go refuses the rule: syntax error at line 1, column 17: expected a value, found the end of the rule";
    refused("properties.nope(", &format!("{syntax}\n | properties.nope(\n | ................^"));
}

#[test]
fn labels() {
    let property = Property::parse("olm.label", &json!({"Label": "lbl"})).unwrap();
    for (label, expected) in [("lbl", true), ("other", false)] {
        let requirement = requirement("olm.label.required", json!({"label": label})).unwrap();
        assert_eq!(requirement.holds(&"p".into(), None, [&property].into_iter()), Ok(expected), "{label}");
    }
}

#[test]
fn texts_are_those_of_olm() {
    let gvk = |kind: &str| json!({"gvk": {"group": "g", "version": "v1", "kind": kind}});
    let words = "providing an API with group: g, version: v1, kind: K";
    check_text("olm.gvk.required", json!({"group": "g", "version": "v1", "kind": "K"}), words);
    check_text(
        "olm.package.required",
        json!({"packageName": "a", "versionRange": ">= 1.0.0"}),
        "with package: a and with version in range: >= 1.0.0",
    );
    check_text("olm.label.required", json!({"label": "l"}), "with label: l");
    check_text("olm.constraint", json!({"not": {"constraints": [gvk("K")]}}), words);
    for (list, separator) in [("all", " and "), ("any", " or "), ("not", " and not ")] {
        let both = json!({list: {"constraints": [gvk("K"), gvk("K")]}});
        check_text("olm.constraint", both, &format!("{words}{separator}{words}"));
    }
    check_text(
        "olm.constraint",
        json!({"cel": {"rule": "\"a\" == \"b\""}, "failureMessage": "need b"}),
        r#"with constraint: "\"a\" == \"b\"" and message: "need b""#,
    );
}

#[test]
fn other_properties_require_nothing() {
    for kind in ["olm.gvk", "olm.package", "olm.label", "olm.deprecated", "anything"] {
        let property = Property::parse(kind, &json!({})).unwrap();
        assert_eq!(Requirement::of(&property), None, "{kind}");
    }
}
