//! The rows of a comparison: every version that a cluster may have installed, with what becomes of it before and after.

use crate::extension::ExtensionStates;
use crate::path::Path;
use crate::rule::Rule;
use crate::state::{Installed, PackageState, State};
use crate::subscription::SubscriptionStates;
use crate::updater::{Listed, rows_of};
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName, Package};
use go_semver::blang::Version;
use source::Runtime;
use std::collections::BTreeSet;

/// The comparison of one package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageComparison {
    pub package: PackageName,
    /// Those with a Subscription: one for each channel of the old state and each of its entries, in the order of the text. Then,
    /// if OLM v1 is compared too, those with an extension that names no channels, once for each bundle, and those with one
    /// that names the channel.
    pub rows: Vec<Row>,
}

/// What updates an installed version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UpdatedBy {
    /// OLM v0: a Subscription to the channel of the row.
    Subscription,
    /// OLM v1: an extension that names no channels.
    Extension,
    /// OLM v1: an extension that names the channel of the row alone.
    ExtensionOfChannel,
}

/// An installed version that a channel of the old state lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub updated_by: UpdatedBy,
    /// The channel that lists it; for an extension that names no channels the first one.
    pub channel: ChannelName,
    /// The name of the CSV.
    pub installed: BundleName,
    /// Its version in the old state, which is what the cluster has.
    pub version: Option<Version>,
    /// What becomes of it before the change.
    pub old: Path,
    /// What becomes of it after the change.
    pub new: Path,
    /// What the difference means; absent if there is none.
    pub rule: Option<Rule>,
}

impl UpdatedBy {
    /// Whether OLM v1 updates it.
    #[must_use]
    pub const fn is_v1(self) -> bool {
        !matches!(self, Self::Subscription)
    }
}

impl Row {
    /// The channel that the Subscription or the extension names.
    #[must_use]
    pub fn named_channel(&self) -> Option<&ChannelName> {
        Some(&self.channel).filter(|_| self.updated_by != UpdatedBy::Extension)
    }

    /// What tells it from other rows of its package.
    #[must_use]
    pub const fn key(&self) -> (UpdatedBy, &ChannelName, &BundleName) {
        (self.updated_by, &self.channel, &self.installed)
    }
}

impl PackageComparison {
    /// The rows with a Subscription.
    pub fn subscriptions(&self) -> impl Iterator<Item = &Row> + Clone {
        self.rows.iter().filter(|row| !row.updated_by.is_v1())
    }

    /// The rows with an extension.
    pub fn extensions(&self) -> impl Iterator<Item = &Row> + Clone {
        self.rows.iter().filter(|row| row.updated_by.is_v1())
    }
}

/// Compares two states of a catalog under OLM v0: all packages of the old one, by name.
#[must_use]
pub fn compare(old: State<'_>, new: State<'_>) -> Vec<PackageComparison> {
    old.catalog.packages.iter().map(|package| compare_package(old, new, &package.name, Runtime::V0)).collect()
}

/// Compares two states of one package. The rows of OLM v0 are always there: what OLM v1 does not follow is judged by them.
#[must_use]
pub fn compare_package(old: State<'_>, new: State<'_>, name: &PackageName, runtime: Runtime) -> PackageComparison {
    rows(name, (old, new), SubscriptionStates::of(old, new, name), runtime)
}

/// The same without OLM's errors, each of which takes a resolution: no rule needs their texts.
#[must_use]
pub fn rows_without_texts(old: State<'_>, new: State<'_>, name: &PackageName, runtime: Runtime) -> PackageComparison {
    rows(name, (old, new), SubscriptionStates::of(old, new, name).without_texts(), runtime)
}

/// What becomes of installed versions with Subscriptions to a channel, without OLM's errors.
#[must_use]
pub fn subscription_paths(
    state: State<'_>,
    package: &PackageName,
    channel: &ChannelName,
    installed: &[Installed<'_>],
) -> Vec<Path> {
    PackageState::of(state, package).without_texts().paths(channel, installed)
}

fn rows(
    name: &PackageName,
    (old, new): (State<'_>, State<'_>),
    states: SubscriptionStates<'_>,
    runtime: Runtime,
) -> PackageComparison {
    let mut comparison = PackageComparison { package: name.clone(), rows: Vec::new() };
    let Some(package) = old.catalog.package(name.as_str()) else { return comparison };
    for channel in &package.channels {
        let listed = listed(package, &channel.name.value);
        comparison.rows.extend(rows_of(&states.channel(&channel.name.value), UpdatedBy::Subscription, &listed));
    }
    if runtime.has_v1() {
        let extensions = extension_rows(&ExtensionStates::of(old, new, package), package, &comparison.rows);
        comparison.rows.extend(extensions);
    }
    comparison
}

/// The versions that a channel lists, each once.
fn listed<'c>(package: &'c Package, channel: &'c ChannelName) -> Vec<Listed<'c>> {
    let entries = package.channel(channel.as_str()).map(|channel| &channel.entries[..]).unwrap_or_default();
    let mut known = BTreeSet::new();
    let names = entries.iter().map(|entry| &entry.name.value).filter(|name| known.insert(*name));
    let listed = |name| Listed { channel, installed: Installed { name, bundle: package.bundle(name.as_str()) } };
    names.map(listed).collect()
}

/// The rows of OLM v1, where `subscriptions` has those of OLM v0. Names without a bundle have none, because OLM v1 cannot have
/// installed them.
fn extension_rows<'c>(states: &ExtensionStates<'c>, package: &'c Package, subscriptions: &[Row]) -> Vec<Row> {
    let next: Vec<_> = subscriptions.iter().map(|row| (row.key(), [&row.old, &row.new])).collect();
    let next: std::collections::BTreeMap<_, _> = next.into_iter().collect();
    let v0_next = |listed: &Listed<'_>| {
        let paths = next.get(&(UpdatedBy::Subscription, listed.channel, listed.installed.name));
        paths.map_or([None, None], |paths| paths.map(|path| path.next_version().cloned()))
    };
    let channels: Vec<Vec<Listed<'c>>> = (package.channels.iter())
        .map(|channel| listed(package, &channel.name.value))
        .map(|listed| listed.into_iter().filter(|listed| listed.installed.bundle.is_some()).collect())
        .collect();
    let mut known = BTreeSet::new();
    let firsts: Vec<Listed<'_>> =
        channels.iter().flatten().copied().filter(|listed| known.insert(listed.installed.name)).collect();
    let mut rows = rows_of(&states.extensions(None, &v0_next), UpdatedBy::Extension, &firsts);
    for listed in channels.iter().filter(|listed| !listed.is_empty()) {
        let updater = states.extensions(Some(listed[0].channel), &v0_next);
        rows.extend(rows_of(&updater, UpdatedBy::ExtensionOfChannel, listed));
    }
    rows
}
