//! Rows together with what the versions require.

use crate::{catalog, lowered};
use catalog::Catalog;
use cluster::Budget;
use compare::{Listings, Rule, State, compare, with_dependencies};
use resolver::Listing;
use std::sync::Arc;

/// `p.v1.1.0` requires package `q` in a range.
fn requiring(range: &str, is_released: bool) -> Catalog {
    let head = if is_released { format!("1.1.0 (replaces 1.0.0; requires q {range}),") } else { String::new() };
    catalog(&format!("c: {head} 1.0.0"))
}

/// The difference that the simulation finds for the only row, and the dependencies that it adds.
fn simulated(range: &str, has_provider: bool) -> Option<(Rule, usize)> {
    let (old, new) = (requiring(range, false), requiring(range, true));
    let state = |catalog| State { catalog, rejected: None };
    let row = &compare(state(&old), state(&new))[0].rows[0];
    let others = if has_provider {
        vec![Arc::new(Listing::of(&lowered(&fixture::yaml("package q\nc: 1.0.0"))))]
    } else {
        Vec::new()
    };
    let listings = Listings { old: Arc::new(Listing::of(&old)), new: Arc::new(Listing::of(&new)), others };
    let found = with_dependencies(row, (&old.packages[0], &new.packages[0]), || listings, &Budget::default())?;
    Some((found.rule, found.added_dependencies().count()))
}

#[test]
fn what_a_release_requires_is_installed_or_holds_it_back() {
    assert_eq!(simulated(">=1.0.0", true), Some((Rule::DependenciesAdded, 1)));
    let (rule, added) = simulated(">=2.0.0", true).expect("the release stays away");
    assert_ne!(rule, Rule::GoesFurther);
    assert_eq!(added, 0);
    assert!(simulated(">=1.0.0", false).is_some(), "no catalog has the package");
}
