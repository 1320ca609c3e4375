//! Minimal unsatisfiable cores over reasons, by deletion in the caller's order.
//!
//! A search that ends in a contradiction knows which constraints it took, so most of a formula is never tried one by one:
//! of what a contradiction took, the part that is given up first is left out, and either there is a model without it, then
//! it stays, or the next contradiction takes less.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::backend::{Backend, Bound, Verdict};
use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::network::{ConstraintId, Network};
use crate::residue;
use crate::search::{End, Roots, Search};
use crate::splr::Splr;
use crate::trail::{ALWAYS, Conflict, Counted, NEVER};

/// Conflicts of one question.
const CONFLICT_LIMIT: u32 = 5_000;

/// Conflicts of the first question about a core whose steps are bounded.
const FIRST_LIMIT: u32 = 1_000;

/// Conflicts of all questions about one core.
const TOTAL_LIMIT: u32 = 15_000;

/// Which reasons clash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Core<R> {
    /// The constraints of these reasons, with those of unlisted reasons, are unsatisfiable, and without any one of them
    /// no longer. In the caller's order.
    Minimal(Vec<R>),
    /// Nothing clashes.
    Satisfiable,
    /// A question was left undecided.
    GaveUp(Bound),
}

/// A subset-minimal set of the listed reasons that is still unsatisfiable.
///
/// A reason stands for all its constraints. Reasons are tried for deletion in the order listed, so those listed last are
/// the ones most likely to be kept: of two cores the one that does without the earlier reasons is returned. Constraints
/// whose reason is not listed always stay.
pub fn minimal_core<R: Copy + Ord>(cnf: &Cnf<R>, order: &[R]) -> Core<R> {
    let mut ranks = BTreeMap::new();
    for (rank, &reason) in (0..).zip(order.iter().rev()) {
        // Of a reason listed twice, the earlier place counts: it is met first.
        ranks.insert(reason, rank);
    }
    let cores = Cores::new(cnf, |reason| ranks.get(&reason).map_or(Standing::Always, |&rank| Standing::Listed(rank)));
    match cores.minimal(&[], &[]) {
        Core::Minimal(kept) => {
            Core::Minimal(kept.into_iter().map(|part| order[order.len() - 1 - part.rank() as usize]).collect())
        }
        Core::Satisfiable => Core::Satisfiable,
        Core::GaveUp(bound) => Core::GaveUp(bound),
    }
}

/// What a core of [`Cores`] consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The reasons of this rank.
    Ranked(u32),
    /// The given literal of this number.
    Given(u32),
}

/// Finds minimal cores of one formula, many times.
pub struct Cores {
    network: Arc<Network>,
    /// By constraint.
    ranks: Vec<u32>,
    /// Higher than every rank.
    rank_count: u32,
    /// Questions, and conflicts of all of them, once there is a contradiction to be made smaller.
    steps: u32,
}

/// What part the constraints of a reason have in a search for a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// They always stay.
    Always,
    /// They take no part.
    Out,
    /// They can be given up, all of one rank together. Ranks should be dense: the highest is the size of a table.
    Listed(u32),
}

impl Cores {
    /// Ready to look for cores of the formula, every reason standing as is said.
    pub fn new<R: Copy>(cnf: &Cnf<R>, standing: impl Fn(R) -> Standing) -> Self {
        let reasons = cnf.clauses().map(|clause| clause.reason);
        let reasons = reasons.chain(cnf.at_most_ones().map(|group| group.reason));
        let ranks = reasons.map(|reason| match standing(reason) {
            Standing::Always => ALWAYS,
            Standing::Out => NEVER,
            Standing::Listed(rank) => rank,
        });
        let ranks: Vec<u32> = ranks.collect();
        let highest = ranks.iter().copied().filter(|&rank| rank < NEVER).max();
        let rank_count = highest.map_or(0, |rank| rank + 1);
        Self { network: cnf.network(), rank_count, ranks, steps: u32::MAX }
    }

    /// Gives up on a core that cannot be made minimal in so many steps: questions, and conflicts on the way to their answers.
    /// Whether there is one at all is asked before, and without the solver.
    #[must_use]
    pub fn within(self, steps: u32) -> Self {
        Self { steps, ..self }
    }

    /// A minimal set of ranks and given literals that is unsatisfiable together with the fixed literals, if there is one.
    /// Given literals are given up first, from the last on; then ranks, from the highest on. Parts come in that order.
    pub fn minimal(&self, fixed: &[Lit], given: &[Lit]) -> Core<Part> {
        let mut deletion = Deletion {
            cores: self,
            fixed,
            given,
            search: Search::new(&self.network),
            kept: vec![false; self.rank_count as usize + given.len()],
            questions: 0,
            before: 0,
        };
        match deletion.minimal() {
            Ok(Some(core)) => Core::Minimal(core.into_iter().rev().map(|rank| self.part(rank)).collect()),
            Ok(None) => Core::Satisfiable,
            Err(bound) => Core::GaveUp(bound),
        }
    }

