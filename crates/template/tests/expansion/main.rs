//! Templates and what they expand to.

mod basic;
mod fixtures;
mod properties;
mod semver;
mod substitutes;
