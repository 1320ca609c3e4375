//! Assigns nodes to rows of their lane, the spine or one below it, and decides the distance of the rows.

use super::axis::{Axis, BOX, box_size};
use crate::{LaneId, Mark, NodeId, UpdateGraph, Via};
use std::collections::{BTreeMap, BTreeSet};

/// Between the boxes of a row and those of the next: with room for words between them.
const APART: i32 = 14;
/// The same if nodes are right below each other: with room for two lines of words.
const WIDE: i32 = 34;
/// The same in the compact layout, where words cover what is above.
const CLOSE: i32 = 8;
/// The height of a row of stations.
pub(super) const STATION: i32 = 14;

/// The rows of all lanes.
pub(super) struct Rows {
    /// The row of each node: 0 is the spine.
    pub(super) of: Vec<u32>,
    /// The height of a row: that of its highest box.
    pub(super) height: i32,
    /// By lane, between the boxes of a row and those of the next.
    apart: Vec<i32>,
    /// By lane, the height of what is drawn below the boxes of the first row.
    buses: Vec<i32>,
    /// By lane, the last row in use.
    deepest: Vec<u32>,
}

impl Rows {
    /// With rows as close together as their boxes allow.
    pub(super) fn closer(mut self) -> Self {
        self.apart.fill(CLOSE);
        self
    }

    /// With rows as high as stations.
    pub(super) fn of_stations(mut self) -> Self {
        self.height = STATION;
        self
    }

    /// With so much room below the boxes of the first row, by lane.
    pub(super) fn with_room(mut self, room: impl Fn(usize) -> i32) -> Self {
        self.buses = (0..self.buses.len()).map(room).collect();
        self
    }

    /// How far below the spine of a lane the middle of a row is.
    pub(super) fn down(&self, lane: usize, row: u32) -> i32 {
        let first = self.apart[lane].max(self.buses[lane]);
        let pitch = self.height + self.apart[lane];
        match row {
            0 => 0,
            row => self.height + first + pitch * (row as i32 - 1),
        }
    }

    /// How far below the spine of a lane its rows and buses end.
    pub(super) fn end(&self, lane: usize) -> i32 {
        let below = if self.deepest[lane] == 0 { self.buses[lane] } else { 0 };
        self.down(lane, self.deepest[lane]) + self.height / 2 + below
    }
}

/// Assigns a row to each node: the spine, unless an edge of the spine passes it or its place is taken.
pub(super) fn assign(graph: &UpdateGraph<'_>, axis: &Axis) -> Rows {
    let lanes = graph.lanes.len();
    let (apart, deepest) = (vec![APART; lanes], vec![0; lanes]);
    let heights = graph.nodes.iter().map(|node| box_size(&node.label(), axis.direction).1);
    let height = heights.max().unwrap_or(BOX);
    let mut rows = Rows { of: vec![0; graph.nodes.len()], height, apart, buses: vec![0; lanes], deepest };
    let replaced = replaced(graph);
    for lane in (0..graph.lanes.len() as u32).map(LaneId) {
        let spine = spine(graph, axis, lane, &replaced);
        let passes = passes(graph, axis, lane, &spine);
        // By column: the first row below all used ones, which have no gaps except for the spine.
        let mut below: BTreeMap<u32, u32> = BTreeMap::new();
        let on_spine = |id: &NodeId| spine.contains(id);
        let mut ids: Vec<NodeId> = graph.nodes_of(lane).map(|(id, _)| id).collect();
        // By name and not in the order of the text, so that moving an entry in the text does not move it in the drawing.
        ids.sort_by_key(|&id| (graph.node(id).name, id));
        let (first, rest): (Vec<_>, Vec<_>) = ids.into_iter().partition(on_spine);
        let is_passed = |id: NodeId| {
            let column = axis.index_of(id);
            let before = passes.partition_point(|&(from, _)| from < column);
            before.checked_sub(1).is_some_and(|at| column < passes[at].1)
        };
        let rest = rest.into_iter().map(|id| (id, u32::from(is_passed(id))));
        let placed = first.into_iter().map(|id| (id, 0)).chain(rest);
        for (id, wanted) in placed {
            let free = below.entry(axis.index_of(id)).or_default();
            let row = wanted.max(*free);
            let at = lane.0 as usize;
            if *free > 0 {
                rows.apart[at] = WIDE;
            }
            *free = row + 1;
            rows.of[id.0 as usize] = row;
            rows.deepest[at] = row.max(rows.deepest[at]);
        }
    }
    rows
}

/// The columns that edges of a spine pass, without those that OLM ignores: between the two of each pair, ascending.
fn passes(graph: &UpdateGraph<'_>, axis: &Axis, lane: LaneId, spine: &BTreeSet<NodeId>) -> Vec<(u32, u32)> {
    let edges = graph.edges_of(lane).iter().filter(|edge| edge.via == Via::Replaces && !edge.ignored);
    let edges = edges.filter(|edge| spine.contains(&edge.from) && spine.contains(&edge.to));
    let ends = edges.map(|edge| (axis.index_of(edge.from), axis.index_of(edge.to)));
    let mut passes: Vec<(u32, u32)> = ends.filter(|(from, to)| from < to).collect();
    passes.sort_unstable();
    // They overlap only where an entry replaces a newer one.
    passes.dedup_by(|next, last| {
        let overlaps = next.0 < last.1;
        last.1 = if overlaps { next.1.max(last.1) } else { last.1 };
        overlaps
    });
    passes
}

/// The entry that each entry replaces.
fn replaced(graph: &UpdateGraph<'_>) -> BTreeMap<NodeId, NodeId> {
    let edges = graph.edges.iter().filter(|edge| edge.via == Via::Replaces);
    edges.map(|edge| (edge.to, edge.from)).collect()
}

/// The chain of `replaces` from the newest head, or from the newest entry if there is no head.
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
    spine
}
