//! Why not a better one: the alternatives that stand before the chosen one, and what refused them.

use std::collections::BTreeSet;

use sat::Tally;

use crate::encode::encode_only;
use crate::explain::core::{Refusal, refusal};
use crate::explain::own::fault;
use crate::explain::reasoning::{Line, reasoning};
use crate::explain::shape::{Shape, shape, subject};
use crate::fact::{Fact, FactId, VarId};
use crate::prefer::Pick;
use crate::problem::{GaveUp, Problem};

/// At most so many different refusals are worked out for one choice.
const LIMIT: usize = 6;
/// At most so many alternatives are looked at for one choice.
const MEMBERS: usize = 200;

/// What stood before the alternative that a choice came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassedOver {
    /// Best first: neighbours that were refused by the same kind of rules are one group.
    pub groups: Vec<RefusedGroup>,
    /// Further ones that nobody asked about: a bound was reached.
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

/// Why the choice at this position of a resolution's picks did not come to one of its better alternatives.
///
/// # Errors
/// When the solver runs out of its budget before it finds the first reason.
///
/// # Panics
/// When `at` is out of range.
pub fn passed_over(problem: &Problem, picks: &[Pick], at: usize) -> Result<PassedOver, GaveUp> {
    let mut passed = PassedOver::default();
    for (index, &alternative) in picks[at].refused.iter().enumerate() {
        let own = fault(problem, alternative);
        if let Some(group) =
            passed.groups.last_mut().filter(|group| is_alike(problem, &group.refusal, alternative, own))
        {
            group.members.push(alternative);
            continue;
        }
        if passed.groups.len() == LIMIT || index >= MEMBERS {
            passed.unexplained = picks[at].refused[index..].to_vec();
            break;
        }
        let refusal = match own {
            Some(rule) => Refusal { refused: alternative, picks: Vec::new(), facts: vec![rule] },
            None => refusal(problem, picks, at, index)?,
        };
        passed.groups.push(RefusedGroup { members: vec![alternative], refusal });
    }
    Ok(passed)
}

/// Whether the rules that refused one alternative also refuse this one, those about the former exchanged for like rules
/// about the latter. `own` is a rule that forbids it by itself.
fn is_alike(problem: &Problem, known: &Refusal, alternative: VarId, own: Option<FactId>) -> bool {
    if let ([rule], []) = (&known.facts[..], &known.picks[..]) {
        return own.is_some_and(|own| shape(problem, own) == shape(problem, *rule));
    }
    let Some(facts) = exchanged(problem, known, alternative).filter(|_| own.is_none()) else { return false };
    let mut encoding = encode_only(&problem.rules, |id| facts.contains(&id));
    for &id in known.picks.iter().chain([&alternative]) {
        encoding.assume(id);
    }
    let tally = Tally::default();
    let answer = encoding.cnf.is_satisfiable(&tally);
    problem.add_to_tally(&tally);
    answer == Ok(false)
}

fn exchanged(problem: &Problem, known: &Refusal, alternative: VarId) -> Option<BTreeSet<FactId>> {
    let about = |id: VarId| problem.facts().filter(move |(_, fact)| is_about(fact, id)).map(|(id, _)| id);
    let like = |wanted: Shape| about(alternative).find(|&id| shape(problem, id) == wanted);
    let facts = known
        .facts
        .iter()
        .map(|&id| if is_about(problem.fact(id), known.refused) { like(shape(problem, id)) } else { Some(id) });
    facts.collect()
}

/// Whether the rule is about that bundle alone, or about it and what it replaces.
fn is_about(fact: &Fact, bundle: VarId) -> bool {
    match fact {
        Fact::Supersedes { upgrade, .. } => *upgrade == bundle,
        _ => subject(fact) == Some(bundle),
    }
}
