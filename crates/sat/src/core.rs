//! Minimal unsatisfiable cores, by deletion in the caller's order.
//!
//! Propagation and the bounded search report which constraints take part in a conflict, so most of a formula never has
//! to be tested part by part. Each round leaves out those parts of the current core that are to be deleted first. If
//! the rest has no model, the parts that take part in its conflict are the next core, and the next round leaves out
//! twice as many parts (galloping). If it has a model, the next round leaves out one part, which is needed if there is
//! a model without it. In the end splr has to refute the constraints of the last conflict, too. Every question takes its work
//! from the budget, also one that propagation decides.

use std::collections::BTreeSet;

use crate::cnf::{Cnf, ConstraintId, Constraints, Kind, Lit};
use crate::solution::{Bound, Model, Solution, Tally, find};
use crate::splr::solve_with_splr;
use crate::trail::{Blame, Trail};

/// A part of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Rank(u32),
    /// The given literal at this index.
    Given(u32),
}

/// How the search for a core treats the constraints of a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Never deleted, and never part of the core.
    Always,
    /// Left out from the beginning.
    Ignored,
    /// Can be deleted; all constraints of one rank are one part. The highest rank is the size of a table.
    Deletable(u32),
}

/// A minimal set of parts (ranks and `given` literals) that is unsatisfiable together with the `fixed` literals and the
/// constraints that always stay; `None` if all of them together have a model. The core lists ranks in ascending order,
/// then given literals in their order.
///
/// The search tries to delete the given literals first, from the last to the first, then the ranks, from the highest to
/// the lowest. Of several cores it finds the one without the parts that it tries first. With a `limit`, it stops after
/// that number of questions, and only the first may be asked of splr.
///
/// # Errors
/// When a question cannot be answered, or at the limit.
pub fn minimal_core<R: Copy>(
    cnf: &Cnf<R>,
    role: impl Fn(R) -> Role,
    fixed: &[Lit],
    given: &[Lit],
    limit: Option<u32>,
    tally: &Tally,
) -> Result<Option<Vec<Part>>, Bound> {
    let roles: Vec<Role> = cnf.reasons.iter().map(|&reason| role(reason)).collect();
    let ranks = roles.iter().map(|role| if let Role::Deletable(rank) = role { rank + 1 } else { 0 }).max().unwrap_or(0);
    let model = match cnf.solution.get() {
        Some(Ok(Some(model))) => model.clone(),
        _ => Model::all_false(cnf.constraints.var_count),
    };
    let mut deletion = Deletion {
        cnf,
        roles,
        ranks,
        fixed,
        given,
        limit,
        model,
        is_needed: vec![false; ranks as usize + given.len()],
        questions: 0,
        last_conflict: None,
        tally,
    };
    let part = |rank: u32| rank.checked_sub(ranks).map_or(Part::Rank(rank), Part::Given);
    Ok(deletion.minimal()?.map(|core| core.into_iter().map(part).collect()))
}

/// The search for a core. Given literals have the ranks after those of the constraints.
struct Deletion<'d, R> {
    cnf: &'d Cnf<R>,
    /// By constraint.
    roles: Vec<Role>,
    /// Higher than every rank of a constraint.
    ranks: u32,
    fixed: &'d [Lit],
    given: &'d [Lit],
    limit: Option<u32>,
    /// The last model that was found. The next question differs little, so its model is probably near this one.
    model: Model,
    /// By rank: whether it is needed, because the rest has a model without it.
    is_needed: Vec<bool>,
    questions: u32,
    /// The constraints of the last conflict, unless splr found it.
    last_conflict: Option<BTreeSet<ConstraintId>>,
    tally: &'d Tally,
}

