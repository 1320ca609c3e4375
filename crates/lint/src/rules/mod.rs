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
mod head_below_entry;
mod icon_mismatch;
mod idle_skip_range;
mod ignored_edge;
mod invalid_constraint;
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
mod unservable;
mod version_cap;

use crate::index::IndexedPackage;
use crate::input::Input;
use crate::ranges::ranges;
use crate::requirements::requirements;
use source::{Diagnostic, Findings, Span};
use std::collections::BTreeSet;

/// The findings that depend on a single catalog. `pruned` are the places of the skipRanges that `update_graph::check`
/// reports, so that rules do not report them again.
#[must_use]
pub fn check(input: Input<'_>, pruned: &BTreeSet<Span>) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    let packages: Vec<IndexedPackage<'_>> = input.catalog.packages.iter().map(IndexedPackage::of).collect();
    for indexed in &packages {
        check_updates(indexed, pruned, &mut findings);
        let requirements = requirements(indexed);
        let ranges = ranges(input, indexed, &packages, &requirements);
        misread_range::check(&ranges, &mut findings);
        never_true_range::check(&ranges, &mut findings);
        version_cap::check(input, &packages, &requirements, &mut findings);
        invalid_constraint::check(&requirements, &mut findings);
        deprecated_default::check(indexed, &mut findings);
        duplicate_gvk::check(indexed, &mut findings);
        slash_in_channel::check(indexed, &mut findings);
        shared_image::check(indexed, &mut findings);
        name_version_mismatch::check(indexed, &mut findings);
        icon_mismatch::check(input, indexed, &mut findings);
    }
    skip_range_annotation::check(input, &packages, &mut findings);
    mixed_packages::check(input, &mut findings);
    unservable::check(input, &mut findings);
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
