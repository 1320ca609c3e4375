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
mod range;
mod version;

pub use crate::blang::bounds::{Quirk, quirks};
pub use crate::blang::range::{Comparator, Op, Range, RangeError, RangePanic, first_matches};
pub use crate::blang::version::{Quoted, Version, VersionError};
