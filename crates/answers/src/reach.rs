//! The table of reach: where the updates of each version of a package end in each of its channels.

use crate::package;
use crate::repairs::channel_repairs;
use catalog::{BundleName, Channel, Package};
use cluster::InstalledBundle;
use extension::{PackageBundles, SuccessorIndex};
use session::Workbench;
use std::collections::{BTreeMap, BTreeSet};
use update_graph::{
    Installable, Installables, Reach, UpdateChain, Walks, channels_in_order, installed_csv, is_followed,
};
use views::{PackageKey, ReachCell, ReachColumn, ReachEnd, ReachReport, ReachRow, ReachView, Runtime, StopReason};

/// About how many cells a part of the table has. It bounds the time until the worker can answer another query.
const CELLS: usize = 20_000;
/// How many versions the table has at most, the newest.
const ROWS: usize = 4096;

/// The part of the table that begins with the channel `first`, an index of the graph's lanes. It has the versions that the package
/// knows, and `more` that may be installed.
#[must_use]
pub fn reach(
    workbench: &Workbench,
    key: &PackageKey,
    first: u32,
    runtime: Runtime,
    more: &[String],
) -> Option<ReachView> {
    let more: Vec<BundleName> = more.iter().map(|name| name.as_str().into()).collect();
    let (_, package) = package(workbench, key)?;
    let bundles = runtime.has_v1().then(|| PackageBundles::of_package(package));
    let mut rows = Installables::with(package, &more);
    let omitted = rows.bound(ROWS) as u32;
    let channels = channels_in_order(package);
    let many = (CELLS / rows.rows.len().max(1)).max(1);
    let part = channels.iter().skip(first as usize).take(many);
    let table = Table { package, views: row_views(&rows), rows };
    let view = |channel: &&Channel| {
        let mut view = table.column(channel);
        let Some(bundles) = &bundles else { return view };
        let next = table.next_of_v1(bundles, channel);
        match runtime.has_v0() {
            true => view.v1 = table.elsewhere(&next, channel, &view, &more),
            false => table.show_v1(&next, channel, &mut view),
        }
        view
    };
    let columns = part.map(view).collect();
    let total = channels.len() as u32;
    let rows = if first == 0 { table.views } else { Vec::new() };
    Some(ReachView { rows, omitted, columns, total })
}

/// The same with the version that a user looks for, if it may be installed: a version that a skipRange covers, or the name of its
/// CSV.
#[must_use]
pub fn reach_with(
    workbench: &Workbench,
    key: &PackageKey,
    first: u32,
    runtime: Runtime,
    text: &str,
) -> Option<ReachView> {
    let (_, package) = package(workbench, key)?;
    let found = installed_csv(&[package], text.trim()).ok();
    let more = found.filter(|name| is_followed(&[package], name.as_str())).map(|name| name.to_string());
    reach(workbench, key, first, runtime, more.as_slice())
}

/// The whole table for OLM v0 with these channels, and with the versions that are `installed`; with all if none is named. Perhaps
/// with those versions alone that are stuck, and what helps them. `None` without such a package.
#[must_use]
pub fn reach_report(
    workbench: &Workbench,
    key: &PackageKey,
    channels: &[String],
    installed: &[String],
    only_stuck: bool,
) -> Option<ReachReport> {
    let part = |first: u32| reach(workbench, key, first, Runtime::V0, installed);
    let mut table = part(0)?;
    while (table.columns.len() as u32) < table.total {
        table.columns.extend(part(table.columns.len() as u32)?.columns);
    }
    table.columns.retain(|column| channels.is_empty() || channels.contains(&column.channel));
    let mut repairs = Vec::new();
    if only_stuck {
        let catalog = workbench.catalog(key.catalog)?;
        let stuck = table.columns.iter().filter(|column| column.is_stuck());
        let helps = |column: &ReachColumn| channel_repairs(workbench, catalog, (&key.package, &column.channel), &[]);
        repairs.extend(stuck.filter_map(helps));
    }
    table.keep_rows(installed, only_stuck);
    Some(ReachReport { package: key.package.clone(), table, repairs })
}

/// The rows of a table, from which its columns are made.
struct Table<'c> {
    package: &'c Package,
    /// The oldest first.
    rows: Installables<'c>,
    /// The newest first.
    views: Vec<ReachRow>,
}

