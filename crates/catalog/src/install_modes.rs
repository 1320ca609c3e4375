//! The install modes of a ClusterServiceVersion: which sets of namespaces its operator can watch.

use std::collections::BTreeSet;
use std::fmt;

/// `spec.installModes`, in order: the type of each mode, and whether it is supported. A mode that is not listed is not
/// supported. Its `Display` form is Go's, such as `[{OwnNamespace true} {AllNamespaces false}]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstallModes(Box<[(Box<str>, bool)]>);

impl InstallModes {
    /// Whether the mode is supported.
    #[must_use]
    pub fn supports(&self, mode: &str) -> bool {
        self.0.iter().any(|(listed, supported)| **listed == *mode && *supported)
    }

    /// The supported modes.
    #[must_use]
    pub fn supported(&self) -> BTreeSet<Box<str>> {
        self.0.iter().filter(|(_, supported)| *supported).map(|(mode, _)| mode.clone()).collect()
    }

    /// Whether a mode is listed twice.
    #[must_use]
    pub fn has_duplicates(&self) -> bool {
        self.0.iter().map(|(mode, _)| mode).collect::<BTreeSet<_>>().len() < self.0.len()
    }
}

impl<M: Into<Box<str>>> FromIterator<(M, bool)> for InstallModes {
    fn from_iter<I: IntoIterator<Item = (M, bool)>>(modes: I) -> Self {
        Self(modes.into_iter().map(|(mode, supported)| (mode.into(), supported)).collect())
    }
}

impl fmt::Display for InstallModes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modes: Vec<String> = self.0.iter().map(|(mode, supported)| format!("{{{mode} {supported}}}")).collect();
        write!(f, "[{}]", modes.join(" "))
    }
}
