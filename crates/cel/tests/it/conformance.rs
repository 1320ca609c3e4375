//! Rules with the verdicts that cel-go 0.29.2 gave in OLM's environment.
//!
//! A row of `cel.jsonl` holds a rule, the properties of a bundle, and `result`, `compileError` or `evalError`.

use std::collections::BTreeMap;

use cel::{EvalError, Fuel, Program, Property, PropertyValue};
use serde_json::Value;

/// The class of the verdict on a rule, and its text.
fn verdict(rule: &str, properties: &[Value]) -> (&'static str, String) {
    let program = match Program::compile(rule) {
        Ok(program) => program,
        Err(error) => return ("compileError", error.to_string()),
    };
    let properties: Vec<Property<'_>> = properties
        .iter()
        .map(|property| Property {
            kind: property["type"].as_str().expect("a type"),
            value: PropertyValue::Json(&property["value"]),
        })
        .collect();
    match program.evaluate(&properties, &mut Fuel::default()) {
        Ok(result) => ("result", result.to_string()),
        Err(EvalError::Failed(text)) => ("evalError", text.to_string()),
        Err(EvalError::NotKnown(why)) => ("not known", why.to_string()),
    }
}

#[test]
fn rows_agree_to_the_letter() {
    let mut differing = BTreeMap::new();
    for line in include_str!("../cel.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let rule = row["rule"].as_str().unwrap();
        let class = ["result", "compileError", "evalError"].into_iter().find(|class| row.get(class).is_some()).unwrap();
        let expected = (class, row[class].as_str().map_or_else(|| row[class].to_string(), str::to_owned));
        let found = verdict(rule, row["properties"].as_array().unwrap());
        // Syntax errors are in our own words; their texts are in `tables.rs`.
        let is_syntax_error = |text: &str| text.contains("Syntax error:") || text.contains("syntax error at");
        let agree = found.0 == expected.0 && is_syntax_error(&found.1) && is_syntax_error(&expected.1);
        if found != expected && !agree {
            differing.insert(rule.to_owned(), (found, expected));
        }
    }
    assert!(differing.is_empty(), "{differing:#?}");
}
