//! Unit propagation with a false-literal counter per clause, and a greedy search on top of it.
//!
//! Together they decide most questions without a solver.

use crate::backend::Model;
use crate::cnf::Cnf;
use crate::lit::Lit;

/// The formula contradicts itself or the assumptions, by propagation alone.
pub(crate) struct Conflict;

/// Where each literal occurs, and what the formula alone implies.
pub(crate) struct Propagator<'c, R> {
    cnf: &'c Cnf<R>,
    /// Clauses that contain the literal with code `l` are `clauses[starts[l]..starts[l + 1]]`.
    starts: Vec<usize>,
    clauses: Vec<usize>,
    root: Result<Trail, Conflict>,
}

/// A partial assignment closed under propagation, or on its way there.
#[derive(Clone)]
pub(crate) struct Trail {
    /// By variable index.
    values: Vec<Option<bool>>,
    /// By clause: its literals that are false and were taken note of.
    falsified: Vec<usize>,
    /// True literals in the order they became so.
    lits: Vec<Lit>,
    /// How many of `lits` were taken note of.
    done: usize,
}

impl<'c, R: Copy> Propagator<'c, R> {
    pub(crate) fn new(cnf: &'c Cnf<R>) -> Propagator<'c, R> {
        let (starts, clauses) = occurrences(cnf);
        let mut propagator = Propagator { cnf, starts, clauses, root: Err(Conflict) };
        propagator.root = propagator.units();
        propagator
    }

    /// What the formula and the assumptions imply.
    pub(crate) fn propagate(&self, assumptions: &[Lit]) -> Result<Trail, Conflict> {
        let Ok(root) = &self.root else { return Err(Conflict) };
        let mut trail = root.clone();
        for &lit in assumptions {
            trail.assign(lit)?;
        }
        self.close(&mut trail)?;
        Ok(trail)
    }

    /// Looks for a model without ever taking back a choice; `None` says nothing about the formula.
    ///
    /// Open variables count as false. A clause that this leaves unsatisfied gets its first literal that propagates
    /// without conflict.
    pub(crate) fn greedy_model(&self, mut trail: Trail) -> Option<Model> {
        while let Some(clause) = self.cnf.clauses().find(|clause| !clause.lits.iter().any(|&lit| trail.holds(lit))) {
            trail = clause.lits.iter().filter(|&&lit| trail.value(lit).is_none()).find_map(|&lit| {
                let mut attempt = trail.clone();
                attempt.assign(lit).and_then(|()| self.close(&mut attempt)).ok().map(|()| attempt)
            })?;
        }
        Some(Model::new(trail.values.into_iter().map(|value| value == Some(true)).collect()))
    }

    /// What the clauses of one literal imply.
    fn units(&self) -> Result<Trail, Conflict> {
        let mut trail = Trail {
            values: vec![None; self.cnf.var_count() as usize],
            falsified: vec![0; self.cnf.clauses().len()],
            lits: Vec::new(),
            done: 0,
        };
        for clause in self.cnf.clauses() {
            match clause.lits {
                [] => return Err(Conflict),
                [lit] => trail.assign(*lit)?,
                _ => {}
            }
        }
        self.close(&mut trail)?;
        Ok(trail)
    }

    fn close(&self, trail: &mut Trail) -> Result<(), Conflict> {
        while let Some(&lit) = trail.lits.get(trail.done) {
            trail.done += 1;
            let falsified = (!lit).code();
            for &clause in &self.clauses[self.starts[falsified]..self.starts[falsified + 1]] {
                trail.falsified[clause] += 1;
                let lits = self.cnf.clause(clause).lits;
                if trail.falsified[clause] + 1 >= lits.len() {
                    let open = lits.iter().find(|&&lit| trail.value(lit) != Some(false));
                    trail.assign(*open.ok_or(Conflict)?)?;
                }
            }
        }
        Ok(())
    }
}

impl Trail {
    fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.var().index() as usize].map(|value| value == lit.is_positive())
    }

    /// Whether the literal is true, open variables counting as false.
    fn holds(&self, lit: Lit) -> bool {
        self.value(lit).unwrap_or(!lit.is_positive())
    }

    fn assign(&mut self, lit: Lit) -> Result<(), Conflict> {
        match self.value(lit) {
            Some(true) => Ok(()),
            Some(false) => Err(Conflict),
            None => {
                self.values[lit.var().index() as usize] = Some(lit.is_positive());
                self.lits.push(lit);
                Ok(())
            }
        }
    }
}

/// Clause numbers sorted by literal, and where each literal's begin.
fn occurrences<R: Copy>(cnf: &Cnf<R>) -> (Vec<usize>, Vec<usize>) {
    let mut starts = vec![0; 2 * cnf.var_count() as usize + 1];
    for lit in cnf.clauses().flat_map(|clause| clause.lits) {
        starts[lit.code() + 1] += 1;
    }
    for code in 1..starts.len() {
        starts[code] += starts[code - 1];
    }
    let mut next = starts.clone();
    let mut clauses = vec![0; starts.last().copied().unwrap_or(0)];
    for (number, clause) in cnf.clauses().enumerate() {
        for lit in clause.lits {
            clauses[next[lit.code()]] = number;
            next[lit.code()] += 1;
        }
    }
    (starts, clauses)
}
