//! `member-bundle-object`

use crate::sets::finding::Finding;
use crate::sets::set::CatalogSet;
use source::{OpenShift, Rule, name_list};

/// The first version whose pipelines refuse `olm.bundle.object`.
const SINCE: OpenShift = OpenShift { major: 4, minor: 17 };

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let mut found = Vec::new();
    for member in set.members.iter().filter(|member| member.version >= SINCE) {
        for package in &member.catalog.packages {
            let bundles: Vec<_> = package.bundles.iter().filter(|bundle| bundle.has_objects).collect();
            let Some(first) = bundles.first() else { continue };
            let names = name_list(bundles.iter().map(|bundle| bundle.name.value.as_str()));
            let message = format!(
                "`olm.bundle.object` in {names}: from 4.17 on, catalogs have `olm.csv.metadata` instead, and the \
                 pipelines refuse this"
            );
            let span = Some(first.name.span);
            found.push(Finding::of_member(Rule::MemberBundleObject, member.version, &package.name, span, message));
        }
    }
    found
}
