//! The rule `dependency-cycle`.
//!
#![doc = include_str!("dependency_cycle.md")]

use crate::candidates::{Candidates, MetRequirement};
use source::{Diagnostic, Findings, Rule, name_list};
use std::collections::{BTreeMap, BTreeSet};

/// `met` are the requirements of each catalog; `findings` those of each catalog.
pub(crate) fn check(met: &[Vec<MetRequirement<'_, '_>>], candidates: &Candidates<'_>, findings: &mut [Findings]) {
    let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    // By edge: the requirement that it stands for.
    let mut causes = BTreeMap::new();
    let met = met.iter().enumerate().flat_map(|(catalog, met)| met.iter().map(move |met| (catalog, met)));
    for (catalog, met) in met {
        let names = candidates.package_names(&met.candidates);
        let (from, Some(to), 1, true) = (met.stated.package.as_str(), names.first(), names.len(), met.stated.by_head)
        else {
            continue;
        };
        if *to != from {
            edges.entry(from).or_default().insert(to);
            causes.entry((from, *to)).or_insert((catalog, met));
        }
    }
    for cycle in cycles(&edges) {
        let Some((catalog, met)) = cycle.first().zip(cycle.get(1)).and_then(|(from, to)| causes.get(&(*from, *to)))
        else {
            continue;
        };
        let message = format!("packages {} require each other", name_list(cycle.iter().copied()));
        let help = "an update of one may have to wait for an update of the other, so that neither is possible; remove one direction";
        let finding = Diagnostic::new(Rule::DependencyCycle, met.stated.span, message).with_help(help);
        findings[*catalog].push(finding);
    }
}

/// Cycles of packages, each package in at most one of them. A depth-first search that visits each package once; it keeps
/// its own stack, because chains of packages may be longer than the stack of a worker allows.
fn cycles<'c>(edges: &BTreeMap<&'c str, BTreeSet<&'c str>>) -> Vec<Vec<&'c str>> {
    let mut cycles = Vec::new();
    let mut visited: BTreeSet<&str> = BTreeSet::new();
    for &start in edges.keys() {
        if !visited.insert(start) {
            continue;
        }
        let next_of = |name: &str| edges.get(name).into_iter().flatten().copied();
        let mut path = vec![(start, next_of(start).collect::<Vec<_>>().into_iter())];
        let mut on_path = BTreeMap::from([(start, 0)]);
        let mut reported: BTreeSet<&str> = BTreeSet::new();
        while let Some((name, rest)) = path.last_mut() {
            let name = *name;
            match rest.next() {
                None => {
                    on_path.remove(name);
                    path.pop();
                }
                Some(next) => match on_path.get(next) {
                    Some(_) if reported.contains(name) || reported.contains(next) => {}
                    Some(&from) => {
                        let cycle: Vec<&str> = path[from..].iter().map(|(name, _)| *name).collect();
                        if cycle.iter().all(|name| !reported.contains(name)) {
                            reported.extend(&cycle);
                            cycles.push(cycle);
                        }
                    }
                    None if visited.insert(next) => {
                        on_path.insert(next, path.len());
                        path.push((next, next_of(next).collect::<Vec<_>>().into_iter()));
                    }
                    None => {}
                },
            }
        }
    }
    cycles
}

#[cfg(test)]
mod tests {
    use crate::testing::check_across_catalogs;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == two packages
            c: 1.0.0 (requires q >=1.0.0)
                      ^^^^^^^^^^^^^^^^^^ dependency-cycle: packages `p`, `q` require each other
            //- package q
            c: 1.0.0 (requires p >=1.0.0)
            == a chain into a cycle
            package a
            c: 1.0.0 (requires q >=1.0.0)
            //- package p
            c: 1.0.0 (requires r >=1.0.0)
            //- package q
            c: 1.0.0 (requires p >=1.0.0)
                      ^^^^^^^^^^^^^^^^^^ dependency-cycle: packages `q`, `p`, `r` require each other
            //- package r
            c: 1.0.0 (requires q >=1.0.0)
            == one direction
            c: 1.0.0 (requires q >=1.0.0)
            //- package q
            c: 1.0.0
        ";
        check_across_catalogs(Rule::DependencyCycle, cases);
    }
}
