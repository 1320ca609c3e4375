//! The rows of a comparison: every version that a cluster may have installed, with what becomes of it before and after.

use crate::fate::Fate;
use crate::state::{Installed, PackageState, State};
use crate::verdict::{Case, RowRule, verdict};
use blang_semver::Version;
use catalog::{BundleName, ChannelName};
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
    pub old: Fate,
    /// What becomes of it after the change.
    pub new: Fate,
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
    let mut rows = Vec::new();
    if let Some(package) = old.catalog.package(name.as_str()) {
        let (before, after) = (PackageState::of(old, name), PackageState::of(new, name));
        let changed = new.catalog.package(name.as_str());
        for before_change in &package.channels {
            let channel = &before_change.name.value;
            let after_change = changed.and_then(|package| package.channel(channel.as_str()));
            let mut listed = BTreeSet::new();
            for entry in before_change.entries.iter().filter(|entry| listed.insert(&entry.name.value)) {
                let installed =
                    Installed { name: &entry.name.value, bundle: package.bundle(entry.name.value.as_str()) };
                let (old, new) = (before.fate(channel, installed), after.fate(channel, installed));
                let version = installed.version();
                let case = Case {
                    installed: installed.name,
                    version: version.as_ref(),
                    old: &old,
                    new: &new,
                    before: Some(before_change),
                    after: after_change,
                };
                let rule = verdict(&case);
                rows.push(Row { channel: channel.clone(), installed: installed.name.clone(), version, old, new, rule });
            }
        }
    }
    PackageComparison { package: name.clone(), rows }
}
