//! A formula laid out for propagation: which constraints a literal that becomes true falsifies a part of.

use crate::cnf::Cnf;
use crate::lit::Lit;

/// A constraint of a formula: its clauses come first, then its at-most-one constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ConstraintId(pub(crate) u32);

/// What happens to a constraint when a literal becomes true.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    /// A clause of two literals is left with this one.
    Leaves(Lit),
    /// A longer clause loses a literal.
    Shortens,
    /// All other literals of an at-most-one constraint become false.
    Excludes,
}

/// The constraints of a formula by literal.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    pub(crate) var_count: usize,
    pub(crate) clause_count: usize,
    lits: Vec<Lit>,
    /// Constraint `c` has the literals `lits[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
    /// What literal `l` affects when it becomes true is `effects[offsets[l]..offsets[l + 1]]`.
    offsets: Vec<u32>,
    effects: Vec<(ConstraintId, Effect)>,
    /// Clauses of at most one literal.
    pub(crate) short: Vec<ConstraintId>,
    /// Clauses of several literals, all positive: the only ones that do not hold while everything is false.
    pub(crate) positive: Vec<ConstraintId>,
}

impl Network {
    pub(crate) fn of<R: Copy>(cnf: &Cnf<R>) -> Network {
        let mut network = Network {
            var_count: cnf.var_count() as usize,
            clause_count: cnf.clauses().len(),
            lits: Vec::new(),
            starts: vec![0],
            offsets: Vec::new(),
            effects: Vec::new(),
            short: Vec::new(),
            positive: Vec::new(),
        };
        for clause in cnf.clauses() {
            network.add_clause(clause.lits);
        }
        for group in cnf.at_most_ones() {
            network.close(group.lits);
        }
        network.connect();
        network
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        let id = self.close(lits);
        if lits.len() < 2 {
            self.short.push(id);
        } else if lits.iter().all(|lit| lit.is_positive()) {
            self.positive.push(id);
        }
    }

    fn close(&mut self, lits: &[Lit]) -> ConstraintId {
        let id = ConstraintId(number(self.starts.len() - 1));
        self.lits.extend_from_slice(lits);
        self.starts.push(number(self.lits.len()));
        id
    }

    /// Counts, then fills in.
    fn connect(&mut self) {
        let mut offsets = vec![0; 2 * self.var_count + 1];
        for id in self.constraints() {
            for &lit in self.lits(id) {
                let falsifying = if self.is_clause(id) { !lit } else { lit };
                offsets[falsifying.code() + 1] += 1;
            }
        }
        for code in 1..offsets.len() {
            offsets[code] += offsets[code - 1];
        }
        let mut next = offsets.clone();
        let mut effects = vec![(ConstraintId(0), Effect::Shortens); self.lits.len()];
        for id in self.constraints() {
            let lits = self.lits(id);
            for (at, &lit) in lits.iter().enumerate() {
                let (falsifying, effect) = match (self.is_clause(id), lits.len()) {
                    (false, _) => (lit, Effect::Excludes),
                    (true, 2) => (!lit, Effect::Leaves(lits[1 - at])),
                    (true, _) => (!lit, Effect::Shortens),
                };
                effects[next[falsifying.code()] as usize] = (id, effect);
                next[falsifying.code()] += 1;
            }
        }
        (self.offsets, self.effects) = (offsets, effects);
    }

    pub(crate) fn constraints(&self) -> impl Iterator<Item = ConstraintId> + use<> {
        (0..number(self.starts.len() - 1)).map(ConstraintId)
    }

    pub(crate) fn is_clause(&self, id: ConstraintId) -> bool {
        (id.0 as usize) < self.clause_count
    }

    pub(crate) fn lits(&self, id: ConstraintId) -> &[Lit] {
        let at = id.0 as usize;
        &self.lits[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// What becomes of the constraints when the literal becomes true.
    pub(crate) fn effects(&self, lit: Lit) -> &[(ConstraintId, Effect)] {
        let code = lit.code();
        &self.effects[self.offsets[code] as usize..self.offsets[code + 1] as usize]
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a formula has fewer than 2^32 literals")
}
