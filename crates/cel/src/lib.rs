//! The Common Expression Language as OLM evaluates `olm.constraint` rules with it: cel-go 0.29 with one variable
//! `properties`, a list of maps from text to anything, its standard library and macros, and `semver_compare`.
//!
//! It follows cel-go, not the language's specification: what compiles there compiles here and the other way round, and
//! errors have its texts, except for syntax errors. As in OLM, there are no macros with
//! two variables, no extensions and no optional values.
//!
//! Why not the crate `cel` 0.15: it has no static check, its verdicts and texts are not cel-go's, nothing bounds its
//! evaluation, and it brings ANTLR's runtime along whatever its features: 215 kB gzip in a release module, 484 kB with
//! regular expressions.
//!
//! Known differences: rules iterate over the keys of a map in order, which is random in Go. Messages other than wrappers are
//! not built, timestamps and durations are compared but not split or printed, and regular expressions have the syntax that Go
//! and regex-lite have in common; the rest is [`NotKnown`].
//!
//! Evaluation is bounded: the depth of a parsed rule has a limit, each step, copied element and byte of text costs
//! [`Fuel`], and regular expressions are matched in linear time.
//!
//! ```
//! use cel::{Fuel, Program, Property, PropertyValue};
//!
//! let rule = Program::compile(r#"properties.exists(p, p.type == "olm.package" && semver_compare(p.value.version, "1.2") >= 0)"#)?;
//! let value = serde_json::json!({"packageName": "etcd", "version": "1.10.0"});
//! let properties = [Property { kind: "olm.package", value: PropertyValue::Json(&value) }];
//! assert_eq!(rule.evaluate(&properties, &mut Fuel::default()), Ok(true));
//!
//! let refused = Program::compile("properties.size()").unwrap_err();
//! assert_eq!(refused.to_string(), "cel expressions must have type Bool");
//! # Ok::<(), cel::CompileError>(())
//! ```

mod ast;
mod call;
mod check;
mod convert;
mod error;
mod lex;
mod parse;
mod program;
mod regex;
mod time;
mod types;
mod value;

pub use error::{CompileError, EvalError, Fuel, NotKnown};
pub use program::Program;
pub use time::parse_duration;
pub use value::{Property, PropertyValue};
