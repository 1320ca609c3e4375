//! Minor versions of OpenShift: each has a catalog of its own.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A minor version of OpenShift 4 or 5. Its order is that of its numbers: 4.9 is before 4.10, and 4.23 before 5.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OpenShift {
    /// 4 or 5.
    pub major: u32,
    /// The number behind the dot.
    pub minor: u32,
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

    /// Whether its Kubernetes is older than a `minKubeVersion`, by major and minor number: the patch is not known. A text without
    /// these numbers needs none.
    ///
    /// ```
    /// use source::OpenShift;
    ///
    /// let version: OpenShift = "4.18".parse().unwrap();
    /// assert_eq!(["1.31.9", "v1.32.0", "1.32", "latest"].map(|least| version.is_older_than(least)), [false, true, true, false]);
    /// ```
    #[must_use]
    pub fn is_older_than(self, min_kube_version: &str) -> bool {
        let mut numbers = min_kube_version.strip_prefix('v').unwrap_or(min_kube_version).split('.').map(str::parse);
        matches!((numbers.next(), numbers.next()), (Some(Ok(major)), Some(Ok(minor))) if (major, minor) > self.kubernetes())
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
