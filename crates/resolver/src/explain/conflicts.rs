//! Independent conflicts of a problem without an answer, each as an argument.

use std::collections::BTreeSet;

use catalog::predicate::PackageName;

use crate::contradiction::{Conflict, anchor, conflict_without, is_solvable};
use crate::explain::reasoning::{Line, packages, reasoning};
use crate::fact::{Fact, VarId};
use crate::problem::Problem;
use crate::unresolvable::GaveUp;

/// Most conflicts that are looked for.
const LIMIT: usize = 8;
/// Questions after which a further conflict is given up. A conflict that takes more is too large to read.
const QUESTIONS: u32 = 80;

/// Conflicts, no two of which share a Subscription or an installed CSV that must stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conflicts {
    /// The conflicts; [`resolve`](crate::resolve()) returns the first.
    pub conflicts: Vec<Conflict>,
    /// Whether there may be more: a bound was reached.
    pub bounded: bool,
}

impl Conflict {
    /// The Subscriptions and installed CSVs that are impossible together; without any one of them this conflict is
    /// gone. Further conflicts are looked for without all of them.
    pub fn anchors(&self, problem: &Problem) -> impl Iterator<Item = VarId> {
        self.facts.iter().filter_map(move |&id| anchor(problem.fact(id)))
    }

    /// All facts in the order of an argument: first the Subscriptions, then what follows, then the rule that is broken.
    #[must_use]
    pub fn lines(&self, problem: &Problem) -> Vec<Line> {
        reasoning(problem, &self.facts, &[])
    }

    /// The packages that it is about, in the order in which its argument mentions them.
    #[must_use]
    pub fn packages(&self, problem: &Problem) -> Vec<PackageName> {
        packages(problem, &self.lines(problem))
    }
}

/// The independent conflicts of a problem; none if it has an answer or OLM does not solve its rules.
///
/// # Errors
/// When the search for the first one reaches a bound.
pub fn conflicts(problem: &Problem) -> Result<Conflicts, GaveUp> {
    if problem.unresolvable().is_some() {
        return Ok(Conflicts::default());
    }
    let mut bounded = false;
    let mut conflicts = mistaken(problem);
    let mut relaxed = anchors(problem, &conflicts);
    let budget = problem.namespace().budget.for_extras();
    while conflicts.len() < LIMIT {
        let limit = (!conflicts.is_empty()).then_some(QUESTIONS);
        match conflict_without(problem, &relaxed, limit, budget.clone()) {
            Ok(None) => break,
            Ok(Some(conflict)) => {
                conflicts.push(conflict);
                relaxed = anchors(problem, &conflicts);
            }
            Err(gave_up) if conflicts.is_empty() => return Err(gave_up),
            Err(_) => {
                bounded = true;
                break;
            }
        }
    }
    bounded |= conflicts.len() > LIMIT || conflicts.len() == LIMIT && !is_solvable(problem, &relaxed);
    conflicts.sort_by_key(|conflict| conflict.facts.iter().rfind(|&&id| anchor(problem.fact(id)).is_some()).copied());
    conflicts.truncate(LIMIT);
    Ok(Conflicts { conflicts, bounded })
}

/// The Subscriptions that find nothing: each contradicts itself, and no search is needed to see it.
fn mistaken(problem: &Problem) -> Vec<Conflict> {
    let found = problem.facts().filter_map(|(id, fact)| match fact {
        // A Subscription that finds nothing has this rule and, before it, the one that demands it.
        Fact::NothingFound { subscription, .. } => Some((id, *subscription)),
        _ => None,
    });
    let demanded =
        |subscription| problem.facts().find(move |(_, fact)| anchor(fact) == Some(subscription)).map(|(id, _)| id);
    found.filter_map(|(id, subscription)| Some(Conflict { facts: vec![demanded(subscription)?, id] })).collect()
}

fn anchors(problem: &Problem, conflicts: &[Conflict]) -> BTreeSet<VarId> {
    conflicts.iter().flat_map(|conflict| conflict.anchors(problem)).collect()
}
