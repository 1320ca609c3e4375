//! Whatever the rule, there is a verdict, and complaints point into it.

use cel::{Fuel, Program, Property, PropertyValue};
use proptest::prelude::*;
use serde_json::json;

/// Pieces that rules are made of, whole and broken.
const PIECES: &str = r#"properties p q . .type .value ( ) [ ] { } , : ? ! - + * / % == != < >= && || in = 1 2u 1.5 0x "a" 'b
    r"c" b'\x' true null has( .exists(p, .map(p, .filter(q, size( semver_compare( é"#;

fn rules() -> impl Strategy<Value = String> {
    let pieces: Vec<&str> = PIECES.split_whitespace().chain([" ", "\n"]).collect();
    let pieces = prop::collection::vec(prop::sample::select(pieces), 0..40).prop_map(|pieces| pieces.concat());
    prop_oneof![3 => pieces, 1 => ".{0,60}"]
}

proptest! {
    #[test]
    fn every_rule_has_a_verdict(rule in rules()) {
        match Program::compile(&rule) {
            Ok(program) => {
                let value = json!({"a": [1, "x", null], "b": {"c": 1.5}});
                let properties = [Property { kind: "t", value: PropertyValue::Json(&value) }];
                let first = program.evaluate(&properties, &mut Fuel::default());
                prop_assert_eq!(first, program.evaluate(&properties, &mut Fuel::default()));
            }
            Err(error) => {
                let text = error.to_string();
                let places = text.match_indices("ERROR: <input>:").map(|(at, before)| &text[at + before.len()..]);
                for place in places.filter(|place| !place.starts_with('-')) {
                    let mut numbers = place.splitn(3, ':').map(|number| number.parse::<usize>().unwrap_or(0));
                    let (line, column) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
                    let written = rule.split('\n').nth(line - 1);
                    prop_assert!(written.is_some_and(|line| column <= line.chars().count() + 1), "{text} of {rule:?}");
                }
            }
        }
    }
}
