//! `set-package-ends`

use crate::sets::finding::Finding;
use crate::sets::installed::{Outcome, PackagePair};
use crate::sets::set::{CatalogSet, Pair};
use source::{Rule, Severity};
use std::collections::BTreeSet;

/// A member with fewer packages than this is not compared with what the next one has yet.
const FEW: usize = 4;

pub(super) fn check(set: &CatalogSet, pairs: &[PackagePair<'_>]) -> Vec<Finding> {
    let filled: Vec<Pair<'_>> = set.pairs().filter(|pair| is_being_filled(set, *pair)).collect();
    let is_filled = |of: &PackagePair<'_>| filled.iter().any(|pair| is_same(*pair, of.pair));
    let one_by_one = pairs.iter().filter(|of| of.new.is_none() && !is_filled(of)).map(|of| {
        let again = set.of_package(of.name.as_str()).find(|(member, _)| member.version > of.pair.new.version);
        let again = again.map(|(member, _)| format!("; {} has it again", member.version)).unwrap_or_default();
        let message = "the next catalog does not have the package: OLM no longer resolves any namespace with a \
                       Subscription to it, and what is installed keeps running without updates";
        finding(of, format!("{message}{again}"))
    });
    let together = filled.iter().filter_map(|pair| {
        let missing: Vec<_> = pairs.iter().filter(|of| of.new.is_none() && is_same(*pair, of.pair)).collect();
        let first = missing.first()?;
        let all = pair.old.catalog.packages.len();
        let message = format!(
            "{} is being filled: {} of {all} packages of {} are not there yet",
            pair.new.version,
            missing.len(),
            pair.old.version
        );
        let rows = missing.iter().flat_map(|of| finding(of, String::new()).rows).collect();
        Some(Finding { package: None, rows, ..finding(first, message) }.with_severity(Severity::Hint))
    });
    one_by_one.chain(together).collect()
}

fn finding(of: &PackagePair<'_>, message: String) -> Finding {
    let (old, new) = (of.pair.old.version, of.pair.new.version);
    let mut found = Finding::of_member(Rule::SetPackageEnds, old, of.name, of.old.span(), message).between(old, new);
    found.rows = of.with(Outcome::PackageEnds).map(|row| of.shown(row)).collect();
    found
}

fn is_same(one: Pair<'_>, other: Pair<'_>) -> bool {
    (one.old.version, one.new.version) == (other.old.version, other.new.version)
}

/// Whether the newest member has less than half of the packages of the one before: its publisher has just begun with
/// it.
pub(super) fn is_being_filled(set: &CatalogSet, pair: Pair<'_>) -> bool {
    let names = |member: &crate::sets::Member| {
        member.catalog.packages.iter().map(|package| package.name.clone()).collect::<BTreeSet<_>>()
    };
    let is_newest = set.members.last().is_some_and(|last| last.version == pair.new.version);
    let (old, new) = (names(pair.old), names(pair.new));
    is_newest && old.len() >= FEW && old.intersection(&new).count() * 2 < old.len()
}
