//! No answer: contradictions that have nothing to do with each other, and whom each of them concerns.

use std::collections::BTreeSet;

use predicate::PackageName;

use crate::explain::core::{Conflict, anchor, conflict_without};
use crate::explain::reasoning::{Line, packages, reasoning};
use crate::fact::VarId;
use crate::problem::{GaveUp, Problem};

/// At most so many contradictions are looked for.
const LIMIT: usize = 8;

/// Contradictions, no two of which share a Subscription or an installed CSV that must stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conflicts {
    /// First the one that is about the first Subscription.
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
    /// It could be served; the contradictions of others, all of those found, block it.
    Blocked,
}

/// The independent contradictions of a problem; none if it has an answer, or none that comes from its rules.
///
/// # Errors
/// When the solver runs out of its budget before it finds the first.
pub fn conflicts(problem: &Problem) -> Result<Conflicts, GaveUp> {
    let mut found = Conflicts::default();
    if problem.unresolvable().is_some() {
        return Ok(found);
    }
    let mut relaxed = BTreeSet::new();
    loop {
        match conflict_without(problem, &relaxed) {
            Ok(None) => return Ok(found),
            Ok(Some(_)) if found.clashes.len() == LIMIT => break,
            Ok(Some(conflict)) => {
                let clash = clash(problem, conflict);
                relaxed.extend(&clash.anchors);
                found.clashes.push(clash);
            }
            Err(gave_up) if found.clashes.is_empty() => return Err(gave_up),
            Err(_) => break,
        }
    }
    found.bounded = true;
    Ok(found)
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