impl<R: Copy> Deletion<'_, R> {
    fn minimal(&mut self) -> Result<Option<BTreeSet<u32>>, Bound> {
        let all = u32::try_from(self.is_needed.len()).expect("a formula has fewer than 2^32 constraints");
        let Some(mut core) = self.conflict(all)? else { return Ok(None) };
        // How many ranks the next round leaves out.
        let mut count = 1;
        while let Some(&highest) = core.iter().rev().find(|&&rank| !self.is_needed[rank as usize]) {
            let below = (highest + 1).saturating_sub(count);
            match self.conflict(below)? {
                Some(smaller) => {
                    count *= 2;
                    core = smaller;
                }
                None if count == 1 => self.is_needed[highest as usize] = true,
                None => count = 1,
            }
        }
        self.confirm()?;
        Ok(Some(core))
    }

    /// Asks splr whether the constraints of the last conflict are unsatisfiable, as the search says.
    fn confirm(&self) -> Result<(), Bound> {
        let Some(conflict) = &self.last_conflict else { return Ok(()) };
        let mut part = Constraints::default();
        part.var_count = self.cnf.constraints.var_count;
        for &id in conflict {
            match id.0.checked_sub(self.cnf.constraints.len()) {
                None => {
                    let (kind, lits) = self.cnf.constraints.get(id);
                    part.push(kind, lits.iter().copied());
                }
                Some(number) if id.0 != u32::MAX => part.push(Kind::Clause, [self.given[number as usize]]),
                Some(_) => self.fixed.iter().for_each(|&lit| part.push(Kind::Clause, [lit])),
            }
        }
        if solve_with_splr(&part, self.tally)?.is_some() { Err(Bound::Failure) } else { Ok(()) }
    }

    /// The needed ranks and those below `below`.
    fn remaining(&self, below: u32) -> impl Iterator<Item = u32> {
        (0..).zip(&self.is_needed).filter(move |&(rank, &is_needed)| is_needed || rank < below).map(|(rank, _)| rank)
    }

    /// The remaining ranks that take part in a conflict; `None` if they have a model.
    fn conflict(&mut self, below: u32) -> Result<Option<BTreeSet<u32>>, Bound> {
        self.questions += 1;
        if let Some(limit) = self.limit.filter(|&limit| self.questions > limit) {
            return Err(Bound::Questions(limit));
        }
        if self.tally.budget.is_spent() {
            return Err(Bound::Budget);
        }
        let remains = |rank: u32| rank < below || self.is_needed[rank as usize];
        let active = self.roles.iter().map(|role| match role {
            Role::Always => true,
            Role::Ignored => false,
            Role::Deletable(rank) => remains(*rank),
        });
        let constraints = &self.cnf.constraints;
        let mut trail = Trail::new(constraints, Some(active.collect()));
        let given = (0..).zip(self.given).filter(|&(number, _)| remains(self.ranks + number));
        let fixed = self.fixed.iter().map(|lit| (u32::MAX - constraints.len(), lit));
        let mut demands = fixed.chain(given);
        let started = trail.start().and_then(|()| {
            demands.try_for_each(|(number, &lit)| trail.assume(lit, ConstraintId(constraints.len() + number)))
        });
        let found = match started {
            Err(conflict) => {
                self.tally.propagation.update(|count| count + 1);
                let blame = trail.blame(&conflict);
                self.tally.budget.charge(trail.take_work());
                Ok(Solution::Refuted(Some(blame)))
            }
            Ok(()) => {
                trail.relax(&mut self.model);
                find(&mut trail, &self.model, None, self.limit.is_none() || self.questions == 1, self.tally)
            }
        };
        match found? {
            Solution::Model(model) => {
                self.model = model;
                Ok(None)
            }
            Solution::Refuted(Some(blame)) => {
                let ranks = self.ranks(&blame);
                self.last_conflict = Some(blame.constraints);
                Ok(Some(ranks))
            }
            Solution::Refuted(None) => {
                self.last_conflict = None;
                Ok(Some(self.remaining(below).collect()))
            }
        }
    }

    fn ranks(&self, blame: &Blame) -> BTreeSet<u32> {
        let rank = |id: &ConstraintId| match self.roles.get(id.index()) {
            Some(Role::Deletable(rank)) => Some(*rank),
            Some(Role::Always | Role::Ignored) => None,
            None if id.0 == u32::MAX => None,
            None => Some(self.ranks + id.0 - self.cnf.constraints.len()),
        };
        blame.constraints.iter().filter_map(rank).collect()
    }
}
