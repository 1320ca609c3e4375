//! The rules, one file each with its tests, and its documentation in Markdown beside it.

pub(crate) mod dependency_cycle;
pub(crate) mod deprecated_requirement;
pub(crate) mod no_minimum_version;
pub(crate) mod non_default_provider;
pub(crate) mod prerelease_in_range;
pub(crate) mod several_providers;
pub(crate) mod split_requirement;
pub(crate) mod unsatisfiable_requirement;

mod dead_end_channel;
mod deprecated_default;
mod downgrade;
mod duplicate_gvk;
mod duplicate_lifecycle;
mod head_below_entry;
mod head_without_csv;
mod icon_mismatch;
mod idle_skip_range;
mod ignored_edge;
mod invalid_constraint;
mod lifecycle_phases;
mod misread_range;
mod misspelt_name;
mod mixed_packages;
mod name_version_mismatch;
mod never_true_range;
mod open_skip_range;
mod self_replacing;
mod shared_image;
mod skip_range_annotation;
mod skip_range_excludes_replaced;
mod skip_range_upper_bound;
mod slash_in_channel;
mod stuck_entry;
mod unmatched_lifecycle;
mod unservable;
mod version_cap;

use crate::index::IndexedPackage;
use crate::input::Input;
use crate::ranges::ranges;
use crate::requirements::requirements;
use source::{Diagnostic, Executor, Findings, Span};
use std::collections::BTreeSet;

/// The findings that depend on a single catalog. `pruned` are the places of the skipRanges that `update_graph::check`
/// reports, so that rules do not report them again.
#[must_use]
pub fn check(input: Input<'_>, pruned: &BTreeSet<Span>) -> Vec<Diagnostic> {
    check_with(input, pruned, Executor::default())
}

/// As [`check`], perhaps of several packages at once.
#[must_use]
pub fn check_with(input: Input<'_>, pruned: &BTreeSet<Span>, executor: Executor) -> Vec<Diagnostic> {
    let packages = executor.map(&input.catalog.packages, |package| IndexedPackage::of(package));
    let mut findings = executor.findings(&packages, |indexed, findings| {
        check_updates(indexed, pruned, findings);
        let requirements = requirements(indexed);
        let ranges = ranges(input, indexed, &packages, &requirements);
        misread_range::check(&ranges, findings);
        never_true_range::check(&ranges, findings);
        version_cap::check(input, &packages, &requirements, findings);
        invalid_constraint::check(&requirements, findings);
        deprecated_default::check(indexed, findings);
        duplicate_gvk::check(indexed, findings);
        slash_in_channel::check(indexed, findings);
        shared_image::check(indexed, findings);
        name_version_mismatch::check(indexed, findings);
        icon_mismatch::check(input, indexed, findings);
        head_without_csv::check(input, indexed, findings);
    });
    skip_range_annotation::check(input, &packages, &mut findings);
    mixed_packages::check(input, &mut findings);
    unservable::check(input, &mut findings);
    lifecycle_phases::check(input, &mut findings);
    duplicate_lifecycle::check(input, &mut findings);
    unmatched_lifecycle::check(input, &mut findings);
    findings.into_diagnostics()
}

/// The rules about update edges.
fn check_updates(indexed: &IndexedPackage<'_>, pruned: &BTreeSet<Span>, findings: &mut Findings) {
    stuck_entry::check(indexed, findings);
    ignored_edge::check(indexed, findings);
    downgrade::check(indexed, findings);
    self_replacing::check(indexed, findings);
    misspelt_name::check(indexed, findings);
    head_below_entry::check(indexed, findings);
    dead_end_channel::check(indexed, findings);
    skip_range_upper_bound::check(indexed, findings);
    skip_range_excludes_replaced::check(indexed, findings);
    idle_skip_range::check(indexed, pruned, findings);
    open_skip_range::check(indexed, pruned, findings);
}
