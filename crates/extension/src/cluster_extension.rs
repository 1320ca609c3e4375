//! ClusterExtensions, as far as they affect a resolution.

use catalog::name;
use catalog::predicate::{PackageName, Property};
use catalog::{Bundle, BundleName, ChannelName};

use crate::config::InlineConfig;
use crate::error::InstalledVersionError;
use crate::release::VersionRelease;
use crate::selector::Selector;
use source::{FeatureGate, OlmV1};

name! {
    /// The name of a ClusterExtension.
    ExtensionName
}

/// A ClusterExtension (operator-controller `api/v1/clusterextension_types.go`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterExtension {
    pub name: ExtensionName,
    /// `spec.namespace`, in which the operator is installed.
    pub namespace: Box<str>,
    /// `packageName`
    pub package: PackageName,
    /// `version` as written; empty if there is no constraint.
    pub version: Box<str>,
    /// `channels` in the order of the text; empty for all channels.
    pub channels: Vec<ChannelName>,
    pub selector: Selector,
    /// `upgradeConstraintPolicy`
    pub policy: UpgradeConstraintPolicy,
    /// `spec.config.inline`; absent if there is no configuration.
    pub config: Option<InlineConfig>,
    /// `status.install.bundle`
    pub installed: Option<InstalledBundle>,
    /// The OLM v1 of its cluster.
    pub olm: OlmV1,
}

impl ClusterExtension {
    /// An extension that takes any bundle of a package, and has none installed.
    #[must_use]
    pub fn new(name: ExtensionName, package: PackageName) -> Self {
        Self {
            name,
            namespace: "".into(),
            package,
            version: "".into(),
            channels: Vec::new(),
            selector: Selector::default(),
            policy: UpgradeConstraintPolicy::default(),
            config: None,
            installed: None,
            olm: OlmV1::default(),
        }
    }
}

/// `upgradeConstraintPolicy`: whether updates follow the edges of the catalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpgradeConstraintPolicy {
    /// `CatalogProvided`
    #[default]
    CatalogProvided,
    /// `SelfCertified`: any version may follow, also a lower one.
    SelfCertified,
}

/// The bundle that `status.install.bundle` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledBundle {
    pub name: BundleName,
    /// `version` as written.
    pub version: Box<str>,
    /// `release` as written, which may be empty; absent if the field is missing.
    pub release: Option<Box<str>>,
}

impl InstalledBundle {
    /// A bundle of a catalog as an extension has it installed: with the version as written, which is empty if it has none.
    #[must_use]
    pub fn of(bundle: &Bundle) -> Self {
        let version = bundle.properties.iter().find_map(|property| match &property.value {
            Property::Package { version, .. } => Some(version.clone()),
            _ => None,
        });
        Self { name: bundle.name.value.clone(), version: version.unwrap_or_default(), release: None }
    }
}

impl InstalledBundle {
    /// A bundle as the status has it once this OLM v1 installed it (operator-controller
    /// `internal/operator-controller/bundleutil/bundle.go`).
    pub(crate) fn recorded(name: BundleName, version: &VersionRelease, olm: OlmV1) -> Self {
        if !olm.is_on(FeatureGate::BundleReleaseSupport) {
            return Self { name, version: version.recorded().into(), release: None };
        }
        let release = version.release.as_ref().map(|release| release.as_str().into());
        Self { name, version: version.version.to_string().into(), release }
    }

    /// Reads the version as this OLM v1 does. A release of its own field counts instead of build metadata, whatever the feature
    /// gates.
    ///
    /// # Errors
    /// When blang does not accept the version, or the release is none.
    pub fn version_release(&self, olm: OlmV1) -> Result<VersionRelease, InstalledVersionError> {
        match &self.release {
            Some(release) => {
                VersionRelease::with_release(&self.version, release).map_err(InstalledVersionError::Release)
            }
            None => VersionRelease::parse(&self.version, olm).map_err(InstalledVersionError::Version),
        }
    }
}
