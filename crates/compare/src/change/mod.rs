//! What else changed in a package, besides the updates of its versions. A change that a row is
//! about already is left out.

mod entries;
mod heads;

use crate::edit::{Edit, EntryChange, edits};
use crate::extension::is_selectable;
use crate::row::{PackageComparison, Row};
use crate::rule::Rule;
use crate::state::State;
use catalog::predicate::{Gvk, PackageName, Property, Requirement};
use catalog::{
    Bundle, BundleDetails, BundleName, Catalog, ChannelName, DeprecationTarget, Lifecycle, LifecycleVersion, Package,
};
use entries::{NewlySkipped, newly_skipped};
use heads::{Exchange, exchanges};
use source::{FileId, Level, name_list};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use update_graph::UpdateChain;

/// The texts of both states, from which the rules read what the models leave out. Each gives the text of a file, if that is
/// still known; rules that need another one find nothing.
#[derive(Clone, Copy)]
pub struct Texts<'t> {
    /// Before the change.
    pub old: &'t dyn Fn(FileId) -> Option<Cow<'t, str>>,
    /// After the change.
    pub new: &'t dyn Fn(FileId) -> Option<Cow<'t, str>>,
}

/// The changes to a package that both states have, the worst first.
#[must_use]
pub fn changes(old: State<'_>, new: State<'_>, comparison: &PackageComparison, texts: Texts<'_>) -> Vec<Change> {
    let name = comparison.package.as_str();
    let Some((before, after)) = old.catalog.package(name).zip(new.catalog.package(name)) else { return Vec::new() };
    let exchanges = exchanges(before, after);
    let heads = exchanges.iter().filter_map(|exchange| exchange.bundles);
    let case = Case {
        states: [old, new],
        old: before,
        new: after,
        catalog: new.catalog,
        edits: edits(before, after),
        rows: comparison.subscriptions().map(|row| ((&row.channel, &row.installed), row)).collect(),
        harmed: Harmed::of(comparison.subscriptions()),
        old_heads: heads::read_details(heads.clone().map(|(old, _)| old), texts.old),
        new_heads: heads::read_details(heads.map(|(_, new)| new), texts.new),
        exchanges,
    };
    let mut found: Vec<Change> = Vec::new();
    let mut known = BTreeSet::new();
    let of_entries = [entries::removed, entries::skipped, entries::changes, lost, heads::changed];
    let of_heads = [heads::provides, heads::requires, heads::max_openshift];
    let of_details = [heads::min_kube, heads::min_kube_never, heads::install_modes, heads::related_images];
    let of_bundles = [entries::changed, entries::duplicates];
    let of_package = [channels, unselectable_channels, deprecations];
    let of_lifecycle = [ends_earlier, changed];
    let rules = of_entries.into_iter().chain(of_heads).chain(of_details).chain(of_bundles).chain(of_package);
    let rules = rules.chain(of_lifecycle);
    for change in rules.flat_map(|rule| rule(&case)) {
        // Channels often share their heads.
        if known.insert((change.rule, change.message.clone())) {
            found.push(change);
        }
    }
    found.sort_by_key(|change| std::cmp::Reverse(change.rule.level()));
    found
}

// A package in both states, with what the rules about changes need of it.

/// A change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub rule: Rule,
    /// What changed, and what this means for clusters.
    pub message: String,
    /// Where it is in the texts.
    pub edit: Edit,
}

/// A package in both states.
pub(super) struct Case<'c> {
    pub(super) states: [State<'c>; 2],
    pub(super) old: &'c Package,
    pub(super) new: &'c Package,
    /// The catalog after the change.
    pub(super) catalog: &'c Catalog,
    pub(super) edits: Vec<Edit>,
    pub(super) rows: BTreeMap<(&'c ChannelName, &'c BundleName), &'c Row>,
    pub(super) harmed: Harmed<'c>,
    pub(super) exchanges: Vec<Exchange<'c>>,
    /// The details of the heads that were exchanged, and of those that took their place.
    pub(super) old_heads: BTreeMap<&'c BundleName, BundleDetails>,
    pub(super) new_heads: BTreeMap<&'c BundleName, BundleDetails>,
}

impl<'c> Case<'c> {
    pub(super) fn row(&self, channel: &'c ChannelName, installed: &'c BundleName) -> Option<&'c Row> {
        self.rows.get(&(channel, installed)).copied()
    }
}

/// What the rows say that harms somebody.
#[derive(Default)]
pub(super) struct Harmed<'c> {
    pub(super) rows: BTreeSet<(&'c ChannelName, &'c BundleName)>,
    pub(super) channels: BTreeSet<&'c ChannelName>,
    pub(super) installed: BTreeSet<&'c BundleName>,
}

impl<'c> Harmed<'c> {
    pub(super) fn of(rows: impl Iterator<Item = &'c Row>) -> Self {
        let mut harmed = Self::default();
        for Row { channel, installed, .. } in rows.filter(|row| row.rule.map(Rule::level) >= Some(Level::Risky)) {
            harmed.rows.insert((channel, installed));
            harmed.channels.insert(channel);
            harmed.installed.insert(installed);
        }
        harmed
    }
}

/// The APIs that a bundle provides.
pub(super) fn provided(bundle: &catalog::Bundle) -> Vec<&Gvk> {
    let apis = bundle.properties.iter().filter_map(|property| match &property.value {
        Property::Gvk(gvk, _) => Some(gvk),
        _ => None,
    });
    apis.collect()
}

// The package: its default channel, new channels, deprecations.

