//! The rule `dependency-cycle`.
//!
#![doc = include_str!("dependency_cycle.md")]

use crate::supply::Supply;
use crate::together::Met;
use source::{Diagnostic, Findings, Rule, name_list};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn check(needs: &[Vec<Met<'_, '_>>], supply: &Supply<'_>, found: &mut [Findings]) {
    let mut edges: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut stated = BTreeMap::new();
    for (catalog, met) in
        needs.iter().enumerate().flat_map(|(catalog, needs)| needs.iter().map(move |met| (catalog, met)))
    {
        let names = supply.names(&met.offers);
        let (from, Some(to), 1, true) = (met.demand.package.as_str(), names.first(), names.len(), met.demand.by_head)
        else {
            continue;
        };
        if *to != from {
            edges.entry(from).or_default().insert(to);
            stated.entry((from, *to)).or_insert((catalog, met));
        }
    }
    for circle in circles(&edges) {
        let Some((catalog, met)) = circle.first().zip(circle.get(1)).and_then(|(from, to)| stated.get(&(*from, *to)))
        else {
            continue;
        };
        let message = format!("packages {} require one another", name_list(circle.iter().copied()));
        let help = "updates of one may have to wait for those of the other, and then nothing moves: keep one direction";
        let finding = Diagnostic::new(Rule::DependencyCycle, met.demand.span, message).with_help(help);
        found[*catalog].push(finding);
    }
}

/// Circles of packages, each package in at most one: every package is entered once, and left for good.
fn circles<'c>(edges: &BTreeMap<&'c str, BTreeSet<&'c str>>) -> Vec<Vec<&'c str>> {
    let mut circles = Vec::new();
    let mut entered: BTreeSet<&str> = BTreeSet::new();
    for &start in edges.keys() {
        if !entered.insert(start) {
            continue;
        }
        let next_of = |name: &str| edges.get(name).into_iter().flatten().copied();
        let mut way = vec![(start, next_of(start).collect::<Vec<_>>().into_iter())];
        let mut on_way = BTreeMap::from([(start, 0)]);
        let mut told: BTreeSet<&str> = BTreeSet::new();
        while let Some((name, ahead)) = way.last_mut() {
            let name = *name;
            match ahead.next() {
                None => {
                    on_way.remove(name);
                    way.pop();
                }
                Some(next) => match on_way.get(next) {
                    Some(_) if told.contains(name) || told.contains(next) => {}
                    Some(&from) => {
                        let circle: Vec<&str> = way[from..].iter().map(|(name, _)| *name).collect();
                        if circle.iter().all(|name| !told.contains(name)) {
                            told.extend(&circle);
                            circles.push(circle);
                        }
                    }
                    None if entered.insert(next) => {
                        on_way.insert(next, way.len());
                        way.push((next, next_of(next).collect::<Vec<_>>().into_iter()));
                    }
                    None => {}
                },
            }
        }
    }
    circles
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_together, operator};
    use source::Rule;

    fn requiring(name: &str, other: &str) -> String {
        let required =
            format!("{{type: olm.package.required, value: {{packageName: {other}, versionRange: '>=1.0.0'}}}}");
        operator(name, "1.0.0", &required)
    }

    #[test]
    fn two() {
        let expected = "8:4 packages `p`, `q` require one another";
        check_together(Rule::DependencyCycle, &[&requiring("p", "q"), &requiring("q", "p")], &[expected]);
    }

    #[test]
    fn a_line_into_a_circle() {
        let all = [requiring("a", "q"), requiring("p", "r"), requiring("q", "p"), requiring("r", "q")];
        let texts: Vec<&str> = all.iter().map(String::as_str).collect();
        check_together(Rule::DependencyCycle, &texts, &["8:4 packages `q`, `p`, `r` require one another"]);
    }

    #[test]
    fn one_direction() {
        check_together(Rule::DependencyCycle, &[&requiring("p", "q"), &operator("q", "1.0.0", "")], &[]);
    }
}
