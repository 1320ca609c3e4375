//! `member-min-kube`

use crate::sets::finding::Finding;
use crate::sets::set::CatalogSet;
use catalog::{Bundle, Package, heads};
use source::{Rule, Severity, name_list, parse_min_kube};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let mut found = Vec::new();
    for member in &set.members {
        for package in &member.catalog.packages {
            let heads = all_heads(package);
            let mut by_minimum: BTreeMap<(bool, &str), Vec<&Bundle>> = BTreeMap::new();
            for bundle in &package.bundles {
                let name = &bundle.name.value;
                let Some(minimum) = member.min_kube_version(&package.name, name) else { continue };
                if member.version.is_older_than(minimum) {
                    by_minimum.entry((!heads.contains(name.as_str()), minimum)).or_default().push(bundle);
                }
            }
            for ((is_below, minimum), bundles) in by_minimum {
                let names = name_list(bundles.iter().map(|bundle| bundle.name.value.as_str()));
                let need = if bundles.len() == 1 { "needs" } else { "need" };
                let (which, severity) = if is_below { ("", Severity::Warning) } else { (", a head,", Severity::Error) };
                let why = match parse_min_kube(minimum) {
                    Some(_) => "this OpenShift does not have yet",
                    None => "OLM cannot parse, so that no cluster has it",
                };
                let message = format!(
                    "{names}{which} {need} Kubernetes {minimum}, which {why}: the update hangs, and \
                     nothing in the namespace is updated any more"
                );
                let span = bundles.first().map(|bundle| bundle.name.span);
                let finding = Finding::of_member(Rule::MemberMinKube, member.version, &package.name, span, message);
                found.push(finding.with_severity(severity));
            }
        }
    }
    found
}

pub(super) fn all_heads(package: &Package) -> BTreeSet<&str> {
    package.channels.iter().flat_map(heads).collect()
}
