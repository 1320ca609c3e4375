//! Findings that need the update graph, one file a rule.

mod skip_range_pruning;

use catalog::Catalog;
use source::{Diagnostic, Findings};

/// All findings of all rules, package by package.
#[must_use]
pub fn check(catalog: &Catalog) -> Vec<Diagnostic> {
    let mut found = Findings::default();
    catalog.packages.iter().for_each(|package| found.extend(skip_range_pruning::check(package)));
    found.into_diagnostics()
}
