//! The rules, one file each: what it tells and why, an example that fails and one that passes, and its tests.

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

use crate::demand::demands;
use crate::input::Input;
use crate::operator::Operator;
use crate::written::written;
use source::{Diagnostic, Findings, Span};
use std::collections::BTreeSet;

/// The findings of a catalog that depend on nothing but itself. `pruned` are the places of the skipRanges that
/// `update_graph::check` tells of.
#[must_use]
pub fn check(input: Input<'_>, pruned: &BTreeSet<Span>) -> Vec<Diagnostic> {
    let mut found = Findings::default();
    let operators: Vec<Operator<'_>> = input.catalog.packages.iter().map(Operator::of).collect();
    for operator in &operators {
        reach(operator, pruned, &mut found);
        let demands = demands(operator);
        let ranges = written(input, operator, &operators, &demands);
        misread_range::check(&ranges, &mut found);
        never_true_range::check(&ranges, &mut found);
        version_cap::check(input, &operators, &demands, &mut found);
        invalid_constraint::check(&demands, &mut found);
        deprecated_default::check(operator, &mut found);
        duplicate_gvk::check(operator, &mut found);
        slash_in_channel::check(operator, &mut found);
        shared_image::check(operator, &mut found);
        name_version_mismatch::check(operator, &mut found);
        icon_mismatch::check(input, operator, &mut found);
    }
    skip_range_annotation::check(input, &operators, &mut found);
    mixed_packages::check(input, &mut found);
    unservable::check(input, &mut found);
    found.into_diagnostics()
}

/// What updates lead where.
fn reach(operator: &Operator<'_>, pruned: &BTreeSet<Span>, found: &mut Findings) {
    stuck_entry::check(operator, found);
    ignored_edge::check(operator, found);
    downgrade::check(operator, found);
    self_replacing::check(operator, found);
    head_below_entry::check(operator, found);
    dead_end_channel::check(operator, found);
    skip_range_upper_bound::check(operator, found);
    skip_range_excludes_replaced::check(operator, found);
    idle_skip_range::check(operator, pruned, found);
    open_skip_range::check(operator, pruned, found);
}
