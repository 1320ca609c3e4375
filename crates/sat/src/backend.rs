//! What a solver is asked and what it answers.

use std::fmt;

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
    /// Undecided.
    GaveUp(Bound),
}

/// What put an end to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// So many conflicts of one question.
    Conflicts(u32),
    /// So many seconds in the solver, for one question.
    Seconds(u32),
    /// So many questions of one problem that only the solver could answer.
    Questions(u32),
    /// So many steps towards one core: questions and conflicts.
    Steps(u32),
    /// So many variables, which is too many for trying them all.
    Variables(u32),
    /// The solver broke down.
    Failure,
}

impl fmt::Display for Bound {
    /// Completes the sentence "gave up after …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflicts(count) => write!(f, "{count} conflicts"),
            Self::Seconds(1) => f.write_str("one second in the solver"),
            Self::Seconds(count) => write!(f, "{count} seconds in the solver"),
            Self::Questions(count) => write!(f, "{count} hard questions"),
            Self::Steps(count) => write!(f, "{count} steps"),
            Self::Variables(count) => write!(f, "{count} variables"),
            Self::Failure => f.write_str("a failure of the solver"),
        }
    }
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
