//! A partial assignment that is closed under unit propagation and can be taken back, with the cause of every value.

use std::collections::BTreeSet;

use crate::answer::Model;
use crate::cnf::{ConstraintId, Constraints, Kind};
use crate::lit::{Lit, Var};

/// A contradiction: literals that are all false although the constraint demands one of them.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    id: ConstraintId,
    lits: Vec<Lit>,
}

/// What contradicts itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blame {
    /// Levels of the decisions that take part.
    pub(crate) levels: BTreeSet<usize>,
    /// The constraints that take part; left out of what is decided without any decision, unless the trail is traced.
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
    /// By constraint: whether it counts.
    active: Vec<bool>,
    /// Whether to say which constraints take part in a contradiction, which takes longer.
    traced: bool,
    /// By variable.
    values: Vec<Option<bool>>,
    /// By variable that has a value: the constraint that leaves nothing else. None if it was decided.
    causes: Vec<Option<ConstraintId>>,
    levels: Vec<usize>,
    /// By clause: how many of its literals are false, as far as propagation has come.
    falsified: Vec<u32>,
    /// True literals in the order they became so.
    lits: Vec<Lit>,
    /// Where in `lits` each level after the first begins.
    starts: Vec<usize>,
    /// How many of `lits` were propagated.
    propagated: usize,
}

impl<'c> Trail<'c> {
    /// Nothing is decided yet. If only some constraints are `active`, the trail is traced.
    pub(crate) fn new(constraints: &'c Constraints, active: Option<Vec<bool>>) -> Self {
        let vars = constraints.var_count as usize;
        Trail {
            constraints,
            traced: active.is_some(),
            active: active.unwrap_or_else(|| vec![true; constraints.len() as usize]),
            values: vec![None; vars],
            causes: vec![None; vars],
            levels: vec![0; vars],
            falsified: vec![0; constraints.len() as usize],
            lits: Vec::new(),
            starts: Vec::new(),
            propagated: 0,
        }
    }

    /// What the clauses of one literal imply.
    pub(crate) fn start(&mut self) -> Result<(), Conflict> {
        for id in self.constraints.ids() {
            if let (Kind::Clause, lits @ ([] | [_])) = self.constraints.get(id)
                && self.is_active(id)
            {
                match lits.first() {
                    Some(&lit) if self.value(lit) != Some(false) => self.set(lit, Some(id)),
                    _ => return Err(Conflict { id, lits: lits.to_vec() }),
                }
            }
        }
        self.propagate()
    }

    /// Makes a literal true for good, with all that follows; there must be no decision. A number behind those of all
    /// constraints stands for the demand.
    pub(crate) fn give(&mut self, lit: Lit, id: ConstraintId) -> Result<(), Conflict> {
        if self.value(lit) == Some(false) {
            return Err(Conflict { id, lits: vec![lit] });
        }
        self.set(lit, Some(id));
        self.propagate()
    }

    /// Begins a level with a literal that is open, with all that follows.
    pub(crate) fn decide(&mut self, lit: Lit) -> Result<(), Conflict> {
        self.starts.push(self.lits.len());
        self.set(lit, None);
        self.propagate()
    }

    pub(crate) fn is_active(&self, id: ConstraintId) -> bool {
        self.active[id.index()]
    }

    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.var().index() as usize].map(|value| value == lit.is_positive())
    }

    /// True literals in the order they became so.
    pub(crate) fn lits(&self) -> &[Lit] {
        &self.lits
    }

    /// How many decisions there are.
    pub(crate) fn level(&self) -> usize {
        self.starts.len()
    }

    /// Whether the literal holds, where open variables have the values of the model.
    pub(crate) fn holds(&self, lit: Lit, model: &Model) -> bool {
        self.value(lit).unwrap_or_else(|| model.holds(lit))
    }

    /// The model with the values of the trail.
    pub(crate) fn over(&self, model: &Model) -> Model {
        let mut whole = model.clone();
        self.lits.iter().for_each(|lit| whole.set(lit.var(), lit.is_positive()));
        whole
    }

    /// Makes the model meet all active at-most-one constraints, by making every variable of a broken one false.
    pub(crate) fn relax(&self, model: &mut Model) {
        for id in self.constraints.ids().filter(|&id| self.is_active(id)) {
            if let (Kind::AtMostOne, lits) = self.constraints.get(id)
                && lits.iter().filter(|&&lit| self.holds(lit, model)).count() > 1
            {
                lits.iter().for_each(|lit| model.set(lit.var(), false));
            }
        }
    }

    /// Takes back all above a level.
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

    fn set(&mut self, lit: Lit, cause: Option<ConstraintId>) {
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
            for &id in self.constraints.restricted_by(lit) {
                // What is counted must be counted to the end, so that it can be taken back.
                self.falsified[id.index()] += 1;
                if result.is_ok() && self.is_active(id) {
                    result = self.restrict(id, lit);
                }
            }
            result?;
        }
        Ok(())
    }

    /// What follows for a constraint from a literal that became true.
    fn restrict(&mut self, id: ConstraintId, lit: Lit) -> Result<(), Conflict> {
        match self.constraints.get(id) {
            (Kind::Clause, lits) => {
                if self.falsified[id.index()] as usize + 1 >= lits.len() {
                    match lits.iter().find(|&&lit| self.value(lit) != Some(false)) {
                        None => return Err(Conflict { id, lits: lits.to_vec() }),
                        Some(&left) => self.set(left, Some(id)),
                    }
                }
            }
            (Kind::AtMostOne, lits) => {
                for &other in lits.iter().filter(|&&other| other != lit) {
                    if self.value(other) == Some(true) {
                        return Err(Conflict { id, lits: vec![!lit, !other] });
                    }
                    self.set(!other, Some(id));
                }
            }
        }
        Ok(())
    }

    /// What a contradiction comes from.
    pub(crate) fn blame(&self, conflict: &Conflict) -> Blame {
        let mut blame = Blame::default();
        blame.constraints.insert(conflict.id);
        self.blame_values(&conflict.lits, &mut blame);
        blame
    }

    /// Adds what gives the variables of these literals their values.
    pub(crate) fn blame_values(&self, lits: &[Lit], blame: &mut Blame) {
        let mut seen = BTreeSet::new();
        let mut open: Vec<Var> = lits.iter().map(|lit| lit.var()).collect();
        while let Some(var) = open.pop() {
            let (level, cause) = (self.levels[var.index() as usize], self.causes[var.index() as usize]);
            if (level == 0 && !self.traced) || !seen.insert(var) {
                continue;
            }
            let Some(id) = cause else {
                blame.levels.insert(level);
                continue;
            };
            blame.constraints.insert(id);
            if id.0 < self.constraints.len() {
                let (kind, lits) = self.constraints.get(id);
                // Of an at-most-one constraint the one true literal excludes all others.
                let takes_part = |lit: &&Lit| kind == Kind::Clause || self.value(**lit) == Some(true);
                open.extend(lits.iter().filter(takes_part).map(|lit| lit.var()));
            }
        }
    }
}
