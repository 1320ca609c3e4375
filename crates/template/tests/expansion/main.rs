//! Templates and what they expand to.

mod basic;
mod made;
mod properties;
mod semver;
