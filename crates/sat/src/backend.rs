//! What a solver is asked and what it answers.

use crate::cnf::Cnf;
use crate::lit::{Lit, Var};

/// A decision procedure prepared for one formula and asked many times.
pub trait Backend {
    /// Prepares the formula.
    fn new<R: Copy>(cnf: &Cnf<R>) -> Self;

    /// Decides the formula together with the assumed literals. Answers do not depend on earlier questions.
    fn solve(&self, assumptions: &[Lit]) -> Verdict;
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A model of the formula in which the assumptions hold.
    Satisfiable(Model),
    /// There is no such model.
    Unsatisfiable,
    /// Undecided: the backend ran out of its budget or broke down.
    GaveUp,
}

/// A truth value for every variable of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    values: Vec<bool>,
}

impl Model {
    /// By variable index, from 0.
    pub(crate) fn new(values: Vec<bool>) -> Model {
        Model { values }
    }

    /// Truth value of a variable.
    pub fn value(&self, var: Var) -> bool {
        self.values[var.index() as usize]
    }

    /// Whether a literal holds.
    pub fn holds(&self, lit: Lit) -> bool {
        self.value(lit.var()) == lit.is_positive()
    }
}
