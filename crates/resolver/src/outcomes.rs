//! All answers that OLM may give to one problem, because it leaves some orders to chance.
//!
//! OLM hands the anchors to its solver in the order of a Go map, and the channels of a bundle to a Subscription without a
//! channel likewise (reference: A5, N1 to N3). Anchors that no rule connects cannot influence each other, so they are
//! permuted only inside the connected parts of a problem.

use std::collections::{BTreeMap, BTreeSet};

use crate::explain::conflict;
use crate::fact::{Fact, VarId};
use crate::prefer::{Pick, Picks, Search};
use crate::problem::{GaveUp, Problem, Rules};
use crate::resolve::{Outcome, translate};
use crate::script::Script;

/// Runs of the search for one connected part.
const RUN_LIMIT: usize = 5_000;

/// Alternatives that all runs for one connected part may look at.
const STEP_LIMIT: usize = 30_000;

/// What may come out.
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
    if let Err(unresolvable) = &problem.verdict {
        return Outcomes::only(unresolvable.into());
    }
    let search = Search::new(&problem.rules, problem.encoding());
    let found = all_picks(problem, &search, limit);
    problem.add_to_tally(search.tally());
    match found {
        Ok(Some((picks, bounded))) => Outcomes { outcomes: distinct(problem, picks), bounded },
        Ok(None) => Outcomes::only(conflict(problem).map_or_else(Outcome::GaveUp, Outcome::Unsolvable)),
        Err(gave_up) => Outcomes::only(Outcome::GaveUp(gave_up)),
    }
}

/// Translated; picks that differ in installed bundles alone come to the same.
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

/// Each connected part's results, combined; nothing if the rules contradict each other.
fn all_picks(problem: &Problem, search: &Search<'_>, limit: usize) -> Result<Option<(Vec<Picks>, bool)>, GaveUp> {
    if search.run(&[], &mut Script::once())?.is_none() {
        return Ok(None);
    }
    let parts = parts(&problem.rules);
    let mut all = Vec::new();
    for part in &parts {
        let Some(results) = part_results(problem, search, part)? else { return Ok(None) };
        all.push(results);
    }
    let loosened = all.iter().filter(|results| results.loosened).count();
    for (part, results) in parts.iter().zip(&mut all) {
        if loosened > usize::from(results.loosened) {
            add_loose(search, part, results, limit)?;
        }
    }
    let (combined, cut) = combined(&all, limit.max(1));
    Ok(Some((combined, cut || all.iter().any(|results| results.bounded))))
}

/// The first so many ways to take one result of each part, those of the last parts changing fastest, and whether there are
/// more.
fn combined(all: &[PartResults], limit: usize) -> (Vec<Picks>, bool) {
    let several: Vec<usize> = (0..all.len()).filter(|&at| all[at].picks.len() > 1).collect();
    let ways = several.iter().fold(1_usize, |ways, &at| ways.saturating_mul(all[at].picks.len()));
    let way = |number: usize| {
        let mut taken = vec![0; all.len()];
        let mut rest = number;
        for &at in several.iter().rev() {
            taken[at] = rest % all[at].picks.len();
            rest /= all[at].picks.len();
        }
        let picks = || all.iter().zip(&taken).map(|(results, &at)| &results.picks[at]);
        Picks {
            made: picks().flat_map(|picks| &picks.made).cloned().collect(),
            selected: picks().flat_map(|picks| &picks.selected).copied().collect(),
            loosened: false,
        }
    };
    ((0..ways.min(limit)).map(way).collect(), ways > limit)
}

#[derive(Default)]
struct PartResults {
    /// Distinct by what is selected.
    picks: Vec<Picks>,
    /// Whether some run stepped back over choices.
    loosened: bool,
    bounded: bool,
}

/// Adds what comes of a part that waits while OLM steps back in another: all its choices are then left to the solver, which
/// selects no more than is needed.
fn add_loose(search: &Search<'_>, anchors: &[VarId], results: &mut PartResults, limit: usize) -> Result<(), GaveUp> {
    let mut script = Script::loose();
    let mut loose: Vec<Picks> = Vec::new();
    let before = search.steps();
    loop {
        let Some(picks) = search.run(anchors, &mut script)? else { return Ok(()) };
        if loose.iter().all(|known| known.selected != picks.selected) {
            loose.push(picks);
        }
        if !script.advance() {
            break;
        }
        if loose.len() > limit || search.steps() - before > STEP_LIMIT {
            results.bounded = true;
            break;
        }
    }
    let is_smallest = |picks: &&Picks| {
        !loose.iter().any(|less| less.selected != picks.selected && less.selected.is_subset(&picks.selected))
    };
    for picks in loose.iter().filter(is_smallest) {
        if results.picks.iter().all(|known| known.selected != picks.selected) {
            results.picks.push(picks.clone());
        }
    }
    Ok(())
}

/// First the ties alone, in the default order of anchors. Only if some run could have gone differently in another order
/// of anchors, all those orders as well.
fn part_results(problem: &Problem, search: &Search<'_>, anchors: &[VarId]) -> Result<Option<PartResults>, GaveUp> {
    let mut results = PartResults::default();
    let before = search.steps();
    let (deciding, idle): (Vec<VarId>, Vec<VarId>) =
        anchors.iter().partition(|id| !problem.rules.choices[id.0 as usize].is_empty());
    if deciding.is_empty() {
        results.picks.push(Picks::of_anchors(anchors));
        return Ok(Some(results));
    }
    for permute in [false, true] {
        let mut script = Script::default();
        let mut straight = true;
        for run in 0.. {
            if run == RUN_LIMIT || run > 0 && search.steps() - before > STEP_LIMIT {
                results.bounded = true;
                break;
            }
            let mut order = if permute { permuted(&deciding, &mut script) } else { deciding.clone() };
            order.extend(&idle);
            let Some(picks) = search.run(&order, &mut script)? else { return Ok(None) };
            results.loosened |= picks.loosened;
            straight &= picks.made.iter().all(|pick| is_straight(&problem.rules, pick, &picks.selected));
            if results.picks.iter().all(|known| known.selected != picks.selected) {
                results.picks.push(picks);
            }
            if !script.advance() {
                break;
            }
        }
        if straight {
            break;
        }
    }
    Ok(Some(results))
}

fn permuted(anchors: &[VarId], script: &mut Script) -> Vec<VarId> {
    let mut left = anchors.to_vec();
    (0..anchors.len()).map(|_| left.remove(script.decide(left.len()))).collect()
}

/// Whether the choice comes out the same in every order of anchors, if all others do: it took its first alternative, and
/// nothing that any choice selects is another one of its alternatives.
fn is_straight(rules: &Rules, pick: &Pick, selected: &BTreeSet<VarId>) -> bool {
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
