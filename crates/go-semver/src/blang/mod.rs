//! Versions and ranges with the semantics of Go's `blang/semver` v4.0.0, the library OLM and `opm` read catalogs with.
//!
//! It is not a general semver crate. Error texts, ignored build metadata, prereleases that match by plain ordering and the
//! accidents of the grammar are those of the original, because catalog authors meet exactly these on a cluster.
//!
//! ```
//! use go_semver::blang::{Range, Version};
//!
//! let skip_range = Range::parse(">=1.0.0 <1.0.3")?;
//! assert_eq!(skip_range.matches(&Version::parse("1.0.3-rc.1")?), Ok(true));
//! assert!(!skip_range.unbounded_below());
//!
//! // One `x` anywhere makes a token a wildcard, also in a prerelease.
//! let refused = Range::parse("<=1.0.0-next.1").unwrap_err();
//! assert_eq!(refused.to_string(), r#"Could not get version from string: "<""#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounds;
mod first_match;
mod go;
mod grammar;
mod quirk;
mod range;
mod runs;
mod version;

pub use self::first_match::first_matches;
pub use self::go::Quoted;
pub use self::grammar::RangeError;
pub use self::quirk::{Quirk, quirks};
pub use self::range::{Comparator, Op, Range, RangePanic};
pub use self::version::{Version, VersionError};
