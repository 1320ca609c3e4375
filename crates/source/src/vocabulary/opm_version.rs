//! Releases of `opm`, and what its checks came with.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A release of `opm`: major, minor and patch version of operator-registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OpmVersion(pub u16, pub u16, pub u16);

impl OpmVersion {
    /// The newest that is known. It has all checks that were not taken out.
    pub const NEWEST: Self = Self(u16::MAX, u16::MAX, u16::MAX);
    /// The oldest whose checks are known.
    const OLDEST: Self = Self(1, 26, 0);

    /// `name` is a text, also in documents of an unknown schema (operator-registry#1089).
    pub const NAMES: Self = Self(1, 27, 0);
    /// No two keys of a document differ in case only (operator-registry#1094).
    pub const UNIQUE_KEYS: Self = Self(1, 28, 0);
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
    /// The last release that decodes the `priority` of an `olm.channel` property (operator-registry#1986).
    pub const LAST_CHANNEL_PRIORITY: Self = Self(1, 73, 0);

    /// The releases that judge alike, from the oldest on: the first of them, and all of them in words.
    pub const ALIKE: [(Self, &'static str); 12] = [
        (Self::OLDEST, "v1.26"),
        (Self::NAMES, "v1.27"),
        (Self::UNIQUE_KEYS, "v1.28 to v1.31"),
        (Self::DEPRECATIONS, "v1.32 to v1.40"),
        (Self::PACKAGE_NAMES, "v1.41 to v1.46"),
        (Self::UNIQUE_VERSIONS, "v1.47 to v1.57"),
        (Self::CHAIN_ENDS_AT_SKIPPED, "v1.58 to v1.61"),
        (Self::RELEASES, "v1.62 and v1.63"),
        (Self::PULL_SPECS, "v1.64 to v1.67"),
        (Self::RELEASE_LENGTHS, "v1.68"),
        (Self::SKIP_RANGES, "v1.69 to v1.73"),
        (Self::NEWEST, "newest"),
    ];

    /// The first release that judges as this one, and all of them in words.
    ///
    /// ```
    /// use source::OpmVersion;
    ///
    /// let names = [OpmVersion(1, 26, 0), OpmVersion(1, 57, 3), OpmVersion(1, 73, 0), OpmVersion(1, 74, 0)]
    ///     .map(|release| release.alike().1);
    /// assert_eq!(names, ["v1.26", "v1.47 to v1.57", "v1.69 to v1.73", "newest"]);
    /// ```
    #[must_use]
    pub fn alike(self) -> (Self, &'static str) {
        let [.., newest] = Self::ALIKE;
        if self > Self::LAST_CHANNEL_PRIORITY {
            return newest;
        }
        Self::ALIKE.into_iter().rev().find(|(first, _)| *first <= self).unwrap_or(newest)
    }
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
