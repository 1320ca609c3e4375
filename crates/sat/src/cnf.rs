//! Formulas of clauses and at-most-one constraints over literals, each with the caller's reason, and without reasons, as
//! searches use them.

use std::collections::BTreeSet;
use std::ops::Not;
use std::sync::OnceLock;

use crate::solution::{Bound, Model};

/// A conjunction of clauses and at-most-one constraints; each carries a reason of the caller's type `R`.
#[derive(Clone, Debug)]
pub struct Cnf<R> {
    pub(crate) constraints: Constraints,
    /// By constraint.
    pub(crate) reasons: Vec<R>,
    /// The answer of [`Cnf::solve`]. A change of the formula empties it.
    pub(crate) solution: OnceLock<Result<Option<Model>, Bound>>,
}

impl<R: Copy> Cnf<R> {
    /// Adds a variable.
    pub fn add_var(&mut self) -> Var {
        self.solution.take();
        self.constraints.add_var()
    }

    /// Adds the clause that at least one of the literals is true. Searches try its literals in the given order.
    /// Repeated literals are dropped, and a clause that is always true (`a or not a`) is not added.
    pub fn add_clause(&mut self, lits: impl IntoIterator<Item = Lit>, reason: R) {
        let mut seen = BTreeSet::new();
        let lits: Vec<Lit> = lits.into_iter().filter(|&lit| seen.insert(lit)).collect();
        if lits.iter().all(|&lit| !seen.contains(&!lit)) {
            self.add(Kind::Clause, lits, reason);
        }
    }

    /// Adds the constraint that at most one of the variables is true. A variable that is listed twice must be false.
    pub fn add_at_most_one(&mut self, vars: &[Var], reason: R) {
        let mut sorted: Vec<Lit> = vars.iter().map(|var| var.positive()).collect();
        sorted.sort_unstable();
        let repeated: Vec<Lit> = sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        repeated.into_iter().for_each(|lit| self.add_clause([!lit], reason));
        sorted.dedup();
        if sorted.len() > 1 {
            self.add(Kind::AtMostOne, sorted, reason);
        }
    }

    fn add(&mut self, kind: Kind, lits: Vec<Lit>, reason: R) {
        self.solution.take();
        self.constraints.push(kind, lits);
        self.reasons.push(reason);
    }
}

impl<R> Default for Cnf<R> {
    /// The empty formula, which is true.
    fn default() -> Cnf<R> {
        Cnf { constraints: Constraints::default(), reasons: Vec::new(), solution: OnceLock::new() }
    }
}

// Variables and literals, and how they are encoded.

