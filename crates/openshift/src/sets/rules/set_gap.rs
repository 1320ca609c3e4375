//! `set-gap`

use crate::sets::finding::Finding;
use crate::sets::set::CatalogSet;
use source::Rule;

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let mut found = Vec::new();
    for name in set.packages() {
        let has = |at: usize| set.members[at].catalog.package(name.as_str());
        let (mut last, mut gap) = (None, Vec::new());
        for at in 0..set.members.len() {
            let Some(package) = has(at) else {
                gap.extend(last.map(|_| at));
                continue;
            };
            // Where an update of OpenShift leads into the gap, `set-package-ends` says so.
            let leads_into = |before: usize, first: usize| {
                set.members[before].version.next().any(|version| version == set.members[first].version)
            };
            if let (Some(before), [first, ..]) = (last, &gap[..])
                && !leads_into(before, *first)
            {
                let message = format!(
                    "the package is missing, although {} and {} have it",
                    set.members[before].version, set.members[at].version
                );
                let (from, to) = (set.members[*first].version, set.members[at - 1].version);
                let finding = Finding::of_member(Rule::SetGap, set.members[at].version, name, package.span(), message);
                found.push(finding.between(from, to));
            }
            gap.clear();
            last = Some(at);
        }
    }
    found
}
