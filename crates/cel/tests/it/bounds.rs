//! No rule takes long, however it is made: it ends with a verdict, or says that it is too much.

use cel::{EvalError, Fuel, NotKnown, Program, Property, PropertyValue};
use proptest::prelude::*;
use serde_json::json;

const EXHAUSTED: Result<bool, EvalError> = Err(EvalError::NotKnown(NotKnown::Exhausted));

/// The message of the first error in a rule, without its place and without what is found instead.
fn refusal(rule: &str) -> String {
    let text = Program::compile(rule).expect_err("a bad rule").to_string();
    let first = text.lines().next().expect("a text");
    let message = first.splitn(if first.starts_with("ERROR:") { 5 } else { 3 }, ':').last();
    message.expect("a message").trim_start().to_owned()
}

fn evaluate(rule: &str) -> Result<bool, EvalError> {
    let value = json!({"level": 1});
    let properties = [Property { kind: "tier", value: PropertyValue::Json(&value) }; 20];
    let program = Program::compile(rule).unwrap_or_else(|error| panic!("{error}"));
    program.evaluate(&properties, &mut Fuel::default())
}

/// `open` so often, `inner`, `close` as often.
fn nested(depth: usize, open: &str, inner: &str, close: &str) -> String {
    [&open.repeat(depth), inner, &close.repeat(depth)].concat()
}

#[test]
fn nesting_is_limited_as_in_cel_go() {
    let limit = "expression recursion limit exceeded: 250";
    assert_eq!(evaluate(&nested(249, "(", "true", ")")), Ok(true));
    assert_eq!(refusal(&nested(250, "(", "true", ")")), limit);
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{1: ", "}"), ("f(", ")"), ("a[", "]"), ("!(", ")"), ("a ? b : ", "")]
    {
        assert_eq!(refusal(&nested(10_000, open, "true", close)), limit, "{open}");
        assert_eq!(refusal(&open.repeat(10_000)), limit, "{open}");
    }
    for link in [".a", "[0]", ".a()", " + 1", " == 1", " * 1"] {
        let rule = format!("properties{}", link.repeat(5_000));
        assert_eq!(refusal(&rule), limit, "{link}");
    }
    assert_eq!(refusal(&format!("1{} == 1", " + 1".repeat(249))), limit);
    assert_eq!(evaluate(&format!("1{} == 249", " + 1".repeat(248))), Ok(true));
    // Each level is an index, a sum, a comparison and a choice.
    let rule = nested(100, "([", "1", "][0] + 1 == 2 ? 1 : 2)");
    assert_eq!(refusal(&format!("{rule} == 1")), "max recursion depth exceeded");
}

#[test]
fn the_deepest_rules_are_evaluated() {
    let deepest = nested(62, "!(true && [false || {1: 1 + 1 == 2 ? true : false}[1]][0] && ", "true", ")");
    assert_eq!(evaluate(&deepest), Ok(true));
    assert_eq!(evaluate(&format!("{}true", "!".repeat(50_000))), Ok(true));
    assert_eq!(evaluate(&vec!["true"; 15_000].join("&&")), Ok(true));
}

#[test]
fn long_rules_are_refused_or_answered() {
    assert_eq!(refusal(&" ".repeat(100_001)), "expression code point size exceeds limit: size: 100001, limit 100000");
    assert_eq!(evaluate(&format!("[{}] != []", vec!["[]"; 30_000].join(","))), Ok(true));
    let keys: Vec<String> = (0..9_000).map(|key| format!("{key}: 1")).collect();
    assert_eq!(evaluate(&format!("{{{}}} != {{}}", keys.join(","))), EXHAUSTED);
    let undeclared = Program::compile(&vec!["a"; 101].join(" && ")).unwrap_err().to_string();
    assert!(undeclared.ends_with("1 more errors were truncated"), "{undeclared}");
    assert_eq!(refusal(&"= ".repeat(40_000)), "unexpected `=`, a comparison is written `==`");
    assert_eq!(refusal(&format!("[{}]", vec!["a"; 40_000].join(","))), "undeclared reference to 'a' (in container '')");
    assert!(Program::compile(&"( ] } ".repeat(16_000)).is_err());
}

#[test]
fn doubling_ends() {
    let double = |unit: &str, times: usize| {
        let steps: String = (0..times).map(|at| format!(".map(x{at}, x{at} + x{at})")).collect();
        format!("[{unit}]{steps}.size() == 1")
    };
    assert_eq!(evaluate(&double("\"ab\"", 10)), Ok(true));
    assert_eq!(evaluate(&double("\"ab\"", 60)), EXHAUSTED);
    assert_eq!(evaluate(&double("[1]", 60)), EXHAUSTED);
    assert_eq!(evaluate(&double("b\"ab\"", 60)), EXHAUSTED);
    assert_eq!(evaluate(&double("1", 70)), Err(EvalError::Failed("integer overflow".into())));
}

