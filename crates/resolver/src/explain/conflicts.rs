//! No answer: contradictions that have nothing to do with each other, and whom each of them concerns.

use std::collections::BTreeSet;

use predicate::PackageName;

use crate::explain::core::{Conflict, anchor, conflict_without, is_solvable};
use crate::explain::reasoning::{Line, packages, reasoning};
use crate::fact::{Fact, VarId};
use crate::problem::{GaveUp, Problem};

/// At most so many contradictions are looked for.
const LIMIT: usize = 8;
/// Steps after which a further contradiction is given up. Nobody reads one that takes longer.
const STEPS: u32 = 80;

/// Contradictions, no two of which share a Subscription or an installed CSV that must stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conflicts {
    /// First the one that [`resolve`](crate::resolve()) tells.
    pub clashes: Vec<Clash>,
    /// Whether there may be more: a bound was reached.
    pub bounded: bool,
}

/// One contradiction, ready to be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Clash {
    /// The rules, minimal.
    pub conflict: Conflict,
    /// The Subscriptions and installed CSVs that cannot be had together; without any one of them this contradiction is
    /// gone. The next ones are looked for without all of them.
    pub anchors: Vec<VarId>,
    /// All rules of `conflict` in the order of an argument: from what is asked for to what cannot be.
    pub lines: Vec<Line>,
    /// The packages that it is about, in order of appearance.
    pub packages: Vec<PackageName>,
}

/// What a contradiction anywhere in the namespace means for one Subscription: OLM does nothing for anybody then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It takes part in the contradiction at this position.
    Clashes(usize),
    /// It takes part in none that was found; the contradictions of others block it.
    Blocked,
}

/// The independent contradictions of a problem; none if it has an answer, or none that comes from its rules.
///
/// # Errors
/// When the search for the first comes to a bound.
pub fn conflicts(problem: &Problem) -> Result<Conflicts, GaveUp> {
    let mut found = Conflicts::default();
    if problem.unresolvable().is_some() {
        return Ok(found);
    }
    let mut conflicts = mistaken(problem);
    let mut relaxed = anchors(problem, &conflicts);
    while conflicts.len() < LIMIT {
        let steps = (!conflicts.is_empty()).then_some(STEPS);
        match conflict_without(problem, &relaxed, steps) {
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
    found.clashes = conflicts.into_iter().map(|conflict| clash(problem, conflict)).collect();
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
    /// What the contradictions mean for each Subscription, by name; nothing if there are none.
    #[must_use]
    pub fn verdicts(&self, problem: &Problem) -> Vec<(VarId, Verdict)> {
        if self.clashes.is_empty() {
            return Vec::new();
        }
        let subscriptions = problem.anchors().iter().filter(|&&id| problem.subscription(id).is_some());
        let verdict = |id: &VarId| {
            let own = self.clashes.iter().position(|clash| clash.anchors.contains(id));
            (*id, own.map_or(Verdict::Blocked, Verdict::Clashes))
        };
        subscriptions.map(verdict).collect()
    }
}

fn clash(problem: &Problem, conflict: Conflict) -> Clash {
    let anchors = conflict.facts.iter().filter_map(|&id| anchor(problem.fact(id))).collect();
    let lines = reasoning(problem, &conflict.facts, &[]);
    let packages = packages(problem, &lines);
    Clash { conflict, anchors, lines, packages }
}
