//! All answers that OLM may give to one problem: some orders are random.
//!
//! OLM hands the anchors to its solver in the order of a Go map, and the channels of a bundle to a Subscription without
//! a channel likewise. Anchors that no rule connects cannot influence each other, so they are
//! permuted only inside the connected parts of a problem.

use std::collections::{BTreeMap, BTreeSet};

use sat::Bound;

use crate::contradiction::conflict;
use crate::fact::{Fact, Rules, VarId};
use crate::problem::Problem;
use crate::resolve::{GaveUp, Obstacle, Outcome, Prevented, Unresolvable, translate};
use crate::search::{Pick, Picks, Search};

/// Runs of the search for one connected part.
const RUN_LIMIT: usize = 5_000;

/// Alternatives that all runs for one connected part may look at.
const STEP_LIMIT: usize = 30_000;

/// Orders of installed CSVs that are tried.
const ORDER_LIMIT: usize = 120;

/// Combinations of the parts' results that are examined.
const COMBINATION_LIMIT: usize = 10_000;

/// The possible outcomes of a resolution.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    /// Distinct, that of the default order first.
    pub outcomes: Vec<Outcome>,
    /// Whether there may be more: a bound was reached.
    pub bounded: bool,
}

impl Outcomes {
    fn only(outcome: Outcome) -> Self {
        Self { outcomes: vec![outcome], bounded: false }
    }
}

/// The distinct answers over all orders that can matter, at most `limit` of them.
#[must_use]
pub fn outcomes(problem: &Problem, limit: usize) -> Outcomes {
    if let Err(unresolvable) = &problem.solvable {
        return all_unresolvable(problem, unresolvable, limit);
    }
    let search = |tally| Search::new(&problem.rules, problem.encoding(), tally);
    let searches = Searches { first: search(problem.tally_for_answer()), more: search(problem.tally_for_extras()) };
    let found = all_picks(problem, &searches, limit);
    problem.add_to_tally(searches.first.tally());
    problem.add_to_tally(searches.more.tally());
    match found {
        Ok(Some(found)) => {
            let AllPicks { picks, bounded, unknown } = found;
            let mut outcomes = distinct(problem, picks);
            let name = |id| problem.subscription(id).map(|subscription| (&*subscription.name).into());
            let unknown = unknown.into_iter().filter_map(name);
            outcomes.extend(unknown.map(|subscription| Outcome::GaveUp(GaveUp::LeftToSolver { subscription })));
            Outcomes { outcomes, bounded }
        }
        Ok(None) => Outcomes::only(conflict(problem).map_or_else(Outcome::GaveUp, Outcome::Unsolvable)),
        Err(gave_up) => Outcomes::only(Outcome::GaveUp(gave_up)),
    }
}

struct Searches<'a> {
    /// For the answer of the default order.
    first: Search<'a>,
    /// For all others, which end early if the solver's budget is nearly spent.
    more: Search<'a>,
}

impl Searches<'_> {
    fn steps(&self) -> usize {
        self.first.steps() + self.more.steps()
    }
}

/// Whether a search ended because the solver's budget is nearly spent. What was found before counts.
fn is_budget(gave_up: &GaveUp) -> bool {
    *gave_up == GaveUp::Solver(Bound::Budget)
}

/// Whether the budget leaves nothing for further outcomes.
fn is_spent(problem: &Problem) -> bool {
    problem.namespace().budget.for_extras().is_spent()
}

/// OLM reads the installed CSVs in random order. It shows where several of one package meet a requirement: they are put
/// in order like a channel, and the text names them as they come.
fn all_unresolvable(problem: &Problem, unresolvable: &Unresolvable, limit: usize) -> Outcomes {
    let mut found = Outcomes::only(unresolvable.into());
    let Unresolvable::Prevented(Prevented { errors }) = unresolvable else { return found };
    let is_unordered = |package: &str| {
        errors.iter().any(
            |error| matches!(error, Obstacle::Order(error) if error.channel().is_empty() && error.package() == package),
        )
    };
    let package = |id| problem.pool.entry(id).package.as_str();
    let count = problem.pool.existing().count();
    let places: Vec<usize> =
        problem.pool.existing().enumerate().filter(|(_, id)| is_unordered(package(*id))).map(|(at, _)| at).collect();
    let mut random = RandomChoices::default();
    for run in 1.. {
        let mut order: Vec<usize> = (0..count).collect();
        for (&place, csv) in places.iter().zip(permuted(&places, &mut random)) {
            order[place] = csv;
        }
        let outcome = problem.unresolvable_in(&order).map(|unresolvable| Outcome::from(&unresolvable));
        found.outcomes.extend(outcome.filter(|outcome| !found.outcomes.contains(outcome)));
        if !random.advance() {
            return found;
        }
        if found.outcomes.len() >= limit || run == ORDER_LIMIT {
            break;
        }
    }
    found.bounded = true;
    found
}

