//! Solutions found choice by choice: which literals are possible beside those that are fixed, by the cheapest means that
//! can tell.

use crate::answer::{Bound, Model, Tally};
use crate::cnf::{Cnf, ConstraintId};
use crate::lit::Lit;
use crate::residue;
use crate::search::{End, Search};
use crate::trail::{Blame, Trail};

/// Conflicts of one search, after which splr is asked.
const CONFLICT_LIMIT: u32 = 100;

/// Questions that one tally may count for splr.
const QUESTION_LIMIT: u32 = 500;

impl<R: Copy> Cnf<R> {
    /// Whether the formula has a model, by the cheapest means that can tell.
    ///
    /// # Errors
    /// When the question could not be decided.
    pub fn is_satisfiable(&self, tally: &Tally) -> Result<bool, Bound> {
        let mut trail = Trail::new(&self.constraints, None);
        if trail.start().is_err() {
            tally.propagation.update(|count| count + 1);
            return Ok(false);
        }
        let found = find(&mut trail, &Model::all_false(self.constraints.var_count), None, true, tally)?;
        Ok(matches!(found, Found::Model(_)))
    }
}

/// Some literals that are fixed for good, and a model of the formula that contains them.
pub struct PartialSolution<'c> {
    tally: &'c Tally,
    /// The fixed literals and what follows from them.
    trail: Trail<'c>,
    /// The model at hand.
    model: Model,
}

impl<'c> PartialSolution<'c> {
    /// Nothing is fixed, and the model at hand is that of splr's verdict; none if there is no model.
    ///
    /// # Errors
    /// When splr has no verdict.
    pub fn new<R: Copy>(cnf: &'c Cnf<R>, tally: &'c Tally) -> Result<Option<Self>, Bound> {
        let Some(model) = cnf.verdict(tally).clone()? else { return Ok(None) };
        let mut trail = Trail::new(&cnf.constraints, None);
        trail.start().expect("a formula that has a model does not contradict itself");
        Ok(Some(PartialSolution { tally, trail, model }))
    }

    /// Whether some model contains the fixed literals and this one; that is then the model at hand.
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
            self.tally.propagation.update(|count| count + 1);
            return Ok(false);
        }
        let found = find(&mut self.trail, &self.model, Some(fixed), true, self.tally);
        self.trail.back_to(0);
        if let Found::Model(model) = found? {
            self.model = model;
            return Ok(true);
        }
        Ok(false)
    }

    /// Whether unit propagation alone refutes that these literals hold together, tried one after the other.
    pub fn is_refuted_by_propagation(&mut self, lits: &[Lit]) -> bool {
        let is_refuted = lits.iter().any(|&lit| match self.trail.value(lit) {
            Some(value) => !value,
            None => self.trail.decide(lit).is_err(),
        });
        self.trail.back_to(0);
        is_refuted
    }

    /// Fixes a literal of the model at hand.
    ///
    /// # Panics
    /// When the literal is false there.
    pub fn fix(&mut self, lit: Lit) {
        assert!(self.model.holds(lit), "only literals of the model at hand are fixed");
        let demand = ConstraintId(u32::MAX);
        self.trail.give(lit, demand).expect("a model does not contradict itself");
    }
}

/// What a search came to, or splr after it.
pub(crate) enum Found {
    Model(Model),
    /// There is no model, and if no splr was needed to see that, because of this.
    Refuted(Option<Blame>),
}

/// Looks for a model that contains the trail: near the model at hand, then with splr, if that may be asked.
/// `met` is as in [`Search::new`].
pub(crate) fn find(
    trail: &mut Trail<'_>,
    model: &Model,
    met: Option<usize>,
    may_ask_splr: bool,
    tally: &Tally,
) -> Result<Found, Bound> {
    let base = trail.level();
    let found = match Search::new(trail, model, met).run(CONFLICT_LIMIT) {
        End::Model => Found::Model(trail.over(model)),
        End::Refuted(blame) => Found::Refuted(Some(blame)),
        End::Bound if !may_ask_splr || tally.splr.get() >= QUESTION_LIMIT => {
            return Err(Bound::Questions(QUESTION_LIMIT));
        }
        End::Bound => {
            trail.back_to(base);
            tally.splr.update(|count| count + 1);
            return Ok(residue::decide(trail, model)?.map_or(Found::Refuted(None), Found::Model));
        }
    };
    tally.descent.update(|count| count + 1);
    Ok(found)
}