/// The newest first.
fn row_views(rows: &Installables<'_>) -> Vec<ReachRow> {
    let versions = || rows.rows.iter().map(|row| row.version.as_ref().map(ToString::to_string));
    let mut many: BTreeMap<String, usize> = BTreeMap::new();
    versions().flatten().for_each(|version| *many.entry(version).or_default() += 1);
    let view = |(row, version): (&Installable<'_>, Option<String>)| ReachRow {
        name: row.name.to_string(),
        label: version.filter(|version| many[version] == 1).unwrap_or_else(|| row.name.to_string()),
        bundle: row.bundle,
    };
    let mut views: Vec<ReachRow> = rows.rows.iter().zip(versions()).map(view).collect();
    views.reverse();
    views
}

impl Table<'_> {
    fn column(&self, channel: &Channel) -> ReachColumn {
        let default_channel = self.package.default_channel.as_ref();
        let default = default_channel.is_some_and(|name| name.value == channel.name.value);
        let (head, problem, cells) = match UpdateChain::of(self.package, channel) {
            Err(error) => (None, Some(error.to_string()), Vec::new()),
            Ok(chain) => {
                let head = chain.entries.first().and_then(|entry| self.rows.row_of(&entry.name.value));
                let listed: BTreeSet<&BundleName> = channel.entries.iter().map(|entry| &entry.name.value).collect();
                let reach = self.rows.reach(&chain).into_iter().enumerate().rev();
                let cells = reach.map(|(at, reach)| self.cell(at, reach, listed.contains(self.rows.rows[at].name)));
                (head.and_then(|head| self.end(head)), None, cells.collect())
            }
        };
        ReachColumn { channel: channel.name.to_string(), default, head, problem, cells, v1: BTreeMap::new() }
    }

    fn cell(&self, at: usize, reach: Reach, listed: bool) -> ReachCell {
        let end = reach.end as usize;
        let is_elsewhere = reach.stop != StopReason::Head && end != at;
        let end = is_elsewhere.then(|| self.end(end)).flatten();
        ReachCell { hops: reach.hops, end, stop: reach.stop, listed }
    }

    /// The version of a row of the model.
    fn end(&self, at: usize) -> Option<ReachEnd> {
        let ReachRow { name, label, .. } = self.views.get(self.last().checked_sub(at)?)?;
        Some(ReachEnd { name: name.clone(), label: label.clone() })
    }

    fn last(&self) -> usize {
        self.views.len().saturating_sub(1)
    }

    /// What OLM v1 installs next for an extension that names the channel, by row: the version itself where it stays, and none where
    /// the resolution fails.
    fn next_of_v1(&self, bundles: &PackageBundles<'_>, channel: &Channel) -> Vec<Option<usize>> {
        let rows = &self.rows;
        let successors = SuccessorIndex::of(bundles, std::slice::from_ref(&channel.name.value));
        let next = |at: usize| {
            let Installable { name, version, .. } = &rows.rows[at];
            let installed = match self.package.bundle(name.as_str()) {
                Some(bundle) => InstalledBundle::of(bundle),
                None => InstalledBundle {
                    name: (*name).clone(),
                    version: version.as_ref()?.to_string().into(),
                    release: None,
                },
            };
            let next = successors.next(&installed).ok()?;
            rows.row_of(&next.bundle.name.value)
        };
        (0..rows.rows.len()).map(next).collect()
    }

    /// Shows the updates of OLM v1 in place of those of OLM v0. Its head is the highest version of the channel.
    fn show_v1(&self, next: &[Option<usize>], channel: &Channel, view: &mut ReachColumn) {
        let rows = &self.rows.rows;
        let is_listed = |at: usize| rows[at].bundle && channel.entry(rows[at].name.as_str()).is_some();
        let head = (0..rows.len()).rev().find(|at| is_listed(*at));
        let walks = walks(next);
        let cell = |at: usize| {
            let walk = walks.walk(at);
            let stop = match next[at] {
                _ if walk.repeats => StopReason::Circle,
                _ if Some(walk.end) == head => StopReason::Head,
                _ if walk.hops == 0 && head < Some(at) => StopReason::Newer,
                None => StopReason::Uncovered,
                Some(_) => StopReason::Stranded,
            };
            self.cell(at, Reach { hops: walk.hops as u32, end: walk.end as u32, stop }, is_listed(at))
        };
        (view.head, view.problem) = (head.and_then(|head| self.end(head)), None);
        view.cells = (0..rows.len()).rev().map(cell).collect();
    }

    /// Where OLM v1 ends elsewhere than OLM v0, for the entries of the channel and for versions that may be installed besides.
    fn elsewhere(
        &self,
        next: &[Option<usize>],
        channel: &Channel,
        view: &ReachColumn,
        more: &[BundleName],
    ) -> BTreeMap<String, Option<ReachEnd>> {
        let walks = walks(next);
        let mut found = BTreeMap::new();
        for (at, row) in self.rows.rows.iter().enumerate() {
            let is_listed = row.bundle && channel.entry(row.name.as_str()).is_some();
            if !is_listed && !more.contains(row.name) {
                continue;
            }
            let shown = next[at].and_then(|_| self.end(walks.walk(at).end));
            let v0 = view.cell(self.last() - at).map(|_| view.end(self.last() - at).cloned().or(self.end(at)));
            if shown != v0.flatten() {
                found.insert(row.name.to_string(), shown);
            }
        }
        found
    }
}