/// A variable of one [`Cnf`], numbered from 0 in the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    /// Most variables a formula can have: a literal doubles the number, and splr counts in `i32` from 1.
    const LIMIT: u32 = i32::MAX as u32 - 1;

    fn from_index(index: u32) -> Var {
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
    fn code(self) -> usize {
        self.0 as usize
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

// The clauses and at-most-one constraints of a formula, without reasons, as searches use them.

/// What a constraint demands of its literals, none of which occurs twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// At least one of them is true; a clause without literals is false.
    Clause,
    /// At most one of them is true. All are positive, so a model may make all of them false.
    AtMostOne,
}

/// The index of a constraint in its formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ConstraintId(pub(crate) u32);

impl ConstraintId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A list of constraints, with an index from literals to constraints.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraints {
    pub(crate) var_count: u32,
    /// The literals of all constraints, concatenated.
    lits: Vec<Lit>,
    /// By constraint: its end in `lits`, and its kind.
    ends: Vec<(u32, Kind)>,
    /// The clauses with at most one literal. Every search begins with them.
    short: Vec<ConstraintId>,
    /// Computed when it is first needed. A change empties it.
    occurrences: OnceLock<Occurrences>,
}

/// By literal: the constraints that lose freedom when it becomes true.
#[derive(Clone, Debug)]
struct Occurrences {
    /// The constraints of literal `l` are `ids[starts[l]..starts[l + 1]]`.
    starts: Vec<u32>,
    ids: Vec<ConstraintId>,
}

impl Constraints {
    pub(crate) fn len(&self) -> u32 {
        number(self.ends.len())
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = ConstraintId> + use<> {
        (0..self.len()).map(ConstraintId)
    }

    /// The clauses with at most one literal.
    pub(crate) fn short_clauses(&self) -> &[ConstraintId] {
        &self.short
    }

    pub(crate) fn add_var(&mut self) -> Var {
        self.occurrences.take();
        self.var_count += 1;
        Var::from_index(self.var_count - 1)
    }

    pub(crate) fn push(&mut self, kind: Kind, lits: impl IntoIterator<Item = Lit>) {
        self.occurrences.take();
        let start = self.lits.len();
        self.lits.extend(lits);
        assert!(
            self.lits[start..].iter().all(|lit| lit.var().index() < self.var_count),
            "every variable of a constraint belongs to its formula"
        );
        if kind == Kind::Clause && self.lits.len() - start <= 1 {
            self.short.push(ConstraintId(self.len()));
        }
        self.ends.push((number(self.lits.len()), kind));
    }

    pub(crate) fn get(&self, id: ConstraintId) -> (Kind, &[Lit]) {
        let start = id.index().checked_sub(1).map_or(0, |before| self.ends[before].0);
        let (end, kind) = self.ends[id.index()];
        (kind, &self.lits[start as usize..end as usize])
    }

    pub(crate) fn is_satisfied_by(&self, model: &Model) -> bool {
        self.ids().map(|id| self.get(id)).all(|(kind, lits)| match kind {
            Kind::Clause => lits.iter().any(|&lit| model.holds(lit)),
            Kind::AtMostOne => lits.iter().filter(|&&lit| model.holds(lit)).count() <= 1,
        })
    }

    /// The clauses that lose a literal when `lit` becomes true, and the at-most-one constraints that it is a member of.
    pub(crate) fn restricted_by(&self, lit: Lit) -> &[ConstraintId] {
        let Occurrences { starts, ids } = self.occurrences.get_or_init(|| self.index_occurrences());
        &ids[starts[lit.code()] as usize..starts[lit.code() + 1] as usize]
    }

    /// Counts the occurrences of each literal, then fills in the constraints.
    fn index_occurrences(&self) -> Occurrences {
        let pairs = || {
            self.ids().flat_map(|id| {
                let (kind, lits) = self.get(id);
                lits.iter().map(move |&lit| (id, if kind == Kind::Clause { !lit } else { lit }))
            })
        };
        let mut starts = vec![0; 2 * self.var_count as usize + 1];
        pairs().for_each(|(_, lit)| starts[lit.code() + 1] += 1);
        for code in 1..starts.len() {
            starts[code] += starts[code - 1];
        }
        let mut next = starts.clone();
        let mut ids = vec![ConstraintId(0); self.lits.len()];
        for (id, lit) in pairs() {
            ids[next[lit.code()] as usize] = id;
            next[lit.code()] += 1;
        }
        Occurrences { starts, ids }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a formula has fewer than 2^32 literals")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constraints(cnf: &Cnf<()>) -> Vec<(Kind, &[Lit])> {
        cnf.constraints.ids().map(|id| cnf.constraints.get(id)).collect()
    }

    #[test]
    fn clauses_are_free_of_repetitions_and_keep_their_order() {
        let mut cnf = Cnf::default();
        let (a, b) = (cnf.add_var(), cnf.add_var());
        cnf.add_clause([b.negative(), a.positive(), b.negative()], ());
        cnf.add_clause([b.negative(), a.positive(), b.positive()], ());
        cnf.add_clause([], ());
        assert_eq!(constraints(&cnf), [(Kind::Clause, &[b.negative(), a.positive()][..]), (Kind::Clause, &[])]);
    }

    #[test]
    fn an_at_most_one_constraint_excludes_a_repeated_variable() {
        let mut cnf = Cnf::default();
        let vars @ [a, b] = [(); 2].map(|()| cnf.add_var());
        cnf.add_at_most_one(&[a, b, a], ());
        let [a, b] = vars.map(Var::positive);
        assert_eq!(constraints(&cnf), [(Kind::Clause, &[!a][..]), (Kind::AtMostOne, &[a, b])]);
    }
}
