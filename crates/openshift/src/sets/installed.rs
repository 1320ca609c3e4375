//! What an update of OpenShift does to each installed version: rows of a comparison of two members, and their outcomes.

use crate::sets::finding::{InstalledRow, WayOut};
use crate::sets::set::{CatalogSet, Member, Pair};
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName, Package};
use compare::{ChannelState, Installed, Path, Row, Runtime, State, rows_without_texts, subscription_paths};
use source::Executor;
use std::collections::{BTreeMap, BTreeSet};
use update_graph::version_of;

/// What becomes of an installed version when the catalog is exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is updated, or the head, or as stuck as before.
    Fine,
    PackageEnds,
    ChannelEnds,
    /// Nothing leads on, although it is below the head.
    Lost,
    /// It is above the head.
    Ahead,
    /// It is updated to a lower version, and was not before.
    MovesLower,
}

/// A package in two members that follow each other, and differ in it.
pub(crate) struct PackagePair<'s> {
    pub(crate) pair: Pair<'s>,
    pub(crate) name: &'s PackageName,
    pub(crate) old: &'s Package,
    pub(crate) new: Option<&'s Package>,
    pub(crate) rows: Vec<(Row, Outcome)>,
}

/// All pairs of packages that differ and that `opm` accepts, by version and by name.
pub(crate) fn package_pairs(set: &CatalogSet, executor: Executor) -> Vec<PackagePair<'_>> {
    let differing = set.pairs().flat_map(|pair| {
        let is_judged = move |name: &str| !pair.is_same(name) && pair.old.serves(name) && pair.new.serves(name);
        let packages = pair.old.catalog.packages.iter();
        packages.filter(move |package| is_judged(package.name.as_str())).map(move |package| (pair, package))
    });
    let differing: Vec<_> = differing.collect();
    executor.map(&differing, |(pair, old)| {
        let rows = rows_without_texts(served(pair.old), served(pair.new), &old.name, Runtime::V0).rows;
        let new = pair.new.catalog.package(old.name.as_str());
        let judged = |row: Row| {
            let outcome = outcome(&row, new);
            (row, outcome)
        };
        PackagePair { pair: *pair, name: &old.name, old, new, rows: rows.into_iter().map(judged).collect() }
    })
}

/// What a member serves of a package that `opm` accepts, whatever it says of others.
const fn served(member: &Member) -> State<'_> {
    State { catalog: &member.catalog, rejected: None }
}

fn outcome(row: &Row, new: Option<&Package>) -> Outcome {
    let is_lower = |path: &Path| path.next_version() < row.version.as_ref() && path.next_version().is_some();
    match &row.new.state {
        ChannelState::PackageGone => Outcome::PackageEnds,
        ChannelState::ChannelGone => Outcome::ChannelEnds,
        ChannelState::Served { head } if is_stuck(&row.new, &row.installed) => {
            let head = new.and_then(|new| version_of(new, head));
            if row.version.as_ref().zip(head.as_ref()).is_some_and(|(version, head)| version > head) {
                Outcome::Ahead
            } else if is_stuck(&row.old, &row.installed) {
                Outcome::Fine
            } else {
                Outcome::Lost
            }
        }
        ChannelState::Served { .. } if is_lower(&row.new) && !is_lower(&row.old) => Outcome::MovesLower,
        ChannelState::Served { .. } | ChannelState::Broken => Outcome::Fine,
    }
}

/// Whether nothing follows a version, although it is not the head.
pub(crate) fn is_stuck(path: &Path, installed: &BundleName) -> bool {
    path.is_empty() && path.error.is_none() && path.head().is_some_and(|head| head != installed)
}

/// Whether nothing follows an installed version before the update of OpenShift: clusters that are up to date have it.
pub(crate) fn is_end(row: &Row) -> bool {
    row.old.is_empty() && row.old.error.is_none()
}

