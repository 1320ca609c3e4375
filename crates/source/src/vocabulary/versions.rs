//! Versions that answers depend on: minor versions of OpenShift, releases of `opm`, and those of oc-mirror.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A minor version of OpenShift 4 or 5. Its order is that of its numbers: 4.9 is before 4.10, and 4.23 before 5.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OpenShift {
    /// 4 or 5.
    pub major: u32,
    /// The number behind the dot.
    pub minor: u32,
}

/// The major and minor number of a `minKubeVersion`; `None` if OLM cannot parse it, so that the CSV stays Pending on every cluster
/// (operator-lifecycle-manager `pkg/controller/operators/olm/requirements.go`, `minKubeVersionStatus`; coreos/go-semver
/// `semver/semver.go`).
///
/// ```
/// let known = ["1.27.0", "v1.27.0", "1.027.0-rc.1+x", "1.27", "vv1.27.0", "1.27.0.1", "1.27.x"].map(source::parse_min_kube);
/// assert_eq!(known, [Some((1, 27)), Some((1, 27)), Some((1, 27)), None, None, None, None]);
/// ```
#[must_use]
pub fn parse_min_kube(text: &str) -> Option<(i64, i64)> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let (text, metadata) = text.split_once('+').unwrap_or((text, ""));
    let (numbers, pre) = text.split_once('-').unwrap_or((text, ""));
    let is_identifier = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
    let numbers: Vec<i64> = numbers.splitn(3, '.').map(str::parse).collect::<Result<_, _>>().ok()?;
    match numbers[..] {
        [major, minor, _] if is_identifier(pre) && is_identifier(metadata) => Some((major, minor)),
        _ => None,
    }
}

impl OpenShift {
    /// The major and the minor number of the Kubernetes that it has.
    ///
    /// OpenShift 4.y has Kubernetes 1.(y+13) since 4.3: operator-pipelines `OCP_TO_K8S`, openshift-preflight `ocpToKubeVersion`.
    /// 5.0 is the release that is also numbered 4.23, and 5.1 has Kubernetes 1.37 (openshift/enhancements
    /// `selinuxmount-ga-block-upgrade.md`).
    ///
    /// ```
    /// use source::OpenShift;
    ///
    /// let kubernetes = |text: &str| text.parse::<OpenShift>().unwrap().kubernetes();
    /// assert_eq!(["4.12", "4.22", "4.23", "5.0"].map(kubernetes), [(1, 25), (1, 35), (1, 36), (1, 36)]);
    /// assert_eq!(kubernetes("5.1"), (1, 37));
    /// ```
    #[must_use]
    pub fn kubernetes(self) -> (u32, u32) {
        let offset = if self.major < 5 { 13 } else { 36 };
        (1, self.minor.saturating_add(offset))
    }

    /// Whether its Kubernetes is older than a `minKubeVersion`, by major and minor number: the patch is not known. No cluster meets one
    /// that OLM cannot parse.
    ///
    /// ```
    /// use source::OpenShift;
    ///
    /// let version: OpenShift = "4.18".parse().unwrap();
    /// assert_eq!(["1.31.9", "v1.32.0", "1.30", ""].map(|least| version.is_older_than(least)), [false, true, true, false]);
    /// ```
    #[must_use]
    pub fn is_older_than(self, min_kube_version: &str) -> bool {
        let (major, minor) = self.kubernetes();
        let is_above = |least| least > (i64::from(major), i64::from(minor));
        !min_kube_version.is_empty() && parse_min_kube(min_kube_version).is_none_or(is_above)
    }

    /// How bundles in its catalogs have their ClusterServiceVersion: from 4.17 on as `olm.csv.metadata`. Pipelines refuse the other
    /// form (konflux-ci/build-definitions `fbc-validation.yaml`; operator-pipelines `docs/users/fbc_workflow.md`).
    ///
    /// ```
    /// use source::{CsvForm, OpenShift};
    ///
    /// let form = |version: &str| version.parse::<OpenShift>().unwrap().csv_form();
    /// assert_eq!(["4.16", "4.17", "5.0"].map(form), [CsvForm::Objects, CsvForm::Metadata, CsvForm::Metadata]);
    /// ```
    #[must_use]
    pub fn csv_form(self) -> CsvForm {
        if self < (Self { major: 4, minor: 17 }) { CsvForm::Objects } else { CsvForm::Metadata }
    }

