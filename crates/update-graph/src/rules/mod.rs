//! Findings that need the update graph, one file a rule.

mod skip_range_pruning;
mod skipped_cycle;

use catalog::{Catalog, Package};
use source::{Diagnostic, Executor, Findings};
use std::sync::Arc;

/// All findings of all rules, package by package.
#[must_use]
pub fn check(catalog: &Catalog) -> Vec<Diagnostic> {
    check_with(catalog, Executor::default())
}

/// As [`check`], perhaps of several packages at once.
#[must_use]
pub fn check_with(catalog: &Catalog, executor: Executor) -> Vec<Diagnostic> {
    let check = |package: &Arc<Package>, findings: &mut Findings| {
        findings.extend(skip_range_pruning::check(package));
        findings.extend(skipped_cycle::check(package));
    };
    executor.findings(&catalog.packages, check).into_diagnostics()
}
