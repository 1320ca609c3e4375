//! What holds for every change.

use crate::{catalog, explained, state};
use catalog::Catalog;
use compare::{Level, PackageComparison, Row, Rule, compare, groups, revert};
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;

/// A channel in the notation of `fixture`. Most can be ordered.
fn channel() -> impl Strategy<Value = String> {
    let fields = (0..8u32, btree_set(0..7u32, 0..3), option::weighted(0.2, (0..7u32, 0..7u32)), any::<bool>());
    (btree_set(0..7u32, 1..6), vec(fields, 7)).prop_map(|(listed, fields)| {
        let mut listed: Vec<u32> = listed.into_iter().collect();
        listed.reverse();
        let lines = listed.iter().enumerate().map(|(at, version)| {
            let (replaces, skips, range, _) = &fields[*version as usize];
            let below = listed.get(at + 1);
            // One in eight replaces anything.
            let replaced = if *replaces == 7 { Some(&fields[at].0) } else { below };
            let mut clauses: Vec<String> =
                replaced.map(|replaced| format!("replaces 1.{replaced}.0")).into_iter().collect();
            let skips: Vec<String> =
                skips.iter().filter(|skipped| *skipped < version).map(|skipped| format!("1.{skipped}.0")).collect();
            if !skips.is_empty() {
                clauses.push(format!("skips {}", skips.join(", ")));
            }
            clauses.extend(range.map(|(from, to)| format!("skipRange >=1.{from}.0 <1.{to}.0")));
            format!("1.{version}.0 ({})", clauses.join("; "))
        });
        format!("stable: {}", lines.collect::<Vec<_>>().join(", "))
    })
}

fn between(old: &Catalog, new: &Catalog) -> PackageComparison {
    compare(state(old), state(new)).remove(0)
}

fn level(row: &Row) -> Option<Level> {
    row.rule.map(Rule::level)
}

/// The row of the same channel and version.
fn same<'r>(comparison: &'r PackageComparison, row: &Row) -> Option<&'r Row> {
    comparison.rows.iter().find(|other| (&other.channel, &other.installed) == (&row.channel, &row.installed))
}

proptest! {
    #[test]
    fn no_change_gives_nothing(text in channel()) {
        let catalog = catalog(&text);
        for row in between(&catalog, &catalog).rows {
            prop_assert!(matches!(row.rule, None | Some(Rule::V0StillStranded)), "{:?}", row);
        }
    }

    #[test]
    fn the_way_back_frees_who_was_stranded(old in channel(), new in channel()) {
        let (old, new) = (catalog(&old), catalog(&new));
        let back = between(&new, &old);
        for row in between(&old, &new).rows.iter().filter(|row| row.rule == Some(Rule::V0Stranded)) {
            let Some(back) = same(&back, row) else { continue };
            // Worse than stuck on the way there can be worse than free on the way back.
            let is_worse = level(back) >= Some(Level::Risky);
            let is_head = row.new.head() == Some(&row.installed);
            prop_assert!(back.rule == Some(Rule::V0Unstranded) || is_worse || is_head, "{:?}", back);
            prop_assert!(back.rule != Some(Rule::V0Stranded), "{:?}", back);
        }
    }

    #[test]
    fn a_cause_is_minimal(old in channel(), new in channel()) {
        let (old, new) = (catalog(&old), catalog(&new));
        let (before, after) = (&old.packages[0], &new.packages[0]);
        let comparison = between(&old, &new);
        for row in &comparison.rows {
            let found = explained((&old, &new), &comparison, &groups([row]), usize::MAX);
            let cause = found.into_iter().next().unwrap_or_default().cause;
            prop_assert_eq!(!cause.is_empty(), level(row) >= Some(Level::Risky), "{:?}", row);
            let without = |left: Option<usize>| {
                let mut package = catalog::Package::clone(after);
                let taken_back = cause.iter().enumerate().filter(|(at, _)| Some(*at) != left);
                let taken_back: Vec<_> = taken_back.map(|(_, edit)| edit).collect();
                revert(&taken_back, &mut package, before);
                let reverted = Catalog { packages: vec![package.into()], ..Catalog::default() };
                between(&old, &reverted)
            };
            let is_as_bad = |found: &PackageComparison| same(found, row).and_then(level) >= level(row);
            if !cause.is_empty() {
                let found = without(None);
                let is_elsewhere = same(&found, row).is_some_and(|other| other.new.next() != row.new.next());
                let is_of_next = matches!(row.rule, Some(Rule::V0NextChanged | Rule::V0JumpWidened));
                let is_other_way = is_of_next && is_elsewhere;
                prop_assert!(!is_as_bad(&found) || is_other_way, "{:?}", cause);
                for at in 0..cause.len() {
                    prop_assert!(is_as_bad(&without(Some(at))), "{:?} without {}", cause, at);
                }
            }
        }
    }

    #[test]
    fn an_offered_fix_helps_its_rows(old in channel(), new in channel()) {
        let (old, new) = (catalog(&old), catalog(&new));
        let comparison = between(&old, &new);
        let groups = groups(&comparison.rows);
        for (group, found) in groups.iter().zip(explained((&old, &new), &comparison, &groups, usize::MAX)) {
            for fix in found.fixes {
                let fixed = Catalog {
packages: vec![fix.fix.applied(Some(&new.packages[0]), &old.packages[0]).into()],
..Catalog::default()
};
                let fixed = between(&old, &fixed);
                for row in &group.rows {
                    let with = same(&fixed, row).unwrap();
                    let is_free = row.rule == Some(Rule::V0StillStranded) && with.rule != row.rule;
                    prop_assert!(is_free || level(with) < level(row), "{:?}", with);
                }
            }
        }
    }
    #[test]
    fn a_search_in_pieces_finds_the_same(old in channel(), new in channel()) {
        let (old, new) = (catalog(&old), catalog(&new));
        let comparison = between(&old, &new);
        let groups = groups(&comparison.rows);
        let [once, pieces] = [usize::MAX, 1].map(|work| explained((&old, &new), &comparison, &groups, work));
        prop_assert_eq!(once, pieces);
    }
}
