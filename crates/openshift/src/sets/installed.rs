//! What an update of OpenShift does to each installed version, and to a set as a whole.

use crate::sets::finding::{Finding, WayOut};
use crate::sets::set::{CatalogSet, Member, Pair};
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName, Entry, Package, heads};
use compare::{ChannelState, Installed, Path, Row, Runtime, State, rows_without_texts, subscription_paths};
use source::{Executor, OpenShift, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use update_graph::version_of;
use views::InstalledRow;

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
            channel: row.channel.to_string(),
            installed: row.installed.to_string(),
            is_end: is_end(row),
            end: row.old.end(&row.installed).to_string(),
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
    /// version. Each channel is compared once for all versions. `is_frozen` says that the namespace is not resolved without a change.
    pub(crate) fn ways_out<'n>(
        &self,
        ending: &BTreeSet<EndOfUpdates<'n>>,
        is_frozen: bool,
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
                found.insert(key, (WayOut::SwitchAfter { channel: channel.clone(), is_frozen }, false));
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

// A set as a whole: who is left behind in one sentence, and a matrix of packages and versions.

/// What a package is in the members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixRow {
    pub package: PackageName,
    /// In order; together all members.
    pub cells: Vec<Cell>,
}

/// What a package is in one member, or in several that follow each other and have it from the same texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The first member.
    pub from: OpenShift,
    /// The last member.
    pub to: OpenShift,
    /// The head of the default channel; absent without the package, or if the channel has no head.
    pub head: Option<BundleName>,
    /// Whether these members have the package.
    pub is_there: bool,
    /// Whether these members were not read completely: what they seem to miss may be there.
    pub is_partial: bool,
    /// The worst of the findings about these members, or about the updates of OpenShift that begin there: its
    /// [`harm`](Finding::harm) and its message. Those about the repository do not count.
    pub worst: Option<(Severity, String)>,
    /// What differs from the members before, if these have the same head.
    pub differs: Option<String>,
}

impl Cell {
    /// What stands for the head where there is none.
    #[must_use]
    pub const fn without_head(&self) -> &'static str {
        match (self.is_partial, self.is_there) {
            (true, _) => "not known",
            (false, true) => "no head",
            (false, false) => "none",
        }
    }
}

/// All packages by name, each with its cells.
#[must_use]
pub fn matrix(set: &CatalogSet, findings: &[Finding]) -> Vec<MatrixRow> {
    let row = |name: &PackageName| {
        let is_own = |finding: &&Finding| finding.package.as_ref() == Some(name) && !finding.is_about_repository();
        let own: Vec<&Finding> = findings.iter().filter(is_own).collect();
        let mut cells: Vec<(Cell, Option<&Arc<Package>>)> = Vec::new();
        for member in &set.members {
            let package = member.catalog.shared_package(name.as_str());
            let is_same = |known: Option<&Arc<Package>>| match (known, package) {
                (Some(known), Some(package)) => Arc::ptr_eq(known, package),
                (known, package) => known.is_none() && package.is_none(),
            };
            let worst = worst(&own, member.version);
            let is_partial = member.catalog.is_partial;
            match cells.last_mut() {
                Some((cell, known)) if is_same(*known) && cell.is_partial == is_partial => {
                    cell.to = member.version;
                    cell.worst = cell.worst.take().into_iter().chain(worst).min();
                }
                _ => {
                    let head = package.and_then(|package| default_head(package));
                    let (from, to, is_there) = (member.version, member.version, package.is_some());
                    let is_read = |cell: &Cell| !cell.is_partial && !is_partial;
                    let is_like = |cell: &Cell| cell.head.is_some() && cell.head == head && is_read(cell);
                    let before = cells.last().filter(|(cell, _)| is_like(cell));
                    let before = before.and_then(|(_, before)| *before);
                    let differs = before.zip(package).map(|(before, package)| differs(before, package));
                    cells.push((Cell { from, to, head, is_there, is_partial, worst, differs }, package));
                }
            }
        }
        MatrixRow { package: name.clone(), cells: cells.into_iter().map(|(cell, _)| cell).collect() }
    };
    set.packages().into_iter().map(row).collect()
}

/// The worst of the findings about a member, or about what an update from it does.
fn worst(findings: &[&Finding], version: OpenShift) -> Option<(Severity, String)> {
    let is_meant = |finding: &&&Finding| match (finding.is_about_updates(), finding.rows.is_empty()) {
        (true, false) => finding.rows.iter().any(|row| row.from == version),
        (true, true) => finding.from <= version && version < finding.to,
        (false, _) => finding.from <= version && version <= finding.to,
    };
    findings.iter().filter(is_meant).map(|finding| (finding.harm(), finding.message.clone())).min()
}

