//! Minimal sets of rules that contradict each other.
//!
//! In two rounds: first as few Subscriptions, installed CSVs and picks as contradict each other under all rules, then as
//! few rules as these contradict. Only what can be reached from the former takes part in the second round: a bundle that
//! nothing leads to can be left out of every selection, and so can the rules about it.

use std::collections::BTreeSet;

use sat::{Core, minimal_core};

use crate::encode::{Encoding, Reason, encode_only};
use crate::explain::shape::subject;
use crate::fact::{Fact, FactId, VarId};
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

/// A minimal contradiction among all rules. Later Subscriptions are given up first, so that of several contradictions
/// the one about the first Subscription is told.
pub(crate) fn conflict(problem: &Problem) -> Result<Conflict, GaveUp> {
    conflict_without(problem, &BTreeSet::new())?.ok_or(GaveUp::Solver)
}

/// The same if some anchors need not be selected; nothing if the others contradict nothing.
pub(crate) fn conflict_without(problem: &Problem, relaxed: &BTreeSet<VarId>) -> Result<Option<Conflict>, GaveUp> {
    let kept = |id: FactId| anchor(problem.fact(id)).is_none_or(|anchor| !relaxed.contains(&anchor));
    let all = encode_only(&problem.rules, kept);
    let demands: Vec<Reason> = demands(problem).filter(|&id| kept(id)).map(Reason::Fact).collect();
    let Some(core) = shrunk(&all, &demands)? else { return Ok(None) };
    let mut facts = fact_ids(&core);
    let anchors = facts.iter().filter_map(|&id| anchor(problem.fact(id))).collect();
    facts.extend(rules(problem, anchors, &facts, &[])?);
    facts.sort_unstable();
    Ok(Some(Conflict { facts }))
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
    let mut all = encode_only(&problem.rules, |_| true);
    // Not listed for deletion below, so always assumed.
    all.assume(alternative);
    for &id in &before {
        all.assume(id);
    }
    let picked = before.iter().rev().filter(|&&id| id != alternative).map(|&id| Reason::Picked(id));
    let order: Vec<Reason> = picked.chain(demands(problem).map(Reason::Fact)).collect();
    let core = shrunk(&all, &order)?.ok_or(GaveUp::Solver)?;
    let mut facts = fact_ids(&core);
    let mut picks: Vec<VarId> = core.iter().filter_map(|reason| picked_id(*reason)).collect();
    picks.sort_unstable();
    let assumed: Vec<VarId> = picks.iter().copied().chain([alternative]).collect();
    let anchors = facts.iter().filter_map(|&id| anchor(problem.fact(id)));
    let roots = assumed.iter().copied().chain(anchors).collect();
    facts.extend(rules(problem, roots, &facts, &assumed)?);
    facts.sort_unstable();
    Ok(Refusal { refused: alternative, picks, facts })
}

/// The second round: as few rules as contradict the demands and what is assumed. Later ones are given up first.
fn rules(
    problem: &Problem,
    roots: BTreeSet<VarId>,
    demands: &[FactId],
    assumed: &[VarId],
) -> Result<Vec<FactId>, GaveUp> {
    let reached = reachable(problem, roots);
    let matters = |id: FactId| match anchor(problem.fact(id)) {
        Some(_) => demands.contains(&id),
        None => touches(problem.fact(id), &reached),
    };
    let mut some = encode_only(&problem.rules, matters);
    for &id in assumed {
        some.assume(id);
    }
    let listed = facts(problem).rev().filter(|&id| anchor(problem.fact(id)).is_none() && matters(id));
    let order: Vec<Reason> = listed.map(Reason::Fact).collect();
    shrunk(&some, &order)?.map(|core| fact_ids(&core)).ok_or(GaveUp::Solver)
}

fn shrunk(encoding: &Encoding, order: &[Reason]) -> Result<Option<Vec<Reason>>, GaveUp> {
    match minimal_core(&encoding.cnf, order) {
        Core::Minimal(core) => Ok(Some(core)),
        Core::Satisfiable => Ok(None),
        Core::GaveUp => Err(GaveUp::Solver),
    }
}

/// What must be selected by this rule, whatever else is.
pub(crate) fn anchor(fact: &Fact) -> Option<VarId> {
    match fact {
        Fact::Subscribed { subscription: anchor } | Fact::Freestanding { bundle: anchor } => Some(*anchor),
        _ => None,
    }
}

/// The variables that choices lead to from the given ones, themselves included.
pub(crate) fn reachable(problem: &Problem, roots: BTreeSet<VarId>) -> BTreeSet<VarId> {
    let mut stack: Vec<VarId> = roots.iter().copied().collect();
    let mut reached = roots;
    while let Some(id) = stack.pop() {
        for &choice in &problem.rules.choices[id.0 as usize] {
            for &alternative in problem.fact(choice).alternatives().unwrap_or_default() {
                if reached.insert(alternative) {
                    stack.push(alternative);
                }
            }
        }
    }
    reached
}

/// Whether a rule can rule out a selection of these variables.
fn touches(fact: &Fact, selectable: &BTreeSet<VarId>) -> bool {
    match fact {
        Fact::Supersedes { upgrade, installed } => selectable.contains(upgrade) && selectable.contains(installed),
        Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => {
            members.iter().filter(|id| selectable.contains(id)).nth(1).is_some()
        }
        _ => subject(fact).is_some_and(|subject| selectable.contains(&subject)),
    }
}

/// The rules by which something must be selected, the last one first.
fn demands(problem: &Problem) -> impl Iterator<Item = FactId> {
    facts(problem).rev().filter(|&id| anchor(problem.fact(id)).is_some())
}

fn facts(problem: &Problem) -> impl DoubleEndedIterator<Item = FactId> + use<> {
    let count = u32::try_from(problem.rules.facts.len()).expect("a problem has fewer than 2^32 rules");
    (0..count).map(FactId)
}

fn fact_ids(core: &[Reason]) -> Vec<FactId> {
    core.iter().filter_map(|reason| fact_id(*reason)).collect()
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
