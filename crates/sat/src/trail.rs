//! A partial assignment that is closed under unit propagation and can be taken back, with the cause of every value.

use crate::lit::{Lit, Var};
use crate::network::{ConstraintId, Effect, Network};

/// Why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    /// It was tried.
    Decided,
    /// It was given, under this number.
    Given(u32),
    /// A clause of the formula leaves nothing else.
    Clause(ConstraintId),
    /// It is excluded by another literal of an at-most-one constraint.
    Excluded(ConstraintId, Lit),
    /// A learned clause leaves nothing else.
    Learned(u32),
}

/// A constraint that cannot be met, with the literals of it that contradict each other: all false.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    pub(crate) cause: Cause,
    pub(crate) lits: Vec<Lit>,
}

/// Which constraints count.
#[derive(Clone, Copy)]
pub(crate) enum Counted<'a> {
    All,
    /// By constraint: those of a rank below the limit, and those of the kept ranks.
    Ranks {
        of: &'a [u32],
        below: u32,
        kept: &'a [bool],
    },
}

/// The rank of what always counts.
pub(crate) const ALWAYS: u32 = u32::MAX;
/// The rank of what never counts.
pub(crate) const NEVER: u32 = u32::MAX - 1;

impl Counted<'_> {
    pub(crate) fn counts(&self, id: ConstraintId) -> bool {
        match self {
            Self::All => true,
            Self::Ranks { of, .. } => self.counts_rank(of[id.0 as usize]),
        }
    }

    pub(crate) fn counts_rank(&self, rank: u32) -> bool {
        match self {
            Self::All => true,
            Self::Ranks { below, kept, .. } => rank < *below || rank == ALWAYS || rank != NEVER && kept[rank as usize],
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Trail {
    /// By variable.
    values: Vec<Option<bool>>,
    causes: Vec<Cause>,
    levels: Vec<u32>,
    /// By clause: its literals that are false and were taken note of.
    falsified: Vec<u32>,
    /// True literals in the order they became so.
    lits: Vec<Lit>,
    /// Where in `lits` each level after the first begins.
    starts: Vec<usize>,
    /// How many of `lits` were taken note of.
    done: usize,
    learned: Learned,
}

/// Clauses that follow from the formula, each watched by its first two literals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learned {
    pub(crate) clauses: Vec<Vec<Lit>>,
    /// By literal: clauses to look at when it becomes false; made at the first clause.
    watches: Vec<Vec<u32>>,
}

impl Trail {
    pub(crate) fn new(network: &Network) -> Trail {
        Trail {
            values: vec![None; network.var_count],
            causes: vec![Cause::Decided; network.var_count],
            levels: vec![0; network.var_count],
            falsified: vec![0; network.clause_count],
            lits: Vec::new(),
            starts: Vec::new(),
            done: 0,
            learned: Learned::default(),
        }
    }

    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.var().index() as usize].map(|value| value == lit.is_positive())
    }

    /// By variable.
    pub(crate) fn values(&self) -> impl Iterator<Item = Option<bool>> {
        self.values.iter().copied()
    }

    pub(crate) fn cause(&self, var: Var) -> Cause {
        self.causes[var.index() as usize]
    }

    pub(crate) fn level_of(&self, var: Var) -> usize {
        self.levels[var.index() as usize] as usize
    }

    /// How many decisions there are.
    pub(crate) fn level(&self) -> usize {
        self.starts.len()
    }

    pub(crate) fn lits(&self) -> &[Lit] {
        &self.lits
    }

    pub(crate) fn learned(&self, id: u32) -> &[Lit] {
        &self.learned.clauses[id as usize]
    }

    /// Begins a level with a literal that is open.
    pub(crate) fn decide(&mut self, lit: Lit) {
        self.starts.push(self.lits.len());
        self.set(lit, Cause::Decided);
    }

    /// Makes a literal true that is not false.
    pub(crate) fn set(&mut self, lit: Lit, cause: Cause) {
        let var = lit.var().index() as usize;
        if self.values[var].is_none() {
            self.values[var] = Some(lit.is_positive());
            self.causes[var] = cause;
            self.levels[var] = u32::try_from(self.starts.len()).expect("there are no more levels than variables");
            self.lits.push(lit);
        }
    }

    /// Takes back all above a level.
    pub(crate) fn back_to(&mut self, network: &Network, level: usize) {
        if level < self.starts.len() {
            let start = self.starts[level];
            self.shorten(network, start);
            self.starts.truncate(level);
        }
    }

    /// Takes back everything.
    pub(crate) fn clear(&mut self, network: &Network) {
        self.shorten(network, 0);
        self.starts.clear();
        self.learned = Learned::default();
    }

    fn shorten(&mut self, network: &Network, length: usize) {
        for at in (length..self.lits.len()).rev() {
            let lit = self.lits[at];
            self.values[lit.var().index() as usize] = None;
            if at < self.done {
                for &(id, effect) in network.effects(lit) {
                    if matches!(effect, Effect::Shortens) {
                        self.falsified[id.0 as usize] -= 1;
                    }
                }
            }
        }
        self.lits.truncate(length);
        self.done = self.done.min(length);
    }

    /// Everything that follows from the true literals by unit propagation.
    pub(crate) fn close(&mut self, network: &Network, counted: Counted<'_>) -> Result<(), Conflict> {
        while let Some(&lit) = self.lits.get(self.done) {
            self.done += 1;
            let mut conflict = None;
            for &(id, effect) in network.effects(lit) {
                // What is counted must be counted to the end, so that it can be taken back.
                let found = self.follow(network, counted, lit, id, effect);
                conflict = conflict.or(found.err());
            }
            match conflict {
                Some(conflict) => return Err(conflict),
                None => self.follow_learned(!lit)?,
            }
        }
        Ok(())
    }

    fn follow(
        &mut self,
        network: &Network,
        counted: Counted<'_>,
        lit: Lit,
        id: ConstraintId,
        effect: Effect,
    ) -> Result<(), Conflict> {
        match effect {
            Effect::Leaves(other) => {
                if self.value(other) != Some(true) && counted.counts(id) {
                    if self.value(other) == Some(false) {
                        return Err(Conflict { cause: Cause::Clause(id), lits: vec![!lit, other] });
                    }
                    self.set(other, Cause::Clause(id));
                }
            }
            Effect::Shortens => {
                let falsified = &mut self.falsified[id.0 as usize];
                *falsified += 1;
                let lits = network.lits(id);
                if *falsified as usize + 1 >= lits.len() && counted.counts(id) {
                    match lits.iter().find(|&&lit| self.value(lit) != Some(false)) {
                        None => return Err(Conflict { cause: Cause::Clause(id), lits: lits.to_vec() }),
                        Some(&open) => self.set(open, Cause::Clause(id)),
                    }
                }
            }
            Effect::Excludes => {
                if counted.counts(id) {
                    for &member in network.lits(id).iter().filter(|&&member| member != lit) {
                        match self.value(member) {
                            None => self.set(!member, Cause::Excluded(id, lit)),
                            Some(false) => {}
                            Some(true) => {
                                let lits = vec![!lit, !member];
                                return Err(Conflict { cause: Cause::Excluded(id, lit), lits });
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn follow_learned(&mut self, falsified: Lit) -> Result<(), Conflict> {
        let Some(watching) = self.learned.watches.get_mut(falsified.code()).map(std::mem::take) else { return Ok(()) };
        let mut kept = Vec::with_capacity(watching.len());
        let mut watching = watching.into_iter();
        let mut conflict = None;
        for id in watching.by_ref() {
            match self.look_at(id, falsified) {
                Watch::Moved => {}
                Watch::Stays => kept.push(id),
                Watch::Leaves(lit) => {
                    kept.push(id);
                    self.set(lit, Cause::Learned(id));
                }
                Watch::Broken => {
                    kept.push(id);
                    let lits = self.learned.clauses[id as usize].clone();
                    conflict = Some(Conflict { cause: Cause::Learned(id), lits });
                    break;
                }
            }
        }
        kept.extend(watching);
        self.learned.watches[falsified.code()] = kept;
        conflict.map_or(Ok(()), Err)
    }

    fn look_at(&mut self, id: u32, falsified: Lit) -> Watch {
        let clause = &mut self.learned.clauses[id as usize];
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let value = |lit: Lit| self.values[lit.var().index() as usize].map(|value| value == lit.is_positive());
        if value(clause[0]) == Some(true) {
            return Watch::Stays;
        }
        if let Some(at) = (2..clause.len()).find(|&at| value(clause[at]) != Some(false)) {
            clause.swap(1, at);
            self.learned.watches[clause[1].code()].push(id);
            return Watch::Moved;
        }
        if value(clause[0]) == Some(false) { Watch::Broken } else { Watch::Leaves(clause[0]) }
    }

    /// Adds a clause of which the first literal is open and the second was falsified last, and follows it.
    pub(crate) fn learn(&mut self, lits: Vec<Lit>) {
        let id = u32::try_from(self.learned.clauses.len()).expect("searches end before they learn 2^32 clauses");
        if self.learned.watches.is_empty() {
            self.learned.watches = vec![Vec::new(); 2 * self.values.len()];
        }
        if let [first, second, ..] = lits[..] {
            self.learned.watches[first.code()].push(id);
            self.learned.watches[second.code()].push(id);
        }
        self.set(lits[0], Cause::Learned(id));
        self.learned.clauses.push(lits);
    }
}

/// What becomes of a learned clause whose watched literal is falsified.
enum Watch {
    Stays,
    Moved,
    Leaves(Lit),
    Broken,
}
