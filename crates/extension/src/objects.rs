//! The objects that operator-controller reads: ClusterCatalogs and ClusterExtensions, as far as they affect a resolution.

use std::collections::BTreeMap;

use catalog::{Bundle, BundleName, Catalog, ChannelName};
use predicate::{PackageName, Property, name};

use crate::config::InlineConfig;
use crate::error::InstalledVersionError;
use crate::release::VersionRelease;
use crate::selector::Selector;

name! {
    /// The name of a ClusterCatalog.
    CatalogName
}
name! {
    /// The name of a ClusterExtension.
    ExtensionName
}

/// The label that every ClusterCatalog has, with its name as value: a webhook of catalogd adds it.
pub const NAME_LABEL: &str = "olm.operatorframework.io/metadata.name";

/// A ClusterCatalog (catalogd `api/v1/clustercatalog_types.go`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterCatalog {
    /// Its name.
    pub name: CatalogName,
    /// Its labels; [`NAME_LABEL`] need not be among them.
    pub labels: BTreeMap<Box<str>, Box<str>>,
    /// `spec.priority`: of catalogs with candidates the one with the highest priority wins.
    pub priority: i32,
    /// `spec.availabilityMode`
    pub availability: Availability,
}

impl ClusterCatalog {
    /// A catalog without labels, with the default priority and availability.
    #[must_use]
    pub fn new(name: CatalogName) -> Self {
        Self { name, labels: BTreeMap::new(), priority: 0, availability: Availability::default() }
    }

    /// The value of a label. [`NAME_LABEL`] always has the name of the catalog.
    #[must_use]
    pub fn label(&self, key: &str) -> Option<&str> {
        if key == NAME_LABEL { Some(self.name.as_str()) } else { self.labels.get(key).map(|value| &**value) }
    }
}

/// `spec.availabilityMode` of a ClusterCatalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Availability {
    /// `Available`
    #[default]
    Available,
    /// `Unavailable`: no extension is resolved from it.
    Unavailable,
}

/// A ClusterCatalog with what it serves.
#[derive(Clone, Copy, Debug)]
pub struct CatalogState<'c> {
    /// The object.
    pub object: &'c ClusterCatalog,
    /// Its content; absent while catalogd does not serve it.
    pub content: Option<&'c Catalog>,
}

/// A ClusterExtension (operator-controller `api/v1/clusterextension_types.go`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterExtension {
    /// Its name.
    pub name: ExtensionName,
    /// `spec.namespace`, in which the operator is installed.
    pub namespace: Box<str>,
    /// `packageName`
    pub package: PackageName,
    /// `version` as written; empty if there is no constraint.
    pub version: Box<str>,
    /// `channels` in the order of the text; empty for all channels.
    pub channels: Vec<ChannelName>,
    /// `selector`
    pub selector: Selector,
    /// `upgradeConstraintPolicy`
    pub policy: UpgradeConstraintPolicy,
    /// `spec.config.inline`; absent if there is no configuration.
    pub config: Option<InlineConfig>,
    /// `status.install.bundle`
    pub installed: Option<InstalledBundle>,
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
    /// `name`
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
    /// Reads the version. A release of its own field counts instead of build metadata, whatever the feature gates.
    ///
    /// # Errors
    /// When blang does not accept the version, or the release is none.
    pub fn version_release(&self) -> Result<VersionRelease, InstalledVersionError> {
        match &self.release {
            Some(release) => {
                VersionRelease::with_release(&self.version, release).map_err(InstalledVersionError::Release)
            }
            None => VersionRelease::parse(&self.version).map_err(InstalledVersionError::Version),
        }
    }
}
