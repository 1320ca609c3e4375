//! The comparison of all packages.

use compare::{Compared, Level};
use session::Comparison;
use source::{FileId, Span, name_list};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use views::{ClusterComparisonView, ComparedPackage, ComparisonView, LevelCounts, PackageKey};

/// What was found, where `left` packages are not compared. Of a cluster, what it has installed may change because of other packages.
pub(super) fn view(
    comparison: &Comparison<'_>,
    cluster: Option<&ClusterComparisonView>,
    left: usize,
    level_faults: &[String],
) -> ComparisonView {
    let row = |found: &Rc<Compared>| {
        let [_, new] = comparison.states(found);
        let side = if new.is_some() { comparison.after } else { comparison.before };
        ComparedPackage {
            key: PackageKey { catalog: side.input.id, package: found.comparison.package.to_string() },
            sentence: comparison.happens(found),
            harmed: match comparison.harmed(found) {
                names if names.is_empty() => String::new(),
                names => name_list(names.into_iter().map(|name| name.as_str())),
            },
            levels: counts(&comparison.levels_of(found)),
        }
    };
    let mut packages: Vec<ComparedPackage> = comparison.shown().map(row).collect();
    packages.sort_by_key(|package| Reverse(package.levels.0));
    let rows = cluster.into_iter().flat_map(|cluster| &cluster.subscriptions).filter(|row| !row.about.is_empty());
    let moving: BTreeSet<&str> = rows.map(|row| &*row.package).collect();
    let is_unchanged =
        |found: &&Rc<Compared>| comparison.is_unchanged(found) && !moving.contains(found.comparison.package.as_str());
    let unchanged = comparison.packages.iter().filter(is_unchanged).count();
    let first_side = if comparison.is_mirror() { comparison.before } else { comparison.after };
    let first_file = first_side.input.files.first();
    let rows = comparison.rows_by_level();
    ComparisonView {
        sentence: comparison.headline(),
        packages,
        unchanged: unchanged as u32,
        added: comparison.added.iter().map(ToString::to_string).collect(),
        unmirrored: comparison.unmirrored.len() as u32,
        levels: counts(&comparison.levels()),
        rows_unchanged: rows.get(&None).map_or(0, |count| *count as u32),
        rows: LevelCounts(Level::ALL.map(|level| rows.get(&Some(level)).map_or(0, |count| *count as u32))),
        not_comparable: comparison.not_comparable_texts(),
        following: comparison.following(),
        is_read: comparison.is_read,
        left: left as u32,
        level_faults: level_faults.to_vec(),
        before: comparison.before.name(),
        after: comparison.after.name(),
        totals: comparison.totals(),
        remarks: comparison.remarks(unchanged),
        start: first_file.map(|file| first_side.place(Span::new(FileId(file.key.0), 0, 0))),
    }
}

fn counts(levels: &BTreeMap<Level, usize>) -> LevelCounts {
    LevelCounts(Level::ALL.map(|level| levels.get(&level).map_or(0, |count| *count as u32)))
}
