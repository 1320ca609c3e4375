//! `set-bundle-hole`

use crate::sets::finding::Finding;
use crate::sets::set::CatalogSet;
use source::{Rule, name_list};
use std::sync::Arc;

/// Bundles that both neighbours of a member have. A package that the member does not have at all is a gap, and no hole.
pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let mut found = Vec::new();
    for members in set.members.windows(3) {
        let [before, at, after] = members else { continue };
        for old in &before.catalog.packages {
            let [here, new] = [at, after].map(|member| member.catalog.shared_package(old.name.as_str()));
            let Some((here, new)) = here.zip(new).filter(|(here, _)| !Arc::ptr_eq(here, old)) else { continue };
            let names = old.bundles.iter().map(|bundle| bundle.name.value.as_str());
            let holes: Vec<&str> =
                names.filter(|name| here.bundle(name).is_none() && new.bundle(name).is_some()).collect();
            if holes.is_empty() || here.has_unknown_bundles {
                continue;
            }
            let message = format!(
                "{} missing, although {} and {} have {}",
                if holes.len() == 1 {
                    format!("`{}` is", holes[0])
                } else {
                    format!("{} are", name_list(holes.iter().copied()))
                },
                before.version,
                after.version,
                if holes.len() == 1 { "it" } else { "them" },
            );
            found.push(Finding::of_member(Rule::SetBundleHole, at.version, &old.name, here.span(), message));
        }
    }
    found
}