/// Another default channel, and new channels.
pub(super) fn channels(case: &Case<'_>) -> Vec<Change> {
    let found = case.edits.iter().filter_map(|edit| {
        let (rule, message) = match edit {
            Edit::DefaultChannel => {
                let name = |package: &Package| package.default_channel.as_ref().map(|name| name.value.clone());
                let message = match [case.old, case.new].map(name) {
                    [Some(before), None] => {
                        format!("the default channel `{before}` is gone: Subscriptions have to name one")
                    }
                    [None, Some(after)] => format!("the default channel is `{after}`; before there was none"),
                    [before, after] => {
                        let [before, after] = [before, after].map(|name| name.map_or_else(String::new, |name| name.to_string()));
                        format!(
                            "the default channel is `{after}` instead of `{before}`: Subscriptions without a channel may cross \
                             over, and new ones use it"
                        )
                    }
                };
                (Rule::DefaultChannelChanged, message)
            }
            Edit::ChannelAdded(name) => (Rule::ChannelAdded, format!("channel `{name}` is new")),
            _ => return None,
        };
        Some(Change { rule, message, edit: edit.clone() })
    });
    found.collect()
}

/// New channels that extensions of OLM v1 cannot name.
fn unselectable_channels(case: &Case<'_>) -> Vec<Change> {
    let added = case.edits.iter().filter_map(|edit| match edit {
        Edit::ChannelAdded(name) if !is_selectable(name) => Some((edit, name)),
        _ => None,
    });
    let change = |(edit, name): (&Edit, &ChannelName)| {
        let message = format!(
            "channel `{name}` is new, and no extension of OLM v1 can name it: it is no DNS subdomain (lower-case letters, \
             digits, `-` and `.`)"
        );
        Change { rule: Rule::ChannelName, message, edit: edit.clone() }
    };
    added.map(change).collect()
}

/// New entries of `olm.deprecations`.
pub(super) fn deprecations(case: &Case<'_>) -> Vec<Change> {
    let is_new = |target: &DeprecationTarget| case.old.deprecations.iter().all(|known| known.target != *target);
    let new = case.new.deprecations.iter().filter(|deprecation| is_new(&deprecation.target));
    let change = |deprecation: &catalog::Deprecation| {
        let target = match &deprecation.target {
            DeprecationTarget::Package => "the package".to_owned(),
            DeprecationTarget::Channel(name) => format!("channel `{name}`"),
            DeprecationTarget::Bundle(name) => format!("bundle `{name}`"),
        };
        let message = format!("{target} is deprecated: Subscriptions get a condition that says so");
        let edit = Edit::Deprecation(deprecation.target.clone());
        Change { rule: Rule::DeprecationAdded, message, edit }
    };
    new.map(change).collect()
}

// Lifecycle data: how long versions are supported.

/// Versions whose support ends earlier.
fn ends_earlier(case: &Case<'_>) -> Vec<Change> {
    let Some((old, new)) = case.old.lifecycle().zip(case.new.lifecycle()) else { return Vec::new() };
    let change = |before: &LifecycleVersion| {
        let version = before.name.as_ref()?;
        let (was, is) = (before.end()?, item(new, before)?.end()?);
        let package = &case.new.name;
        let message =
            || format!("support ends earlier: `{package}` {version} is supported until {is} instead of {was}");
        (is < was).then(|| Change { rule: Rule::SupportEndsEarlier, message: message(), edit: Edit::Lifecycle })
    };
    old.versions.iter().filter_map(change).collect()
}

/// New, removed and otherwise changed lifecycle data.
pub(super) fn changed(case: &Case<'_>) -> Vec<Change> {
    if !case.edits.contains(&Edit::Lifecycle) {
        return Vec::new();
    }
    let message = match (case.old.lifecycle(), case.new.lifecycle()) {
        (_, None) if case.new.lifecycles.is_empty() => {
            "the lifecycle data of the package is gone: the console shows \"No data\"".to_owned()
        }
        (_, None) => {
            let count = case.new.lifecycles.len();
            format!("the package has {count} documents with lifecycle data: the console shows \"No data\"")
        }
        (None, Some(_)) => "the package has lifecycle data, which the console shows".to_owned(),
        (Some(old), Some(new)) => match differing(old, new) {
            names if names.is_empty() => return Vec::new(),
            names => format!("the lifecycle data differs for {}", name_list(names.into_iter())),
        },
    };
    vec![Change { rule: Rule::Metadata, message, edit: Edit::Lifecycle }]
}

/// The versions whose data was added, removed or changed.
fn differing<'l>(old: &'l Lifecycle, new: &'l Lifecycle) -> Vec<&'l str> {
    let differs = |version: &&LifecycleVersion| !item(new, version).is_some_and(|other| other.says_the_same(version));
    let added = new.versions.iter().filter(|version| item(old, version).is_none());
    let versions = old.versions.iter().filter(differs).chain(added);
    versions.filter_map(|version| version.name.as_ref()).map(|name| &*name.value).collect()
}

/// What a document says about the same version.
fn item<'l>(data: &'l Lifecycle, version: &LifecycleVersion) -> Option<&'l LifecycleVersion> {
    let name = &version.name.as_ref()?.value;
    data.versions.iter().find(|other| other.name.as_ref().is_some_and(|other| other.value == *name))
}

// Requirements that nothing in the catalog meets any more.

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
    if lost.is_empty() || may_provide_more(case.catalog) {
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

/// Whether bundles that are not known, or of which only the image is, may provide what the others do not.
pub(super) fn may_provide_more(catalog: &Catalog) -> bool {
    let is_unknown = |package: &Arc<Package>| {
        package.has_unknown_bundles || package.bundles.iter().any(|bundle| bundle.has_unknown_contents)
    };
    catalog.packages.iter().any(is_unknown)
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
