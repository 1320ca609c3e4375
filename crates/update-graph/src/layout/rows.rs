//! Assigns nodes to rows of their lane, and decides the distance of the rows.

use super::axis::{Axis, BOX, box_size};
use super::{Band, LaneBox, ids};
use crate::{LaneId, NodeId, UpdateGraph, Via};
use go_semver::blang::Range;
use std::collections::{BTreeMap, BTreeSet};

/// Between the boxes of a row and those of the next: with room for words between them.
const APART: i32 = 14;
/// The same if nodes are right below each other: with room for two lines of words.
const WIDE: i32 = 34;
/// The height of a row of dots: that of the label of a head.
pub(super) const DOT: i32 = 18;

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
    /// With rows of dots.
    pub(super) fn of_dots(mut self) -> Self {
        self.height = DOT;
        self
    }

    /// With these rows of the only lane.
    pub(super) fn set(&mut self, rows: Vec<u32>) {
        self.apart.fill(0);
        self.deepest.fill(rows.iter().copied().max().unwrap_or_default());
        self.of = rows;
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

/// Assigns a row to each node: the first one, unless another node of its lane has the same column.
pub(super) fn assign(graph: &UpdateGraph<'_>, axis: &Axis) -> Rows {
    let lanes = graph.lanes.len();
    let heights = graph.nodes.iter().map(|node| box_size(&node.label(), axis.direction).1);
    let height = heights.max().unwrap_or(BOX);
    let mut rows = Rows {
        of: vec![0; graph.nodes.len()],
        height,
        apart: vec![APART; lanes],
        buses: vec![0; lanes],
        deepest: vec![0; lanes],
    };
    let mut taken: BTreeMap<(LaneId, u32), u32> = BTreeMap::new();
    let mut nodes: Vec<NodeId> = ids(graph).collect();
    // By name and not in the order of the text, so that moving an entry in the text does not move it in the drawing.
    nodes.sort_by_key(|&id| (graph.node(id).name, id));
    for id in nodes {
        let lane = graph.node(id).lane;
        let free = taken.entry((lane, axis.index_of(id))).or_default();
        rows.of[id.0 as usize] = *free;
        if *free > 0 {
            rows.apart[lane.0 as usize] = WIDE;
        }
        let deepest = &mut rows.deepest[lane.0 as usize];
        *deepest = (*free).max(*deepest);
        *free += 1;
    }
    rows
}

// The bands of skipRanges below a lane.

/// Height of a band with the row of text below it.
const HEIGHT: i32 = 28;
/// From the top of that to the middle of the band.
const MIDDLE: i32 = 6;
/// The limit on bands of a lane that have a row of their own: those of the newest entries. All others share one.
const OWN_ROWS: usize = 3;

/// The bands of all lanes, newest entry first within a lane, without their y. Those of ranges that OLM takes for a version have a
/// row of their own: of ranges with the same lower bound it takes the newest. Without places none is drawn.
pub(super) fn collect(graph: &UpdateGraph<'_>, axis: &Axis, has_places: bool) -> Vec<Band> {
    let taken = graph.nodes.iter().filter_map(|node| node.next.filter(|next| next.via == Via::SkipRange));
    let taken: BTreeSet<NodeId> = taken.map(|next| next.to).collect();
    let lanes = (0..graph.lanes.len() as u32).map(LaneId);
    lanes.flat_map(|lane| in_lane(graph, axis, lane, &taken, has_places)).collect()
}

fn in_lane(
    graph: &UpdateGraph<'_>,
    axis: &Axis,
    lane: LaneId,
    taken: &BTreeSet<NodeId>,
    has_places: bool,
) -> Vec<Band> {
    let mut ranges: Vec<(NodeId, &Range)> = graph
        .nodes_of(lane)
        .filter_map(|(id, node)| Some((id, node.entry?.skip_range.as_ref()?.value.range.as_ref().ok()?)))
        .collect();
    ranges.sort_by_key(|&(id, _)| (std::cmp::Reverse(axis.index_of(id)), id));
    let is_ordered = graph.lanes[lane.0 as usize].chain.is_ok();
    let mut bands: Vec<Band> = Vec::new();
    let mut drawn = 0;
    for (to, range) in ranges {
        let columns = band_runs(axis, range);
        let stretches: Vec<(i32, i32)> =
            if has_places { columns.iter().map(|run| axis.stretch(run)).collect() } else { Vec::new() };
        let is_taken = taken.contains(&to) || !is_ordered;
        let folded = stretches.is_empty() || !is_taken || drawn >= OWN_ROWS;
        drawn += usize::from(!folded);
        bands.push(Band { lane, to, y: 0, stretches, columns, folded, row: 0 });
    }
    // The newest at the bottom: its arrow is right of all others, and crosses none of their words.
    let own = bands.iter().filter(|band| !band.folded).count() as u32;
    let mut below = own;
    for band in &mut bands {
        below -= u32::from(!band.folded);
        band.row = if band.folded { own } else { below };
    }
    bands
}

/// The columns that a range matches.
fn band_runs(axis: &Axis, range: &Range) -> Vec<std::ops::Range<u32>> {
    let column = |at: usize| axis.unversioned + at as u32;
    range.runs(&axis.versions).into_iter().map(|run| column(run.start)..column(run.end)).collect()
}

/// The height that the bands of a lane use.
pub(super) fn height_in(bands: &[Band], lane: usize) -> i32 {
    let drawn = |band: &&Band| band.lane.0 as usize == lane && !band.folded;
    HEIGHT * bands.iter().filter(drawn).count() as i32
}

/// Gives each band its y, below the deepest row of its lane.
pub(super) fn place(mut bands: Vec<Band>, lanes: &[LaneBox], rows: &Rows) -> Vec<Band> {
    for band in &mut bands {
        let lane = band.lane.0 as usize;
        band.y = lanes[lane].spine + rows.end(lane) + HEIGHT * band.row as i32 + MIDDLE + 4;
    }
    bands
}
