//! The rows of a long channel share their paths, and the search for causes stays within its work.
//!
//! One test, since the allocator counts what all threads have.

use catalog::{Catalog, ParsedFile, lower};
use compare::{Budget, Explained, Listings, Runtime, Search, State, compare, compare_package, groups};
use peak_alloc::PeakAlloc;
use source::FileId;
use std::sync::Arc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// A channel in which each entry from `first` on replaces the one before it.
fn chain(first: usize, count: usize) -> Catalog {
    let mut text =
        "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries:\n"
            .to_owned();
    for at in first..count {
        text += &format!("- name: p.v1.{at}.0\n");
        if at > first {
            text += &format!("  replaces: p.v1.{}.0\n", at - 1);
        }
    }
    for at in first..count {
        text += &format!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v1.{at}.0\nimage: i\nproperties:\n- {{type: olm.package, value: \
             {{packageName: p, version: 1.{at}.0}}}}\n"
        );
    }
    let parse = fbc::parse(FileId(0), &text);
    lower(&[ParsedFile { text: &text, parse: &parse }]).0
}

fn state(catalog: &Catalog) -> State<'_> {
    State { catalog, rejected: None }
}

/// The bytes that a comparison takes at most, for both runtimes.
fn taken(old: &Catalog, new: &Catalog) -> usize {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let found = compare_package(state(old), state(new), &old.packages[0].name, Runtime::Both);
    assert_eq!(found.extensions().count(), 2 * found.subscriptions().count());
    ALLOCATOR.peak_usage() - before
}

#[test]
fn a_comparison_grows_as_its_catalogs() {
    let [few, many] = [500, 2000].map(|count| {
        let (old, new, half) = (chain(0, count), chain(0, count + 1), chain(count / 2, count));
        [taken(&old, &new), taken(&old, &half), taken(&half, &old)]
    });
    for (few, many) in few.into_iter().zip(many) {
        assert!(many < 6 * few, "{many} bytes for four times the entries of {few} bytes");
    }

    // Each of the thousand removed entries is part of the cause.
    let (old, new) = (chain(0, 2000), chain(1000, 2000));
    let comparison = &compare(state(&old), state(&new))[0];
    let budget = Budget::of(1, 0, cluster::Budget::default());
    let work = budget.left();
    let groups = groups(&comparison.rows);
    let listings = &|| Listings { old: Arc::default(), new: Arc::default(), others: Vec::new() };
    let of = Explained { old: state(&old), new: state(&new), comparison, is_written: true, listings };
    assert!(Search::default().advance(of, &groups, &budget));
    assert!((1..=groups.len()).contains(&budget.unsearched()), "{} of {}", budget.unsearched(), groups.len());
    assert!(budget.left() < work / 2);
}
