//! Requirements that nothing in the catalog meets any more.

use super::case::{Case, Change};
use super::entries::{NewlySkipped, newly_skipped};
use crate::edit::{Edit, EntryChange};
use crate::rule::Rule;
use catalog::predicate::{PackageName, Property, Requirement};
use catalog::{Bundle, BundleName, Catalog, Package};
use std::collections::{BTreeMap, BTreeSet};
use update_graph::UpdateChain;

/// A requirement, and the bundles that have it.
struct Required<'c> {
    requirement: Requirement,
    by: BTreeSet<&'c BundleName>,
}

/// Entries that are skipped now or no longer listed, where one of them was the last to meet a requirement of a bundle.
/// Skipped entries meet none (operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`, `sortBundles`).
pub(super) fn lost(case: &Case<'_>) -> Vec<Change> {
    let stays: BTreeSet<&BundleName> = bundles_in_chains(case.new).map(|bundle| &bundle.name.value).collect();
    let mut lost: BTreeMap<&BundleName, &Bundle> = BTreeMap::new();
    lost.extend(bundles_in_chains(case.old).map(|bundle| (&bundle.name.value, bundle)));
    lost.retain(|name, _| !stays.contains(name));
    if lost.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let packages = &case.catalog.packages;
    for (text, Required { requirement, by }) in requirements(case.catalog) {
        let meets = |package: &PackageName, bundle: &Bundle| is_met(&requirement, package, bundle);
        // The highest version tells most.
        let providers = lost.values().filter(|bundle| meets(&case.old.name, bundle));
        let Some(provider) = providers.max_by_key(|bundle| bundle.version()) else { continue };
        let is_in_chain = |package: &Package| bundles_in_chains(package).any(|bundle| meets(&package.name, bundle));
        if packages.iter().any(|package| is_in_chain(package)) {
            continue;
        }
        let Some((reason, edit)) = reason(case, &provider.name.value) else { continue };
        let Some(first) = by.first() else { continue };
        let requirers = match by.len() - 1 {
            0 => format!("`{first}` requires"),
            1 => format!("`{first}` and another bundle require"),
            others => format!("`{first}` and {others} other bundles require"),
        };
        let message = format!("{requirers} {text}, which nothing in this catalog provides any more: {reason}");
        found.push(Change { rule: Rule::ProviderLost, message, edit });
    }
    found
}

/// The bundles that OLM can choose from the channels of a package.
fn bundles_in_chains(package: &Package) -> impl Iterator<Item = &Bundle> {
    let chains = package.channels.iter().filter_map(|channel| UpdateChain::of(package, channel).ok());
    let entries = chains.flat_map(|chain| chain.entries);
    entries.filter_map(|entry| package.bundle(entry.name.value.as_str()))
}

/// The required APIs and packages in words, without those of bundles that provide them themselves.
fn requirements(catalog: &Catalog) -> BTreeMap<String, Required<'_>> {
    let mut found: BTreeMap<String, Required<'_>> = BTreeMap::new();
    for package in &catalog.packages {
        for bundle in &package.bundles {
            for property in &bundle.properties {
                let text = match &property.value {
                    Property::GvkRequired(api, _) => api.to_string(),
                    Property::PackageRequired { name, range, .. } => format!("package `{name}` in range `{range}`"),
                    _ => continue,
                };
                let Some(Ok(requirement)) = Requirement::of(&property.value) else { continue };
                if !is_met(&requirement, &package.name, bundle) {
                    let required = Required { requirement, by: BTreeSet::new() };
                    found.entry(text).or_insert(required).by.insert(&bundle.name.value);
                }
            }
        }
    }
    found
}

/// Whether a bundle meets a requirement. If OLM would crash on its range, it meets none.
fn is_met(requirement: &Requirement, package: &PackageName, bundle: &Bundle) -> bool {
    let properties = bundle.properties.iter().map(|property| &property.value);
    requirement.holds(package, bundle.version(), properties) == Ok(true)
}

/// Why OLM can no longer choose an entry, and the edit that this is due to.
fn reason(case: &Case<'_>, lost: &BundleName) -> Option<(String, Edit)> {
    let skipped = newly_skipped(case).into_iter().find(|skipped| skipped.name == lost);
    if let Some(NewlySkipped { channel, entry, edit, .. }) = skipped {
        return Some((format!("`{entry}` skips `{lost}` in channel `{channel}`"), edit.clone()));
    }
    case.edits.iter().find_map(|edit| {
        let reason = match edit {
            Edit::Entry { channel, entry, change: EntryChange::Removed } if entry == lost => {
                format!("channel `{channel}` no longer lists `{lost}`")
            }
            Edit::ChannelRemoved(channel) => {
                case.old.channel(channel.as_str())?.entry(lost.as_str())?;
                format!("channel `{channel}`, which lists `{lost}`, is gone")
            }
            _ => return None,
        };
        Some((reason, edit.clone()))
    })
}
