//! The rows of a comparison: every version that a cluster may have installed, with what becomes of it before and after.

use crate::jump::Jumps;
use crate::path::Path;
use crate::state::{Installed, PackageState, State};
use crate::verdict::{Case, RowRule, verdict};
use blang_semver::Version;
use catalog::{BundleName, Channel, ChannelName, Package};
use predicate::PackageName;
use std::collections::BTreeSet;

/// The comparison of one package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageComparison {
    /// Its name.
    pub package: PackageName,
    /// One for each channel of the old state and each of its entries, in the order of the text.
    pub rows: Vec<Row>,
}

/// An installed version with a Subscription to a channel that lists it in the old state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The channel.
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
    pub rule: Option<RowRule>,
}

/// Compares two states of a catalog: all packages of the old one, by name.
#[must_use]
pub fn compare(old: State<'_>, new: State<'_>) -> Vec<PackageComparison> {
    old.catalog.packages.iter().map(|package| compare_package(old, new, &package.name)).collect()
}

/// Compares two states of one package.
#[must_use]
pub fn compare_package(old: State<'_>, new: State<'_>, name: &PackageName) -> PackageComparison {
    package_rows(
        name,
        old.catalog.package(name.as_str()),
        new,
        PackageState::of(old, name),
        PackageState::of(new, name),
    )
}

/// The same without OLM's errors, each of which takes a resolution: no rule asks for their texts.
pub(crate) fn rows_without_texts(old: State<'_>, new: State<'_>, name: &PackageName) -> PackageComparison {
    let [before, after] = [old, new].map(|state| PackageState::of(state, name).without_texts());
    package_rows(name, old.catalog.package(name.as_str()), new, before, after)
}

fn package_rows(
    name: &PackageName,
    old: Option<&Package>,
    new: State<'_>,
    before: PackageState<'_>,
    after: PackageState<'_>,
) -> PackageComparison {
    let mut rows = Vec::new();
    if let Some(package) = old {
        let changed = new.catalog.package(name.as_str());
        for before_change in &package.channels {
            let after_change = changed.and_then(|package| package.channel(before_change.name.value.as_str()));
            let mut listed = BTreeSet::new();
            let entries = before_change.entries.iter().map(|entry| &entry.name.value);
            let installed: Vec<Installed<'_>> = entries
                .filter(|name| listed.insert(*name))
                .map(|name| Installed { name, bundle: package.bundle(name.as_str()) })
                .collect();
            rows.extend(channel_rows((&before, &after), (before_change, after_change), &installed));
        }
    }
    PackageComparison { package: name.clone(), rows }
}

/// The rows of installed versions with Subscriptions to a channel.
pub(crate) fn channel_rows(
    (before, after): (&PackageState<'_>, &PackageState<'_>),
    (before_change, after_change): (&Channel, Option<&Channel>),
    installed: &[Installed<'_>],
) -> Vec<Row> {
    let channel = &before_change.name.value;
    let jumps = Jumps::default();
    let paths = before.paths(channel, installed).into_iter().zip(after.paths(channel, installed));
    let row = |((old, new), installed): ((Path, Path), &Installed<'_>)| {
        let version = installed.version();
        let case = Case {
            installed: installed.name,
            version: version.as_ref(),
            old: &old,
            new: &new,
            before: Some(before_change),
            after: after_change,
            jumps_a_minor: &|| jumps.has_jump((&old, &new), version.as_ref(), false),
        };
        let rule = verdict(&case);
        Row { channel: channel.clone(), installed: installed.name.clone(), version, old, new, rule }
    };
    paths.zip(installed).map(row).collect()
}
