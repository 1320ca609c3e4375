//! Schemas as the Go values that OLM compares and prints: what a finding says of a change that no check knows is a dump of
//! Go structs.

mod dump;
mod edits;
mod report;
mod tree;
mod value;

pub(crate) use dump::dump;
pub use report::ChangedLine;
pub(crate) use report::changed_lines;
pub(crate) use value::{Go, schema, unchecked};
