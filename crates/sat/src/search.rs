//! A search for a model that learns from its conflicts (CDCL: Marques-Silva and Sakallah 1999) and knows which
//! constraints a contradiction took.
//!
//! Everything counts as false until a clause asks for more: the clauses of true variables are met in the order in which
//! these became true, each by its first literal that is open. A search thus looks only at what its true literals reach,
//! and formulas that state what comes with what are mostly answered without a conflict. After some conflicts, what took
//! part in many is decided first.

use std::collections::BTreeSet;

use crate::backend::Model;
use crate::lit::{Lit, Var};
use crate::network::{ConstraintId, Network};
use crate::trail::{Cause, Conflict, Counted, Trail};

/// After so many conflicts the search begins anew with what it learned; times the Luby sequence.
const RESTART_UNIT: u32 = 32;

/// The end of a search.
#[derive(Debug)]
pub(crate) enum End {
    /// The trail holds a model once what is open is made false.
    Model,
    /// The given literals contradict the counted constraints, whatever the goals.
    Contradiction(Conflict),
    /// A goal is false under those before it.
    Refuted,
    /// Too many conflicts.
    Bound,
}

#[derive(Clone, Debug)]
pub(crate) struct Search<'n> {
    network: &'n Network,
    pub(crate) trail: Trail,
    /// How far the true literals of the trail, and the positive clauses, were seen to be met.
    met: Met,
    /// By decision: `met` before it.
    met_before: Vec<Met>,
    /// In all runs.
    conflicts: u32,
    /// By learned clause: what it follows from.
    sources: Vec<Vec<Source>>,
    /// By variable, as far as it took part in conflicts.
    activity: Vec<u64>,
    bump: u64,
    /// Variables with activity.
    active: Vec<Var>,
    phases: Vec<bool>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Met {
    lits: usize,
    /// Of the clauses of the literal at `lits`.
    effects: usize,
    positive: usize,
}

/// What a learned clause or a contradiction follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Constraint(ConstraintId),
    Learned(u32),
    /// A literal that is true without any decision.
    Fixed(Var),
}

/// Where a contradiction comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roots {
    pub(crate) constraints: BTreeSet<ConstraintId>,
    pub(crate) given: BTreeSet<u32>,
}

impl<'n> Search<'n> {
    pub(crate) fn new(network: &'n Network) -> Self {
        Self {
            network,
            trail: Trail::new(network),
            met: Met::default(),
            met_before: Vec::new(),
            conflicts: 0,
            sources: Vec::new(),
            activity: Vec::new(),
            bump: 1,
            active: Vec::new(),
            phases: Vec::new(),
        }
    }

    /// Takes back everything, what was learned too.
    pub(crate) fn clear(&mut self) {
        self.trail.clear(self.network);
        self.met = Met::default();
        self.met_before.clear();
        self.sources.clear();
        for var in self.active.drain(..) {
            self.activity[var.index() as usize] = 0;
        }
        self.bump = 1;
    }

    /// How many conflicts all runs had.
    pub(crate) fn conflicts(&self) -> u32 {
        self.conflicts
    }

    /// Takes back all decisions.
    pub(crate) fn back_to_start(&mut self) {
        self.back_to(0);
    }

    /// What the clauses of one literal imply.
    pub(crate) fn start(&mut self, counted: Counted<'_>) -> Result<(), Conflict> {
        for &id in self.network.short.iter().filter(|&&id| counted.counts(id)) {
            let lits = self.network.lits(id);
            match lits.first() {
                Some(&lit) if self.trail.value(lit) != Some(false) => self.trail.set(lit, Cause::Clause(id)),
                _ => return Err(Conflict { cause: Cause::Clause(id), lits: lits.to_vec() }),
            }
        }
        self.trail.close(self.network, counted)
    }

    /// Makes a literal true for good; there must be no decision.
    pub(crate) fn give(&mut self, lit: Lit, number: u32, counted: Counted<'_>) -> Result<(), Conflict> {
        if self.trail.value(lit) == Some(false) {
            return Err(Conflict { cause: Cause::Given(number), lits: vec![lit] });
        }
        self.trail.set(lit, Cause::Given(number));
        self.trail.close(self.network, counted)
    }

    /// Whether propagation refutes the literal; nothing is learned from that.
    pub(crate) fn clashes(&mut self, lit: Lit) -> bool {
        if let Some(value) = self.trail.value(lit) {
            return !value;
        }
        self.trail.decide(lit);
        let closed = self.trail.close(self.network, Counted::All);
        self.trail.back_to(self.network, 0);
        closed.is_err()
    }

