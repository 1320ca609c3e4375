//! An update edge that a catalog lacks.

use update_graph::Via;

use crate::change::Change;
use crate::pool::EntryId;
use crate::problem::Problem;

/// An edge to a channel entry from an installed CSV, in the field that changes the channel least: `replaces` where
/// there is none, else a skipRange of its own, else one more of `skips`.
pub(super) fn add_edge(problem: &Problem, entry: EntryId, from: EntryId) -> Option<Change> {
    let pool = &problem.pool;
    let (target, from) = (pool.entry(entry), pool.entry(from));
    let below = from.version.as_ref().zip(target.version.as_ref()).filter(|(from, to)| from < to);
    let (via, value) = match below {
        _ if target.name == from.name => return None,
        _ if target.replaces.is_none() => (Via::Replaces, from.name.to_string()),
        Some((low, high)) if target.skip_range.is_none() => (Via::SkipRange, format!(">={low} <{high}")),
        _ => (Via::Skips, from.name.to_string()),
    };
    Some(Change::AddEdge {
        catalog: pool.key_of(entry).clone(),
        package: target.package.clone(),
        channel: target.channel.clone(),
        entry: target.name.clone(),
        span: target.span,
        via,
        value: value.into(),
    })
}
