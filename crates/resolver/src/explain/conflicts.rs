//! Independent conflicts of a problem without an answer, and which Subscriptions each of them involves.

use std::collections::BTreeSet;

use predicate::PackageName;

use crate::explain::contradiction::{Conflict, anchor, conflict_without, is_solvable};
use crate::explain::reasoning::{Line, packages, reasoning};
use crate::fact::{Fact, VarId};
use crate::problem::Problem;
use crate::unresolvable::GaveUp;

/// Most conflicts that are looked for.
const LIMIT: usize = 8;
/// Questions after which a further conflict is given up. Nobody reads one that takes more.
const QUESTIONS: u32 = 80;

/// Conflicts, no two of which share a Subscription or an installed CSV that must stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conflicts {
    /// The first is the one that [`resolve`](crate::resolve()) returns.
    pub conflicts: Vec<ExplainedConflict>,
    /// Whether there may be more: a bound was reached.
    pub bounded: bool,
}

/// A conflict as an argument.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedConflict {
    /// The minimal set of facts.
    pub conflict: Conflict,
    /// The Subscriptions and installed CSVs that cannot be had together; without any one of them this conflict is gone.
    /// Further conflicts are looked for without all of them.
    pub anchors: Vec<VarId>,
    /// All facts of `conflict` in the order of an argument: from what is asked for to what cannot be.
    pub lines: Vec<Line>,
    /// The packages that it is about, in order of appearance.
    pub packages: Vec<PackageName>,
}

/// What conflicts mean for one Subscription. Any conflict stops the whole namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Involvement {
    /// It takes part in the conflict at this position.
    Party(usize),
    /// It takes part in none that was found; the conflicts of others block it.
    Blocked,
}

/// The independent conflicts of a problem; none if it has an answer or OLM never comes to its facts.
///
/// # Errors
/// When the search for the first one reaches a bound.
pub fn conflicts(problem: &Problem) -> Result<Conflicts, GaveUp> {
    let mut found = Conflicts::default();
    if problem.unresolvable().is_some() {
        return Ok(found);
    }
    let mut conflicts = mistaken(problem);
    let mut relaxed = anchors(problem, &conflicts);
    while conflicts.len() < LIMIT {
        let limit = (!conflicts.is_empty()).then_some(QUESTIONS);
        match conflict_without(problem, &relaxed, limit) {
            Ok(None) => break,
            Ok(Some(conflict)) => {
                conflicts.push(conflict);
                relaxed = anchors(problem, &conflicts);
            }
            Err(gave_up) if conflicts.is_empty() => return Err(gave_up),
            Err(_) => {
                found.bounded = true;
                break;
            }
        }
    }
    found.bounded |= conflicts.len() > LIMIT || conflicts.len() == LIMIT && !is_solvable(problem, &relaxed);
    conflicts.sort_by_key(|conflict| conflict.facts.iter().rfind(|&&id| anchor(problem.fact(id)).is_some()).copied());
    conflicts.truncate(LIMIT);
    found.conflicts = conflicts.into_iter().map(|conflict| explained(problem, conflict)).collect();
    Ok(found)
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
    conflicts.iter().flat_map(|conflict| &conflict.facts).filter_map(|&id| anchor(problem.fact(id))).collect()
}

impl Conflicts {
    /// What the conflicts mean for each Subscription, by name; empty if there are none.
    #[must_use]
    pub fn involvements(&self, problem: &Problem) -> Vec<(VarId, Involvement)> {
        if self.conflicts.is_empty() {
            return Vec::new();
        }
        let subscriptions = problem.anchors().iter().filter(|&&id| problem.subscription(id).is_some());
        let involvement = |id: &VarId| {
            let own = self.conflicts.iter().position(|explained| explained.anchors.contains(id));
            (*id, own.map_or(Involvement::Blocked, Involvement::Party))
        };
        subscriptions.map(involvement).collect()
    }
}

fn explained(problem: &Problem, conflict: Conflict) -> ExplainedConflict {
    let anchors = conflict.facts.iter().filter_map(|&id| anchor(problem.fact(id))).collect();
    let lines = reasoning(problem, &conflict.facts, &[]);
    let packages = packages(problem, &lines);
    ExplainedConflict { conflict, anchors, lines, packages }
}
