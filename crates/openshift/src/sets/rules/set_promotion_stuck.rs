//! `set-promotion-stuck`: an operator that did not come into the newest catalog (operator-pipelines
//! `scripts/promote-catalog.py`).

use super::set_package_ends::is_being_filled;
use crate::sets::finding::Finding;
use crate::sets::set::{CatalogSet, Operator, Pair};
use source::Rule;

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let newest = set.members.last().map(|member| member.version);
    let pairs = set.pairs().filter(|pair| Some(pair.new.version) == newest && !is_being_filled(set, *pair));
    pairs.flat_map(|pair| set.operators.iter().filter_map(move |operator| stuck(set, pair, operator))).collect()
}

fn stuck(set: &CatalogSet, Pair { old, new }: Pair<'_>, operator: &Operator) -> Option<Finding> {
    let fbc = operator.fbc(set)?;
    let list = fbc.list?;
    let is_mapped = |name: &str| name.parse() == Ok(new.version);
    let is_missing = set.has_folder(old.version, &operator.name) && !set.has_folder(new.version, &operator.name);
    // What is mapped and missing is another finding.
    if fbc.has_promotion_strategy
        || !is_missing
        || fbc.mappings.iter().flat_map(|mapping| &mapping.catalogs).any(|name| is_mapped(&name.value))
    {
        return None;
    }
    let message = "the catalog does not have the operator, and `ci.yaml` names no `version_promotion_strategy`: then the \
                   pipelines only propose it for a new version of OpenShift, and wait for its owner; with `always` they do \
                   not wait";
    let package = operator.package(set);
    Some(Finding::of_member(Rule::SetPromotionStuck, new.version, &package, Some(list), message.to_owned()))
}
