//! The alternatives that stand before the chosen one, and why each was refused.

use std::collections::BTreeSet;

use crate::contradiction::{Refusal, refusal};
use crate::encode::encode_only;
use crate::explain::intrinsic_fault::intrinsic_fault;
use crate::explain::pattern::{Pattern, pattern, subject};
use crate::explain::reasoning::{Line, reasoning};
use crate::fact::{Fact, FactId, VarId};
use crate::problem::Problem;
use crate::search::Pick;
use crate::unresolvable::GaveUp;

/// Most refusals that are worked out for one choice.
const LIMIT: usize = 6;
/// Most alternatives that are looked at for one choice.
const MEMBERS: usize = 200;

/// The refused alternatives of one choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RefusedAlternatives {
    /// Best first: neighbours that were refused by the same kind of rules are one group.
    pub groups: Vec<RefusedGroup>,
    /// Further ones without an explanation: a bound was reached.
    pub unexplained: Vec<VarId>,
}

/// Alternatives that were refused alike.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedGroup {
    /// Best first; at least one.
    pub members: Vec<VarId>,
    /// Why the first one was refused. The rules about the others differ in the bundle and in ranges only.
    pub refusal: Refusal,
}

impl Refusal {
    /// The rules as an argument. It takes the picks and the refused alternative for granted.
    #[must_use]
    pub fn lines(&self, problem: &Problem) -> Vec<Line> {
        let granted: Vec<VarId> = [self.refused].into_iter().chain(self.picks.iter().copied()).collect();
        reasoning(problem, &self.facts, &granted)
    }
}

/// Why the choice at this position of a resolution's picks did not end with a better alternative.
///
/// # Errors
/// When the search for a reason reaches a bound.
///
/// # Panics
/// When `at` is out of range.
pub fn refused_alternatives(problem: &Problem, picks: &[Pick], at: usize) -> Result<RefusedAlternatives, GaveUp> {
    let mut found = RefusedAlternatives::default();
    for (index, &alternative) in picks[at].refused.iter().enumerate() {
        let fault = intrinsic_fault(problem, alternative);
        let last = found.groups.last_mut();
        if let Some(group) = last.filter(|group| is_alike(problem, &group.refusal, alternative, fault)) {
            group.members.push(alternative);
            continue;
        }
        if found.groups.len() == LIMIT || index >= MEMBERS {
            found.unexplained = picks[at].refused[index..].to_vec();
            break;
        }
        let refusal = match fault {
            Some(rule) => Refusal { refused: alternative, picks: Vec::new(), facts: vec![rule] },
            None => refusal(problem, picks, at, index)?,
        };
        found.groups.push(RefusedGroup { members: vec![alternative], refusal });
    }
    Ok(found)
}

/// Whether the rules that refused one alternative also refuse this one, those about the former exchanged for like rules
/// about the latter. `fault` is a fact that forbids it by itself.
fn is_alike(problem: &Problem, known: &Refusal, alternative: VarId, fault: Option<FactId>) -> bool {
    if let ([rule], []) = (&known.facts[..], &known.picks[..]) {
        return fault.is_some_and(|fault| pattern(problem, fault) == pattern(problem, *rule));
    }
    let Some(facts) = exchanged(problem, known, alternative).filter(|_| fault.is_none()) else { return false };
    let mut encoding = encode_only(&problem.rules, |id| facts.contains(&id));
    for &id in known.picks.iter().chain([&alternative]) {
        encoding.assume(id);
    }
    let tally = problem.tally_for_extras();
    let answer = encoding.cnf.is_satisfiable(&tally);
    problem.add_to_tally(&tally);
    answer == Ok(false)
}

fn exchanged(problem: &Problem, known: &Refusal, alternative: VarId) -> Option<BTreeSet<FactId>> {
    let about = |id: VarId| problem.facts().filter(move |(_, fact)| is_about(fact, id)).map(|(id, _)| id);
    let like = |wanted: Pattern| about(alternative).find(|&id| pattern(problem, id) == wanted);
    let facts = known
        .facts
        .iter()
        .map(|&id| if is_about(problem.fact(id), known.refused) { like(pattern(problem, id)) } else { Some(id) });
    facts.collect()
}

/// Whether the rule is about that bundle alone, or about it and what it replaces.
fn is_about(fact: &Fact, bundle: VarId) -> bool {
    match fact {
        Fact::Supersedes { upgrade, .. } => *upgrade == bundle,
        _ => subject(fact) == Some(bundle),
    }
}
