//! A partial assignment, closed under unit propagation, with the cause of every value. It can be undone level by level.

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::cnf::{ConstraintId, Constraints, Kind, Lit, Var};
use crate::solution::Model;

/// A constraint that the assignment breaks, and the literals of which it needs one but all are false.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    id: ConstraintId,
    lits: Vec<Lit>,
}

/// The origin of a conflict.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blame {
    /// The levels of the decisions that take part.
    pub(crate) levels: BTreeSet<usize>,
    /// The constraints that take part. Without tracing, those behind values of level 0 are left out.
    pub(crate) constraints: BTreeSet<ConstraintId>,
}

impl Blame {
    pub(crate) fn add(&mut self, mut other: Blame) {
        self.levels.append(&mut other.levels);
        self.constraints.append(&mut other.constraints);
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Trail<'c> {
    pub(crate) constraints: &'c Constraints,
    /// By constraint: whether it counts; `None` if all do. If given, the trail is traced: a [`Blame`] then has all
    /// constraints that take part in a conflict, which takes longer.
    active: Option<Vec<bool>>,
    /// By variable.
    values: Vec<Option<bool>>,
    /// By variable: the constraint that its value follows from; `None` for a decision.
    causes: Vec<Option<ConstraintId>>,
    /// By variable: how many decisions there were when it was assigned.
    levels: Vec<usize>,
    /// By clause: how many of its literals are false, as far as propagation has got.
    falsified: Vec<u32>,
    /// The true literals, in the order of assignment.
    lits: Vec<Lit>,
    /// By level, from 1: where it begins in `lits`.
    starts: Vec<usize>,
    /// How many of `lits` are propagated.
    propagated: usize,
    /// How many variables, constraints and literals were looked at.
    work: Cell<u64>,
}

impl<'c> Trail<'c> {
    /// The empty trail.
    pub(crate) fn new(constraints: &'c Constraints, active: Option<Vec<bool>>) -> Self {
        let vars = constraints.var_count as usize;
        Trail {
            constraints,
            active,
            values: vec![None; vars],
            causes: vec![None; vars],
            levels: vec![0; vars],
            falsified: vec![0; constraints.len() as usize],
            lits: Vec::new(),
            starts: Vec::new(),
            propagated: 0,
            work: Cell::new(u64::from(constraints.var_count) + u64::from(constraints.len())),
        }
    }

    /// The work since this was last asked.
    pub(crate) fn take_work(&self) -> u64 {
        self.work.take()
    }

    pub(crate) fn add_work(&self, literals: usize) {
        self.work.update(|work| work + literals as u64);
    }

    /// Propagates the clauses that have one literal.
    pub(crate) fn start(&mut self) -> Result<(), Conflict> {
        for &id in self.constraints.short_clauses() {
            if self.is_active(id) {
                let (_, lits) = self.constraints.get(id);
                match lits.first() {
                    Some(&lit) if self.value(lit) != Some(false) => self.assign(lit, Some(id)),
                    _ => return Err(Conflict { id, lits: lits.to_vec() }),
                }
            }
        }
        self.propagate()
    }

    /// Assigns a literal at level 0 and propagates; there must be no decision. `id` names the demand in a [`Blame`] and
    /// lies beyond the ids of all constraints.
    pub(crate) fn assume(&mut self, lit: Lit, id: ConstraintId) -> Result<(), Conflict> {
        if self.value(lit) == Some(false) {
            return Err(Conflict { id, lits: vec![lit] });
        }
        self.assign(lit, Some(id));
        self.propagate()
    }

    /// Begins a level with an unassigned literal and propagates.
    pub(crate) fn decide(&mut self, lit: Lit) -> Result<(), Conflict> {
        self.starts.push(self.lits.len());
        self.assign(lit, None);
        self.propagate()
    }

