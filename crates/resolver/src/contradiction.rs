//! Minimal sets of facts that cannot all hold: conflicts, and refusals of one alternative.
//!
//! They are found in two rounds: first a minimal set of Subscriptions, installed CSVs and picks that are impossible
//! together under all rules, then a minimal set of rules that exclude this. Rules about bundles that the first set does
//! not lead to never take part, because every selection can do without such a bundle.

use std::collections::BTreeSet;

use sat::{Bound, Budget, Lit, Part, Role, Tally, minimal_core};

use crate::encode::{Reason, encode_only};
use crate::fact::{Fact, FactId, VarId};
use crate::problem::Problem;
use crate::resolve::GaveUp;
use crate::search::Pick;

/// Why a problem has no valid set: a minimal set of facts that cannot all hold. Without any one of them the others can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// In the order in which OLM states them.
    pub facts: Vec<FactId>,
}

/// Why a resolution did not take an alternative that stands before the chosen one: a minimal set of earlier picks and
/// facts that exclude it. A refusal is no conflict: the problem has a valid set, without the alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The alternative.
    pub refused: VarId,
    /// The earlier picks that take part.
    pub picks: Vec<VarId>,
    /// The facts that take part. They cannot all hold if the picks and the alternative are selected; without any one of
    /// the facts and picks they can.
    pub facts: Vec<FactId>,
}

/// The conflict of a problem without a valid set. The search leaves out later Subscriptions first, so of several
/// conflicts it finds the one about the first Subscription.
pub(crate) fn conflict(problem: &Problem) -> Result<Conflict, GaveUp> {
    let conflict = conflict_without(problem, &BTreeSet::new(), None, problem.namespace().budget.clone())?;
    conflict.ok_or(GaveUp::Solver(Bound::Failure))
}

/// The conflict of a problem in which the `relaxed` anchors need not be selected; `None` if there is none. With a
/// `limit`, each round is given up after that number of questions.
pub(crate) fn conflict_without(
    problem: &Problem,
    relaxed: &BTreeSet<VarId>,
    limit: Option<u32>,
    budget: Budget,
) -> Result<Option<Conflict>, GaveUp> {
    let search = Core { problem, limit, budget };
    let demands = |id: FactId| match anchor(problem.fact(id)) {
        Some(anchor) if relaxed.contains(&anchor) => Role::Ignored,
        Some(_) => Role::Deletable(id.0),
        None => Role::Always,
    };
    let Some(core) = search.find(demands, &[], &[])? else { return Ok(None) };
    let mut facts = fact_ids(&core);
    facts.extend(search.rules(&facts, &[])?);
    facts.sort_unstable();
    Ok(Some(Conflict { facts }))
}

/// Why OLM refused an alternative: the one at index `refused` in the list of the pick at index `at`. `picks` are all picks
/// of the resolution.
///
/// # Errors
/// When the search for the reason reaches a bound.
///
/// # Panics
/// When `at` or `refused` is out of range.
pub fn refusal(problem: &Problem, picks: &[Pick], at: usize, refused: usize) -> Result<Refusal, GaveUp> {
    let alternative = picks[at].refused[refused];
    let lit = |id: VarId| problem.encoding().lit(id);
    let mut seen = BTreeSet::from([alternative]);
    let before: Vec<VarId> = picks[..at].iter().map(|pick| pick.selected).filter(|&id| seen.insert(id)).collect();
    let given: Vec<Lit> = before.iter().map(|&id| lit(id)).collect();
    let demands = |id: FactId| if anchor(problem.fact(id)).is_some() { Role::Deletable(id.0) } else { Role::Always };
    let search = Core { problem, limit: None, budget: problem.namespace().budget.for_extras() };
    let core = search.find(demands, &[lit(alternative)], &given)?.ok_or(GaveUp::Solver(Bound::Failure))?;
    let mut facts = fact_ids(&core);
    let mut picks: Vec<VarId> = core.iter().filter_map(|part| picked_id(*part, &before)).collect();
    picks.sort_unstable();
    let assumed: Vec<Lit> = picks.iter().copied().chain([alternative]).map(lit).collect();
    facts.extend(search.rules(&facts, &assumed)?);
    facts.sort_unstable();
    Ok(Refusal { refused: alternative, picks, facts })
}

/// The search for minimal sets of facts.
struct Core<'p> {
    problem: &'p Problem,
    /// The questions after which a round is given up.
    limit: Option<u32>,
    budget: Budget,
}

impl Core<'_> {
    /// The second round: a minimal set of rules that exclude the demands and assumptions. Later rules are left out first.
    fn rules(&self, demands: &[FactId], assumed: &[Lit]) -> Result<Vec<FactId>, GaveUp> {
        let rules = |id: FactId| match anchor(self.problem.fact(id)) {
            Some(_) if demands.contains(&id) => Role::Always,
            Some(_) => Role::Ignored,
            None => Role::Deletable(id.0),
        };
        self.find(rules, assumed, &[])?.map(|core| fact_ids(&core)).ok_or(GaveUp::Solver(Bound::Failure))
    }

    fn find(&self, role: impl Fn(FactId) -> Role, fixed: &[Lit], given: &[Lit]) -> Result<Option<Vec<Part>>, GaveUp> {
        let role = |reason| match reason {
            Reason::Fact(id) => role(id),
            Reason::Picked(_) | Reason::Shared => Role::Always,
        };
        let tally = Tally::within(&self.budget);
        let core = minimal_core(&self.problem.encoding().cnf, role, fixed, given, self.limit, &tally);
        self.problem.add_to_tally(&tally);
        core.map_err(GaveUp::Solver)
    }
}

/// Whether the problem has an answer if some anchors need not be selected.
pub(crate) fn is_solvable(problem: &Problem, relaxed: &BTreeSet<VarId>) -> bool {
    if problem.unresolvable().is_some() {
        return false;
    }
    let tally = problem.tally_for_extras();
    let answer = if relaxed.is_empty() {
        problem.encoding().cnf.is_satisfiable(&tally)
    } else {
        let is_relaxed = |id: FactId| anchor(problem.fact(id)).is_some_and(|anchor| relaxed.contains(&anchor));
        encode_only(&problem.rules, |id| !is_relaxed(id)).cnf.is_satisfiable(&tally)
    };
    problem.add_to_tally(&tally);
    answer == Ok(true)
}

/// The anchor that this rule demands, if it is such a rule.
pub(crate) fn anchor(fact: &Fact) -> Option<VarId> {
    match fact {
        Fact::Subscribed { subscription: anchor } | Fact::Freestanding { bundle: anchor } => Some(*anchor),
        _ => None,
    }
}

fn fact_ids(core: &[Part]) -> Vec<FactId> {
    core.iter().filter_map(|part| fact_id(*part)).collect()
}

fn fact_id(part: Part) -> Option<FactId> {
    match part {
        Part::Rank(id) => Some(FactId(id)),
        Part::Given(_) => None,
    }
}

fn picked_id(part: Part, before: &[VarId]) -> Option<VarId> {
    match part {
        Part::Given(at) => Some(before[at as usize]),
        Part::Rank(_) => None,
    }
}
