//! Releases of `opm`, and what its checks came with.

use std::fmt;
use std::str::FromStr;

/// A release of `opm`: major, minor and patch version of operator-registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpmVersion(pub u16, pub u16, pub u16);

impl OpmVersion {
    /// The newest that is known. It has all checks that were not taken out.
    pub const NEWEST: Self = Self(u16::MAX, u16::MAX, u16::MAX);
    /// The oldest whose checks are known.
    const OLDEST: Self = Self(1, 26, 0);

    /// The value of an `olm.csv.metadata` property has a form (operator-registry#1094).
    pub const CSV_METADATA: Self = Self(1, 28, 0);
    /// Reads and checks `olm.deprecations`.
    pub const DEPRECATIONS: Self = Self(1, 32, 0);
    /// The name of a package is a label of DNS (operator-registry#1307).
    pub const PACKAGE_NAMES: Self = Self(1, 41, 0);
    /// No two bundles of a package have one version (operator-registry#1417).
    pub const UNIQUE_VERSIONS: Self = Self(1, 47, 0);
    /// The chain of `replaces` ends at skipped entries (operator-registry#1750).
    pub const CHAIN_ENDS_AT_SKIPPED: Self = Self(1, 58, 0);
    /// The last release whose chain goes on at skipped entries, so that their cycles are errors (operator-registry#1750).
    pub const LAST_WHOLE_CHAIN: Self = Self(1, 57, 0);
    /// Bundles have a release (operator-registry#1792).
    pub const RELEASES: Self = Self(1, 62, 0);
    /// An image is a pull spec (operator-registry#1905).
    pub const PULL_SPECS: Self = Self(1, 64, 0);
    /// A release has a greatest length (operator-registry#1938).
    pub const RELEASE_LENGTHS: Self = Self(1, 68, 0);
    /// A skipRange is a range (operator-registry#1987).
    pub const SKIP_RANGES: Self = Self(1, 69, 0);
}

impl Default for OpmVersion {
    fn default() -> Self {
        Self::NEWEST
    }
}

impl fmt::Display for OpmVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}.{}.{}", self.0, self.1, self.2)
    }
}

impl FromStr for OpmVersion {
    type Err = String;

    /// Reads a release, without its patch version the first one.
    ///
    /// ```
    /// use source::OpmVersion;
    ///
    /// assert_eq!(["1.57", "v1.57.0"].map(|text| text.parse()), [Ok(OpmVersion(1, 57, 0)), Ok(OpmVersion(1, 57, 0))]);
    /// assert!(["", "1", "1.x", "1.57.0.1", "-1.57"].iter().all(|text| text.parse::<OpmVersion>().is_err()));
    /// assert_eq!("1.25.9".parse::<OpmVersion>().unwrap_err(), "the checks of opm before v1.26.0 are not known");
    /// ```
    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Option<Vec<u16>> =
            text.strip_prefix('v').unwrap_or(text).split('.').map(|part| part.parse().ok()).collect();
        let version = match parts.as_deref() {
            Some(&[major, minor]) => Self(major, minor, 0),
            Some(&[major, minor, patch]) => Self(major, minor, patch),
            _ => return Err("expected a release of opm, such as v1.57.0".to_owned()),
        };
        if version < Self::OLDEST {
            return Err(format!("the checks of opm before {} are not known", Self::OLDEST));
        }
        Ok(version)
    }
}