impl PackagePair<'_> {
    /// The rows with an outcome.
    pub(crate) fn with(&self, wanted: Outcome) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |(_, outcome)| *outcome == wanted).map(|(row, _)| row)
    }

    /// The channels of the older member that have such rows, in order.
    pub(crate) fn channels_with(&self, wanted: Outcome) -> Vec<(&ChannelName, Vec<&Row>)> {
        let mut by_channel: BTreeMap<&ChannelName, Vec<&Row>> = BTreeMap::new();
        for row in self.with(wanted) {
            by_channel.entry(&row.channel).or_default().push(row);
        }
        let channels = self.old.channels.iter().map(|channel| &channel.name.value);
        channels.filter_map(|channel| Some((channel, by_channel.remove(channel)?))).collect()
    }

    /// The row as a value.
    pub(crate) fn shown(&self, row: &Row) -> InstalledRow {
        InstalledRow {
            from: self.pair.old.version,
            to: self.pair.new.version,
            channel: row.channel.clone(),
            installed: row.installed.clone(),
            is_end: is_end(row),
            end: row.old.end(&row.installed).clone(),
        }
    }

    /// The versions from which updates go on in a channel after the update of OpenShift, or that are the head there.
    pub(crate) fn going_on<'n>(
        &self,
        channel: &ChannelName,
        installed: &BTreeSet<&'n BundleName>,
    ) -> BTreeSet<&'n BundleName> {
        let paths = self.paths(served(self.pair.new), channel, installed);
        let goes_on = |name: &BundleName, path: &Path| !path.is_empty() || path.head() == Some(name);
        paths.into_iter().filter(|(name, path)| goes_on(name, path)).map(|(name, _)| name).collect()
    }

    /// What becomes of versions of the older member with a Subscription to a channel.
    fn paths<'n>(
        &self,
        state: State<'_>,
        channel: &ChannelName,
        installed: &BTreeSet<&'n BundleName>,
    ) -> Vec<(&'n BundleName, Path)> {
        let version = |name: &&'n BundleName| Installed { name, bundle: self.old.bundle(name.as_str()) };
        let versions: Vec<Installed<'_>> = installed.iter().map(version).collect();
        installed.iter().copied().zip(subscription_paths(state, self.name, channel, &versions)).collect()
    }

    /// The channels to which a Subscription can change when its channel ends, by the ending channel and the last version in
    /// it. Says too whether the change installs nothing new at first, because the head of the other channel has the same
    /// version. Each channel is compared once for all versions.
    pub(crate) fn ways_out<'n>(
        &self,
        ending: &BTreeSet<EndOfUpdates<'n>>,
    ) -> BTreeMap<EndOfUpdates<'n>, (WayOut, bool)> {
        let channels = |package: &Package| {
            let default = package.default_channel.as_ref().map(|channel| channel.value.clone());
            let mut names: Vec<ChannelName> =
                package.channels.iter().map(|channel| channel.name.value.clone()).collect();
            names.sort_by_key(|name| Some(name) != default.as_ref());
            names
        };
        let mut found: BTreeMap<EndOfUpdates<'n>, (WayOut, bool)> = BTreeMap::new();
        for channel in channels(self.old) {
            let ends = ending.iter().filter(|(own, _)| **own != channel).map(|(_, end)| *end).collect();
            let paths: BTreeMap<&BundleName, Path> =
                self.paths(served(self.pair.old), &channel, &ends).into_iter().collect();
            let is_head = |end: &BundleName, path: &Path| path.is_empty() && path.head() == Some(end);
            let leads =
                |end: &BundleName, path: &Path| path.error.is_none() && (is_head(end, path) || !path.is_empty());
            let leading = paths.iter().filter(|(end, path)| leads(end, path));
            let reached: BTreeMap<&BundleName, (bool, &BundleName)> =
                leading.map(|(end, path)| (*end, (is_head(end, path), path.end(end)))).collect();
            let going_on = self.going_on(&channel, &reached.values().map(|(_, reaches)| *reaches).collect());
            for key in ending.iter().filter(|(own, _)| **own != channel) {
                let Some((is_head, reaches)) = reached.get(key.1).filter(|(_, to)| going_on.contains(to)) else {
                    continue;
                };
                // The first channel with the same head is better than the first of all.
                if found.get(key).is_none_or(|(_, is_free)| *is_head && !is_free) {
                    let way_out = WayOut::SwitchBefore { reaches: (*reaches).clone(), channel: channel.clone() };
                    found.insert(*key, (way_out, *is_head));
                }
            }
        }
        for channel in self.new.map(channels).unwrap_or_default() {
            let left = ending.iter().filter(|key| *key.0 != channel && !found.contains_key(*key));
            let left: Vec<EndOfUpdates<'n>> = left.copied().collect();
            let going_on = self.going_on(&channel, &left.iter().map(|(_, end)| *end).collect());
            for key in left.into_iter().filter(|(_, end)| going_on.contains(end)) {
                found.insert(key, (WayOut::SwitchAfter { channel: channel.clone() }, false));
            }
        }
        let reinstall = |key: &EndOfUpdates<'n>| (*key, (WayOut::Reinstall, false));
        let left: Vec<_> = ending.iter().filter(|key| !found.contains_key(*key)).map(reinstall).collect();
        found.extend(left);
        found
    }
}

/// A channel, and a version where updates in it end.
pub(crate) type EndOfUpdates<'n> = (&'n ChannelName, &'n BundleName);
