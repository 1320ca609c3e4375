//! What an installed operator requires, and no input has: it runs, so that OLM found it once.

use crate::namespace::{Snapshots, describe_assumed_csvs};
use catalog::BundleName;
use catalog::predicate::{Property, Requirement};
use cluster::{Cluster, Csv, CsvProperties, InstalledCsv, PlacedProperty};
use go_semver::blang::Version;
use resolver::Entry;
use std::sync::Arc;

/// What an installed operator requires and neither a catalog nor a CSV of its namespace has.
#[derive(Clone, Debug, PartialEq)]
pub struct TakenProviders {
    /// The operator.
    pub csv: BundleName,
    /// Its namespace.
    pub namespace: Arc<str>,
    pub requirements: Vec<Requirement>,
}

/// Adds a CSV for each requirement of a running operator that nothing of the input meets, unless the manifests are complete. Only
/// an API and a package are added; what else a constraint asks for cannot be made up.
pub fn take_providers(cluster: &mut Cluster, snapshots: &Snapshots) -> Vec<TakenProviders> {
    let mut taken = Vec::new();
    if cluster.has_all_groups {
        return taken;
    }
    describe_assumed_csvs(cluster, snapshots);
    for csv in cluster.csvs.clone().iter().filter(|csv| csv.phase.as_deref().is_none_or(|phase| phase == "Succeeded")) {
        let Some(entry) = entry(cluster, csv) else { continue };
        let required = entry.properties.iter().filter_map(|placed| Requirement::of(&placed.property)?.ok());
        let mut requirements = Vec::new();
        for requirement in required {
            let here = cluster.csvs.iter().filter(|other| other.namespace == csv.namespace);
            let is_met = here.filter_map(|other| self::entry(cluster, other)).any(|other| meets(&other, &requirement))
                || cluster
                    .visible_to(&csv.namespace)
                    .filter_map(|key| snapshots.get(key))
                    .any(|snapshot| snapshot.listing.entries().iter().any(|entry| meets(entry, &requirement)));
            let Some(property) = property(&requirement).filter(|_| !is_met) else { continue };
            let name = BundleName::from(&*format!("provider-{}", cluster.csvs.len()));
            let properties = CsvProperties::Known(Arc::from([PlacedProperty { property, span: None }]));
            let provider = InstalledCsv { properties, ..InstalledCsv::of_name(&name) };
            cluster.csvs.push(Csv::running(&csv.namespace, provider));
            requirements.push(requirement);
        }
        if !requirements.is_empty() {
            let (csv, namespace) = (csv.installed.name.clone(), Arc::clone(&csv.namespace));
            taken.push(TakenProviders { csv, namespace, requirements });
        }
    }
    taken
}

/// A CSV as the resolver sees it.
fn entry(cluster: &Cluster, csv: &Csv) -> Option<Entry> {
    let here = cluster.subscriptions.iter().filter(|one| one.namespace == csv.namespace);
    Entry::of_csv(&csv.installed, &here.map(|one| one.spec.clone()).collect::<Vec<_>>()).ok()
}

/// Also what is not known counts.
fn meets(entry: &Entry, requirement: &Requirement) -> bool {
    let properties = entry.properties.iter().map(|placed| &placed.property);
    requirement.holds(&entry.package, entry.version.as_ref(), properties).unwrap_or(true)
}

/// A property that meets the requirement: of a package with a version that the text of the range has, or the next patch of one.
fn property(requirement: &Requirement) -> Option<Property> {
    match requirement {
        Requirement::Gvk(gvk) => Some(Property::from(gvk.clone())),
        Requirement::Package { name, range, text } => {
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
            let versions = text.split(|c| !is_part(c)).filter_map(|part| Version::parse(part).ok());
            let next = |version: Version| {
                [version.clone(), Version::new(version.major(), version.minor(), version.patch().saturating_add(1))]
            };
            let version = versions.flat_map(next).find(|version| range.matches(version) == Ok(true))?;
            Some(Property::package(name.clone(), version.to_string().into()))
        }
        _ => None,
    }
}
