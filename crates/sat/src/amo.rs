//! At most one of many literals.

use crate::cnf::Cnf;
use crate::lit::Lit;

/// Up to here all pairs are excluded directly: as few clauses as the product encoding, and no auxiliary variable.
const PAIRWISE_LIMIT: usize = 6;

impl<R: Copy> Cnf<R> {
    /// Demands that at most one of the literals hold; all clauses carry the same reason.
    ///
    /// Beyond a handful this is the product encoding (Chen 2010): the literals lie in a grid, each implies its row and
    /// its column, and at most one row and one column hold. It takes `2n + O(sqrt n)` clauses, and unit propagation
    /// finds every consequence.
    pub fn add_at_most_one(&mut self, lits: &[Lit], reason: R) {
        if lits.len() <= PAIRWISE_LIMIT {
            for (at, &one) in lits.iter().enumerate() {
                for &other in &lits[at + 1..] {
                    self.add_clause([!one, !other], reason);
                }
            }
            return;
        }
        let width = lits.len().isqrt();
        let columns = self.add_lits(width);
        let rows = self.add_lits(lits.len().div_ceil(width));
        for (at, &lit) in lits.iter().enumerate() {
            self.add_clause([!lit, columns[at % width]], reason);
            self.add_clause([!lit, rows[at / width]], reason);
        }
        self.add_at_most_one(&columns, reason);
        self.add_at_most_one(&rows, reason);
    }

    fn add_lits(&mut self, count: usize) -> Vec<Lit> {
        (0..count).map(|_| self.add_var().positive()).collect()
    }
}
