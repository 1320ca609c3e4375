//! The comparison of all packages.

use crate::comparison::{Compared, Comparison, words};
use compare::Level;
use source::name_list;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;
use views::{ComparedPackage, ComparisonView, LevelCounts, PackageKey};

/// What was found, where `left` packages are not compared.
pub(super) fn view(comparison: &Comparison<'_>, left: usize, level_faults: &[String]) -> ComparisonView {
    let row = |found: &Rc<Compared>| {
        let [_, new] = comparison.states(found);
        let side = if new.is_some() { comparison.after } else { comparison.before };
        ComparedPackage {
            key: PackageKey { catalog: side.input.id, package: found.found.package.to_string() },
            sentence: words::happens(comparison, found),
            harmed: match comparison.harmed(found) {
                names if names.is_empty() => String::new(),
                names => name_list(names.into_iter().map(|name| name.as_str())),
            },
            levels: counts(&comparison.levels_of(found)),
        }
    };
    let mut packages: Vec<ComparedPackage> = comparison.shown().map(row).collect();
    packages.sort_by_key(|package| Reverse(package.levels.0));
    let remarks = [
        words::unsearched(comparison),
        words::added(comparison),
        words::unmirrored(comparison),
        words::unchanged(comparison),
    ];
    ComparisonView {
        sentence: words::headline(comparison),
        packages,
        unchanged: comparison.packages.iter().filter(|found| comparison.is_unchanged(found)).count() as u32,
        added: comparison.added.iter().map(ToString::to_string).collect(),
        unmirrored: comparison.unmirrored.len() as u32,
        levels: counts(&comparison.levels()),
        not_comparable: comparison.not_comparable_texts(),
        following: words::following(comparison),
        is_read: comparison.is_read,
        left: left as u32,
        level_faults: level_faults.to_vec(),
        before: comparison.before.name(),
        after: comparison.after.name(),
        totals: words::totals(comparison),
        remarks: remarks.into_iter().flatten().collect(),
        start: comparison.start(),
    }
}

fn counts(levels: &BTreeMap<Level, usize>) -> LevelCounts {
    LevelCounts(Level::ALL.map(|level| levels.get(&level).map_or(0, |count| *count as u32)))
}
