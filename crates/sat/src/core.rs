//! Minimal unsatisfiable cores, by deletion in the caller's order.
//!
//! Propagation and the search say which constraints take part in a contradiction, so most of a formula is never tried one
//! by one. Of those that take part, the one that is given up first is left out. If there is a model without it, it is part of
//! the core; otherwise fewer constraints take part in the next contradiction. As long as contradictions remain, the number
//! of constraints that are left out at once is doubled (galloping).

use std::collections::BTreeSet;

use crate::answer::{Bound, Model, Tally};
use crate::cnf::{Cnf, ConstraintId};
use crate::lit::Lit;
use crate::solution::{Found, find};
use crate::trail::{Blame, Trail};

/// What a core consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The constraints of this rank.
    Rank(u32),
    /// The given literal of this number.
    Given(u32),
}

/// What part the constraints of a reason have in a search for a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// They always stay.
    Always,
    /// They do not count.
    Ignored,
    /// They can be given up, all of one rank together. Ranks should be dense: the highest is the size of a table.
    Deletable(u32),
}

/// A minimal set of ranks and given literals that is unsatisfiable together with the fixed literals and with what always
/// stays; none if there is no contradiction. Ranks come first, from the lowest on, then given literals, from the first on.
///
/// Given literals are given up first, from the last on; then ranks, from the highest on. Of two cores the one that does
/// without what is given up earlier is returned. A core that cannot be made minimal with `limit` questions, none of them to
/// splr but the first, is not looked for any further.
///
/// # Errors
/// When a question could not be decided, or at the limit.
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
    let model = match cnf.verdict.get() {
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
        is_kept: vec![false; ranks as usize + given.len()],
        questions: 0,
        tally,
    };
    let part = |rank: u32| rank.checked_sub(ranks).map_or(Part::Rank(rank), Part::Given);
    Ok(deletion.minimal()?.map(|core| core.into_iter().map(part).collect()))
}

/// Given literals have the ranks after those of the constraints.
struct Deletion<'d, R> {
    cnf: &'d Cnf<R>,
    /// By constraint.
    roles: Vec<Role>,
    /// Higher than every rank of a constraint.
    ranks: u32,
    fixed: &'d [Lit],
    given: &'d [Lit],
    limit: Option<u32>,
    /// The last one that was found: it meets most of what is asked next.
    model: Model,
    /// By rank: whether there is a model without it and all that was given up.
    is_kept: Vec<bool>,
    questions: u32,
    tally: &'d Tally,
}

impl<R: Copy> Deletion<'_, R> {
    fn minimal(&mut self) -> Result<Option<BTreeSet<u32>>, Bound> {
        let all = u32::try_from(self.is_kept.len()).expect("a formula has fewer than 2^32 constraints");
        let Some(mut core) = self.contradiction(all)? else { return Ok(None) };
        // How many are left out at once.
        let mut count = 1;
        while let Some(&highest) = core.iter().rev().find(|&&rank| !self.is_kept[rank as usize]) {
            let below = (highest + 1).saturating_sub(count);
            match self.contradiction(below)? {
                Some(smaller) => {
                    count *= 2;
                    core = smaller;
                }
                None if count == 1 => self.is_kept[highest as usize] = true,
                None => count = 1,
            }
        }
        Ok(Some(core))
    }

    /// The kept ranks and those below a limit.
    fn left(&self, below: u32) -> impl Iterator<Item = u32> {
        (0..).zip(&self.is_kept).filter(move |&(rank, &is_kept)| is_kept || rank < below).map(|(rank, _)| rank)
    }

    /// What of the ranks that are left takes part in a contradiction, if there is one.
    fn contradiction(&mut self, below: u32) -> Result<Option<BTreeSet<u32>>, Bound> {
        self.questions += 1;
        if let Some(limit) = self.limit.filter(|&limit| self.questions > limit) {
            return Err(Bound::Questions(limit));
        }
        let is_left = |rank: u32| rank < below || self.is_kept[rank as usize];
        let active = self.roles.iter().map(|role| match role {
            Role::Always => true,
            Role::Ignored => false,
            Role::Deletable(rank) => is_left(*rank),
        });
        let constraints = &self.cnf.constraints;
        let mut trail = Trail::new(constraints, Some(active.collect()));
        let given = (0..).zip(self.given).filter(|&(number, _)| is_left(self.ranks + number));
        let fixed = self.fixed.iter().map(|lit| (u32::MAX - constraints.len(), lit));
        let mut demands = fixed.chain(given);
        let started = trail.start().and_then(|()| {
            demands.try_for_each(|(number, &lit)| trail.give(lit, ConstraintId(constraints.len() + number)))
        });
        let found = match started {
            Err(conflict) => {
                self.tally.propagation.update(|count| count + 1);
                Ok(Found::Refuted(Some(trail.blame(&conflict))))
            }
            Ok(()) => {
                trail.relax(&mut self.model);
                find(&mut trail, &self.model, None, self.limit.is_none() || self.questions == 1, self.tally)
            }
        };
        match found? {
            Found::Model(model) => {
                self.model = model;
                Ok(None)
            }
            Found::Refuted(Some(blame)) => Ok(Some(self.ranks(&blame))),
            Found::Refuted(None) => Ok(Some(self.left(below).collect())),
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
