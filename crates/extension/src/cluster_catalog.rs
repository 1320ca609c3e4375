//! ClusterCatalogs, as far as they affect a resolution.

use std::collections::BTreeMap;

use catalog::Catalog;
use catalog::name;

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
    /// Whether its status says that it is served.
    pub is_served: bool,
    /// `status.resolvedSource.image.ref`: the image that is served, by its digest.
    pub resolved_image: Option<Box<str>>,
    /// `status.urls.base`: the address in the cluster at which catalogd serves it.
    pub url: Option<Box<str>>,
}

impl ClusterCatalog {
    /// A catalog without labels, annotations and image, with the default priority and availability.
    #[must_use]
    pub fn new(name: CatalogName) -> Self {
        Self {
            name,
            labels: BTreeMap::new(),
            annotations: BTreeMap::new(),
            image: None,
            priority: 0,
            availability: Availability::default(),
            is_served: false,
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

/// A ClusterCatalog with what it serves.
#[derive(Clone, Copy, Debug)]
pub struct CatalogState<'c> {
    pub object: &'c ClusterCatalog,
    /// Absent while catalogd does not serve it, or if it is not known what it serves.
    pub content: Option<&'c Catalog>,
}
