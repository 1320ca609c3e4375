//! The bands of skipRanges below a lane.

use super::across::Across;
use super::axis::Axis;
use super::rows::Rows;
use super::shape::{Band, LaneBox};
use crate::{LaneId, NodeId, UpdateGraph};
use go_semver::blang::Range;

/// Height of a row of bands.
pub(super) const HEIGHT: i32 = 20;
/// Height of a thin band with the space around it.
pub(super) const THIN: i32 = 6;
/// The limit on bands of a lane that have a row of their own: those of the newest entries. All others share one.
pub(super) const OWN_ROWS: usize = 3;

/// The bands of all lanes, newest entry first within a lane, without their y. `own_rows` bands of each lane have a row
/// of their own; with 0 the newest one is thin.
pub(super) fn collect(graph: &UpdateGraph<'_>, axis: &Axis, across: &Across, own_rows: usize) -> Vec<Band> {
    let lanes = (0..graph.lanes.len() as u32).map(LaneId);
    lanes.flat_map(|lane| in_lane(graph, axis, across, lane, own_rows)).collect()
}

fn in_lane(graph: &UpdateGraph<'_>, axis: &Axis, across: &Across, lane: LaneId, own_rows: usize) -> Vec<Band> {
    let mut ranges: Vec<(NodeId, &Range)> = graph
        .nodes_of(lane)
        .filter_map(|(id, node)| Some((id, node.entry?.skip_range.as_ref()?.value.range.as_ref().ok()?)))
        .collect();
    ranges.sort_by_key(|&(id, _)| (std::cmp::Reverse(axis.index_of(id)), id));
    let mut bands: Vec<Band> = Vec::new();
    let (mut drawn, thin) = (0, own_rows == 0);
    for (to, range) in ranges {
        let columns = runs(axis, range);
        let stretches = across.stretches(axis, lane, to, &columns);
        let folded = stretches.is_empty() || drawn >= own_rows.max(1);
        drawn += usize::from(!stretches.is_empty());
        bands.push(Band { lane, to, y: 0, stretches, columns, folded, thin, row: 0 });
    }
    // The newest at the bottom: its arrow is right of all others, and crosses none of their words.
    let own = bands.iter().filter(|band| !band.folded).count() as u32;
    let mut below = own;
    for band in &mut bands {
        below -= u32::from(!band.folded);
        band.row = if band.folded { own.saturating_sub(u32::from(thin)) } else { below };
    }
    bands
}

/// The columns that a range matches.
fn runs(axis: &Axis, range: &Range) -> Vec<std::ops::Range<u32>> {
    let column = |at: usize| axis.unversioned + at as u32;
    range.runs(&axis.versions).into_iter().map(|run| column(run.start)..column(run.end)).collect()
}

/// The height that the bands of a lane use.
pub(super) fn height_in(bands: &[Band], lane: usize) -> i32 {
    let bands = || bands.iter().filter(|band| band.lane.0 as usize == lane && !band.stretches.is_empty());
    let rows = bands().map(|band| band.row as i32 + 1).max().unwrap_or(0);
    if bands().any(|band| band.thin) { THIN } else { HEIGHT * rows }
}

/// Gives each band its y, below the deepest row of its lane.
pub(super) fn place(mut bands: Vec<Band>, lanes: &[LaneBox], rows: &Rows) -> Vec<Band> {
    for band in &mut bands {
        let lane = band.lane.0 as usize;
        let below_nodes = lanes[lane].spine + rows.end(lane);
        let height = if band.thin { THIN } else { HEIGHT };
        band.y = below_nodes + height * band.row as i32 + height / 2 + 2;
    }
    bands
}
