//! Installed CSVs as the resolver sees them.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/source_csvs.go`.

use std::sync::Arc;

use catalog::predicate::{Gvk, PackageName, Property};
use cluster::{CsvProperties, InstalledCsv, PlacedProperty, SubscriptionSpec};
use go_semver::blang::Version;

use crate::snapshot::Entry;

impl Entry {
    /// The CSV that installing the bundle leaves behind: it carries the bundle's properties, version and name.
    #[must_use]
    pub fn installed(&self) -> InstalledCsv {
        InstalledCsv {
            name: self.name.clone(),
            version: self.version.clone().unwrap_or(Version::new(0, 0, 0)),
            properties: CsvProperties::Known(Arc::clone(&self.properties)),
        }
    }

    /// The entry that the resolver sees of a CSV, or OLM's text why the installed operators cannot be listed.
    ///
    /// # Errors
    /// The text of OLM, where it cannot read the properties.
    pub fn of_csv(csv: &InstalledCsv, subscriptions: &[SubscriptionSpec]) -> Result<Self, String> {
        let properties: Arc<[PlacedProperty]> = match &csv.properties {
            CsvProperties::Inferred { provided, required } => inferred(csv, provided, required, subscriptions).into(),
            CsvProperties::Known(properties) => Arc::clone(properties),
            CsvProperties::Broken(error) => return Err(error.to_string()),
        };
        let package = properties.iter().rev().find_map(|placed| match &placed.property {
            Property::Package { name, .. } => Some(name.clone()),
            _ => None,
        });
        Ok(Self {
            name: csv.name.clone(),
            package: package.unwrap_or_else(|| "".into()),
            channel: "".into(),
            default_channel: false,
            replaces: None,
            skips: Vec::new(),
            skip_range: None,
            version: Some(csv.version.clone()),
            properties,
            span: None,
        })
    }
}

fn inferred(
    csv: &InstalledCsv,
    provided: &[Gvk],
    required: &[Gvk],
    subscriptions: &[SubscriptionSpec],
) -> Vec<PlacedProperty> {
    let provided = sorted(provided).into_iter().map(Property::from);
    let required = sorted(required).into_iter().map(Property::gvk_required);
    let package = subscribed_package(csv, subscriptions).map(|name| {
        let none = Version::new(0, 0, 0);
        let version = if csv.version == none { String::new() } else { csv.version.to_string() };
        Property::package(name, version.into())
    });
    let properties = provided.chain(required).chain(package);
    properties.map(|property| PlacedProperty { property, span: None }).collect()
}

/// The package of the Subscriptions that installed the CSV, if they name exactly one.
fn subscribed_package(csv: &InstalledCsv, subscriptions: &[SubscriptionSpec]) -> Option<PackageName> {
    let mine = subscriptions.iter().filter(|subscription| subscription.installed_csv.as_ref() == Some(&csv.name));
    let mut packages: Vec<&PackageName> = mine.map(|subscription| &subscription.package).collect();
    packages.sort();
    packages.dedup();
    match packages[..] {
        [package] if !package.as_str().is_empty() => Some(package.clone()),
        _ => None,
    }
}

/// In the order of their JSON text `{"group":…,"kind":…,"version":…}`.
fn sorted(gvks: &[Gvk]) -> Vec<Gvk> {
    let mut gvks = gvks.to_vec();
    gvks.sort_by(|a, b| (&a.group, &a.kind, &a.version).cmp(&(&b.group, &b.kind, &b.version)));
    gvks
}
