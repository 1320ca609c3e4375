//! Findings that need the update graph, one file a rule.

mod skip_range_pruning;
mod skipped_cycle;

use catalog::{Catalog, Package};
use source::{Diagnostic, Findings};

/// All findings of all rules, package by package.
#[must_use]
pub fn check(catalog: &Catalog) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    catalog.packages.iter().for_each(|package| findings.extend(check_package(package)));
    findings.into_diagnostics()
}

/// The findings about a package, which depend on it alone.
pub fn check_package(package: &Package) -> impl Iterator<Item = Diagnostic> {
    skip_range_pruning::check(package).chain(skipped_cycle::check(package))
}