    /// Whether both are the same release under two numbers, 4.23 and 5.0. Neither is updated to the other.
    #[must_use]
    pub fn is_sibling(self, other: Self) -> bool {
        let mut both = [(self.major, self.minor), (other.major, other.minor)];
        both.sort_unstable();
        both == [(4, 23), (5, 0)]
    }

    /// Versions in ascending order in words, those that follow each other as the first and the last of them.
    ///
    /// ```
    /// use source::OpenShift;
    ///
    /// let versions = ["4.12", "4.13", "4.14", "4.18"].map(|text| text.parse().unwrap());
    /// assert_eq!(OpenShift::list(&versions), "4.12 to 4.14 and 4.18");
    /// ```
    #[must_use]
    pub fn list(versions: &[Self]) -> String {
        let follows = |one: &Self, other: &Self| one.next().any(|next| next == *other);
        let runs = versions.chunk_by(follows).map(|run| match run {
            [first, .., last] => format!("{first} to {last}"),
            one => one.iter().map(ToString::to_string).collect(),
        });
        runs.collect::<Vec<String>>().join(" and ")
    }

    /// The versions that a cluster of this version can be updated to, without those between: 4.23 and 5.0 after 4.22
    /// (openshift/cincinnati-graph-data `build-suggestions/5.0.yaml`). Nothing is known to follow 4.23: OLM takes 5.1 for the
    /// next, which cluster-version-operator `gianthop.go` refuses.
    ///
    /// ```
    /// use source::OpenShift;
    ///
    /// let next = |text: &str| text.parse::<OpenShift>().unwrap().next().map(|next| next.to_string()).collect::<Vec<_>>();
    /// assert_eq!(["4.9", "4.22", "4.23", "5.0"].map(next), [vec!["4.10"], vec!["4.23", "5.0"], vec![], vec!["5.1"]]);
    /// ```
    pub fn next(self) -> impl Iterator<Item = Self> {
        let following = (self.major != 4 || self.minor < 23)
            .then_some(Self { major: self.major, minor: self.minor.saturating_add(1) });
        let major = ((self.major, self.minor) == (4, 22)).then_some(Self { major: 5, minor: 0 });
        following.into_iter().chain(major)
    }
}

impl fmt::Display for OpenShift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for OpenShift {
    type Err = String;

    /// Reads `4.18` or `v4.18`.
    ///
    /// ```
    /// use source::OpenShift;
    ///
    /// assert_eq!("v4.18".parse(), Ok(OpenShift { major: 4, minor: 18 }));
    /// assert_eq!("5.0".parse(), Ok(OpenShift { major: 5, minor: 0 }));
    /// let others = ["4", "v4", "4.", "4.018", "4.18.1", "3.11", "6.0", "vv4.1", "4.+1", "4.123"];
    /// assert!(others.iter().all(|text| text.parse::<OpenShift>().is_err()));
    /// ```
    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (major, minor) = text.strip_prefix('v').unwrap_or(text).split_once('.')?;
            let major = ["4", "5"].contains(&major).then(|| major.parse().ok())??;
            let is_number = matches!(minor.len(), 1 | 2) && minor.bytes().all(|byte| byte.is_ascii_digit());
            let is_canonical = is_number && (minor == "0" || !minor.starts_with('0'));
            Some(Self { major, minor: is_canonical.then(|| minor.parse().ok())?? })
        };
        read().ok_or_else(|| format!("`{text}` is no minor version of OpenShift, such as 4.18 or 5.0"))
    }
}

impl TryFrom<String> for OpenShift {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<OpenShift> for String {
    fn from(version: OpenShift) -> Self {
        version.to_string()
    }
}

/// A property by which a bundle in a catalog has its ClusterServiceVersion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CsvForm {
    /// `olm.bundle.object`: with all other manifests.
    Objects,
    /// `olm.csv.metadata`: only what OperatorHub shows.
    Metadata,
}

