//! Versions and constraints of Masterminds/semver.

mod grammar;
mod observed;
mod properties;
