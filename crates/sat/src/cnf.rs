//! A formula of clauses and at-most-one constraints, each with the caller's reason.

use std::sync::{Arc, OnceLock};

use crate::backend::Model;
use crate::lit::{Lit, Var};
use crate::network::Network;

/// A conjunction of clauses and at-most-one constraints; each carries a reason `R` of the caller's choosing.
#[derive(Clone, Debug)]
pub struct Cnf<R> {
    var_count: u32,
    clauses: Lists<R>,
    at_most_ones: Lists<R>,
    /// By literal: the number of the last long clause that it was seen in, from 1.
    seen: Vec<u32>,
    /// What a search looks up; made at the first question and again after a change.
    network: OnceLock<Arc<Network>>,
}

/// A disjunction of literals, free of repetitions and in the order given, and why it is in the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause<'c, R> {
    /// At least one of these holds; none at all is a contradiction.
    pub lits: &'c [Lit],
    /// What the caller gave with the clause.
    pub reason: R,
}

/// At most one of some literals, at least two and all different, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtMostOne<'c, R> {
    /// No two of these hold.
    pub lits: &'c [Lit],
    /// What the caller gave with the constraint.
    pub reason: R,
}

impl<R: Copy> Cnf<R> {
    /// The formula without variables and clauses, which is true.
    pub fn new() -> Cnf<R> {
        Cnf {
            var_count: 0,
            clauses: Lists::new(),
            at_most_ones: Lists::new(),
            seen: Vec::new(),
            network: OnceLock::new(),
        }
    }

    /// A fresh variable.
    pub fn add_var(&mut self) -> Var {
        self.network.take();
        let var = Var::from_index(self.var_count);
        self.var_count += 1;
        self.seen.extend([0, 0]);
        var
    }

    /// How many variables were added.
    pub fn var_count(&self) -> u32 {
        self.var_count
    }

    /// Demands that one of the literals hold; of a repeated one the first counts. A clause that always holds
    /// (`a or not a`) is left out. Searches try the literals of a clause in the order given.
    pub fn add_clause(&mut self, lits: impl IntoIterator<Item = Lit>, reason: R) {
        self.network.take();
        let start = self.clauses.lits.len();
        self.clauses.lits.extend(lits);
        self.check(&self.clauses.lits[start..]);
        let number = u32::try_from(self.clauses.ends.len() + 1).expect("a formula has fewer than 2^32 clauses");
        if dedup(&mut self.clauses.lits, start, &mut self.seen, number) {
            self.clauses.close(reason);
        } else {
            self.clauses.lits.truncate(start);
        }
    }

    /// Demands that at most one of the literals hold. One that is listed twice cannot hold at all.
    pub fn add_at_most_one(&mut self, lits: &[Lit], reason: R) {
        self.network.take();
        self.check(lits);
        let mut sorted = lits.to_vec();
        sorted.sort_unstable();
        for pair in sorted.windows(2) {
            // A literal and its opposite: one of them holds already, so no other may.
            if pair[0] == !pair[1] {
                for &other in lits.iter().filter(|lit| lit.var() != pair[0].var()) {
                    self.add_clause([!other], reason);
                }
            }
            if pair[0] == pair[1] {
                self.add_clause([!pair[0]], reason);
            }
        }
        sorted.dedup();
        if sorted.len() > 1 {
            self.at_most_ones.lits.append(&mut sorted);
            self.at_most_ones.close(reason);
        }
    }

    fn check(&self, lits: &[Lit]) {
        assert!(
            lits.iter().all(|lit| lit.var().index() < self.var_count),
            "every variable of a clause was added to the same formula"
        );
    }

