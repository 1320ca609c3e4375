//! The bands of skipRanges below a lane.

use super::axis::Axis;
use super::rows::Rows;
use super::{LaneBox, NODE_HEIGHT};
use crate::{LaneId, NodeId, UpdateGraph};
use blang_semver::Range;

/// Height of a row of bands.
pub(super) const HEIGHT: i32 = 20;
/// How many bands of a lane have a row of their own: those of the newest entries. All others share one.
const OWN_ROWS: usize = 3;

/// The versions that the skipRange of an entry matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// The lane.
    pub lane: LaneId,
    /// The entry with the skipRange.
    pub to: NodeId,
    /// The middle of its row.
    pub y: i32,
    /// The left and right ends of the covered parts.
    pub stretches: Vec<(i32, i32)>,
    /// Columns that it covers, ascending.
    pub columns: Vec<std::ops::Range<u32>>,
    /// Whether it shares its row with others and is drawn only while it is highlighted.
    pub folded: bool,
    row: u32,
}

/// The bands of all lanes, newest entry first within a lane, without their y.
pub(super) fn collect(graph: &UpdateGraph<'_>, axis: &Axis) -> Vec<Band> {
    let lanes = (0..graph.lanes.len() as u32).map(LaneId);
    lanes.flat_map(|lane| in_lane(graph, axis, lane)).collect()
}

fn in_lane(graph: &UpdateGraph<'_>, axis: &Axis, lane: LaneId) -> Vec<Band> {
    let mut ranges: Vec<(NodeId, &Range)> = graph
        .nodes_of(lane)
        .filter_map(|(id, node)| Some((id, node.entry?.skip_range.as_ref()?.value.range.as_ref().ok()?)))
        .collect();
    ranges.sort_by_key(|&(id, _)| (std::cmp::Reverse(axis.index_of(id)), id));
    let band = |(row, (to, range)): (usize, (NodeId, &Range))| {
        let runs = runs(axis, range);
        let stretches = runs.iter().map(|run| stretch(axis, run)).collect();
        let row_of = row.min(OWN_ROWS) as u32;
        Band { lane, to, y: 0, stretches, columns: runs, folded: row >= OWN_ROWS, row: row_of }
    };
    ranges.into_iter().enumerate().map(band).collect()
}

/// The columns that a range matches.
fn runs(axis: &Axis, range: &Range) -> Vec<std::ops::Range<u32>> {
    let column = |at: usize| axis.unversioned + at as u32;
    range.runs(&axis.versions).into_iter().map(|run| column(run.start)..column(run.end)).collect()
}

/// From the left edge of a run's first column to the right edge of its last.
fn stretch(axis: &Axis, run: &std::ops::Range<u32>) -> (i32, i32) {
    let (first, last) = (&axis.columns[run.start as usize], &axis.columns[run.end as usize - 1]);
    (first.x - first.width / 2, last.x + last.width / 2)
}

/// The number of rows that the bands of a lane use.
pub(super) fn rows_in(bands: &[Band], lane: usize) -> i32 {
    let rows = bands.iter().filter(|band| band.lane.0 as usize == lane).map(|band| band.row as i32 + 1);
    rows.max().unwrap_or(0)
}

/// Gives each band its y, below the deepest row of its lane.
pub(super) fn place(mut bands: Vec<Band>, lanes: &[LaneBox], rows: &Rows) -> Vec<Band> {
    for band in &mut bands {
        let lane = band.lane.0 as usize;
        let below_nodes = lanes[lane].spine + rows.down(lane, rows.deepest[lane]) + NODE_HEIGHT / 2;
        band.y = below_nodes + HEIGHT * band.row as i32 + HEIGHT / 2 + 2;
    }
    bands
}
