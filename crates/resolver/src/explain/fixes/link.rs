//! An update edge that a catalog lacks.

use update_graph::{Edit, edge_to_add};

use crate::pool::EntryId;
use crate::problem::Problem;
use cluster::InputChange;

/// An edge to a channel entry from an installed CSV, in the field that [`edge_to_add`] chooses.
pub(super) fn add_edge(problem: &Problem, entry: EntryId, from: EntryId) -> Option<InputChange> {
    let pool = &problem.pool;
    let (target, from) = (pool.entry(entry), pool.entry(from));
    if target.name == from.name {
        return None;
    }
    let (has_replaces, has_range) = (target.replaces.is_some(), target.skip_range.is_some());
    let installed = (&from.name, from.version.as_ref());
    let change = edge_to_add(has_replaces, has_range, target.version.as_ref(), installed);
    Some(InputChange::EditEntry {
        catalog: pool.key_of(entry).clone(),
        package: target.package.clone(),
        channel: target.channel.clone(),
        span: target.span,
        edit: Edit { entry: target.name.clone(), change },
    })
}
