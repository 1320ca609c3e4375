//! Variables and literals, and how they are encoded.

use std::ops::Not;

/// A variable of one [`Cnf`](crate::Cnf), numbered from 0 in the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    /// Most variables a formula can have: a literal doubles the number, and splr counts in `i32` from 1.
    pub(crate) const LIMIT: u32 = i32::MAX as u32 - 1;

    pub(crate) fn from_index(index: u32) -> Var {
        assert!(index < Var::LIMIT, "a formula has fewer than 2^31 - 2 variables");
        Var(index)
    }

    /// Number of the variable, from 0.
    pub fn index(self) -> u32 {
        self.0
    }

    /// The literal that is true when the variable is true.
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that is true when the variable is false.
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }
}

/// A variable or its negation.
///
/// Encoded as twice the variable's index, plus one if negated, so that both literals of a variable are neighbours in
/// the order and a literal can index a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The variable.
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether the literal is true when its variable is true.
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The encoding, as an index into a table.
    pub(crate) fn code(self) -> usize {
        self.0 as usize
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}
