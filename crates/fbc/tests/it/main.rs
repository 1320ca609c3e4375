//! Reading YAML and JSON: fields, places, streams, budgets and edits.

mod fields;
mod properties;
mod reading;
mod streams;
