//! Findings that need the update graph, one file a rule.

mod skip_range_pruning;

use catalog::Catalog;
use source::Diagnostic;

/// All findings of all rules, package by package.
#[must_use]
pub fn check(catalog: &Catalog) -> Vec<Diagnostic> {
    catalog.packages.iter().flat_map(skip_range_pruning::check).collect()
}
