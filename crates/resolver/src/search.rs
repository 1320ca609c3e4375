//! Which of the possible selections is chosen: the first in OLM's order of preference.
//!
//! OLM keeps a queue of choices, first in, first out, that begins with its anchors. A choice of which an alternative is
//! selected already is content; else the alternatives are tried in order, and what is selected appends its own choices.
//! On a contradiction OLM goes back to the last choice that has an alternative left (`pkg/controller/registry/resolver/
//! solver/search.go`). The result is the first leaf of that search tree, in the order of the tree.
//!
//! Here no choice is ever taken back: before an alternative is taken, a solver is asked whether the rules still have a
//! model with everything picked so far and this one. That finds the same leaf. If there is such a model, the choices
//! still to come can be made inside it, because it has an alternative for each of them and no subset of it breaks a rule
//! that excludes; so the subtree under the alternative has a leaf. If there is none, no leaf lies below, as a leaf is
//! itself a model once all that is not selected is made false. Hence the first alternative with a model is the one that
//! the search with steps back ends up with, at every choice in turn. `tests/properties.rs` plays the original against
//! this.
//!
//! OLM's own search is not quite that one: a choice that it stepped back over keeps its place in the list of alternatives,
//! and once that is used up is left to the solver. Where all outcomes are asked for, such choices are played through.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sat::{PartialSolution, Tally};

use crate::encode::Encoding;
use crate::fact::{Fact, FactId, VarId};
use crate::random_choices::RandomChoices;
use crate::rules::Rules;
use crate::unresolvable::GaveUp;

/// How one choice came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The rule that offers the choice; absent for an anchor.
    pub choice: Option<FactId>,
    /// What it came to.
    pub selected: VarId,
    /// Whether that had been selected already for another reason.
    pub already: bool,
    /// Better alternatives that no possible selection contains with the picks before.
    pub refused: Vec<VarId>,
}

/// All choices in the order they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Picks {
    pub(crate) made: Vec<Pick>,
    pub(crate) selected: BTreeSet<VarId>,
    /// Whether OLM stepped back over choices, which it then leaves to its solver.
    pub(crate) loosened: bool,
    /// Whether OLM's solver would have chosen otherwise somewhere; then it counts as the answer of the default order alone.
    pub(crate) only_by_default: bool,
}

impl Picks {
    /// What comes of anchors that leave nothing to choose.
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

/// A search that can be run in many orders.
pub(crate) struct Search<'a> {
    rules: &'a Rules,
    encoding: &'a Encoding,
    /// Who answered the questions of all runs.
    tally: Tally,
    /// Alternatives that were looked at in all runs.
    steps: Cell<usize>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(rules: &'a Rules, encoding: &'a Encoding) -> Self {
        Self { rules, encoding, tally: Tally::default(), steps: Cell::new(0) }
    }

    /// Who answered the questions of all runs.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// How many alternatives all runs looked at.
    pub(crate) fn steps(&self) -> usize {
        self.steps.get()
    }

    /// The choices from the anchors in that order, or nothing if the rules contradict each other. `random` decides
    /// what the order leaves open.
    pub(crate) fn run(&self, anchors: &[VarId], random: &mut RandomChoices) -> Result<Option<Picks>, GaveUp> {
        let solution = PartialSolution::new(&self.encoding.cnf, &self.tally).map_err(GaveUp::Solver)?;
        let Some(solution) = solution else { return Ok(None) };
        let is_selected = vec![false; self.rules.variables.len()];
        let mut run = Run {
            search: self,
            solution,
            picks: Picks::default(),
            is_selected,
            loose: BTreeMap::new(),
            queue: VecDeque::new(),
        };
        if random.is_loose() {
            run.loose.extend((0u32..).map(|id| (FactId(id), Loose::Any)).take(self.rules.facts.len()));
        }
        for &anchor in anchors {
            run.select(Pick::anchor(anchor));
        }
        while let Some(choice) = run.queue.pop_front() {
            run.decide(choice, random)?;
        }
        Ok(Some(run.picks))
    }

    fn fact(&self, id: FactId) -> &Fact {
        &self.rules.facts[id.0 as usize]
    }
}

/// What OLM's solver makes of a choice that is left to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loose {
    /// Any alternative that is possible.
    Any,
    /// Its last alternative, if that is possible. OLM tried all of them in vain, each refused at once, and a solver begins
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
    loose: BTreeMap<FactId, Loose>,
    queue: VecDeque<FactId>,
}

impl Run<'_, '_> {
    fn decide(&mut self, choice: FactId, random: &mut RandomChoices) -> Result<(), GaveUp> {
        let search = self.search;
        let mut left = Left::of(search.fact(choice));
        if let Some(&selected) = left.alternatives.iter().find(|id| self.is_selected[id.0 as usize]) {
            let pick = Pick { choice: Some(choice), selected, already: true, refused: Vec::new() };
            self.picks.made.push(pick);
            return Ok(());
        }
        let mut refused = Vec::new();
        let mut possible = Vec::new();
        let loose = self.loose.get(&choice).copied().filter(|_| random.goes_on());
        while let Some(alternative) = left.next(random) {
            if self.is_possible(alternative)? {
                possible.push(alternative);
                if loose.is_none() {
                    break;
                }
            } else if possible.is_empty() {
                self.loosen(alternative, random);
                refused.push(alternative);
            }
        }
        assert!(!possible.is_empty(), "a model of all picks has an alternative for each of their choices");
        if let (Some(Loose::Last), [first, .., last]) = (loose, &possible[..])
            && left.alternatives.last() == Some(last)
        {
            possible = vec![*first, *last];
        }
        let decision = random.decide(possible.len());
        let selected = possible[decision];
        if let Some(loose) = loose {
            self.picks.only_by_default |= loose == Loose::Last && decision == 0 && possible.len() > 1;
            // The solver makes the choices of what it selects too.
            self.loose.extend(search.rules.choices[selected.0 as usize].iter().map(|&id| (id, Loose::Any)));
            // The model at hand may be that of another alternative.
            self.is_possible(selected)?;
        }
        self.select(Pick { choice: Some(choice), selected, already: false, refused });
        Ok(())
    }

    /// OLM refuses an alternative at once if unit propagation does. Otherwise it selects it, goes on, and comes back once
    /// everything that was waiting has used up its alternatives. It does not begin those choices anew.
    fn loosen(&mut self, refused: VarId, random: &RandomChoices) {
        let refused = self.search.encoding.lit(refused);
        if self.solution.is_refuted_by_propagation(&[refused]) {
            return;
        }
        self.picks.loosened = true;
        let waiting = if random.goes_on() { self.queue.len() } else { 0 };
        for at in 0..waiting {
            let choice = self.queue[at];
            if !self.loose.contains_key(&choice) {
                let alternatives = self.search.fact(choice).alternatives().unwrap_or_default();
                let mut lits = alternatives.iter().map(|&id| self.search.encoding.lit(id));
                let never = lits.all(|lit| self.solution.is_refuted_by_propagation(&[refused, lit]));
                self.loose.insert(choice, if never { Loose::Last } else { Loose::Any });
            }
        }
    }

    /// Whether the picks so far and this one lie in a model, which is then kept.
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

/// The alternatives of a choice that were not tried yet.
struct Left<'f> {
    alternatives: &'f [VarId],
    ties: &'f [std::ops::Range<usize>],
    /// All before this one were tried.
    at: usize,
    tried: BTreeSet<VarId>,
}

impl<'f> Left<'f> {
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
