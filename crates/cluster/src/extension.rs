//! The objects of OLM v1, ClusterCatalogs and ClusterExtensions, as far as they affect a resolution.

use std::collections::BTreeMap;
use std::fmt;

use catalog::predicate::{PackageName, Property};
use catalog::{Bundle, BundleName, ChannelName, is_dns_subdomain, name};
use source::OlmV1;

use crate::extension_status::{ReportedCondition, ReportedFailure, Revision};
use crate::selector::Selector;

name! {
    /// The name of a ClusterCatalog.
    CatalogName
}

/// The label that every ClusterCatalog has, with its name as value: a webhook of catalogd adds it.
pub const NAME_LABEL: &str = "olm.operatorframework.io/metadata.name";

/// A ClusterCatalog (catalogd `api/v1/clustercatalog_types.go`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterCatalog {
    pub name: CatalogName,
    /// [`NAME_LABEL`] need not be among them.
    pub labels: BTreeMap<Box<str>, Box<str>>,
    pub annotations: BTreeMap<Box<str>, Box<str>>,
    /// `spec.source.image.ref`; absent in an abbreviated manifest. No resolution reads it.
    pub image: Option<Box<str>>,
    /// `spec.priority`: of catalogs with candidates the one with the highest priority wins.
    pub priority: i32,
    /// `spec.availabilityMode`
    pub availability: Availability,
    /// Whether its status says that it is served; absent if the manifest does not tell.
    pub is_served: Option<bool>,
    /// `status.resolvedSource.image.ref`: the image that is served, by its digest.
    pub resolved_image: Option<Box<str>>,
    /// `status.urls.base`: the address in the cluster at which catalogd serves it.
    pub url: Option<Box<str>>,
}

impl ClusterCatalog {
    /// A catalog without labels, annotations and image, with the default priority and availability; served only with a content.
    #[must_use]
    pub fn new(name: CatalogName) -> Self {
        Self {
            name,
            labels: BTreeMap::new(),
            annotations: BTreeMap::new(),
            image: None,
            priority: 0,
            availability: Availability::default(),
            is_served: Some(false),
            resolved_image: None,
            url: None,
        }
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
    #[default]
    Available,
    /// `Unavailable`: no extension is resolved from it.
    Unavailable,
}

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
    /// The conditions in its status.
    pub conditions: Vec<ReportedCondition>,
    /// What it reports of the bundle that OLM v1 chose last.
    pub failure: Option<ReportedFailure>,
    /// What has to be done before it is gone; absent if it is not being deleted.
    pub finalizers: Option<Vec<Box<str>>>,
    /// The revisions that roll out, the oldest first. While there is one, OLM v1 resolves nothing.
    pub rolling_out: Vec<Revision>,
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
            conditions: Vec::new(),
            failure: None,
            finalizers: None,
            rolling_out: Vec::new(),
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

/// The fields of `spec.config.inline`, by name.
pub type InlineConfig = BTreeMap<Box<str>, ConfigValue>;

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigValue {
    Null,
    /// `true` or `false`
    Boolean,
    Number,
    Text(Box<str>),
    List,
    Object,
}

impl ConfigValue {
    /// The name of its type in JSON Schema.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::Text(_) => "string",
            Self::List => "array",
            Self::Object => "object",
        }
    }
}

// The forms of names that the API of OLM v1 demands (operator-controller `api/v1/clusterextension_types.go`).

/// The maximum length of a DNS subdomain in bytes.
const LONGEST_SUBDOMAIN: usize = 253;

/// Why a name is no DNS subdomain. The order is that of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameFault {
    Form,
    Length,
}

impl fmt::Display for NameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Form => {
                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
            }
            Self::Length => "must be no more than 253 bytes",
        })
    }
}

/// What is wrong with a name that must be a DNS subdomain (apimachinery `pkg/util/validation`, `IsDNS1123Subdomain`).
pub fn name_faults(name: &str) -> Vec<NameFault> {
    let form = (!is_dns_subdomain(name)).then_some(NameFault::Form);
    let length = (name.len() > LONGEST_SUBDOMAIN).then_some(NameFault::Length);
    form.into_iter().chain(length).collect()
}
