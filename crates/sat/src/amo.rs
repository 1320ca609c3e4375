//! At most one of many literals, as clauses.

use crate::lit::Lit;

/// Up to here all pairs are excluded directly: as few clauses as the product encoding, and no auxiliary variable.
const PAIRWISE_LIMIT: usize = 6;

/// Clauses of literals in DIMACS notation, and how many variables they use.
pub(crate) struct Dimacs {
    pub(crate) clauses: Vec<Vec<i32>>,
    pub(crate) var_count: i32,
}

impl Dimacs {
    /// Demands that at most one of the literals hold.
    ///
    /// Beyond a handful this is the product encoding (Chen 2010): the literals lie in a grid, each implies its row and
    /// its column, and at most one row and one column hold. It takes `2n + O(sqrt n)` clauses, and unit propagation
    /// finds every consequence.
    pub(crate) fn add_at_most_one(&mut self, lits: &[i32]) {
        if lits.len() <= PAIRWISE_LIMIT {
            for (at, &one) in lits.iter().enumerate() {
                self.clauses.extend(lits[at + 1..].iter().map(|&other| vec![-one, -other]));
            }
            return;
        }
        let width = lits.len().isqrt();
        let columns = self.add_vars(width);
        let rows = self.add_vars(lits.len().div_ceil(width));
        for (at, &lit) in lits.iter().enumerate() {
            self.clauses.push(vec![-lit, columns[at % width]]);
            self.clauses.push(vec![-lit, rows[at / width]]);
        }
        self.add_at_most_one(&columns);
        self.add_at_most_one(&rows);
    }

    fn add_vars(&mut self, count: usize) -> Vec<i32> {
        (0..count)
            .map(|_| {
                self.var_count = self.var_count.checked_add(1).expect("a formula has fewer than 2^31 variables");
                self.var_count
            })
            .collect()
    }
}

/// DIMACS numbers variables from 1 and negates by sign.
pub(crate) fn dimacs(lit: Lit) -> i32 {
    let number = i32::try_from(lit.var().index() + 1).expect("variable indices stay below `Var::LIMIT`");
    if lit.is_positive() { number } else { -number }
}
