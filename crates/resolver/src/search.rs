//! Finds the first selection in OLM's order of preference.
//!
//! OLM keeps a first-in-first-out queue of choices that begins with its anchors. If an alternative of a choice is
//! selected already, nothing is done; else OLM tries the alternatives in order, and the selected one appends its own
//! choices. On a conflict OLM goes back to the last choice that has an alternative left
//! (`pkg/controller/registry/resolver/solver/search.go`). The result is the first leaf of that search tree, in the
//! order of the tree.
//!
//! Here no choice is ever undone: before an alternative is selected, a solver answers whether the rules have a model
//! with this alternative and everything picked before. That finds the same leaf. If there is such a model, the
//! remaining choices can be made inside it, because it has an alternative for each of them and no subset of it breaks a
//! rule that excludes; so the subtree below the alternative has a leaf. If there is none, the subtree has no leaf,
//! because a leaf becomes a model when everything that is not selected is made false. So at every choice the first
//! alternative with a model is the one where backtracking ends. `tests/it/properties.rs` compares both.
//!
//! OLM's own search differs in one point: a choice that it stepped back over keeps its position in the list of
//! alternatives. When the list is used up, OLM passes over the choice, and its solver decides it after all others. Runs
//! for all outcomes explore such choices.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sat::{PartialSolution, Tally};

use crate::encode::Encoding;
use crate::fact::{Fact, FactId, Rules, VarId};
use crate::outcomes::RandomChoices;
use crate::resolve::GaveUp;

/// How one choice came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The rule that offers the choice; absent for an anchor.
    pub choice: Option<FactId>,
    /// The alternative that it ended with.
    pub selected: VarId,
    /// Whether that was selected before, by another choice.
    pub already: bool,
    /// The better alternatives; no valid set contains one of them and all picks before.
    pub refused: Vec<VarId>,
}

/// All choices in the order they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Picks {
    pub(crate) made: Vec<Pick>,
    pub(crate) selected: BTreeSet<VarId>,
    /// Whether OLM stepped back over choices, which it then leaves to its solver.
    pub(crate) stepped_back: bool,
    /// A Subscription whose choice OLM's solver ends in a way that is not known. What is selected is then a guess.
    pub(crate) unknown: Option<VarId>,
}

impl Picks {
    /// The picks of anchors that leave nothing to choose.
    pub(crate) fn of_anchors(anchors: &[VarId]) -> Self {
        let made = anchors.iter().map(|&anchor| Pick::anchor(anchor)).collect();
        Self { made, selected: anchors.iter().copied().collect(), ..Self::default() }
    }
}

impl Pick {
    const fn anchor(anchor: VarId) -> Self {
        Self { choice: None, selected: anchor, already: false, refused: Vec::new() }
    }
}

/// The search, which can run in many orders of anchors.
pub(crate) struct Search<'a> {
    rules: &'a Rules,
    encoding: &'a Encoding,
    /// The questions of all runs, by method that answered.
    tally: Tally,
    /// How many alternatives all runs looked at.
    steps: Cell<usize>,
}

impl<'a> Search<'a> {
    /// A search whose questions are counted by `tally`.
    pub(crate) fn new(rules: &'a Rules, encoding: &'a Encoding, tally: Tally) -> Self {
        Self { rules, encoding, tally, steps: Cell::new(0) }
    }

    /// The questions of all runs, by method that answered.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// How many alternatives all runs looked at.
    pub(crate) fn steps(&self) -> usize {
        self.steps.get()
    }

