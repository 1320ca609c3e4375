//! Asks splr about a part of a formula only: the constraints that are connected, through unassigned variables, with the
//! clauses that the current model breaks. All other variables keep their values in that model.

use crate::answer::{Bound, Model, Tally};
use crate::constraints::{ConstraintId, Constraints, Kind};
use crate::lit::Var;
use crate::search::is_broken;
use crate::splr::solve_with_splr;
use crate::trail::Trail;

/// A model that contains the trail, or none if there is none. `model` may break clauses, but no at-most-one constraint.
pub(crate) fn solve(trail: &Trail<'_>, model: &Model, tally: &Tally) -> Result<Option<Model>, Bound> {
    let mut queue: Vec<ConstraintId> = trail.constraints.ids().filter(|&id| is_broken(trail, model, id)).collect();
    let mut is_queued = vec![false; trail.constraints.len() as usize];
    queue.iter().for_each(|id| is_queued[id.index()] = true);
    let mut is_in_part = vec![false; trail.constraints.var_count as usize];
    let mut vars: Vec<Var> = Vec::new();
    let mut part = Constraints::default();
    part.var_count = trail.constraints.var_count;
    while let Some(id) = queue.pop() {
        let (kind, lits) = trail.constraints.get(id);
        if kind == Kind::Clause && lits.iter().any(|&lit| trail.value(lit) == Some(true)) {
            continue;
        }
        // If a member of an at-most-one constraint is true, propagation has made all others false.
        let open = || lits.iter().copied().filter(|&lit| trail.value(lit).is_none());
        part.push(kind, open());
        for var in open().map(|lit| lit.var()) {
            if !std::mem::replace(&mut is_in_part[var.index() as usize], true) {
                vars.push(var);
                let restricted = [var.positive(), var.negative()].map(|lit| trail.constraints.restricted_by(lit));
                let new = restricted.concat().into_iter().filter(|&id| trail.is_active(id));
                queue.extend(new.filter(|id| !std::mem::replace(&mut is_queued[id.index()], true)));
            }
        }
    }
    let found = solve_with_splr(&part, tally)?;
    Ok(found.map(|found| {
        let mut whole = trail.completed(model);
        vars.into_iter().for_each(|var| whole.set(var, found.holds(var.positive())));
        whole
    }))
}
