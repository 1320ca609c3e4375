//! What is left of a formula once some literals are true: the part that a solver is asked about.

use crate::backend::Model;
use crate::cnf::Cnf;
use crate::lit::{Lit, Var};
use crate::network::Network;
use crate::trail::{Counted, Trail};

/// The counted part of the formula without what the trail and the goals decide, and by variable of it the one that it stands for; nothing if
/// a clause is left without literals.
pub(crate) fn of(network: &Network, trail: &Trail, goals: &[Lit], counted: Counted<'_>) -> Option<(Cnf<()>, Vec<Var>)> {
    let mut residue = Residue { trail, cnf: Cnf::new(), new: vec![None; network.var_count], names: Vec::new() };
    for &goal in goals {
        let lits = residue.open(&[goal])?;
        residue.cnf.add_clause(lits, ());
    }
    for id in network.constraints().filter(|&id| counted.counts(id)) {
        let lits = network.lits(id);
        if !network.is_clause(id) {
            let open = residue.open_members(lits);
            residue.cnf.add_at_most_one(&open, ());
        } else if !lits.iter().any(|&lit| trail.value(lit) == Some(true)) {
            let open = residue.open(lits)?;
            residue.cnf.add_clause(open, ());
        }
    }
    Some((residue.cnf, residue.names))
}

/// The model of the whole formula that one of the residue stands for; what is in neither is false.
pub(crate) fn extended(trail: &Trail, goals: &[Lit], names: &[Var], model: &Model) -> Model {
    let mut values: Vec<bool> = trail.values().map(|value| value == Some(true)).collect();
    for (at, var) in (0..).zip(names) {
        values[var.index() as usize] = model.value(Var::from_index(at));
    }
    for goal in goals {
        values[goal.var().index() as usize] = goal.is_positive();
    }
    Model::new(values)
}

struct Residue<'t> {
    trail: &'t Trail,
    cnf: Cnf<()>,
    /// By variable of the whole formula.
    new: Vec<Option<Var>>,
    names: Vec<Var>,
}

impl Residue<'_> {
    /// The open literals, renamed; nothing if there are none. True ones count as open.
    fn open(&mut self, lits: &[Lit]) -> Option<Vec<Lit>> {
        let open: Vec<Lit> = lits.iter().copied().filter(|&lit| self.trail.value(lit) != Some(false)).collect();
        if open.is_empty() { None } else { Some(open.into_iter().map(|lit| self.renamed(lit)).collect()) }
    }

    /// Of an at-most-one constraint: a true member has made all others false.
    fn open_members(&mut self, lits: &[Lit]) -> Vec<Lit> {
        let open: Vec<Lit> = lits.iter().copied().filter(|&lit| self.trail.value(lit).is_none()).collect();
        open.into_iter().map(|lit| self.renamed(lit)).collect()
    }

    fn renamed(&mut self, lit: Lit) -> Lit {
        let at = lit.var().index() as usize;
        let var = *self.new[at].get_or_insert_with(|| {
            self.names.push(lit.var());
            self.cnf.add_var()
        });
        if lit.is_positive() { var.positive() } else { var.negative() }
    }
}
