//! The clauses and at-most-one constraints of a formula, without reasons, as searches use them.

use std::sync::OnceLock;

use crate::answer::Model;
use crate::lit::{Lit, Var};

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
