//! Rules in CEL: recorded results, tables, bounds and properties.

mod bounds;
mod tables;
