//! The objects of a namespace before the resolution: Subscriptions and installed CSVs.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/source_csvs.go`.

use std::sync::Arc;

use catalog::predicate::{Gvk, PackageName, Property};
use catalog::{BundleName, ChannelName};
use go_semver::blang::Version;
use update_graph::version_in;

use crate::entry::{CatalogKey, Entry, PlacedProperty};

/// A Subscription, as far as a resolution looks at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    pub name: Arc<str>,
    /// `spec.name`
    pub package: PackageName,
    /// `spec.channel`; absent when empty, which means any.
    pub channel: Option<ChannelName>,
    /// `spec.source` and `spec.sourceNamespace`; absent when both are empty, which means every visible catalog.
    pub catalog: Option<CatalogKey>,
    /// `spec.startingCSV`; absent when empty.
    pub starting_csv: Option<BundleName>,
    /// `status.installedCSV`; absent when empty.
    pub installed_csv: Option<BundleName>,
}

/// A ClusterServiceVersion of the namespace, in whatever phase.
#[derive(Clone, Debug, PartialEq)]
pub struct InstalledCsv {
    pub name: BundleName,
    /// `spec.version`; 0.0.0 when unset.
    pub version: Version,
    pub properties: CsvProperties,
}

/// Where the properties of an installed CSV come from.
#[derive(Clone, Debug, PartialEq)]
pub enum CsvProperties {
    /// There is no annotation: OLM infers from what the CSV owns and requires.
    Inferred {
        /// Owned CRDs and APIServices.
        provided: Vec<Gvk>,
        /// Required CRDs and APIServices.
        required: Vec<Gvk>,
    },
    /// Known as values: of a CSV that was made from a bundle, or that carries them in the annotation
    /// `operatorframework.io/properties`, which stands for everything.
    Known(Arc<[PlacedProperty]>),
    /// OLM fails to read them with this error.
    Broken(Box<str>),
}

impl InstalledCsv {
    /// The CSV that installing a bundle leaves behind: it carries the bundle's properties, version and name.
    #[must_use]
    pub fn from_bundle(entry: &Entry) -> Self {
        Self {
            name: entry.name.clone(),
            version: entry.version.clone().unwrap_or(Version::new(0, 0, 0)),
            properties: CsvProperties::Known(Arc::clone(&entry.properties)),
        }
    }

    /// A CSV of which only the name is known: it has the version in the name, and provides and requires nothing.
    #[must_use]
    pub fn of_name(name: &BundleName) -> Self {
        Self {
            name: name.clone(),
            version: version_in(name.as_str()).unwrap_or(Version::new(0, 0, 0)),
            properties: CsvProperties::Inferred { provided: Vec::new(), required: Vec::new() },
        }
    }

    /// The entry that the resolver sees, or OLM's text why the installed operators cannot be listed.
    pub(crate) fn entry(&self, subscriptions: &[Subscription]) -> Result<Entry, String> {
        let properties: Arc<[PlacedProperty]> = match &self.properties {
            CsvProperties::Inferred { provided, required } => self.inferred(provided, required, subscriptions).into(),
            CsvProperties::Known(properties) => Arc::clone(properties),
            CsvProperties::Broken(error) => return Err(error.to_string()),
        };
        let package = properties.iter().rev().find_map(|placed| match &placed.property {
            Property::Package { name, .. } => Some(name.clone()),
            _ => None,
        });
        Ok(Entry {
            name: self.name.clone(),
            package: package.unwrap_or_else(|| "".into()),
            channel: "".into(),
            default_channel: false,
            replaces: None,
            skips: Vec::new(),
            skip_range: None,
            version: Some(self.version.clone()),
            properties,
            span: None,
        })
    }

    fn inferred(&self, provided: &[Gvk], required: &[Gvk], subscriptions: &[Subscription]) -> Vec<PlacedProperty> {
        let provided = sorted(provided).into_iter().map(Property::from);
        let required = sorted(required).into_iter().map(Property::gvk_required);
        let package = self.subscribed_package(subscriptions).map(|name| {
            let none = Version::new(0, 0, 0);
            let version = if self.version == none { String::new() } else { self.version.to_string() };
            Property::package(name, version.into())
        });
        let properties = provided.chain(required).chain(package);
        properties.map(|property| PlacedProperty { property, span: None }).collect()
    }

    /// The package of the Subscriptions that installed the CSV, if they name exactly one.
    fn subscribed_package(&self, subscriptions: &[Subscription]) -> Option<PackageName> {
        let mine = subscriptions.iter().filter(|subscription| subscription.installed_csv.as_ref() == Some(&self.name));
        let mut packages: Vec<&PackageName> = mine.map(|subscription| &subscription.package).collect();
        packages.sort();
        packages.dedup();
        match packages[..] {
            [package] if !package.as_str().is_empty() => Some(package.clone()),
            _ => None,
        }
    }
}

/// In the order of their JSON text `{"group":…,"kind":…,"version":…}`.
fn sorted(gvks: &[Gvk]) -> Vec<Gvk> {
    let mut gvks = gvks.to_vec();
    gvks.sort_by(|a, b| (&a.group, &a.kind, &a.version).cmp(&(&b.group, &b.kind, &b.version)));
    gvks
}