impl CsvForm {
    /// The type of the property.
    #[must_use]
    pub const fn property(self) -> &'static str {
        match self {
            Self::Objects => "olm.bundle.object",
            Self::Metadata => "olm.csv.metadata",
        }
    }

    /// The property that takes its place in other catalogs.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Objects => Self::Metadata,
            Self::Metadata => Self::Objects,
        }
    }
}

// Releases of `opm`, and what its checks came with.

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

    /// The release that OpenShift judges with, from this minor version of OpenShift 4 on; 5.0 is as 4.23 (the branches `release-4.12` to `release-5.1` of
    /// openshift/operator-framework-olm, `staging/operator-registry`). Where a branch has fewer checks than the release that its
    /// `go.mod` names, the checks decide: 4.12 and 4.13 have none that came after v1.26.0, and 4.14 does not read `olm.deprecations`.
    const OF_OPENSHIFT: [(u32, Self); 11] = [
        (0, Self::OLDEST),
        (14, Self::UNIQUE_KEYS),
        (15, Self(1, 33, 0)),
        (16, Self(1, 39, 0)),
        (17, Self(1, 45, 0)),
        (18, Self(1, 48, 0)),
        (19, Self(1, 51, 0)),
        (20, Self(1, 56, 0)),
        (21, Self(1, 61, 0)),
        (22, Self(1, 65, 0)),
        (23, Self(1, 73, 0)),
    ];

    /// The release that judges a catalog: this one if somebody chose it, else that of the version of OpenShift that the catalog is
    /// served on, else the newest.
    ///
    /// ```
    /// use source::OpmVersion;
    ///
    /// let chosen = OpmVersion(1, 57, 0);
    /// let serving = |version: &str| OpmVersion::NEWEST.serving(version.parse().ok());
    /// assert_eq!(chosen.serving("4.12".parse().ok()), chosen);
    /// assert_eq!(OpmVersion::NEWEST.serving(None), OpmVersion::NEWEST);
    /// assert_eq!(["4.12", "4.15", "4.22", "5.1"].map(serving), [(1, 26), (1, 33), (1, 65), (1, 73)].map(|(one, two)| OpmVersion(one, two, 0)));
    /// ```
    #[must_use]
    pub fn serving(self, openshift: Option<OpenShift>) -> Self {
        let Some(version) = openshift.filter(|_| self == Self::NEWEST) else { return self };
        let minor = if version.major > 4 { u32::MAX } else { version.minor };
        Self::OF_OPENSHIFT.iter().rev().find(|(first, _)| *first <= minor).map_or(self, |(_, release)| *release)
    }

    /// It in words.
    ///
    /// ```
    /// use source::OpmVersion;
    ///
    /// assert_eq!([OpmVersion(1, 56, 0), OpmVersion::NEWEST].map(OpmVersion::named), ["opm v1.56.0", "the newest opm"]);
    /// ```
    #[must_use]
    pub fn named(self) -> String {
        if self == Self::NEWEST { "the newest opm".to_owned() } else { format!("opm {self}") }
    }

    /// The first version of OpenShift that judges with this release or a newer one; `None` if none does yet.
    #[must_use]
    pub fn first_openshift(self) -> Option<OpenShift> {
        let (minor, _) = Self::OF_OPENSHIFT.iter().find(|(_, release)| self <= *release)?;
        Some(OpenShift { major: 4, minor: *minor })
    }

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

// Which oc-mirror filters a catalog.

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

#[cfg(test)]
mod tests {
    use super::OpenShift;

    fn version(text: &str) -> OpenShift {
        text.parse().expect("a version")
    }

    #[test]
    fn the_order_is_that_of_the_numbers() {
        let mut versions = ["5.1", "4.10", "5.0", "4.9", "4.23"].map(version);
        versions.sort_unstable();
        assert_eq!(versions, ["4.9", "4.10", "4.23", "5.0", "5.1"].map(version));
    }

    #[test]
    fn one_release_has_two_numbers() {
        let (last, first) = (version("4.23"), version("5.0"));
        assert!(last.is_sibling(first) && first.is_sibling(last));
        assert!(!last.is_sibling(last) && !last.is_sibling(version("4.22")));
        assert!(!last.next().any(|next| next == first));
    }
}
