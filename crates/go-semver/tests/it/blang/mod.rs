//! Versions and ranges of blang/semver.

mod properties;
mod range;
mod version;