    /// The clauses in the order they were added.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = Clause<'_, R>> {
        (0..self.clauses.ends.len()).map(|at| self.clause(at))
    }

    /// The at-most-one constraints in the order they were added.
    pub fn at_most_ones(&self) -> impl ExactSizeIterator<Item = AtMostOne<'_, R>> {
        (0..self.at_most_ones.ends.len()).map(|at| {
            let (lits, reason) = self.at_most_ones.get(at);
            AtMostOne { lits, reason }
        })
    }

    /// Whether every clause has a literal that holds in the model, and every at-most-one constraint at most one.
    pub fn is_satisfied_by(&self, model: &Model) -> bool {
        self.clauses().all(|clause| clause.lits.iter().any(|&lit| model.holds(lit)))
            && self.at_most_ones().all(|group| group.lits.iter().filter(|&&lit| model.holds(lit)).count() <= 1)
    }

    pub(crate) fn clause(&self, at: usize) -> Clause<'_, R> {
        let (lits, reason) = self.clauses.get(at);
        Clause { lits, reason }
    }

    /// The same constraints, ready to be searched.
    pub(crate) fn network(&self) -> Arc<Network> {
        Arc::clone(self.network.get_or_init(|| Arc::new(Network::of(self))))
    }
}

impl<R: Copy> Default for Cnf<R> {
    fn default() -> Cnf<R> {
        Cnf::new()
    }
}

/// Lists of literals, one after the other, with a reason each.
#[derive(Clone, Debug)]
struct Lists<R> {
    lits: Vec<Lit>,
    /// End of each list in `lits`, and its reason.
    ends: Vec<(usize, R)>,
}

impl<R: Copy> Lists<R> {
    fn new() -> Self {
        Self { lits: Vec::new(), ends: Vec::new() }
    }

    /// Makes one list of the literals that came after the last.
    fn close(&mut self, reason: R) {
        self.ends.push((self.lits.len(), reason));
    }

    fn get(&self, at: usize) -> (&[Lit], R) {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let (end, reason) = self.ends[at];
        (&self.lits[start..end], reason)
    }
}

/// Takes repetitions out of the literals from `start` on, keeping the order; false if two of them are opposite. What was
/// seen is marked with the number of the clause, and a clause that is left out takes its marks away.
fn dedup(lits: &mut Vec<Lit>, start: usize, seen: &mut [u32], number: u32) -> bool {
    const FEW: usize = 8;
    let mut kept = start;
    if lits.len() - start <= FEW {
        for at in start..lits.len() {
            if lits[start..kept].contains(&!lits[at]) {
                return false;
            }
            if !lits[start..kept].contains(&lits[at]) {
                lits[kept] = lits[at];
                kept += 1;
            }
        }
    } else {
        for at in start..lits.len() {
            if seen[(!lits[at]).code()] == number {
                lits[start..].iter().for_each(|lit| seen[lit.code()] = 0);
                return false;
            }
            if std::mem::replace(&mut seen[lits[at].code()], number) != number {
                lits[kept] = lits[at];
                kept += 1;
            }
        }
    }
    lits.truncate(kept);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_free_of_repetitions() {
        let mut cnf = Cnf::new();
        let (a, b) = (cnf.add_var(), cnf.add_var());
        cnf.add_clause([b.negative(), a.positive(), b.negative()], 'r');
        cnf.add_clause([b.negative(), a.positive(), b.positive()], 's');
        cnf.add_clause([], 't');
        let clauses: Vec<Clause<'_, char>> = cnf.clauses().collect();
        assert_eq!(
            clauses,
            [Clause { lits: &[b.negative(), a.positive()], reason: 'r' }, Clause { lits: &[], reason: 't' },]
        );
    }

    #[test]
    fn long_clauses_are_free_of_repetitions_too() {
        let mut cnf = Cnf::new();
        let lits: Vec<Lit> = (0..20).map(|_| cnf.add_var().positive()).rev().collect();
        cnf.add_clause(lits.iter().chain(&lits).copied(), 'r');
        cnf.add_clause(lits.iter().copied().chain([!lits[3]]), 's');
        assert_eq!(cnf.clauses().collect::<Vec<_>>(), [Clause { lits: &lits, reason: 'r' }]);
    }

    #[test]
    fn what_is_listed_twice_cannot_hold() {
        let mut cnf = Cnf::new();
        let [a, b] = [(); 2].map(|()| cnf.add_var().positive());
        cnf.add_at_most_one(&[a, b, a], 'r');
        assert_eq!(cnf.clauses().collect::<Vec<_>>(), [Clause { lits: &[!a], reason: 'r' }]);
        assert_eq!(cnf.at_most_ones().collect::<Vec<_>>(), [AtMostOne { lits: &[a, b], reason: 'r' }]);
    }
}