    /// Looks for a model in which the goals hold.
    pub(crate) fn run(&mut self, goals: &[Lit], counted: Counted<'_>, bound: u32) -> End {
        let mut conflicts = 0;
        let mut restart = RESTART_UNIT;
        let mut restarts = 1;
        loop {
            if let Err(conflict) = self.trail.close(self.network, counted) {
                if self.trail.level() == 0 {
                    return End::Contradiction(conflict);
                }
                conflicts += 1;
                self.conflicts += 1;
                self.learn_from(&conflict);
                if conflicts == bound {
                    return End::Bound;
                }
                if conflicts == restart {
                    restarts += 1;
                    restart += RESTART_UNIT * luby(restarts);
                    self.back_to(0);
                }
                continue;
            }
            let next = match self.next_goal(goals) {
                Err(()) => return End::Refuted,
                Ok(Some(goal)) => Some(goal),
                Ok(None) => self.next_decision(counted, conflicts),
            };
            let Some(lit) = next else { return End::Model };
            self.met_before.push(self.met);
            self.trail.decide(lit);
        }
    }

    pub(crate) fn model(&self) -> Model {
        let vars = (0..self.network.var_count).map(|at| Var::from_index(u32::try_from(at).unwrap_or(u32::MAX)));
        Model::new(vars.map(|var| self.trail.value(var.positive()) == Some(true)).collect())
    }

    fn next_goal(&self, goals: &[Lit]) -> Result<Option<Lit>, ()> {
        for &goal in goals {
            match self.trail.value(goal) {
                Some(true) => {}
                Some(false) => return Err(()),
                None => return Ok(Some(goal)),
            }
        }
        Ok(None)
    }

    /// The next literal to try, if not everything holds with what is open made false.
    fn next_decision(&mut self, counted: Counted<'_>, conflicts: u32) -> Option<Lit> {
        let asked = self.next_asked(counted)?;
        if conflicts < RESTART_UNIT {
            return Some(asked);
        }
        let open = self.active.iter().copied().filter(|var| self.trail.value(var.positive()).is_none());
        let best = open.max_by_key(|&var| (self.activity[var.index() as usize], std::cmp::Reverse(var)));
        Some(best.map_or(asked, |var| if self.phases[var.index() as usize] { var.positive() } else { var.negative() }))
    }

    /// The first open literal of the first clause that does not hold with everything open made false.
    fn next_asked(&mut self, counted: Counted<'_>) -> Option<Lit> {
        while let Some(&lit) = self.trail.lits().get(self.met.lits) {
            if lit.is_positive() {
                let effects = self.network.effects(lit);
                while let Some(&(id, _)) = effects.get(self.met.effects) {
                    if let Some(open) = self.asked_by(id, counted) {
                        return Some(open);
                    }
                    self.met.effects += 1;
                }
            }
            self.met.effects = 0;
            self.met.lits += 1;
        }
        while let Some(&id) = self.network.positive.get(self.met.positive) {
            if let Some(open) = self.asked_by(id, counted) {
                return Some(open);
            }
            self.met.positive += 1;
        }
        None
    }

    fn asked_by(&self, id: ConstraintId, counted: Counted<'_>) -> Option<Lit> {
        let lits = self.network.lits(id);
        if !self.network.is_clause(id) || lits.len() < 2 || !counted.counts(id) {
            return None;
        }
        let holds = |lit: &Lit| self.trail.value(*lit).unwrap_or(!lit.is_positive());
        if lits.iter().any(holds) {
            return None;
        }
        lits.iter().copied().find(|&lit| self.trail.value(lit).is_none())
    }

    fn back_to(&mut self, level: usize) {
        if level < self.met_before.len() {
            self.met = self.met_before[level];
            self.met_before.truncate(level);
            self.remember_phases(level);
            self.trail.back_to(self.network, level);
        }
    }

    fn remember_phases(&mut self, level: usize) {
        if self.phases.is_empty() {
            return;
        }
        for &lit in self.trail.lits().iter().rev().take_while(|lit| self.trail.level_of(lit.var()) > level) {
            self.phases[lit.var().index() as usize] = lit.is_positive();
        }
    }

    /// Learns the clause of the first unique implication point and goes back to where it leaves one literal.
    fn learn_from(&mut self, conflict: &Conflict) {
        let mut analysis = Analysis { lits: Vec::new(), sources: Vec::new(), seen: BTreeSet::new(), open: 0 };
        analysis.add(&self.trail, conflict.cause, &conflict.lits, None);
        let mut at = self.trail.lits().len();
        let point = loop {
            at -= 1;
            let lit = self.trail.lits()[at];
            if !analysis.seen.contains(&lit.var()) {
                continue;
            }
            analysis.open -= 1;
            if analysis.open == 0 {
                break lit;
            }
            let cause = self.trail.cause(lit.var());
            let lits = antecedent(self.network, &self.trail, lit, cause);
            analysis.add(&self.trail, cause, &lits, Some(lit));
        };
        self.bump_all(&analysis.seen);
        let mut lits = analysis.lits;
        // The one falsified last comes second.
        lits.sort_by_key(|lit| (std::cmp::Reverse(self.trail.level_of(lit.var())), *lit));
        let level = lits.first().map_or(0, |lit| self.trail.level_of(lit.var()));
        lits.insert(0, !point);
        self.back_to(level);
        self.sources.push(analysis.sources);
        self.trail.learn(lits);
    }