/// What differs between two states of a package, in a few words.
fn differs(before: &Package, after: &Package) -> String {
    let names = |package: &Package| -> BTreeSet<BundleName> {
        package.bundles.iter().map(|bundle| bundle.name.value.clone()).collect()
    };
    let edges = |package: &Package| -> BTreeMap<ChannelName, BTreeSet<_>> {
        let edges = |entry: &Entry| {
            let skips: BTreeSet<BundleName> = entry.skips.iter().map(|skip| skip.value.clone()).collect();
            let range = entry.skip_range.as_ref().map(|range| range.value.text.clone());
            (entry.name.value.clone(), entry.replaces.as_ref().map(|replaced| replaced.value.clone()), skips, range)
        };
        let channels = package.channels.iter();
        channels.map(|channel| (channel.name.value.clone(), channel.entries.iter().map(edges).collect())).collect()
    };
    let count = |count: usize, what: &str, verb: &str| {
        (count > 0).then(|| format!("{count} {what}{} {verb}", if count == 1 { "" } else { "s" }))
    };
    let (old, new) = (names(before), names(after));
    let (old_edges, new_edges) = (edges(before), edges(after));
    let gone = |old: &BTreeMap<ChannelName, _>, new: &BTreeMap<ChannelName, _>| {
        old.keys().filter(|name| !new.contains_key(*name)).count()
    };
    let changed = new_edges.iter().filter(|(name, edges)| old_edges.get(*name).is_some_and(|old| old != *edges));
    let parts = [
        count(new.difference(&old).count(), "bundle", "added"),
        count(old.difference(&new).count(), "bundle", "removed"),
        count(gone(&new_edges, &old_edges), "channel", "added"),
        count(gone(&old_edges, &new_edges), "channel", "removed"),
        count(changed.count(), "channel", "with other edges"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "only in other fields".to_owned() } else { parts.join(", ") }
}

fn default_head(package: &Package) -> Option<BundleName> {
    let channel = package.channel(package.default_channel.as_ref()?.value.as_str())?;
    match heads(channel)[..] {
        [head] => Some(head.into()),
        _ => None,
    }
}

/// The packages that leave clusters behind that are up to date, somewhere on the way from the first member to the last.
#[must_use]
pub fn harmful(findings: &[Finding]) -> BTreeSet<&PackageName> {
    findings.iter().filter(|finding| finding.is_harmful()).filter_map(|finding| finding.package.as_ref()).collect()
}

/// The packages with other errors, apart from those about the repository.
fn faulty<'f>(findings: &'f [Finding], harmful: &BTreeSet<&PackageName>) -> BTreeSet<&'f PackageName> {
    let is_error = |finding: &&Finding| finding.severity == Severity::Error && !finding.is_about_repository();
    let packages = findings.iter().filter(is_error).filter_map(|finding| finding.package.as_ref());
    packages.filter(|package| !harmful.contains(package)).collect()
}

/// The result in one sentence.
#[must_use]
pub fn sentence(set: &CatalogSet, findings: &[Finding]) -> String {
    let partial: Vec<OpenShift> = set.partial().collect();
    let (catalogs, were) = if partial.len() == 1 { ("catalog", "was") } else { ("catalogs", "were") };
    let unread = format!("The {catalogs} of {} {were} not read completely", OpenShift::list(&partial));
    let complete = &*set.complete();
    match (&complete.members[..], partial.is_empty()) {
        ([], true) => "The set has no catalog.".to_owned(),
        ([] | [_], false) => format!("{unread}, so nobody knows what becomes of what is installed."),
        ([first, ..], true) => judged(complete, first.version, findings),
        ([first, ..], false) => {
            format!("{} {unread}, and nothing is said of them.", judged(complete, first.version, findings))
        }
    }
}

/// The result for members that were read completely, from the first one on.
fn judged(set: &CatalogSet, first: OpenShift, findings: &[Finding]) -> String {
    let last = set.members.last().map_or(first, |member| member.version);
    let harmful = harmful(findings);
    let faulty = match faulty(findings, &harmful).len() {
        0 => String::new(),
        1 => "; 1 package has another error".to_owned(),
        count => format!("; {count} packages have other errors"),
    };
    let (harmful, all) = (harmful.len(), set.packages().len());
    let way = format!("on the way from {first} to {last}");
    let behind = match (harmful, all) {
        (0, 1) => format!("The operator keeps updating {way}{faulty}."),
        (_, 1) => format!("The operator stops updating {way}{faulty}."),
        (0, _) => format!("Operators of all {all} packages keep updating {way}{faulty}."),
        _ => format!("Operators of {harmful} of {all} packages stop updating {way}{faulty}."),
    };
    let is_rejected = |member: &&Member| member.rejected.is_some();
    let rejected: Vec<OpenShift> = set.members.iter().filter(is_rejected).map(|member| member.version).collect();
    let (catalogs, them) = if rejected.len() == 1 { ("catalog", "it") } else { ("catalogs", "them") };
    let refused = || {
        format!("No cluster gets an update from the {catalogs} of {}: `opm` rejects {them}", OpenShift::list(&rejected))
    };
    match (rejected.is_empty(), harmful) {
        (true, _) => behind,
        (false, 0) => format!("{}{faulty}.", refused()),
        (false, _) => format!("{}. {behind}", refused()),
    }
}
