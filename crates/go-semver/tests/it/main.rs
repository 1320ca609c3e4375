//! Versions and ranges of blang/semver, and constraints of Masterminds/semver.

mod blang;
mod masterminds;