    fn bump_all(&mut self, vars: &BTreeSet<Var>) {
        if self.phases.is_empty() {
            self.phases = vec![true; self.network.var_count];
            self.activity = vec![0; self.network.var_count];
        }
        for &var in vars {
            let activity = &mut self.activity[var.index() as usize];
            if *activity == 0 {
                self.active.push(var);
            }
            *activity += self.bump;
        }
        self.bump += self.bump / 16 + 1;
        if self.bump > 1 << 48 {
            for &var in &self.active {
                self.activity[var.index() as usize] = (self.activity[var.index() as usize] >> 40).max(1);
            }
            self.bump = (self.bump >> 40).max(1);
        }
    }

    /// What a contradiction follows from that needs no decision.
    pub(crate) fn roots(&self, conflict: &Conflict) -> Roots {
        let mut roots = Roots::default();
        let mut seen = BTreeSet::new();
        let mut left: Vec<Source> = conflict.lits.iter().map(|lit| Source::Fixed(lit.var())).collect();
        self.expand(conflict.cause, &mut roots, &mut left);
        while let Some(source) = left.pop() {
            if !seen.insert(source) {
                continue;
            }
            match source {
                Source::Constraint(id) => {
                    roots.constraints.insert(id);
                }
                Source::Learned(id) => left.extend(&self.sources[id as usize]),
                Source::Fixed(var) => {
                    let lit =
                        if self.trail.value(var.positive()) == Some(true) { var.positive() } else { var.negative() };
                    let cause = self.trail.cause(var);
                    self.expand(cause, &mut roots, &mut left);
                    let others = antecedent(self.network, &self.trail, lit, cause);
                    left.extend(others.into_iter().filter(|&other| other != lit).map(|lit| Source::Fixed(lit.var())));
                }
            }
        }
        roots
    }

    fn expand(&self, cause: Cause, roots: &mut Roots, left: &mut Vec<Source>) {
        match cause {
            Cause::Decided => {}
            Cause::Given(number) => {
                roots.given.insert(number);
            }
            Cause::Clause(id) | Cause::Excluded(id, _) => {
                roots.constraints.insert(id);
            }
            Cause::Learned(id) => left.push(Source::Learned(id)),
        }
    }
}

/// The clause that made a literal true.
fn antecedent(network: &Network, trail: &Trail, lit: Lit, cause: Cause) -> Vec<Lit> {
    match cause {
        Cause::Decided | Cause::Given(_) => vec![lit],
        Cause::Clause(id) => network.lits(id).to_vec(),
        Cause::Excluded(_, other) => vec![lit, !other],
        Cause::Learned(id) => trail.learned(id).to_vec(),
    }
}

/// A clause on its way to being learned.
struct Analysis {
    /// Of levels below the last.
    lits: Vec<Lit>,
    sources: Vec<Source>,
    seen: BTreeSet<Var>,
    /// How many literals of the last level are left.
    open: usize,
}

impl Analysis {
    /// Resolves with a clause, of which `implied` is the literal that it made true.
    fn add(&mut self, trail: &Trail, cause: Cause, lits: &[Lit], implied: Option<Lit>) {
        match cause {
            Cause::Clause(id) | Cause::Excluded(id, _) => self.sources.push(Source::Constraint(id)),
            Cause::Learned(id) => self.sources.push(Source::Learned(id)),
            Cause::Decided | Cause::Given(_) => {}
        }
        for &lit in lits.iter().filter(|&&lit| Some(lit) != implied) {
            let level = trail.level_of(lit.var());
            if level == 0 {
                self.sources.push(Source::Fixed(lit.var()));
            } else if self.seen.insert(lit.var()) {
                if level == trail.level() {
                    self.open += 1;
                } else {
                    self.lits.push(lit);
                }
            }
        }
    }
}

/// 1, 1, 2, 1, 1, 2, 4, … (Luby, Sinclair and Zuckerman 1993), from 1.
fn luby(at: u32) -> u32 {
    let mut at = at;
    loop {
        let size = (at + 1).next_power_of_two();
        if size == at + 1 {
            return size / 2;
        }
        at -= size / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_follow_luby() {
        assert_eq!((1..=15).map(luby).collect::<Vec<_>>(), [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