/// The distinct outcomes of these picks; those that differ only in installed bundles are the same.
fn distinct(problem: &Problem, all: Vec<Picks>) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    for picks in all {
        let outcome = translate(problem, picks);
        if !outcomes.iter().any(|known| is_same(known, &outcome)) {
            outcomes.push(outcome);
        }
    }
    outcomes
}

fn is_same(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Resolved(a), Outcome::Resolved(b)) => {
            a.selected.iter().map(|selected| selected.id).eq(b.selected.iter().map(|selected| selected.id))
        }
        _ => a == b,
    }
}

/// The results of all parts.
struct AllPicks {
    picks: Vec<Picks>,
    bounded: bool,
    /// The first Subscription for which OLM's solver decides in a way that is not known.
    unknown: Option<VarId>,
}

/// Each connected part's results, combined; `None` if the rules have no model.
fn all_picks(problem: &Problem, searches: &Searches<'_>, limit: usize) -> Result<Option<AllPicks>, GaveUp> {
    if searches.first.run(&[], &mut RandomChoices::once())?.is_none() {
        return Ok(None);
    }
    let parts = parts(&problem.rules);
    let mut all = Vec::new();
    for part in &parts {
        let Some(results) = part_results(problem, searches, part)? else { return Ok(None) };
        all.push(results);
    }
    let has_step_back = |part: &PartResults| part.results.iter().any(|result| result.stepped_back);
    let stepped_back = all.iter().filter(|part| has_step_back(part)).count();
    for (part, results) in parts.iter().zip(&mut all) {
        if stepped_back > usize::from(has_step_back(results)) {
            add_solver_results(problem, &searches.more, part, results, limit)?;
        }
    }
    let (picks, cut) = combined(&all, limit.max(1));
    let bounded = cut || all.iter().any(|results| results.bounded);
    Ok(Some(AllPicks { picks, bounded, unknown: all.iter().find_map(|results| results.unknown) }))
}

/// Combines one result of each part: at most `limit` combinations, in the order in which the result of the last part
/// changes fastest, and whether there may be more. Leaves out combinations in which a part waits although OLM steps
/// back in no other part.
fn combined(all: &[PartResults], limit: usize) -> (Vec<Picks>, bool) {
    let several: Vec<usize> = (0..all.len()).filter(|&at| all[at].results.len() > 1).collect();
    let count = several.iter().fold(1_usize, |count, &at| count.saturating_mul(all[at].results.len()));
    let combination = |number: usize| {
        let mut taken: Vec<&PartResult> = all.iter().map(|part| &part.results[0]).collect();
        let mut rest = number;
        for &at in several.iter().rev() {
            taken[at] = &all[at].results[rest % all[at].results.len()];
            rest /= all[at].results.len();
        }
        taken
    };
    let is_possible = |taken: &Vec<&PartResult>| {
        taken.iter().all(|result| !result.only_while_waiting) || taken.iter().any(|result| result.stepped_back)
    };
    let join = |taken: Vec<&PartResult>| Picks {
        made: taken.iter().flat_map(|result| &result.picks.made).cloned().collect(),
        selected: taken.iter().flat_map(|result| &result.picks.selected).copied().collect(),
        ..Picks::default()
    };
    let examined = count.min(COMBINATION_LIMIT.max(limit));
    let mut found: Vec<Picks> = (0..examined).map(combination).filter(is_possible).take(limit + 1).map(join).collect();
    let is_cut = found.len() > limit || examined < count;
    found.truncate(limit);
    (found, is_cut)
}

#[derive(Default)]
struct PartResults {
    /// Distinct by what is selected.
    results: Vec<PartResult>,
    bounded: bool,
    /// A Subscription for which OLM's solver decides in some run in a way that is not known.
    unknown: Option<VarId>,
}

struct PartResult {
    picks: Picks,
    /// Whether OLM stepped back over choices in some run with this result.
    stepped_back: bool,
    /// Whether OLM gets this result only while it steps back in another part.
    only_while_waiting: bool,
}

impl PartResults {
    fn add(&mut self, picks: Picks, only_while_waiting: bool) {
        if picks.unknown.is_some() {
            self.unknown = self.unknown.or(picks.unknown);
            return;
        }
        match self.results.iter_mut().find(|known| known.picks.selected == picks.selected) {
            Some(known) => known.stepped_back |= picks.stepped_back,
            None => {
                let stepped_back = picks.stepped_back;
                self.results.push(PartResult { picks, stepped_back, only_while_waiting });
            }
        }
    }
}