    pub(crate) fn is_active(&self, id: ConstraintId) -> bool {
        self.active.as_ref().is_none_or(|active| active[id.index()])
    }

    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.var().index() as usize].map(|value| value == lit.is_positive())
    }

    /// The true literals, in the order of assignment.
    pub(crate) fn lits(&self) -> &[Lit] {
        &self.lits
    }

    /// How many decisions there are.
    pub(crate) fn level(&self) -> usize {
        self.starts.len()
    }

    /// Whether the literal is true; unassigned variables have their values in the model.
    pub(crate) fn holds(&self, lit: Lit, model: &Model) -> bool {
        self.value(lit).unwrap_or_else(|| model.holds(lit))
    }

    /// The assignment, completed by the values of the model.
    pub(crate) fn completed(&self, model: &Model) -> Model {
        let mut whole = model.clone();
        self.lits.iter().for_each(|lit| whole.set(lit.var(), lit.is_positive()));
        whole
    }

    /// Makes the model meet all active at-most-one constraints: sets every variable of a broken one to false.
    pub(crate) fn relax(&self, model: &mut Model) {
        for id in self.constraints.ids().filter(|&id| self.is_active(id)) {
            if let (Kind::AtMostOne, lits) = self.constraints.get(id)
                && lits.iter().filter(|&&lit| self.holds(lit, model)).count() > 1
            {
                lits.iter().for_each(|lit| model.set(lit.var(), false));
            }
        }
    }

    /// Undoes all levels above this one.
    pub(crate) fn back_to(&mut self, level: usize) {
        let Some(&start) = self.starts.get(level) else { return };
        for (at, lit) in self.lits.drain(start..).enumerate() {
            self.values[lit.var().index() as usize] = None;
            if start + at < self.propagated {
                self.constraints.restricted_by(lit).iter().for_each(|id| self.falsified[id.index()] -= 1);
            }
        }
        self.propagated = self.propagated.min(start);
        self.starts.truncate(level);
    }

    fn assign(&mut self, lit: Lit, cause: Option<ConstraintId>) {
        let var = lit.var().index() as usize;
        if self.values[var].is_none() {
            self.values[var] = Some(lit.is_positive());
            self.causes[var] = cause;
            self.levels[var] = self.starts.len();
            self.lits.push(lit);
        }
    }

    fn propagate(&mut self) -> Result<(), Conflict> {
        while let Some(&lit) = self.lits.get(self.propagated) {
            self.propagated += 1;
            let mut result = Ok(());
            let restricted = self.constraints.restricted_by(lit);
            self.add_work(1 + restricted.len());
            for &id in restricted {
                // After a conflict the count goes on, because `back_to` undoes it for all constraints of a literal.
                self.falsified[id.index()] += 1;
                if result.is_ok() && self.is_active(id) {
                    result = self.restrict(id, lit);
                }
            }
            result?;
        }
        Ok(())
    }

    /// Propagates a literal that became true through one constraint.
    fn restrict(&mut self, id: ConstraintId, lit: Lit) -> Result<(), Conflict> {
        match self.constraints.get(id) {
            (Kind::Clause, lits) => {
                if self.falsified[id.index()] as usize + 1 >= lits.len() {
                    self.add_work(lits.len());
                    match lits.iter().find(|&&lit| self.value(lit) != Some(false)) {
                        None => return Err(Conflict { id, lits: lits.to_vec() }),
                        Some(&left) => self.assign(left, Some(id)),
                    }
                }
            }
            (Kind::AtMostOne, lits) => {
                self.add_work(lits.len());
                for &other in lits.iter().filter(|&&other| other != lit) {
                    if self.value(other) == Some(true) {
                        return Err(Conflict { id, lits: vec![!lit, !other] });
                    }
                    self.assign(!other, Some(id));
                }
            }
        }
        Ok(())
    }

    /// What a conflict follows from.
    pub(crate) fn blame(&self, conflict: &Conflict) -> Blame {
        let mut blame = Blame::default();
        blame.constraints.insert(conflict.id);
        self.blame_values(&conflict.lits, &mut blame);
        blame
    }

    /// Adds what the values of these literals follow from.
    pub(crate) fn blame_values(&self, lits: &[Lit], blame: &mut Blame) {
        let mut seen = BTreeSet::new();
        let mut open: Vec<Var> = lits.iter().map(|lit| lit.var()).collect();
        while let Some(var) = open.pop() {
            let (level, cause) = (self.levels[var.index() as usize], self.causes[var.index() as usize]);
            if (level == 0 && self.active.is_none()) || !seen.insert(var) {
                continue;
            }
            let Some(id) = cause else {
                blame.levels.insert(level);
                continue;
            };
            blame.constraints.insert(id);
            if id.0 < self.constraints.len() {
                let (kind, lits) = self.constraints.get(id);
                self.add_work(lits.len());
                // In an at-most-one constraint the one true literal makes all others false.
                let takes_part = |lit: &&Lit| kind == Kind::Clause || self.value(**lit) == Some(true);
                open.extend(lits.iter().filter(takes_part).map(|lit| lit.var()));
            }
        }
    }
}
