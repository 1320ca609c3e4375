//! Templates and what they expand to.

mod basic;
mod conformance;
mod fixtures;
mod properties;
mod semver;
mod substitutes;
