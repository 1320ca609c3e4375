//! Models, the limits of solving, and counts of the methods that answered.

use std::cell::Cell;
use std::fmt;

use crate::budget::Budget;
use crate::lit::{Lit, Var};

/// The limit at which solving stopped without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// The work that was left of the [`Budget`].
    Budget,
    Questions(u32),
    /// splr failed or returned a wrong model.
    Failure,
}

impl fmt::Display for Bound {
    /// A sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Budget => f.write_str("the solver's budget does not suffice"),
            Self::Questions(count) => write!(f, "the search takes more than {count} hard questions"),
            Self::Failure => f.write_str("the solver failed"),
        }
    }
}

/// A truth value for every variable of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// By variable index.
    values: Vec<bool>,
}

impl Model {
    /// The model in which every variable is false.
    pub(crate) fn all_false(var_count: u32) -> Model {
        Model { values: vec![false; var_count as usize] }
    }

    /// Whether a literal is true.
    pub fn holds(&self, lit: Lit) -> bool {
        self.values[lit.var().index() as usize] == lit.is_positive()
    }

    pub(crate) fn set(&mut self, var: Var, value: bool) {
        self.values[var.index() as usize] = value;
    }
}

/// How many questions each method answered, and the budget of the work for them. Displays as `propagation 1, model 2, descent
/// 3, splr 4`.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Refuted by unit propagation.
    pub propagation: Cell<u32>,
    /// Answered by the current model.
    pub model: Cell<u32>,
    /// Decided by the bounded search.
    pub descent: Cell<u32>,
    pub splr: Cell<u32>,
    /// The work that is left.
    pub(crate) budget: Budget,
}

impl Tally {
    /// A tally without counts, whose questions take their work from this budget.
    #[must_use]
    pub fn within(budget: &Budget) -> Self {
        Self { budget: budget.clone(), ..Self::default() }
    }

    /// Adds the counts of another tally.
    pub fn add(&self, other: &Self) {
        self.propagation.update(|count| count + other.propagation.get());
        self.model.update(|count| count + other.model.get());
        self.descent.update(|count| count + other.descent.get());
        self.splr.update(|count| count + other.splr.get());
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [propagation, model, descent, splr] =
            [&self.propagation, &self.model, &self.descent, &self.splr].map(Cell::get);
        write!(f, "propagation {propagation}, model {model}, descent {descent}, splr {splr}")
    }
}
