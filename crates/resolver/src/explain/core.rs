//! Minimal sets of rules that contradict each other.

use sat::{Core, minimal_core};

use crate::encode::{Reason, encode};
use crate::fact::{FactId, VarId};
use crate::prefer::Pick;
use crate::problem::{GaveUp, Problem};

/// Rules that contradict each other; without any one of them they no longer do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// In the order in which OLM states them.
    pub facts: Vec<FactId>,
}

/// Why an alternative could not be taken: with the picks before it, it breaks the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which alternative.
    pub refused: VarId,
    /// What had been picked before and plays a part.
    pub picks: Vec<VarId>,
    /// The rules that play a part. Together with the picks and the alternative they contradict each other; without any
    /// one of rules and picks they no longer do.
    pub facts: Vec<FactId>,
}

/// A minimal contradiction among all rules. Later rules are given up first, so that of several contradictions the one
/// about the first Subscription is told.
pub(crate) fn conflict(problem: &Problem) -> Result<Conflict, GaveUp> {
    let encoding = encode(&problem.rules);
    let order: Vec<Reason> = facts(problem).rev().map(Reason::Fact).collect();
    let Core::Minimal(core) = minimal_core(&encoding.cnf, &order) else { return Err(GaveUp::Solver) };
    Ok(Conflict { facts: fact_ids(&core) })
}

/// Why the alternative at `refused` in a pick's list was refused. `picks` are all picks of the resolution and `at` says
/// which one is asked about.
///
/// # Errors
/// When the solver runs out of its budget.
///
/// # Panics
/// When `at` or `refused` is out of range.
pub fn refusal(problem: &Problem, picks: &[Pick], at: usize, refused: usize) -> Result<Refusal, GaveUp> {
    let alternative = picks[at].refused[refused];
    let before: Vec<VarId> = picks[..at].iter().map(|pick| pick.selected).collect();
    let mut encoding = encode(&problem.rules);
    for &id in &before {
        encoding.assume(id);
    }
    let lit = encoding.lit(alternative);
    // Not listed for deletion below, so always assumed.
    encoding.cnf.add_clause([lit], Reason::Picked(alternative));
    let picked = before.iter().rev().map(|&id| Reason::Picked(id));
    let order: Vec<Reason> = picked.chain(facts(problem).rev().map(Reason::Fact)).collect();
    let Core::Minimal(core) = minimal_core(&encoding.cnf, &order) else { return Err(GaveUp::Solver) };
    let mut picks: Vec<VarId> = core.iter().filter_map(|reason| picked_id(*reason)).collect();
    picks.sort_unstable();
    Ok(Refusal { refused: alternative, picks, facts: fact_ids(&core) })
}

fn facts(problem: &Problem) -> impl DoubleEndedIterator<Item = FactId> {
    let count = u32::try_from(problem.rules.facts.len()).expect("a problem has fewer than 2^32 rules");
    (0..count).map(FactId)
}

fn fact_ids(core: &[Reason]) -> Vec<FactId> {
    let mut facts: Vec<FactId> = core.iter().filter_map(|reason| fact_id(*reason)).collect();
    facts.sort_unstable();
    facts
}

fn fact_id(reason: Reason) -> Option<FactId> {
    match reason {
        Reason::Fact(id) => Some(id),
        Reason::Picked(_) => None,
    }
}

fn picked_id(reason: Reason) -> Option<VarId> {
    match reason {
        Reason::Picked(id) => Some(id),
        Reason::Fact(_) => None,
    }
}
