//! `Session`: many questions to one formula, answered without the solver where that suffices.

use std::cell::OnceCell;

use crate::backend::{Backend, Verdict};
use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::propagate::Propagator;
use crate::splr::Splr;

/// A formula ready for questions under assumptions. The same question always gets the same answer.
pub struct Session<'c, R, B = Splr> {
    cnf: &'c Cnf<R>,
    propagator: Propagator<'c, R>,
    /// Made at the first question that needs it.
    backend: OnceCell<B>,
}

impl<'c, R: Copy> Session<'c, R> {
    /// A session with splr behind it.
    pub fn new(cnf: &'c Cnf<R>) -> Session<'c, R> {
        Session::with_backend(cnf)
    }
}

impl<'c, R: Copy, B: Backend> Session<'c, R, B> {
    /// A session with the backend of the caller's choice.
    pub fn with_backend(cnf: &'c Cnf<R>) -> Session<'c, R, B> {
        Session { cnf, propagator: Propagator::new(cnf), backend: OnceCell::new() }
    }

    /// Decides the formula together with the assumed literals.
    ///
    /// Propagation and a greedy search come first, the backend only if both leave the question open. Models tend to
    /// have few true variables, but none is promised to be the smallest.
    pub fn solve(&self, assumptions: &[Lit]) -> Verdict {
        let Ok(trail) = self.propagator.propagate(assumptions) else {
            return Verdict::Unsatisfiable;
        };
        if let Some(model) = self.propagator.greedy_model(trail) {
            return Verdict::Satisfiable(model);
        }
        let verdict = self.backend.get_or_init(|| B::new(self.cnf)).solve(assumptions);
        match &verdict {
            // A wrong model must not pass for an answer; a solver that names one is broken.
            Verdict::Satisfiable(model)
                if !self.cnf.is_satisfied_by(model) || !assumptions.iter().all(|&lit| model.holds(lit)) =>
            {
                Verdict::GaveUp
            }
            Verdict::Satisfiable(_) | Verdict::Unsatisfiable | Verdict::GaveUp => verdict,
        }
    }
}