/// Adds the results of a part that waits while OLM steps back in another one. All its choices are then left to the
/// solver, which selects no more than is needed.
fn add_solver_results(
    problem: &Problem,
    search: &Search<'_>,
    anchors: &[VarId],
    results: &mut PartResults,
    limit: usize,
) -> Result<(), GaveUp> {
    let mut random = RandomChoices::left_to_solver();
    let mut found: Vec<Picks> = Vec::new();
    let before = search.steps();
    loop {
        let picks = match search.run(anchors, &mut random) {
            Err(gave_up) if is_budget(&gave_up) => {
                results.bounded = true;
                break;
            }
            picks => picks?,
        };
        let Some(picks) = picks else { return Ok(()) };
        if found.iter().all(|known| known.selected != picks.selected) {
            found.push(picks);
        }
        if !random.advance() {
            break;
        }
        if found.len() > limit || search.steps() - before > STEP_LIMIT || is_spent(problem) {
            results.bounded = true;
            break;
        }
    }
    let is_smallest = |picks: &&Picks| {
        !found.iter().any(|less| less.selected != picks.selected && less.selected.is_subset(&picks.selected))
    };
    for picks in found.iter().filter(is_smallest) {
        results.add(picks.clone(), true);
    }
    Ok(())
}

/// The results of one connected part. First it explores ties alone, in the default order of anchors; then all orders of
/// anchors, but only if some choice could end differently in another order.
fn part_results(problem: &Problem, searches: &Searches<'_>, anchors: &[VarId]) -> Result<Option<PartResults>, GaveUp> {
    let mut results = PartResults::default();
    let before = searches.steps();
    let (deciding, idle): (Vec<VarId>, Vec<VarId>) =
        anchors.iter().partition(|id| !problem.rules.choices[id.0 as usize].is_empty());
    if deciding.is_empty() {
        results.add(Picks::of_anchors(anchors), false);
        return Ok(Some(results));
    }
    for permute in [false, true] {
        let mut random = RandomChoices::default();
        let mut is_order_independent = true;
        let mut direct_order = Vec::new();
        for run in 0.. {
            let is_default = run == 0 && !permute;
            let is_bounded = run == RUN_LIMIT || run > 0 && searches.steps() - before > STEP_LIMIT;
            if is_bounded || !is_default && is_spent(problem) {
                results.bounded = true;
                break;
            }
            let search = if is_default { &searches.first } else { &searches.more };
            let mut order = if permute { permuted(&deciding, &mut random) } else { deciding.clone() };
            order.extend(&idle);
            let picks = match explore(search, &order, &mut random, &mut direct_order, &mut results) {
                Err(gave_up) if !is_default && is_budget(&gave_up) => {
                    results.bounded = true;
                    break;
                }
                picks => picks?,
            };
            let Some(picks) = picks else { return Ok(None) };
            is_order_independent &=
                picks.made.iter().all(|pick| is_same_in_every_order(&problem.rules, pick, &picks.selected));
            results.add(picks, false);
            if !random.advance() {
                break;
            }
        }
        if is_order_independent {
            break;
        }
    }
    Ok(Some(results))
}

/// One run. If OLM steps back in it, adds also the result without the step back: what its solver learned before may spare OLM
/// that. `direct` is the last order for which it did so.
fn explore(
    search: &Search<'_>,
    order: &[VarId],
    random: &mut RandomChoices,
    direct: &mut Vec<VarId>,
    results: &mut PartResults,
) -> Result<Option<Picks>, GaveUp> {
    let Some(picks) = search.run(order, random)? else { return Ok(None) };
    if picks.stepped_back && direct != order {
        let Some(found) = search.run(order, &mut RandomChoices::once())? else { return Ok(None) };
        results.add(Picks { stepped_back: false, ..found }, false);
        order.clone_into(direct);
    }
    Ok(Some(picks))
}

fn permuted<T: Copy>(things: &[T], random: &mut RandomChoices) -> Vec<T> {
    let mut left = things.to_vec();
    (0..things.len()).map(|_| left.remove(random.decide(left.len()))).collect()
}