    /// Conflicts of the question whether there is a contradiction.
    fn first_limit(&self) -> u32 {
        if self.steps < u32::MAX { FIRST_LIMIT } else { CONFLICT_LIMIT }
    }

    fn part(&self, rank: u32) -> Part {
        rank.checked_sub(self.rank_count).map_or(Part::Ranked(rank), Part::Given)
    }
}

impl Part {
    fn rank(self) -> u32 {
        match self {
            Self::Ranked(rank) | Self::Given(rank) => rank,
        }
    }
}

/// Given literals have the ranks after those of the constraints.
struct Deletion<'d> {
    cores: &'d Cores,
    fixed: &'d [Lit],
    given: &'d [Lit],
    search: Search<'d>,
    /// By rank: whether there is a model without it and all that was given up.
    kept: Vec<bool>,
    questions: u32,
    /// Conflicts until the first contradiction.
    before: u32,
}

impl Deletion<'_> {
    fn minimal(&mut self) -> Result<Option<BTreeSet<u32>>, Bound> {
        let all = u32::try_from(self.kept.len()).unwrap_or(ALWAYS);
        let Some(mut core) = self.contradiction(all)? else { return Ok(None) };
        self.before = self.search.conflicts();
        while let Some(&highest) = core.iter().rev().find(|&&rank| !self.kept[rank as usize]) {
            match self.contradiction(highest)? {
                Some(smaller) => core = smaller,
                None => self.kept[highest as usize] = true,
            }
        }
        Ok(Some(core))
    }

    /// What of the kept ranks and those below the limit contradicts itself, if they do.
    fn contradiction(&mut self, below: u32) -> Result<Option<BTreeSet<u32>>, Bound> {
        if self.search.conflicts() >= TOTAL_LIMIT {
            return Err(Bound::Conflicts(TOTAL_LIMIT));
        }
        let left = self.cores.steps.saturating_sub(self.questions + self.search.conflicts() - self.before);
        let first = self.questions == 0;
        let limit = if first { self.cores.first_limit() } else { CONFLICT_LIMIT.min(left) };
        self.questions += 1;
        if limit == 0 {
            return Err(Bound::Steps(self.cores.steps));
        }
        self.search.clear();
        match self.run(below, limit) {
            End::Model => Ok(None),
            End::Contradiction(conflict) => Ok(Some(self.ranks(&conflict))),
            // What the solver does is not counted in steps.
            End::Refuted | End::Bound if self.cores.steps < u32::MAX => Err(Bound::Steps(self.cores.steps)),
            End::Refuted | End::Bound => self.ask_backend(below),
        }
    }

    fn run(&mut self, below: u32, limit: u32) -> End {
        let counted = counted(self.cores, &self.kept, below);
        let numbered = (0_u32..).zip(self.given);
        let given = numbered.filter(|(number, _)| counted.counts_rank(self.cores.rank_count + number));
        let started = self.search.start(counted).and_then(|()| {
            let fixed = self.fixed.iter().map(|lit| (ALWAYS, lit));
            fixed.chain(given).try_for_each(|(number, &lit)| self.search.give(lit, number, counted))
        });
        match started {
            Ok(()) => self.search.run(&[], counted, limit),
            Err(conflict) => End::Contradiction(conflict),
        }
    }

    fn ranks(&self, conflict: &Conflict) -> BTreeSet<u32> {
        let Roots { constraints, given } = self.search.roots(conflict);
        let rank = |ConstraintId(at): &ConstraintId| self.cores.ranks[*at as usize];
        let given = given.iter().filter(|&&number| number != ALWAYS).map(|number| self.cores.rank_count + number);
        constraints.iter().map(rank).filter(|&rank| rank != ALWAYS).chain(given).collect()
    }

    /// The solver cannot say what a contradiction took.
    fn ask_backend(&mut self, below: u32) -> Result<Option<BTreeSet<u32>>, Bound> {
        self.search.back_to_start();
        let counted = counted(self.cores, &self.kept, below);
        let left = residue::of(&self.cores.network, &self.search.trail, &[], counted);
        match left.map(|(residue, _)| Splr::new(&residue).solve(&[])) {
            Some(Verdict::Satisfiable(_)) => Ok(None),
            Some(Verdict::GaveUp(bound)) => Err(bound),
            Some(Verdict::Unsatisfiable) | None => {
                let all = u32::try_from(self.kept.len()).unwrap_or(ALWAYS);
                Ok(Some((0..all).filter(|&rank| counted.counts_rank(rank)).collect()))
            }
        }
    }
}

fn counted<'a>(cores: &'a Cores, kept: &'a [bool], below: u32) -> Counted<'a> {
    Counted::Ranks { of: &cores.ranks, below, kept }
}
