//! A CEL rule; after `=== properties` a JSON list of properties.

use super::text::text;
use cel::{Fuel, Program, Property, PropertyValue};
use serde_json::Value;

use crate::memory::bounded;
use crate::seeds::parts;

/// Memory of an evaluation of half a million steps: eight bytes a step, some of it twice.
const FLOOR: usize = 64 << 20;

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let text = text(input);
    let (rule, others) = parts(&text);
    let values: Vec<Value> = others.first().and_then(|(_, json)| serde_json::from_str(json).ok()).unwrap_or_default();
    let property = |value| Property { kind: "olm.package", value: PropertyValue::Json(value) };
    let mut properties: Vec<Property<'_>> = values.iter().map(property).collect();
    properties.push(Property { kind: "olm.gvk", value: PropertyValue::NotJson });
    match bounded(rule.len(), 200, FLOOR, || Program::compile(rule)) {
        Ok(program) => {
            let mut fuel = Fuel::default();
            let first = bounded(text.len(), 10, FLOOR, || program.evaluate(&properties, &mut fuel));
            assert_eq!(first, program.evaluate(&properties, &mut Fuel::default()), "evaluated twice");
        }
        Err(error) => assert!(!error.to_string().is_empty(), "refused without a reason"),
    }
}
