//! Schemas as the Go values that OLM compares and prints: a finding shows them where no check knows the
//! change, and dumps of the members of `oneOf`.

mod difference;
mod dump;
mod value;

pub use difference::FieldChange;
pub(crate) use difference::field_changes;
pub(crate) use dump::dump;
pub(crate) use value::{Go, GoValue};
