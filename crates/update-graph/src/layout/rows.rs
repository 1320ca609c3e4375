//! Assigns nodes to rows of their lane, the spine or one beside it, and decides the distance of the rows.

use super::axis::Axis;
use crate::{LaneId, Mark, NodeId, UpdateGraph, Via};
use std::collections::{BTreeMap, BTreeSet};

/// From the middle of a row to the middle of the next.
const PITCH: i32 = 40;
/// The pitch if nodes are right below each other: with room for two lines of words between them.
const WIDE_PITCH: i32 = 60;
/// The pitch in the compact layout, where words cover what is above.
const CLOSE_PITCH: i32 = 34;

/// The rows of all lanes.
pub(super) struct Rows {
    /// The row of each node: 0 is the spine.
    pub(super) of: Vec<u32>,
    /// By lane, from the middle of a row to the middle of the next.
    pub(super) pitch: Vec<i32>,
    /// By lane, the last row in use.
    pub(super) deepest: Vec<u32>,
}

impl Rows {
    /// With rows as close together as their boxes allow, and as few as possible: what is older or newer than the whole
    /// spine is moved from the row beside it into the line of the spine.
    pub(super) fn closer(mut self, graph: &UpdateGraph<'_>, axis: &Axis) -> Self {
        self.pitch.fill(CLOSE_PITCH);
        self.deepest.fill(0);
        for lane in (0..graph.lanes.len() as u32).map(LaneId) {
            let ids: Vec<NodeId> = graph.nodes_of(lane).map(|(id, _)| id).collect();
            let spine = ids.iter().filter(|id| self.of[id.0 as usize] == 0).map(|&id| axis.index_of(id));
            let (oldest, newest) = (spine.clone().min().unwrap_or(u32::MAX), spine.max().unwrap_or(0));
            for id in ids {
                let row = &mut self.of[id.0 as usize];
                if *row == 1 && !(oldest..=newest).contains(&axis.index_of(id)) {
                    *row = 0;
                }
                let deepest = &mut self.deepest[lane.0 as usize];
                *deepest = (*row).max(*deepest);
            }
        }
        self
    }

    /// How far below the spine of a lane the middle of a row is.
    pub(super) fn down(&self, lane: usize, row: u32) -> i32 {
        self.pitch[lane] * row as i32
    }
}

/// Assigns a row to each node.
pub(super) fn assign(graph: &UpdateGraph<'_>, axis: &Axis) -> Rows {
    let lanes = graph.lanes.len();
    let mut rows = Rows { of: vec![0; graph.nodes.len()], pitch: vec![PITCH; lanes], deepest: vec![0; lanes] };
    let replaced = replaced(graph);
    for lane in (0..graph.lanes.len() as u32).map(LaneId) {
        let spine = spine(graph, axis, lane, &replaced);
        // By column: the first row below all used ones, which have no gaps except for the spine.
        let mut below: BTreeMap<u32, u32> = BTreeMap::new();
        let on_spine = |id: &NodeId| spine.contains(id);
        let mut ids: Vec<NodeId> = graph.nodes_of(lane).map(|(id, _)| id).collect();
        // By name and not in the order of the text, so that moving an entry in the text does not move it in the drawing.
        ids.sort_by_key(|&id| (graph.node(id).name, id));
        let (first, rest): (Vec<_>, Vec<_>) = ids.into_iter().partition(on_spine);
        let placed = first.into_iter().map(|id| (id, 0)).chain(rest.into_iter().map(|id| (id, 1)));
        for (id, wanted) in placed {
            let free = below.entry(axis.index_of(id)).or_default();
            let row = wanted.max(*free);
            let at = lane.0 as usize;
            if *free > 0 {
                rows.pitch[at] = WIDE_PITCH;
            }
            *free = row + 1;
            rows.of[id.0 as usize] = row;
            rows.deepest[at] = row.max(rows.deepest[at]);
        }
    }
    rows
}

/// The entry that each entry replaces.
fn replaced(graph: &UpdateGraph<'_>) -> BTreeMap<NodeId, NodeId> {
    let edges = graph.edges.iter().filter(|edge| edge.via == Via::Replaces);
    edges.map(|edge| (edge.to, edge.from)).collect()
}

/// The chain of `replaces` from the newest head, or from the newest entry if there is no head, without skipped entries.
fn spine(graph: &UpdateGraph<'_>, axis: &Axis, lane: LaneId, replaced: &BTreeMap<NodeId, NodeId>) -> BTreeSet<NodeId> {
    let entries = || graph.nodes_of(lane).filter(|(_, node)| node.entry.is_some());
    let newest = |ids: Vec<NodeId>| {
        ids.into_iter().max_by_key(|&id| (axis.index_of(id), std::cmp::Reverse((graph.node(id).name, id))))
    };
    let heads = entries().filter(|(_, node)| node.marks.contains(&Mark::Head)).map(|(id, _)| id).collect();
    let mut next = newest(heads).or_else(|| newest(entries().map(|(id, _)| id).collect()));
    let mut spine = BTreeSet::new();
    while let Some(id) = next.filter(|id| spine.insert(*id)) {
        next = replaced.get(&id).copied();
    }
    spine.retain(|&id| !graph.node(id).marks.contains(&Mark::Skipped));
    spine
}
