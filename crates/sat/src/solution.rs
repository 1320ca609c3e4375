//! Solutions found choice by choice: which literals are possible together with those that are fixed. splr decides whether
//! a formula has a model at all, unless that is easy although the formula is long; from that model on, the cheapest method that can answer does.

use crate::answer::{Bound, Model, Tally};
use crate::cnf::Cnf;
use crate::component;
use crate::constraints::{ConstraintId, Kind};
use crate::lit::Lit;
use crate::search::{End, Search};
use crate::trail::{Blame, Trail};

/// The number of conflicts after which a bounded search ends, and the question goes to splr.
const CONFLICT_LIMIT: u32 = 100;

/// A formula with an at-most-one constraint of more literals is put to the bounded search first. splr simplifies a formula before
/// it searches, in a time that grows with the square of the length of such constraints; most of these formulas are easy.
const LONG: usize = 1000;

impl<R: Copy> Cnf<R> {
    /// Whether the formula has a model.
    ///
    /// # Errors
    /// When the question could not be decided.
    pub fn is_satisfiable(&self, tally: &Tally) -> Result<bool, Bound> {
        self.solve(tally).as_ref().map(Option::is_some).map_err(Clone::clone)
    }

    /// A model of the formula, or none if it is unsatisfiable. Answered once for each formula: by unit propagation if that
    /// refutes it, by the bounded search if a constraint is long and the formula easy, else by splr. Variables that no broken clause leads to are false in the model.
    ///
    /// # Errors
    /// When the question could not be decided.
    pub fn solve(&self, tally: &Tally) -> &Result<Option<Model>, Bound> {
        self.solution.get_or_init(|| {
            let mut trail = Trail::new(&self.constraints, None);
            let started = trail.start();
            tally.budget.charge(trail.take_work());
            if started.is_err() {
                tally.propagation.update(|count| count + 1);
                return Ok(None);
            }
            let model = Model::all_false(self.constraints.var_count);
            let is_long = |(kind, lits): (Kind, &[Lit])| kind == Kind::AtMostOne && lits.len() > LONG;
            if !self.constraints.ids().any(|id| is_long(self.constraints.get(id))) {
                return component::solve(&trail, &model, tally);
            }
            find(&mut trail, &model, None, true, tally).map(|found| match found {
                Solution::Model(model) => Some(model),
                Solution::Refuted(_) => None,
            })
        })
    }
}

/// A set of fixed literals, which only grows, and a model of the formula that contains them.
pub struct PartialSolution<'c> {
    tally: &'c Tally,
    /// The fixed literals and their consequences.
    trail: Trail<'c>,
    model: Model,
}

impl<'c> PartialSolution<'c> {
    /// Nothing is fixed, and the current model is that of [`Cnf::solve`]; `None` if the formula has no model.
    ///
    /// # Errors
    /// When the question could not be decided.
    pub fn new<R: Copy>(cnf: &'c Cnf<R>, tally: &'c Tally) -> Result<Option<Self>, Bound> {
        let Some(model) = cnf.solve(tally).clone()? else { return Ok(None) };
        let mut trail = Trail::new(&cnf.constraints, None);
        trail.start().expect("a formula with a model has no conflict at level 0");
        tally.budget.charge(trail.take_work());
        Ok(Some(PartialSolution { tally, trail, model }))
    }

    /// Whether some model contains the fixed literals and this one. If so, it becomes the current model.
    ///
    /// # Errors
    /// When the question could not be decided.
    pub fn is_possible(&mut self, lit: Lit) -> Result<bool, Bound> {
        if self.model.holds(lit) {
            self.tally.model.update(|count| count + 1);
            return Ok(true);
        }
        let fixed = self.trail.lits().len();
        if self.trail.value(lit) == Some(false) || self.trail.decide(lit).is_err() {
            self.trail.back_to(0);
            self.tally.budget.charge(self.trail.take_work());
            self.tally.propagation.update(|count| count + 1);
            return Ok(false);
        }
        let found = find(&mut self.trail, &self.model, Some(fixed), true, self.tally);
        self.trail.back_to(0);
        if let Solution::Model(model) = found? {
            self.model = model;
            return Ok(true);
        }
        Ok(false)
    }

    /// The current model.
    #[must_use]
    pub const fn model(&self) -> &Model {
        &self.model
    }

    /// Whether unit propagation alone refutes these literals together with the fixed ones.
    pub fn is_refuted_by_propagation(&mut self, lits: &[Lit]) -> bool {
        let is_refuted = lits.iter().any(|&lit| match self.trail.value(lit) {
            Some(value) => !value,
            None => self.trail.decide(lit).is_err(),
        });
        self.trail.back_to(0);
        self.tally.budget.charge(self.trail.take_work());
        is_refuted
    }

    /// Fixes a literal that is true in the current model.
    ///
    /// # Panics
    /// When the literal is false in it.
    pub fn fix(&mut self, lit: Lit) {
        assert!(self.model.holds(lit), "only literals of the current model are fixed");
        self.trail.assume(lit, ConstraintId(u32::MAX)).expect("no conflict follows from literals of a model");
    }
}

/// The answer of the bounded search, or of splr after it.
pub(crate) enum Solution {
    Model(Model),
    /// There is no model, for this reason if the search found it; splr gives no reason.
    Refuted(Option<Blame>),
}

/// Looks for a model that contains the trail: near `model`, then with splr if that is allowed. `met` is as in
/// [`Search::new`].
pub(crate) fn find(
    trail: &mut Trail<'_>,
    model: &Model,
    met: Option<usize>,
    may_ask_splr: bool,
    tally: &Tally,
) -> Result<Solution, Bound> {
    if tally.budget.is_spent() {
        return Err(Bound::Budget);
    }
    let base = trail.level();
    let end = Search::new(trail, model, met).run(CONFLICT_LIMIT);
    tally.budget.charge(trail.take_work());
    let found = match end {
        End::Model => Solution::Model(trail.completed(model)),
        End::Refuted(blame) => Solution::Refuted(Some(blame)),
        End::Bound if !may_ask_splr => return Err(Bound::Questions(1)),
        End::Bound => {
            trail.back_to(base);
            return Ok(component::solve(trail, model, tally)?.map_or(Solution::Refuted(None), Solution::Model));
        }
    };
    tally.descent.update(|count| count + 1);
    Ok(found)
}