    /// The picks for the anchors in this order; `None` if the rules have no model. `random` decides what OLM leaves to
    /// chance.
    pub(crate) fn run(&self, anchors: &[VarId], random: &mut RandomChoices) -> Result<Option<Picks>, GaveUp> {
        let solution = PartialSolution::new(&self.encoding.cnf, &self.tally).map_err(GaveUp::Solver)?;
        let Some(solution) = solution else { return Ok(None) };
        let is_selected = vec![false; self.rules.variables.len()];
        let mut run = Run {
            search: self,
            solution,
            picks: Picks::default(),
            is_selected,
            left_to_solver: BTreeMap::new(),
            queue: VecDeque::new(),
            postponed: VecDeque::new(),
        };
        if random.leaves_all_to_solver() {
            run.left_to_solver.extend((0u32..).map(|id| (FactId(id), SolverChoice::Any)).take(self.rules.facts.len()));
        }
        for &anchor in anchors {
            run.select(Pick::anchor(anchor));
        }
        while let Some((choice, is_postponed)) = run.next_choice() {
            if run.is_made(choice) {
                continue;
            }
            match run.left_to_solver.get(&choice).copied() {
                Some(solver_choice) => run.decide_as_solver(choice, solver_choice, is_postponed, random)?,
                None => run.decide(choice, random)?,
            }
        }
        Ok(Some(run.picks))
    }

    fn fact(&self, id: FactId) -> &Fact {
        &self.rules.facts[id.0 as usize]
    }
}

/// From how many possible alternatives on it is not known which one the solver takes, if it tried all of them in vain before.
/// Of two it takes the last. Of three, the real solver was seen to take the second, and then to break rules of others.
const UNKNOWN: usize = 3;

/// How OLM's solver decides a choice that is left to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SolverChoice {
    /// Any possible alternative. OLM may also come to the choice first: a clause that its solver learned can
    /// end a step back before all alternatives are used up.
    Any,
    /// The last alternative, if that is possible: unit propagation refused all of them, and the solver begins
    /// with the values that its variables had last.
    Last,
}

struct Run<'s, 'a> {
    search: &'s Search<'a>,
    /// The formula with everything picked so far.
    solution: PartialSolution<'s>,
    picks: Picks,
    /// By variable.
    is_selected: Vec<bool>,
    /// Choices that OLM leaves to its solver, because it stepped back over them.
    left_to_solver: BTreeMap<FactId, SolverChoice>,
    queue: VecDeque<FactId>,
    /// Choices that are decided when the queue is empty.
    postponed: VecDeque<FactId>,
}

impl Run<'_, '_> {
    /// The next choice, and whether it was postponed.
    fn next_choice(&mut self) -> Option<(FactId, bool)> {
        let queued = self.queue.pop_front().map(|choice| (choice, false));
        queued.or_else(|| self.postponed.pop_front().map(|choice| (choice, true)))
    }

    /// Whether an alternative of the choice is selected already. Then nothing is left to decide.
    fn is_made(&mut self, choice: FactId) -> bool {
        let alternatives = self.search.fact(choice).alternatives().unwrap_or_default();
        let Some(&selected) = alternatives.iter().find(|id| self.is_selected[id.0 as usize]) else { return false };
        self.picks.made.push(Pick { choice: Some(choice), selected, already: true, refused: Vec::new() });
        true
    }

    /// OLM takes the first possible alternative.
    fn decide(&mut self, choice: FactId, random: &mut RandomChoices) -> Result<(), GaveUp> {
        let mut untried = Untried::of(self.search.fact(choice));
        let mut refused = Vec::new();
        while let Some(alternative) = untried.next(random) {
            if self.is_possible(alternative)? {
                self.select(Pick { choice: Some(choice), selected: alternative, already: false, refused });
                return Ok(());
            }
            self.leave_waiting_to_solver(alternative, random);
            refused.push(alternative);
        }
        unreachable!("a model of all picks has an alternative for each of their choices")
    }

    /// OLM's solver takes one of the possible alternatives, now or after all choices of OLM.
    fn decide_as_solver(
        &mut self,
        choice: FactId,
        solver_choice: SolverChoice,
        is_postponed: bool,
        random: &mut RandomChoices,
    ) -> Result<(), GaveUp> {
        let search = self.search;
        let takes_last = solver_choice == SolverChoice::Last;
        let can_wait = !is_postponed && !random.leaves_all_to_solver();
        if can_wait && (takes_last || random.decide(2) == 1) {
            self.postponed.push_back(choice);
            return Ok(());
        }
        let mut untried = Untried::of(search.fact(choice));
        let (mut refused, mut possible, mut last) = (Vec::new(), Vec::new(), None);
        while let Some(alternative) = untried.next(random) {
            last = Some(alternative);
            if self.is_possible(alternative)? {
                possible.push(alternative);
            } else if possible.is_empty() {
                refused.push(alternative);
            }
        }
        if takes_last
            && possible.len() >= UNKNOWN
            && let Fact::Wants { subscription, .. } = search.fact(choice)
        {
            self.picks.unknown = Some(*subscription);
        }
        if takes_last && possible.last() == last.as_ref() {
            possible.drain(..possible.len() - 1);
        }
        let selected = possible[random.decide(possible.len())];
        // The current model may be that of another alternative.
        self.is_possible(selected)?;
        // The solver also decides the choices of what it selects.
        self.left_to_solver.extend(search.rules.choices[selected.0 as usize].iter().map(|&id| (id, SolverChoice::Any)));
        self.select(Pick { choice: Some(choice), selected, already: false, refused });
        Ok(())
    }

