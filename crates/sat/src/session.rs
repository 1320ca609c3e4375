//! `Session`: many questions to one formula, answered without the solver where that suffices.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::backend::{Backend, Bound, Model, Verdict};
use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::network::Network;
use crate::residue;
use crate::search::{End, Search};
use crate::splr::Splr;
use crate::trail::Counted;

/// Conflicts after which a question goes to the backend.
const GLANCE: u32 = 200;

/// Questions that a session puts to its backend.
const QUESTION_LIMIT: u32 = 500;

/// A formula ready for questions under assumptions. The same question always gets the same answer.
pub struct Session<'c, R, B = Splr> {
    cnf: &'c Cnf<R>,
    network: Arc<Network>,
    /// How many questions the backend was asked.
    asked: Cell<u32>,
    backend: PhantomData<B>,
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
        Session { cnf, network: cnf.network(), asked: Cell::new(0), backend: PhantomData }
    }

    /// Decides the formula together with the assumed literals.
    ///
    /// A short search comes first and tries what clauses ask for, in the order of their literals; the backend is asked only
    /// if that leaves the question open. Models tend to have few true variables, but none is promised to be the smallest.
    pub fn solve(&self, assumptions: &[Lit]) -> Verdict {
        match self.descent() {
            Some(mut descent) => descent.ask(assumptions),
            None => Verdict::Unsatisfiable,
        }
    }

    /// Begins a row of decisions that are never taken back; nothing if propagation alone refutes the formula.
    pub fn descent(&self) -> Option<Descent<'_, 'c, R, B>> {
        let mut search = Search::new(&self.network);
        search.start(Counted::All).ok()?;
        Some(Descent { session: self, plain: search.clone(), search })
    }
}

/// The formula with some literals fixed. What one question teaches is known to the next.
pub struct Descent<'s, 'c, R, B = Splr> {
    session: &'s Session<'c, R, B>,
    search: Search<'s>,
    /// The fixed literals without anything learned.
    plain: Search<'s>,
}

impl<R: Copy, B: Backend> Descent<'_, '_, R, B> {
    /// Whether the literal is known to be false in every model with the fixed literals.
    pub fn excludes(&self, lit: Lit) -> bool {
        self.search.trail.value(lit) == Some(false)
    }

    /// Fixes a literal that some model with the fixed literals contains.
    ///
    /// # Panics
    /// When propagation finds that none does.
    pub fn fix(&mut self, lit: Lit) {
        let given = self.search.give(lit, 0, Counted::All).and(self.plain.give(lit, 0, Counted::All));
        assert!(given.is_ok(), "only literals of a model are fixed");
    }

    /// Whether unit propagation alone refutes the literal, with the fixed ones and without anything learned.
    pub fn clashes(&mut self, lit: Lit) -> bool {
        self.plain.clashes(lit)
    }

    /// Looks for a model with the fixed literals and the goals.
    pub fn ask(&mut self, goals: &[Lit]) -> Verdict {
        let end = self.search.run(goals, Counted::All, GLANCE);
        let model = matches!(end, End::Model).then(|| self.search.model());
        self.search.back_to_start();
        match (end, model) {
            (_, Some(model)) => Verdict::Satisfiable(model),
            (End::Refuted | End::Contradiction(_), _) => Verdict::Unsatisfiable,
            _ => self.ask_backend(goals),
        }
    }

    fn ask_backend(&self, goals: &[Lit]) -> Verdict {
        let asked = self.session.asked.get() + 1;
        if asked > QUESTION_LIMIT {
            return Verdict::GaveUp(Bound::Questions(QUESTION_LIMIT));
        }
        self.session.asked.set(asked);
        let Some((residue, names)) = residue::of(&self.session.network, &self.search.trail, goals, Counted::All) else {
            return Verdict::Unsatisfiable;
        };
        match B::new(&residue).solve(&[]) {
            Verdict::Satisfiable(model) => {
                self.checked(goals, residue::extended(&self.search.trail, goals, &names, &model))
            }
            Verdict::Unsatisfiable => Verdict::Unsatisfiable,
            Verdict::GaveUp(bound) => Verdict::GaveUp(bound),
        }
    }

    /// A wrong model must not pass for an answer; a solver that names one is broken.
    fn checked(&self, goals: &[Lit], model: Model) -> Verdict {
        let holds = self.session.cnf.is_satisfied_by(&model) && goals.iter().all(|&lit| model.holds(lit));
        if holds { Verdict::Satisfiable(model) } else { Verdict::GaveUp(Bound::Failure) }
    }
}
