//! The checks of sets, one file for each rule, with its documentation in Markdown beside it.

mod generated_stale;
mod member_csv_form;
mod member_max_ocp;
mod member_min_kube;
mod member_replaces;
mod member_stuck;
mod set_bundle_hole;
mod set_channel_ends;
mod set_default_differs;
mod set_differs;
mod set_gap;
mod set_installed_ahead;
mod set_installed_lost;
mod set_mapping;
mod set_moves_lower;
mod set_package_ends;
mod set_promotion_stuck;
mod set_version_mismatch;

use crate::sets::finding::{Finding, merged, rolling};
use crate::sets::installed::package_pairs;
use crate::sets::set::{CatalogSet, Member, SetFile};
use crate::sets::unit::{ReadFile, Unit, UnitKey};
use fbc::Parse;
use source::{Diagnostic, Executor, FileId, OpenShift, Rule};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The findings about a set: the worst first, then by rule, package, channel and version. Members that were not read completely
/// have none.
#[must_use]
pub fn check(set: &CatalogSet, executor: Executor) -> Vec<Finding> {
    together(set, check_each(set, executor))
}

/// The same findings, those of one thing in one, in this order.
#[must_use]
pub fn together(set: &CatalogSet, found: Vec<Finding>) -> Vec<Finding> {
    let set = &*set.complete();
    let (ends, mut found): (Vec<_>, Vec<_>) = found.into_iter().partition(|of| of.rule == Rule::SetChannelEnds);
    found.extend(rolling(set, merged(set, ends)));
    let mut found = merged(set, found);
    found.sort_by(|one, other| {
        let key = |of: &Finding| (of.severity, of.rule, of.package.clone(), of.channel.clone(), of.from, of.to);
        key(one).cmp(&key(other)).then_with(|| one.message.cmp(&other.message))
    });
    found
}

/// The findings about each catalog, or each update of OpenShift, by itself: those of two states of a set are compared so.
#[must_use]
pub fn check_each(set: &CatalogSet, executor: Executor) -> Vec<Finding> {
    let (whole, set) = (set, &*set.complete());
    let pairs = package_pairs(set, executor);
    let mut found = set_package_ends::check(set, &pairs);
    found.extend(set_channel_ends::check(&pairs));
    found.extend(set_installed_lost::check(&pairs));
    found.extend(set_installed_ahead::check(&pairs));
    found.extend(set_moves_lower::check(&pairs));
    found.extend(set_default_differs::check(&pairs));
    found.extend(set_bundle_hole::check(set));
    found.extend(set_gap::check(set));
    found.extend(set_differs::check(set));
    found.extend(set_mapping::check(whole));
    found.extend(set_promotion_stuck::check(set));
    found.extend(generated_stale::check(set));
    found.extend(set_version_mismatch::check(set));
    found.extend(of_version(set, &|id| set.file(id).is_some_and(SetFile::is_expansion)));
    found.extend(member_replaces::check(set));
    found.extend(member_stuck::check(set));
    found.extend(set.of_bundles.iter().flatten().cloned());
    found
}

/// What is wrong with members because of their versions of OpenShift, whatever the other members are. What is made of a template
/// or of bundle directories is rendered again before it is served.
fn of_version(set: &CatalogSet, is_made: &dyn Fn(FileId) -> bool) -> Vec<Finding> {
    let mut found = member_csv_form::check(set, is_made);
    found.extend(member_min_kube::check(set));
    found.extend(member_max_ocp::check(set));
    found
}

/// The same of the files of one catalog, some of which are made of others.
#[must_use]
pub fn check_for(
    version: OpenShift,
    files: &[(FileId, &str, &Parse)],
    is_made: &dyn Fn(FileId) -> bool,
) -> Vec<Diagnostic> {
    let read = files.iter().map(|&(id, text, parse)| ReadFile { id, text, parse, fault: None });
    let key =
        UnitKey { files: files.iter().map(|(id, ..)| *id).collect(), is_partial: false, has_unknown_images: false };
    let unit = Arc::new(Unit::of(&read.collect::<Vec<_>>(), &key));
    let set = CatalogSet {
        pattern: "".into(),
        members: vec![Member::of(version, vec![unit], Vec::new())],
        holes: Vec::new(),
        files: Vec::new(),
        doubts: Vec::new(),
        operators: Vec::new(),
        rendered: BTreeMap::new(),
        of_bundles: None,
    };
    of_version(&set, is_made).iter().filter_map(Finding::diagnostic).collect()
}
