//! OLM's own texts, taken apart and in all their variants.

use resolver::{conflict_message, conflict_text, conflict_variants, conflicts, fact_text, identifiers};

use super::problem;

const IN_FLIGHT: &str = "c/ns a.v1 gvk=K\n c/ns a.v2 replaces=a.v1 gvk=K\n c/ns a.v3 replaces=a.v2 gvk=K\n \
                         csv a.v1 gvk=K\n csv a.v2 gvk=K\n sub a has=a.v2";

#[test]
fn every_identifier_of_a_message_is_found() {
    let problem = problem(IN_FLIGHT);
    let conflicts = conflicts(&problem).unwrap();
    let text = conflict_text(&problem, &conflicts.conflicts[0]);
    let found: Vec<String> = identifiers(&text)
        .into_iter()
        .map(|found| {
            let channel = found.channel.map_or("installed".to_owned(), |channel| channel.to_string());
            format!("{} = {} {} {channel}", &text[found.range], found.name, found.catalog.namespace)
        })
        .collect();
    let expected = [
        "@existing/ns//a.v1 = a.v1 ns installed",
        "@existing/ns//a.v2 = a.v2 ns installed",
        "c/ns/ch/a.v3 = a.v3 ns ch",
        "c/ns/ch/a.v3 = a.v3 ns ch",
        "@existing/ns//a.v2 = a.v2 ns installed",
    ];
    assert_eq!(found, expected);
}

#[test]
fn other_words_are_no_identifiers() {
    for text in [
        "providing an API with group: g/x, version: v1",
        "see https://example.com/a/b and https://example.com/a",
        "with message: \"a/b/c/d\"",
        "c/ns//a.v1",
        "@existing/ns/ch/a.v1",
        "c/ns/ch/",
        "",
    ] {
        assert_eq!(identifiers(text), [], "{text}");
    }
}

#[test]
fn every_part_of_a_message_is_a_rule() {
    let problem = problem("c/ns a.v1 needs=X needs=Y\n sub a");
    let conflicts = conflicts(&problem).unwrap();
    let message = conflict_message(&problem, &conflicts.conflicts[0]);
    let parts: Vec<&str> = message.parts.iter().map(|(range, _)| &message.text[range.clone()]).collect();
    // OLM names the last of requirements that nothing meets.
    let expected = [
        "bundle a.v1 requires an operator providing an API with group: g, version: v1, kind: Y",
        "subscription a exists",
        "subscription a requires c/ns/ch/a.v1",
    ];
    assert_eq!(parts, expected);
    let facts: Vec<String> = message.parts[1..].iter().map(|(_, id)| fact_text(&problem, *id)).collect();
    assert_eq!(facts, expected[1..]);
}

#[test]
fn n4_either_invariant_of_the_same_bundles_may_be_named() {
    let problem = problem(IN_FLIGHT);
    let variants = conflict_variants(&problem, &conflicts(&problem).unwrap(), 10);
    let text = |what: &str| {
        format!(
            "constraints not satisfiable: @existing/ns//a.v1, @existing/ns//a.v2 and c/ns/ch/a.v3 {what}, \
             clusterserviceversion a.v1 exists and is not referenced by a subscription, subscription a exists, \
             subscription a requires at least one of c/ns/ch/a.v3 or @existing/ns//a.v2"
        )
    };
    assert_eq!(variants.texts, [text("originate from package a"), text("provide K (g/v1)")]);
    assert!(!variants.bounded);
}

#[test]
fn n5_either_conflict_may_be_reported() {
    let problem = problem("c/ns a.v1\n sub a pkg=nope\n sub b pkg=nope2");
    let conflicts = conflicts(&problem).unwrap();
    let text = |package: &str, name: &str| {
        format!(
            "constraints not satisfiable: no operators found in package {package} in the catalog referenced by \
             subscription {name}, subscription {name} exists"
        )
    };
    let all = conflict_variants(&problem, &conflicts, 10);
    assert_eq!(all.texts, [text("nope", "a"), text("nope2", "b")]);
    let one = conflict_variants(&problem, &conflicts, 1);
    assert!(one.bounded && one.texts == [text("nope", "a")]);
}
