//! Version constraints with the semantics of Go's `Masterminds/semver` v3.4, the library that OLM v1 reads the field
//! `version` of a ClusterExtension with.
//!
//! The versions of bundles stay those of blang/semver: operator-controller `internal/operator-controller/catalogmetadata/
//! compare/compare.go` parses them with blang and converts them. No Rust crate has this grammar: `semver` and
//! `node-semver` differ in wildcards, hyphen ranges, prereleases and error texts.
//!
//! ```
//! use go_semver::blang::Version;
//! use go_semver::masterminds::{Constraints, is_accepted_by_api};
//!
//! let range = Constraints::parse("^1.2 || ~3.0.1")?;
//! let matches = |version| Version::parse(version).is_ok_and(|version| range.matches(&version));
//! assert!(matches("1.9.0") && matches("3.0.9") && !matches("2.0.0"));
//! // Without a prerelease in the constraint no prerelease matches.
//! assert!(!matches("1.3.0-rc.1"));
//!
//! // The library reads hyphen ranges; the API of ClusterExtension rejects them.
//! assert!(Constraints::parse("1.0.0 - 2.0.0").is_ok());
//! assert!(!is_accepted_by_api("1.0.0 - 2.0.0"));
//! # Ok::<(), go_semver::masterminds::ConstraintError>(())
//! ```

mod api;
mod check;
mod constraint;
mod grammar;

pub use api::{MAX_LENGTH, is_accepted_by_api};
pub use constraint::{Constraints, Group};
pub use grammar::ConstraintError;
