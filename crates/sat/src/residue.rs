//! The part of a formula that splr is asked about: what is connected, through open variables, with the clauses that the
//! model at hand breaks. Everything else keeps its value.

use crate::answer::{Bound, Model};
use crate::cnf::{ConstraintId, Constraints, Kind};
use crate::lit::Var;
use crate::search::is_broken;
use crate::splr;
use crate::trail::Trail;

/// Asks splr for a model that contains the trail. The model at hand need not meet the clauses, but meets every at-most-one
/// constraint.
pub(crate) fn decide(trail: &Trail<'_>, model: &Model) -> Result<Option<Model>, Bound> {
    let mut queue: Vec<ConstraintId> = trail.constraints.ids().filter(|&id| is_broken(trail, model, id)).collect();
    let mut is_queued = vec![false; trail.constraints.len() as usize];
    queue.iter().for_each(|id| is_queued[id.index()] = true);
    let mut is_part = vec![false; trail.constraints.var_count as usize];
    let mut vars: Vec<Var> = Vec::new();
    let mut part = Constraints::default();
    part.var_count = trail.constraints.var_count;
    while let Some(id) = queue.pop() {
        let (kind, lits) = trail.constraints.get(id);
        if kind == Kind::Clause && lits.iter().any(|&lit| trail.value(lit) == Some(true)) {
            continue;
        }
        // A true member of an at-most-one constraint has made all others false.
        let open = || lits.iter().copied().filter(|&lit| trail.value(lit).is_none());
        part.push(kind, open());
        for var in open().map(|lit| lit.var()) {
            if !std::mem::replace(&mut is_part[var.index() as usize], true) {
                vars.push(var);
                let restricted = [var.positive(), var.negative()].map(|lit| trail.constraints.restricted_by(lit));
                let new = restricted.concat().into_iter().filter(|&id| trail.is_active(id));
                queue.extend(new.filter(|id| !std::mem::replace(&mut is_queued[id.index()], true)));
            }
        }
    }
    let found = splr::verdict(&part)?;
    Ok(found.map(|found| {
        let mut whole = trail.over(model);
        vars.into_iter().for_each(|var| whole.set(var, found.holds(var.positive())));
        whole
    }))
}
