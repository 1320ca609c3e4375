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
mod invalid_min_kube;
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
mod uncreatable_name;
mod unmatched_lifecycle;
mod unservable;
mod version_cap;

use crate::candidates::{requirements, states_requirements};
use crate::index::{IndexedPackage, Input};
use crate::ranges::{required_ranges, required_versions, skip_ranges};
use catalog::Package;
use source::{Diagnostic, Executor, Findings, Span};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The findings that depend on a package and the text of its documents alone.
pub fn check_package(input: Input<'_>, package: &Package, findings: &mut Findings) {
    let indexed = &IndexedPackage::of(package);
    check_updates(indexed, findings);
    let ranges = skip_ranges(indexed);
    misread_range::check(&ranges, findings);
    never_true_range::check(&ranges, findings);
    deprecated_default::check(indexed, findings);
    duplicate_gvk::check(indexed, findings);
    slash_in_channel::check(indexed, findings);
    uncreatable_name::check(indexed, findings);
    shared_image::check(indexed, findings);
    name_version_mismatch::check(indexed, findings);
    icon_mismatch::check(input, indexed, findings);
    head_without_csv::check(input, indexed, findings);
    invalid_min_kube::check(input, indexed, findings);
    findings.extend(skip_range_annotation::check(input, indexed));
}

/// The findings that depend on several packages of a catalog, or on documents that are of none.
///
/// Several packages are perhaps looked at at once.
#[must_use]
pub fn check_together(input: Input<'_>, executor: Executor) -> Vec<Diagnostic> {
    let packages: Vec<&Package> =
        input.catalog.packages.iter().map(Arc::as_ref).filter(|package| states_requirements(package)).collect();
    let stated = executor.map(&packages, |package| requirements(&IndexedPackage::of(package)));
    let versions = required_versions(input.catalog, stated.iter().flatten());
    let mut findings = Findings::default();
    for requirements in &stated {
        let ranges = required_ranges(input, requirements, &versions);
        misread_range::check(&ranges, &mut findings);
        never_true_range::check(&ranges, &mut findings);
        version_cap::check(input, requirements, &versions, &mut findings);
        invalid_constraint::check(requirements, &mut findings);
    }
    mixed_packages::check(input, &mut findings);
    unservable::check(input, &mut findings);
    lifecycle_phases::check(input, &mut findings);
    duplicate_lifecycle::check(input, &mut findings);
    unmatched_lifecycle::check(input, &mut findings);
    findings.into_diagnostics()
}

/// The rules about update edges.
fn check_updates(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    // The places of the skipRanges that these rules do not report again.
    let pruned: BTreeSet<Span> = update_graph::check_package(indexed.package).map(|finding| finding.span).collect();
    stuck_entry::check(indexed, findings);
    ignored_edge::check(indexed, findings);
    downgrade::check(indexed, findings);
    self_replacing::check(indexed, findings);
    misspelt_name::check(indexed, findings);
    head_below_entry::check(indexed, findings);
    dead_end_channel::check(indexed, findings);
    skip_range_upper_bound::check(indexed, findings);
    skip_range_excludes_replaced::check(indexed, findings);
    idle_skip_range::check(indexed, &pruned, findings);
    open_skip_range::check(indexed, &pruned, findings);
}
