//! Versions with releases: bundles of format registry+v1 keep their release in the build metadata of the version
//! (operator-controller `internal/operator-controller/bundleutil/bundle.go`).

use std::cmp::Ordering;
use std::fmt;

use catalog::predicate::Property;
use catalog::{Bundle, BundleName, release_error};
use cluster::InstalledBundle;
use go_semver::blang::{Quoted, Version, VersionError};
use source::{FeatureGate, OlmV1, OlmV1Release};

use crate::error::InstalledVersionError;

/// A release of a version: identifiers joined by dots, ordered like those of a prerelease.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(Version);

impl Release {
    /// Reads a text that is not empty; `None` if it is no release, for example because of a leading zero or more than 20
    /// characters.
    fn parse(text: &str) -> Option<Self> {
        // Its identifiers are those of a prerelease.
        release_error(text).is_none().then(|| Version::parse(&format!("0.0.0-{text}")).ok().map(Self))?
    }

    /// The release as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.pre()
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A version and its release. Equality and order ignore build metadata; no release comes before any release.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VersionRelease {
    /// The version. If its build metadata is a release, without it.
    pub version: Version,
    pub release: Option<Release>,
}

impl VersionRelease {
    /// Reads the version of a bundle, with the release in its build metadata. Build metadata that is no release stays in the
    /// version and does not count, as all does for an OLM v1 without releases.
    ///
    /// # Errors
    /// When blang does not accept the version.
    pub fn parse(text: &str, olm: OlmV1) -> Result<Self, VersionError> {
        let version = Version::parse(text)?;
        let build = Some(version.build()).filter(|build| !build.is_empty() && olm.release() >= OlmV1Release::RELEASES);
        let release = build.and_then(Release::parse);
        let version = match (&release, text.split_once('+')) {
            (Some(_), Some((plain, _))) => Version::parse(plain)?,
            _ => version,
        };
        Ok(Self { version, release })
    }

    /// Reads a version with a release of its own field.
    pub(crate) fn with_release(version: &str, release: &str) -> Result<Self, ExplicitReleaseError> {
        let parsed =
            Version::parse(version).map_err(|error| ExplicitReleaseError::Version { text: version.into(), error })?;
        if release.is_empty() {
            return Ok(Self { version: parsed, release: None });
        }
        match Release::parse(release) {
            Some(release) => Ok(Self { version: parsed, release: Some(release) }),
            None => Err(ExplicitReleaseError::Release {
                text: release.into(),
                error: release_error(release).unwrap_or_default().into(),
            }),
        }
    }

    /// Reads the version of a bundle from its first `olm.package` property. With the feature gate `BundleReleaseSupport` a
    /// `release` of the property counts instead of build metadata; an empty one counts as none.
    ///
    /// # Errors
    /// When the bundle has no such property that can be read, blang does not accept the version, or the release is none.
    pub fn of(bundle: &Bundle, olm: OlmV1) -> Result<Self, BundleVersionError> {
        let found = bundle.properties.iter().find_map(|property| match &property.value {
            Property::Package { version, release, .. } => Some((version, release)),
            _ => None,
        });
        let (version, release) =
            found.ok_or_else(|| BundleVersionError::NoProperty { bundle: bundle.name.value.clone() })?;
        if olm.is_on(FeatureGate::BundleReleaseSupport) && !release.is_empty() {
            return Self::with_release(version, release).map_err(BundleVersionError::Release);
        }
        Self::parse(version, olm).map_err(BundleVersionError::Version)
    }

    /// Reads the version of an installed bundle as this OLM v1 does. A release of its own field counts instead of build metadata,
    /// whatever the feature gates.
    ///
    /// # Errors
    /// When blang does not accept the version, or the release is none.
    pub fn of_installed(installed: &InstalledBundle, olm: OlmV1) -> Result<Self, InstalledVersionError> {
        match &installed.release {
            Some(release) => Self::with_release(&installed.version, release).map_err(InstalledVersionError::Release),
            None => Self::parse(&installed.version, olm).map_err(InstalledVersionError::Version),
        }
    }

    /// The bundle as the status of an extension has it once this OLM v1 installed it (operator-controller
    /// `internal/operator-controller/bundleutil/bundle.go`).
    pub(crate) fn installed(&self, name: BundleName, olm: OlmV1) -> InstalledBundle {
        if !olm.is_on(FeatureGate::BundleReleaseSupport) {
            return InstalledBundle { name, version: self.recorded().into(), release: None };
        }
        let release = self.release.as_ref().map(|release| release.as_str().into());
        InstalledBundle { name, version: self.version.to_string().into(), release }
    }

