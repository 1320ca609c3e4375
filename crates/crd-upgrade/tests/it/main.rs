//! Recorded changes of CustomResourceDefinitions, and properties of any change.

mod properties;
mod recorded;
