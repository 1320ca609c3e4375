//! Reading YAML and JSON: fields, places, streams, budgets and edits.

mod budget;
mod fields;
mod parts;
mod places;
mod properties;
mod reading;
mod streams;