    /// OLM refuses an alternative at once if unit propagation refutes it. Otherwise OLM selects it, goes on, and comes
    /// back when all choices in the queue have used up their alternatives, but for those that the alternative itself
    /// satisfies. It leaves the used-up ones to its solver.
    fn leave_waiting_to_solver(&mut self, alternative: VarId, random: &RandomChoices) {
        let refused = self.search.encoding.lit(alternative);
        if self.solution.is_refuted_by_propagation(&[refused]) {
            return;
        }
        self.picks.stepped_back = true;
        let waiting = if random.are_explored() { self.queue.len() } else { 0 };
        for at in 0..waiting {
            let choice = self.queue[at];
            let fact = self.search.fact(choice);
            let alternatives = fact.alternatives().unwrap_or_default();
            if !self.left_to_solver.contains_key(&choice) && !alternatives.contains(&alternative) {
                // The alternatives of a Subscription exclude each other. Of those of a requirement, the last may bring
                // another with it, and the solver then drops the last again.
                let mut lits = alternatives.iter().map(|&id| self.search.encoding.lit(id));
                let takes_last = matches!(fact, Fact::Wants { .. })
                    && lits.all(|lit| self.solution.is_refuted_by_propagation(&[refused, lit]));
                self.left_to_solver.insert(choice, if takes_last { SolverChoice::Last } else { SolverChoice::Any });
            }
        }
    }

    /// Whether some model contains the picks so far and this alternative. If so, it becomes the current model.
    fn is_possible(&mut self, alternative: VarId) -> Result<bool, GaveUp> {
        self.search.steps.update(|steps| steps + 1);
        self.solution.is_possible(self.search.encoding.lit(alternative)).map_err(GaveUp::Solver)
    }

    fn select(&mut self, pick: Pick) {
        let selected = pick.selected;
        self.picks.made.push(pick);
        if self.picks.selected.insert(selected) {
            self.is_selected[selected.0 as usize] = true;
            self.solution.fix(self.search.encoding.lit(selected));
            self.queue.extend(&self.search.rules.choices[selected.0 as usize]);
        }
    }
}

/// The alternatives of a choice that are not tried yet.
struct Untried<'f> {
    alternatives: &'f [VarId],
    ties: &'f [std::ops::Range<usize>],
    /// All before this position are tried.
    at: usize,
    tried: BTreeSet<VarId>,
}

impl<'f> Untried<'f> {
    fn of(fact: &'f Fact) -> Self {
        let ties: &[_] = if let Fact::Wants { ties, .. } = fact { ties } else { &[] };
        Self { alternatives: fact.alternatives().unwrap_or_default(), ties, at: 0, tried: BTreeSet::new() }
    }

    /// The next one in order; among ties, `random` decides.
    fn next(&mut self, random: &mut RandomChoices) -> Option<VarId> {
        while self.tried.contains(self.alternatives.get(self.at)?) {
            self.at += 1;
        }
        let after = self.ties.partition_point(|tie| tie.end <= self.at);
        let tie = self.ties.get(after).filter(|tie| tie.contains(&self.at)).cloned().unwrap_or(self.at..self.at + 1);
        let open: Vec<VarId> = self.alternatives[tie].iter().copied().filter(|id| !self.tried.contains(id)).collect();
        let next = open[random.decide(open.len())];
        self.tried.insert(next);
        Some(next)
    }
}