/// The updates that follow each other; a version that stays has none.
fn walks(next: &[Option<usize>]) -> Walks {
    Walks::new(next.iter().enumerate().map(|(at, to)| to.filter(|to| *to != at)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    use session::testing::workbench;
    use views::CatalogId;

    const CHANNELS: &str = "package p stable\nchannel p beta p.v2.0.0~>=1.0.0_<2.0.0\nchannel p broken p.v1.0.0 p.v2.0.0\nchannel p stable p.v2.0.0>p.v1.0.0 p.v1.0.0>p.v0.9.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";

    fn key() -> PackageKey {
        PackageKey { catalog: CatalogId(0), package: "p".to_owned() }
    }

    #[test]
    fn every_version_and_channel_has_a_cell() {
        let view = reach(&workbench(&[("c", CHANNELS)]), &key(), 0, Runtime::V0, &[]).unwrap();
        let label = |end: Option<&ReachEnd>| end.map_or("-", |end| end.label.as_str()).to_owned();
        let shown = |column: &ReachColumn| {
            let cells = (0..view.rows.len()).filter_map(|row| Some((column.cell(row)?, label(column.end(row)))));
            let cells = cells.map(|(cell, end)| format!("{} {end} {:?} {}", cell.hops, cell.stop, cell.listed));
            let cells = cells.collect::<Vec<_>>().join(", ");
            format!("{} {}: {cells}", column.channel, label(column.head.as_ref()))
        };
        let rows: Vec<_> = view.rows.iter().map(|row| (row.label.as_str(), row.bundle)).collect();
        assert_eq!(rows, [("3.0.0", true), ("2.0.0", true), ("1.0.0", true), ("0.9.0", false)]);
        assert_eq!(
            view.columns.iter().map(shown).collect::<Vec<_>>(),
            [
                "stable 2.0.0: 0 - Newer false, 0 - Head true, 1 2.0.0 Head true, 2 2.0.0 Head false",
                "broken -: ",
                "beta 2.0.0: 0 - Newer false, 0 - Head true, 1 2.0.0 Head false, 0 - Uncovered false",
            ]
        );
        let problem = view.columns[1].problem.as_deref().unwrap();
        assert!(problem.starts_with("a unique replacement chain"), "{problem}");
    }

    #[test]
    fn the_table_says_where_the_runtimes_end_elsewhere() {
        let sketch = "package p c\nchannel p c p.v3.0.0-p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let workbench = workbench(&[("c", sketch)]);
        let column = |runtime| reach(&workbench, &key(), 0, runtime, &[]).unwrap().columns.remove(0);
        assert_eq!(column(Runtime::V0).v1, BTreeMap::new());
        let end = ReachEnd { name: "p.v3.0.0".to_owned(), label: "3.0.0".to_owned() };
        assert_eq!(column(Runtime::Both).v1, BTreeMap::from([("p.v1.0.0".to_owned(), Some(end))]), "it goes on");
        let words = |column: ReachColumn| (0..3).map(|row| column.word(row)).collect::<Vec<_>>();
        assert_eq!(words(column(Runtime::V0)), ["head", "1", "stuck"]);
        assert_eq!(words(column(Runtime::V1)), ["head", "1", "2"]);
    }

    #[test]
    fn a_version_that_is_no_longer_listed_is_a_row_if_it_is_wanted() {
        let more = ["p.v1.5.0".to_owned()];
        let view = reach(&workbench(&[("c", CHANNELS)]), &key(), 0, Runtime::V0, &more).unwrap();
        let row = view.rows.iter().position(|row| row.label == "1.5.0").unwrap();
        let words: Vec<_> = view.columns.iter().map(|column| column.word(row)).collect();
        assert_eq!(
            (view.rows[row].bundle, words),
            (false, ["no path", "broken channel", "1"].map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn the_table_of_the_page_has_the_version_that_is_looked_for() {
        let sketch =
            "package p c\nchannel p c p.v1.2.0>p.v1.1.0 p.v1.1.0~>=0.5.0_<1.1.0\nbundle p 1.1.0\nbundle p 1.2.0";
        let workbench = workbench(&[("c", sketch)]);
        let rows = |text: &str| -> Vec<String> {
            let view = reach_with(&workbench, &key(), 0, Runtime::Both, text).unwrap();
            assert_eq!(view.columns[0].v1, BTreeMap::new(), "{text}: both end there");
            let word = |(at, row): (usize, &ReachRow)| format!("{} {}", row.label, view.columns[0].word(at));
            view.rows.iter().enumerate().map(word).collect()
        };
        for text in ["0.7.0", " p.v0.7.0 "] {
            assert_eq!(rows(text), ["1.2.0 head", "1.1.0 1", "0.7.0 2"], "{text}");
        }
        // A known one, one that nothing covers, a part of one, and none.
        for text in ["1.1.0", "0.1.0", "0.7", "c", ""] {
            assert_eq!(rows(text), ["1.2.0 head", "1.1.0 1"], "{text}");
        }
        // OLM v1 follows the edges of entries that others skip, also from there.
        let sketch = "package p c\nchannel p c p.v3.0.0-p.v2.0.0 p.v2.0.0~<2.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let workbench = session::testing::workbench(&[("c", sketch)]);
        let view = reach_with(&workbench, &key(), 0, Runtime::Both, "1.0.0").unwrap();
        let end = view.columns[0].v1["p.v1.0.0"].as_ref().map(|end| &*end.label);
        assert_eq!((end, view.rows[2].bundle), (Some("3.0.0"), false));
    }

    #[test]
    fn rows_of_the_same_version_are_labelled_by_name() {
        let text = session::testing::yaml(
            "package p c\nchannel p c p.v1.3.0>p.v1.0.0-p.v1.2.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.2.0",
        );
        let again = session::testing::yaml("bundle p 1.2.0").replace("name: p.v1.2.0", "name: p.v1.3.0");
        let workbench = Workbench::new().with_text("c", "c.yaml", format!("{text}{again}"));
        let view = reach(&workbench, &key(), 0, Runtime::V0, &[]).unwrap();
        let labels: Vec<&str> = view.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["p.v1.3.0", "p.v1.2.0", "1.0.0"]);
    }

    #[test]
    fn the_parts_contain_all_channels() {
        let entries: String = (0..1500).map(|minor| format!(" p.v1.{minor}.0")).collect();
        let channels: String = (10..40).map(|at| format!("\nchannel p c{at}{entries}")).collect();
        let workbench = workbench(&[("c", &format!("package p c10{channels}"))]);
        let (mut names, mut parts) = (Vec::new(), 0);
        while names.len() < 30 {
            let view = reach(&workbench, &key(), names.len() as u32, Runtime::V0, &[]).unwrap();
            assert_eq!((view.total, view.rows.len()), (30, if names.is_empty() { 1500 } else { 0 }));
            names.extend(view.columns.into_iter().map(|column| column.channel));
            parts += 1;
        }
        assert_eq!((parts, names[29].as_str()), (3, "c11"));
    }

    #[test]
    fn an_empty_package_has_an_empty_table() {
        let view = reach(&workbench(&[("c", "package p c")]), &key(), 0, Runtime::V0, &[]).unwrap();
        assert_eq!((view.rows.len(), view.columns.len(), view.total), (0, 0, 0));
    }

    #[test]
    fn a_report_has_the_channels_and_versions_that_are_wanted() {
        let sketch = "package p c\nchannel p c p.v3.0.0>p.v2.5.0 p.v2.5.0 p.v1.0.0\nchannel p d p.v3.0.0>p.v2.5.0 p.v2.5.0\nbundle p 1.0.0\nbundle p 2.5.0\nbundle p 3.0.0";
        let workbench = workbench(&[("c", sketch)]);
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let report = |channels: &[&str], installed: &[&str], only_stuck| {
            let report = reach_report(&workbench, &key(), &owned(channels), &owned(installed), only_stuck).unwrap();
            let rows: Vec<String> = report.table.rows.iter().map(|row| row.label.clone()).collect();
            let fits = |column: &ReachColumn| column.problem.is_some() || column.cells.len() == rows.len();
            assert!(report.table.columns.iter().all(fits));
            (rows, report.table.columns.len(), report.repairs.len())
        };
        assert_eq!(report(&[], &[], false), (owned(&["3.0.0", "2.5.0", "1.0.0"]), 2, 0));
        assert_eq!(report(&[], &["p.v2.5.0"], false), (owned(&["2.5.0"]), 2, 0));
        assert_eq!(report(&["d"], &[], true), (owned(&[]), 1, 0));
        assert_eq!(report(&[], &[], true), (owned(&[]), 2, 1), "the first channel is broken");
        let gone = PackageKey { catalog: CatalogId(0), package: "q".to_owned() };
        assert_eq!(reach_report(&workbench, &gone, &[], &[], false), None);
    }
}
