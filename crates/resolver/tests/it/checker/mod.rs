//! Whether a set of bundles may be installed together, judged by what the bundles say and not by the resolver's rules.

use std::collections::BTreeSet;

use catalog::predicate::{Property, Requirement};
use resolver::{Entry, Problem, Resolution};

/// Everything that is wrong with what a resolution leaves on the cluster.
pub(crate) fn violations(problem: &Problem, resolution: &Resolution) -> Vec<String> {
    let ids: BTreeSet<_> = resolution.picks.iter().map(|pick| pick.selected).collect();
    let entries: Vec<&Entry> = ids.iter().filter_map(|&id| problem.entry(id)).collect();
    let mut violations = Vec::new();
    for entry in &entries {
        if entry.is_deprecated() {
            violations.push(format!("{} is deprecated", entry.name));
        }
        let unmet = entry.properties.iter().filter_map(|placed| Requirement::of(&placed.property));
        for requirement in unmet.map(Result::unwrap).filter(|requirement| !is_met(requirement, &entries)) {
            violations.push(format!("{} lacks an operator {requirement}", entry.name));
        }
    }
    violations.extend(repeated(&entries));
    for &anchor in problem.anchors() {
        let met = match problem.subscription(anchor) {
            Some(subscription) => entries.iter().any(|entry| {
                let installed = entry.channel.as_str().is_empty();
                let current = installed && subscription.installed_csv.as_ref() == Some(&entry.name);
                current || !installed && entry.is_of(subscription.package.as_str())
            }),
            None => ids.contains(&anchor),
        };
        if !met {
            violations.push(format!("{} is not served", problem.name(anchor)));
        }
    }
    violations
}

fn is_met(requirement: &Requirement, entries: &[&Entry]) -> bool {
    entries.iter().any(|entry| {
        let properties = entry.properties.iter().map(|placed| &placed.property);
        requirement.holds(&entry.package, entry.version.as_ref(), properties).unwrap()
    })
}

/// APIs and packages that occur more than once.
fn repeated(entries: &[&Entry]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut repeated = Vec::new();
    for placed in entries.iter().flat_map(|entry| entry.properties.iter()) {
        let unique = match &placed.property {
            Property::Gvk(gvk, _) => gvk.to_string(),
            Property::Package { name, .. } => name.to_string(),
            _ => continue,
        };
        if !seen.insert(unique.clone()) {
            repeated.push(format!("{unique} occurs twice"));
        }
    }
    repeated
}
