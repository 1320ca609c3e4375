//! What an update of OpenShift does to each installed version: rows of a comparison of two members, and their outcomes.

use crate::finding::{InstalledRow, WayOut};
use crate::set::{CatalogSet, Member, Pair};
use catalog::{BundleName, ChannelName, Package};
use compare::{ChannelState, Installed, Path, Row, Runtime, State, rows_without_texts, subscription_path};
use predicate::PackageName;
use source::Executor;

/// What becomes of an installed version when the catalog is exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is updated, or the head, or as stuck as before.
    Fine,
    /// The package is gone.
    PackageEnds,
    /// The channel is gone.
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
            let head = new.and_then(|new| new.bundle(head.as_str())).and_then(|head| head.version());
            if row.version.as_ref().zip(head).is_some_and(|(version, head)| version > head) {
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
        let channels = self.old.channels.iter().map(|channel| {
            let channel = &channel.name.value;
            (channel, self.with(wanted).filter(|row| row.channel == *channel).collect::<Vec<_>>())
        });
        channels.filter(|(_, rows)| !rows.is_empty()).collect()
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

    /// Whether updates go on from a version in its channel after the update of OpenShift, or it is the head there.
    pub(crate) fn goes_on(&self, channel: &ChannelName, installed: &BundleName) -> bool {
        let path = self.path(served(self.pair.new), channel, installed);
        !path.is_empty() || path.head() == Some(installed)
    }

    /// What becomes of a version of the older member with a Subscription to a channel.
    fn path(&self, state: State<'_>, channel: &ChannelName, installed: &BundleName) -> Path {
        let bundle = self.old.bundle(installed.as_str());
        subscription_path(state, self.name, channel, Installed { name: installed, bundle })
    }

    /// How somebody gets on who has a version whose channel ends, and whether nothing changes with it now: another
    /// channel that goes on has the same version as its head.
    pub(crate) fn out_of_channel(&self, row: &Row) -> (WayOut, bool) {
        let end = row.old.end(&row.installed);
        let others = |package: &'_ Package| {
            let default = package.default_channel.as_ref().map(|channel| channel.value.clone());
            let mut names: Vec<ChannelName> =
                package.channels.iter().map(|channel| channel.name.value.clone()).collect();
            names.retain(|name| *name != row.channel);
            names.sort_by_key(|name| Some(name) != default.as_ref());
            names
        };
        let mut before: Vec<(bool, WayOut)> = Vec::new();
        for channel in others(self.old) {
            let path = self.path(served(self.pair.old), &channel, end);
            let is_head = path.is_empty() && path.head() == Some(end);
            let reaches = path.end(end);
            if path.error.is_none() && (is_head || !path.is_empty()) && self.goes_on(&channel, reaches) {
                before.push((is_head, WayOut::SwitchBefore { reaches: reaches.clone(), channel }));
            }
        }
        before.sort_by_key(|(is_head, _)| !is_head);
        if let Some((is_head, way_out)) = before.into_iter().next() {
            return (way_out, is_head);
        }
        let after = self.new.map(others).unwrap_or_default().into_iter().find(|channel| self.goes_on(channel, end));
        (after.map_or(WayOut::Reinstall, |channel| WayOut::SwitchAfter { channel }), false)
    }
}