#[test]
fn types_that_double_end() {
    let steps: String = (0..60).map(|at| format!(".map(x{at}, {{x{at}: x{at}}})")).collect();
    assert_eq!(evaluate(&format!("[1]{steps} == []")), EXHAUSTED);
}

#[test]
fn loops_in_loops_end() {
    let loops = nested(12, "properties.all(p, ", "true", ")");
    assert_eq!(evaluate(&loops), EXHAUSTED);
    let maps = nested(12, "properties.map(p, ", "1", ")");
    assert_eq!(evaluate(&format!("{maps} == []")), EXHAUSTED);
    // What is too much decides even where an error would be absorbed.
    assert_eq!(evaluate(&format!("{loops} || true")), EXHAUSTED);
    assert_eq!(evaluate(&format!("true || {loops}")), Ok(true));
}

#[test]
fn patterns_are_matched_in_linear_time() {
    let text = "a".repeat(5_000);
    assert_eq!(evaluate(&format!("\"{text}\".matches(\"^(a+)+$\")")), Ok(true));
    assert_eq!(evaluate(&format!("\"{text}b\".matches(\"^(a|a|aa)*$\")")), Ok(false));
    assert_eq!(evaluate(&format!("\"{text}b\".matches(\"^(a?){{500}}a{{500}}$\")")), EXHAUSTED);
    assert_eq!(evaluate(&format!("\"a\".matches(\"{}\")", "(aaaa){1000}|".repeat(1000))), EXHAUSTED);
    let deep = evaluate(&format!("\"a\".matches(\"{}\")", nested(5_000, "(", "a", ")")));
    assert!(matches!(deep, Err(EvalError::NotKnown(_))), "{deep:?}");
}

#[test]
fn fuel_is_shared_and_given_back() {
    let program = Program::compile("properties.all(p, p.type == \"tier\")").unwrap();
    let properties = [Property { kind: "tier", value: PropertyValue::NotJson }];
    let mut fuel = Fuel::new(10_000);
    assert_eq!(program.evaluate(&properties, &mut fuel), Err(EvalError::Failed("no such key: type".into())));
    let cost = 10_000 - fuel.left();
    assert!((1..100).contains(&cost), "{cost}");
    let mut evaluations = 1;
    while program.evaluate(&properties, &mut fuel) != EXHAUSTED {
        evaluations += 1;
    }
    assert_eq!(evaluations, 10_000 / cost);
}

/// The verdict of a rule over one property.
fn evaluate_with(rule: &str, value: &serde_json::Value) -> Result<bool, EvalError> {
    let properties = [Property { kind: "large", value: PropertyValue::Json(value) }];
    let program = Program::compile(rule).unwrap_or_else(|error| panic!("{error}"));
    program.evaluate(&properties, &mut Fuel::default())
}

#[test]
fn large_values_cost_only_the_parts_that_are_read() {
    let fields: serde_json::Map<_, _> = (0..20_000).map(|at| (format!("field-{at}"), json!(at))).collect();
    let large = json!({"a": fields, "text": "a".repeat(500_000)});
    let often = |rule: &str| {
        let numbers = vec!["1"; 100].join(",");
        format!("properties.all(p, [{numbers}].all(x, [{numbers}].all(y, {rule})))")
    };
    for rule in [
        "p.value.a != dyn({'a': 1})",
        "p.value.a == p.value.a",
        "bytes(p.value.text) == bytes(p.value.text)",
        "bytes(p.value.text) <= bytes(p.value.text)",
        "semver_compare(p.value.a, '1') == 0 || true",
        "semver_compare(p.value.text, '1') == 0 || true",
    ] {
        let once = evaluate_with(&format!("properties.all(p, {rule})"), &large);
        assert_eq!(once, Ok(true), "{rule}");
        // Values of different sizes differ at a glance.
        let expected = if rule.contains("!=") { Ok(true) } else { EXHAUSTED };
        assert_eq!(evaluate_with(&often(rule), &large), expected, "{rule}");
    }
}

#[test]
fn values_that_share_their_parts_are_not_printed_at_length() {
    let steps: String = (0..60).map(|at| format!(".map(x{at}, [x{at}, x{at}])")).collect();
    assert_eq!(evaluate(&format!("semver_compare([1]{steps}, '1') == 0")), EXHAUSTED);
}

#[test]
fn large_classes_of_characters_are_not_copied_or_searched_at_length() {
    let class: String = ('\u{4e00}'..='\u{9dff}').step_by(2).collect();
    assert_eq!(evaluate(&format!("\"a\".matches(\"[{class}]{{1000}}\")")), EXHAUSTED);
    let text = json!("a".repeat(200_000));
    assert_eq!(evaluate_with(&format!("properties.all(p, p.value.matches(\"[{class}]\"))"), &text), EXHAUSTED);
    assert_eq!(evaluate(&format!("\"\u{4e00}\".matches(\"^[{class}]+$\")")), Ok(true));
}

// Whatever the rule, there is a verdict, and complaints point into it.

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
