//! Schemas as Go values: OLM tells the members of `oneOf` apart by their dumps.

mod dump;
mod value;

pub(crate) use dump::dump;
pub(crate) use value::{Go, GoValue};
