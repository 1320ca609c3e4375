//! Which oc-mirror filters a catalog.

use crate::vocabulary::OpenShift;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The releases of oc-mirror v2 that treat a catalog differently, named by the versions of OpenShift that they belong to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OcMirror {
    /// OpenShift 4.18, with catalog-filter v0.0.4. It pins a state shortly before that release, which is not public.
    V4_18,
    /// OpenShift 4.19 to 4.22, with catalog-filter v0.0.5.
    V4_19,
    /// OpenShift 5.0 and later, with catalog-filter v0.0.5.
    #[default]
    V5_0,
}

impl OcMirror {
    /// All, from the oldest on.
    pub const ALL: [Self; 3] = [Self::V4_18, Self::V4_19, Self::V5_0];

    /// The first version of OpenShift with it.
    #[must_use]
    pub const fn version(self) -> &'static str {
        match self {
            Self::V4_18 => "4.18",
            Self::V4_19 => "4.19",
            Self::V5_0 => "5.0",
        }
    }

    /// The versions of OpenShift with it.
    #[must_use]
    pub const fn versions(self) -> &'static str {
        match self {
            Self::V4_18 => "4.18",
            Self::V4_19 => "4.19 to 4.22",
            Self::V5_0 => "5.0 and later",
        }
    }

    /// The release of catalog-filter in it.
    #[must_use]
    pub const fn filter(self) -> &'static str {
        match self {
            Self::V4_18 => "catalog-filter v0.0.4",
            Self::V4_19 | Self::V5_0 => "catalog-filter v0.0.5",
        }
    }

    /// Whether a `minVersion` that is the `maxVersion` keeps the bundle of that version alone (catalog-filter v0.0.5).
    #[must_use]
    pub fn keeps_one_version(self) -> bool {
        self >= Self::V4_19
    }

    /// Whether the mirrored catalog has `olm.deprecations` and documents of other schemas (operator-registry v1.68.0).
    #[must_use]
    pub fn keeps_all_schemas(self) -> bool {
        self >= Self::V5_0
    }

    /// Whether an item of `operators` may have `platforms`.
    #[must_use]
    pub fn knows_platforms(self) -> bool {
        self >= Self::V5_0
    }
}

impl FromStr for OcMirror {
    type Err = String;

    /// Reads a version of OpenShift. Versions without facts are errors: of 4.23 it is not known whether its oc-mirror keeps
    /// `olm.deprecations`, and of versions before 4.18 nothing is.
    ///
    /// ```
    /// use source::OcMirror;
    ///
    /// assert_eq!(["4.18", "v4.22", "5.1"].map(|text| text.parse::<OcMirror>().unwrap()), OcMirror::ALL);
    /// assert!(["4", "4.18.1"].iter().all(|text| text.parse::<OcMirror>().is_err()));
    /// let unknown = "oc-mirror of OpenShift 4.23 is not known; known are those of 4.18 to 4.22, and of 5.0 and later";
    /// assert_eq!("4.23".parse::<OcMirror>().unwrap_err(), unknown);
    /// assert_eq!("4.17".parse::<OcMirror>().unwrap_err(), unknown.replace("4.23", "4.17"));
    /// ```
    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(OpenShift { major: 4, minor: 18 }) => Ok(Self::V4_18),
            Ok(OpenShift { major: 4, minor: 19..=22 }) => Ok(Self::V4_19),
            Ok(OpenShift { major: 5.., .. }) => Ok(Self::V5_0),
            Ok(version) => Err(format!(
                "oc-mirror of OpenShift {version} is not known; known are those of 4.18 to 4.22, and of 5.0 and later"
            )),
            Err(_) => Err("expected a version of OpenShift: 4.18 to 4.22, or 5.0 and later".to_owned()),
        }
    }
}