    /// The version as `status.install.bundle.version` has it: with the release as build metadata.
    #[must_use]
    pub fn recorded(&self) -> String {
        match &self.release {
            Some(release) => {
                let version = self.version.to_string();
                format!("{}+{release}", version.split('+').next().unwrap_or_default())
            }
            None => self.version.to_string(),
        }
    }
}

/// Orders versions as v1 sorts bundles: the highest first, versions that cannot be read last.
pub(crate) fn highest_first<E>(a: &Result<VersionRelease, E>, b: &Result<VersionRelease, E>) -> Ordering {
    match (a, b) {
        (Ok(a), Ok(b)) => b.cmp(a),
        (a, b) => a.is_err().cmp(&b.is_err()),
    }
}

/// Why the version of a bundle cannot be read; displays operator-controller's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BundleVersionError {
    /// The bundle has no `olm.package` property. The model leaves out properties that cannot be read, so for those too, where
    /// operator-controller names the error of Go's JSON.
    NoProperty { bundle: BundleName },
    /// blang does not accept the version.
    Version(VersionError),
    /// The version or the release of its own field.
    Release(ExplicitReleaseError),
}

impl fmt::Display for BundleVersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoProperty { bundle } => {
                write!(f, "no package property found in bundle {}", Quoted(bundle.as_str()))
            }
            Self::Version(error) => error.fmt(f),
            Self::Release(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BundleVersionError {}

/// Why version and release of an installed bundle cannot be read; displays operator-controller's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplicitReleaseError {
    /// blang does not accept the version.
    Version { text: Box<str>, error: VersionError },
    /// The release is none.
    Release {
        text: Box<str>,
        /// The reason, in operator-registry's words.
        error: Box<str>,
    },
}

impl fmt::Display for ExplicitReleaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { text, error } => write!(f, "error parsing version {}: {error}", Quoted(text)),
            Self::Release { text, error } => write!(f, "error parsing release {}: {error}", Quoted(text)),
        }
    }
}

impl std::error::Error for ExplicitReleaseError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (String, Option<String>) {
        let parsed = VersionRelease::parse(text, OlmV1::default()).unwrap();
        (parsed.version.to_string(), parsed.release.map(|release| release.to_string()))
    }

    #[test]
    fn build_metadata_that_is_a_release_leaves_the_version() {
        assert_eq!(parse("1.0.0+2"), ("1.0.0".to_owned(), Some("2".to_owned())));
        assert_eq!(parse("1.0.0-rc.1+a.10"), ("1.0.0-rc.1".to_owned(), Some("a.10".to_owned())));
        assert_eq!(parse("1.0.0"), ("1.0.0".to_owned(), None));
    }

    #[test]
    fn other_build_metadata_stays() {
        for text in ["1.0.0+01", "1.0.0+0123456789.0123456789a"] {
            assert_eq!(parse(text), (text.to_owned(), None));
        }
    }

    #[test]
    fn releases_order_versions_that_are_equal() {
        let ascending = ["1.0.0", "1.0.0+2", "1.0.0+10", "1.0.0+10.1", "1.0.0+a", "1.0.1-a+1", "1.0.1"];
        let read = |text| VersionRelease::parse(text, OlmV1::default()).unwrap();
        let parsed = ascending.map(read);
        assert!(parsed.is_sorted_by(|a, b| a < b));
        assert_eq!(read("1.0.0+01"), read("1.0.0"));
        assert_eq!(ascending.map(|text| read(text).recorded()), ascending);
    }

    #[test]
    fn before_v1_8_no_build_metadata_is_a_release() {
        let old = OlmV1::of(Some(OlmV1Release(1, 7)));
        let read = |text| VersionRelease::parse(text, old).unwrap();
        assert_eq!(read("1.0.0+2"), read("1.0.0+10"));
        assert_eq!(read("1.0.0+2").recorded(), "1.0.0+2");
    }

    #[test]
    fn errors_of_recorded_releases() {
        let error = |version, release| VersionRelease::with_release(version, release).unwrap_err().to_string();
        assert_eq!(error("1.0", "1"), r#"error parsing version "1.0": No Major.Minor.Patch elements found"#);
        assert!(error("1.0.0", "01").starts_with(r#"error parsing release "01": invalid release "01": segment 0: "#));
        // The build metadata of a version with a release of its own does not count.
        let empty = VersionRelease::with_release("1.0.0+2", "").unwrap();
        assert_eq!(empty, VersionRelease::parse("1.0.0", OlmV1::default()).unwrap());
    }
}
