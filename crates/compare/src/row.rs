//! The rows of a comparison: every version that a cluster may have installed, with what becomes of it before and after.

use crate::extension::ExtensionStates;
use crate::path::{ChannelState, Jumps, Path};
use crate::rule::Rule;
use crate::state::{Installed, PackageState, State};
use crate::subscription::SubscriptionStates;
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName, Package};
use go_semver::blang::Version;
use source::Runtime;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

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

// Rows with the same outcome as one group: nobody reads a table of all versions and channels first.

/// Rows that the same rule is about, with Subscriptions or extensions that name the same channel, and whose updates end alike
/// before and after the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group<'r> {
    pub rule: Rule,
    /// The first row, which stands for all.
    pub first: &'r Row,
    /// The rows with the first one: those of OLM v0 by version, those of OLM v1 in the order of the text.
    pub rows: Vec<&'r Row>,
}

/// The rows that a rule is about in groups: those of OLM v0 before those of OLM v1, the worst first, then by channel.
#[must_use]
pub fn groups<'r>(rows: impl IntoIterator<Item = &'r Row>) -> Vec<Group<'r>> {
    let mut found: Vec<(Rule, &Row)> = rows.into_iter().filter_map(|row| Some((row.rule?, row))).collect();
    // The errors of OLM v1 depend on the version: the cause of the newest one, which texts list first, is the simplest.
    let by_version = |row: &Row| (!row.updated_by.is_v1()).then(|| (row.version.clone(), row.installed.clone()));
    found.sort_by_cached_key(|(rule, row)| (*rule, row.named_channel(), by_version(row)));
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for (rule, row) in found {
        let at =
            *known.entry((rule, row.named_channel(), end(row, &row.old), end(row, &row.new))).or_insert_with(|| {
                groups.push(Group { rule, first: row, rows: Vec::new() });
                groups.len() - 1
            });
        groups[at].rows.push(row);
    }
    groups
}

/// How the updates end: those of a group stay where they are, or lead to the same end.
type End<'r> = (&'r ChannelState, bool, Option<&'r str>, Option<&'r BundleName>);

fn end<'r>(row: &Row, path: &'r Path) -> End<'r> {
    let last = path.last().map(|(name, _)| name).filter(|_| !path.repeats);
    // The errors of OLM v1 name the installed version.
    let error = path.error_text().map(|text| if row.updated_by.is_v1() { "" } else { text });
    (&path.state, path.repeats, error, last)
}

// What a runtime does with the installed versions of a package, before and after a change. OLM v0 and OLM v1 implement
// it.

/// Both states of a package, for Subscriptions to one channel, or for extensions that name the same channels.
pub(crate) trait Updater {
    /// What becomes of installed versions before the change: a path for each.
    fn old_paths(&self, installed: &[Installed<'_>]) -> Vec<Path>;

    /// The same after the change.
    fn new_paths(&self, installed: &[Installed<'_>]) -> Vec<Path>;

    /// The worst rule that applies.
    fn rule(&self, case: &Case<'_>) -> Option<Rule>;
}

/// An installed version, and a channel that lists it in the old state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed<'c> {
    pub(crate) channel: &'c ChannelName,
    pub(crate) installed: Installed<'c>,
}

/// A row without its rule.
pub(crate) struct Case<'r> {
    pub(crate) listed: Listed<'r>,
    pub(crate) version: Option<&'r Version>,
    pub(crate) old: &'r Path,
    pub(crate) new: &'r Path,
    pub(crate) jumps: &'r Jumps,
}

impl Case<'_> {
    /// Whether the next update leaves out all versions of a minor version that the updates came through before.
    pub(crate) fn jumps_a_minor(&self) -> bool {
        self.jumps.has_jump((self.old, self.new), self.version)
    }

    pub(crate) fn has_same_end(&self) -> bool {
        let installed = self.listed.installed.name;
        self.old.end(installed) == self.new.end(installed)
    }

    /// How the end compares to the one before, by version.
    pub(crate) fn compare_ends(&self) -> Option<Ordering> {
        Some(self.new.end_version(self.version)?.cmp(self.old.end_version(self.version)?))
    }
}

/// The rows of installed versions.
pub(crate) fn rows_of(updater: &dyn Updater, updated_by: UpdatedBy, listed: &[Listed<'_>]) -> Vec<Row> {
    let installed: Vec<Installed<'_>> = listed.iter().map(|listed| listed.installed).collect();
    let jumps = Jumps::default();
    let paths = updater.old_paths(&installed).into_iter().zip(updater.new_paths(&installed));
    let row = |((old, new), listed): ((Path, Path), &Listed<'_>)| {
        let version = listed.installed.version();
        let case = Case { listed: *listed, version: version.as_ref(), old: &old, new: &new, jumps: &jumps };
        let rule = updater.rule(&case);
        let (channel, installed) = (listed.channel.clone(), listed.installed.name.clone());
        Row { updated_by, channel, installed, version, old, new, rule }
    };
    paths.zip(listed).map(row).collect()
}
