//! A formula of clauses and at-most-one constraints, each with the caller's reason.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::answer::{Bound, Model, Tally};
use crate::lit::{Lit, Var};
use crate::splr::verdict;

/// A conjunction of clauses and at-most-one constraints; each carries a reason `R` of the caller's choosing.
#[derive(Clone, Debug)]
pub struct Cnf<R> {
    pub(crate) constraints: Constraints,
    /// By constraint.
    pub(crate) reasons: Vec<R>,
    /// Asked for once, and again after a change.
    pub(crate) verdict: OnceLock<Result<Option<Model>, Bound>>,
}

impl<R: Copy> Cnf<R> {
    /// A fresh variable.
    pub fn add_var(&mut self) -> Var {
        self.forget();
        self.constraints.var_count += 1;
        Var::from_index(self.constraints.var_count - 1)
    }

    /// Demands that one of the literals hold; of a repeated one the first counts. A clause that always holds
    /// (`a or not a`) is left out. Searches try the literals of a clause in the order given.
    pub fn add_clause(&mut self, lits: impl IntoIterator<Item = Lit>, reason: R) {
        let mut lits: Vec<Lit> = lits.into_iter().collect();
        let mut sorted = lits.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() < lits.len() {
            let mut seen = BTreeSet::new();
            lits.retain(|&lit| seen.insert(lit));
        }
        // Both literals of a variable are neighbours in their order.
        if sorted.windows(2).all(|pair| pair[0] != !pair[1]) {
            self.add(Kind::Clause, lits, reason);
        }
    }

    /// Demands that at most one of the variables be true. One that is listed twice cannot be true at all.
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
        self.forget();
        self.constraints.push(kind, lits);
        self.reasons.push(reason);
    }

    /// What is known of a formula does not hold for a changed one.
    fn forget(&mut self) {
        self.constraints.occurrences.take();
        self.verdict.take();
    }

    /// splr's verdict: a model of the formula, or none. The tally counts the question when it is asked for the first time.
    ///
    /// # Errors
    /// When splr does not come to an end.
    pub fn verdict(&self, tally: &Tally) -> &Result<Option<Model>, Bound> {
        self.verdict.get_or_init(|| {
            tally.splr.update(|count| count + 1);
            verdict(&self.constraints)
        })
    }
}

impl<R> Default for Cnf<R> {
    /// The formula without variables and constraints, which is true.
    fn default() -> Cnf<R> {
        Cnf { constraints: Constraints::default(), reasons: Vec::new(), verdict: OnceLock::new() }
    }
}

/// What a constraint demands of its literals, none of which occurs twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// At least one of them holds; a clause without literals is a contradiction.
    Clause,
    /// No two of them hold. They are positive, so that all of them may be false.
    AtMostOne,
}

/// The place of a constraint in its formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ConstraintId(pub(crate) u32);

impl ConstraintId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Constraints without reasons, as searches use them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraints {
    pub(crate) var_count: u32,
    /// Of all constraints, one after the other.
    lits: Vec<Lit>,
    /// End of each constraint in `lits`.
    ends: Vec<(u32, Kind)>,
    /// Made at the first search, and again after a change.
    occurrences: OnceLock<Occurrences>,
}

/// By literal: the constraints that it restricts once it is true.
#[derive(Clone, Debug)]
struct Occurrences {
    /// Those of literal `l` are `ids[starts[l]..starts[l + 1]]`.
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

    pub(crate) fn push(&mut self, kind: Kind, lits: impl IntoIterator<Item = Lit>) {
        let start = self.lits.len();
        self.lits.extend(lits);
        assert!(
            self.lits[start..].iter().all(|lit| lit.var().index() < self.var_count),
            "every variable of a constraint was added to the same formula"
        );
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
        let Occurrences { starts, ids } = self.occurrences.get_or_init(|| self.count_occurrences());
        &ids[starts[lit.code()] as usize..starts[lit.code() + 1] as usize]
    }

    /// Counts, then fills in.
    fn count_occurrences(&self) -> Occurrences {
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