/// Whether the choice ends with the same alternative in every order of anchors, if all others do: it took its first
/// alternative, and no choice selects another one of its alternatives.
fn is_same_in_every_order(rules: &Rules, pick: &Pick, selected: &BTreeSet<VarId>) -> bool {
    let Some(fact) = pick.choice.map(|id| &rules.facts[id.0 as usize]) else { return true };
    let alternatives = fact.alternatives().unwrap_or_default();
    if matches!(fact, Fact::Requires { bundle, .. } if alternatives.contains(bundle)) {
        return true;
    }
    let tied = matches!(fact, Fact::Wants { ties, .. } if ties.first().is_some_and(|tie| tie.start == 0));
    let first =
        if pick.already { !tied && alternatives.first() == Some(&pick.selected) } else { pick.refused.is_empty() };
    first && alternatives.iter().all(|id| *id == pick.selected || !selected.contains(id))
}

/// The anchors by connected part, each in default order, the parts by their first anchors.
fn parts(rules: &Rules) -> Vec<Vec<VarId>> {
    let mut union = Union { parents: (0u32..).take(rules.variables.len()).collect() };
    for fact in &rules.facts {
        let members = connected(fact);
        for pair in members.windows(2) {
            union.join(pair[0], pair[1]);
        }
    }
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    let mut parts: Vec<Vec<VarId>> = Vec::new();
    for &anchor in &rules.anchors {
        let place = *places.entry(union.root(anchor.0)).or_insert(parts.len());
        if place == parts.len() {
            parts.push(Vec::new());
        }
        parts[place].push(anchor);
    }
    parts
}

/// The variables that a rule connects.
fn connected(fact: &Fact) -> Vec<VarId> {
    match fact {
        Fact::Wants { subscription: subject, alternatives, .. }
        | Fact::Requires { bundle: subject, alternatives, .. } => {
            [*subject].into_iter().chain(alternatives.iter().copied()).collect()
        }
        Fact::Supersedes { upgrade, installed } => vec![*upgrade, *installed],
        Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => members.clone(),
        Fact::Subscribed { .. } | Fact::NothingFound { .. } | Fact::Freestanding { .. } | Fact::Deprecated { .. } => {
            Vec::new()
        }
    }
}

/// Disjoint sets of variables.
struct Union {
    parents: Vec<u32>,
}

impl Union {
    fn root(&mut self, mut at: u32) -> u32 {
        while self.parents[at as usize] != at {
            let grandparent = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = grandparent;
            at = grandparent;
        }
        at
    }

    fn join(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.root(a.0), self.root(b.0));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}

// Enumerates the choices that OLM leaves to chance, such as the order of a Go map.

/// The random choices of one run of the search, as a sequence of decisions. [`advance`](Self::advance) goes on to the
/// next sequence. A new decision starts with its first possibility, which is the default order.
#[derive(Clone, Debug, Default)]
pub(crate) struct RandomChoices {
    /// Whether there is only one run.
    once: bool,
    /// Whether all choices are left to OLM's solver.
    left_to_solver: bool,
    /// The decisions, each with the number of its possibilities.
    decisions: Vec<(usize, usize)>,
    /// How many decisions this run has taken.
    taken: usize,
}

impl RandomChoices {
    /// One run in the default order.
    pub(crate) fn once() -> Self {
        Self { once: true, ..Self::default() }
    }

    /// Runs in which all choices are left to OLM's solver.
    pub(crate) fn left_to_solver() -> Self {
        Self { left_to_solver: true, ..Self::default() }
    }

    /// Whether all choices are left to OLM's solver.
    pub(crate) fn leaves_all_to_solver(&self) -> bool {
        self.left_to_solver
    }

    /// Whether other runs follow. Only then all possibilities of a decision are needed, not just the first.
    pub(crate) fn are_explored(&self) -> bool {
        !self.once
    }

    /// Decides among `count` possibilities, at least one.
    pub(crate) fn decide(&mut self, count: usize) -> usize {
        if count <= 1 {
            return 0;
        }
        if self.taken == self.decisions.len() {
            self.decisions.push((0, count));
        }
        let (decision, _) = self.decisions[self.taken];
        self.taken += 1;
        decision
    }

    /// Goes on to the next run, in lexicographic order of the decisions; false after the last.
    pub(crate) fn advance(&mut self) -> bool {
        self.taken = 0;
        while let Some((decision, count)) = self.decisions.pop() {
            if decision + 1 < count {
                self.decisions.push((decision + 1, count));
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_comes_once_and_the_first_takes_all_first_possibilities() {
        let mut random = RandomChoices::default();
        let mut runs = Vec::new();
        loop {
            let first = random.decide(2);
            // After the second possibility of the first decision there is nothing left to decide.
            let second = if first == 0 { random.decide(3) } else { random.decide(1) };
            runs.push((first, second));
            if !random.advance() {
                break;
            }
        }
        assert_eq!(runs, [(0, 0), (0, 1), (0, 2), (1, 0)]);
    }
}
