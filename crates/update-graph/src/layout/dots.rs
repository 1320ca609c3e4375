//! The axis with its versions so close together that a page has room for all of them: entries are dots, and a head has its
//! label.

use super::axis::{Axis, BEFORE, WALL, box_size};
use super::rows::{DOT, Rows};
use super::{Room, Spot, ids};
use crate::{LaneId, Mark, NodeId, UpdateGraph};
use source::{AxisDirection, EntryForm};
use std::collections::BTreeMap;

/// From a version to the next one.
const PITCH: std::ops::RangeInclusive<i32> = 5..=30;
/// The size of a dot where there is room.
const SIZE: i32 = 9;

/// Places the columns within the width of the drawing.
pub(super) fn place(graph: &UpdateGraph<'_>, axis: &mut Axis, rows: &Rows, room: Room) -> Vec<Spot> {
    let ends = ends(graph, axis, rows);
    let widest = ids(graph).filter(|id| ends[id.0 as usize]).map(|id| pill(graph, id)).max().unwrap_or(SIZE);
    let room = room.along(graph, axis.gutter) - BEFORE - widest - WALL * axis.walls.len() as i32;
    let pitch = (room / (axis.columns.len() as i32 - 1).max(1)).clamp(*PITCH.start(), *PITCH.end());
    let size = size(pitch);
    let mut x = axis.gutter + BEFORE;
    for (column, at) in axis.columns.iter_mut().zip(0..) {
        (column.x, column.width) = (x, size);
        x += pitch + if axis.walls.contains(&at) { WALL } else { 0 };
    }
    let spots: Vec<Spot> =
        ids(graph).map(|id| spot(graph, id, axis.column_of(id).x, size, ends[id.0 as usize])).collect();
    axis.width = right(&spots).max(axis.gutter) + BEFORE;
    spots
}

/// The size of dots at a distance: they do not touch.
pub(super) fn size(pitch: i32) -> i32 {
    (7 * pitch / 10).clamp(3, SIZE)
}

/// The right end of all.
pub(super) fn right(spots: &[Spot]) -> i32 {
    spots.iter().map(|spot| spot.x + spot.width / 2).max().unwrap_or_default()
}

/// Whether each node is a head that is the last of its row: then its label has room.
pub(super) fn ends(graph: &UpdateGraph<'_>, axis: &Axis, rows: &Rows) -> Vec<bool> {
    let mut last: BTreeMap<(LaneId, u32), u32> = BTreeMap::new();
    for id in ids(graph) {
        let last = last.entry((graph.node(id).lane, rows.of[id.0 as usize])).or_default();
        *last = axis.index_of(id).max(*last);
    }
    let is_end = |id: NodeId| {
        let node = graph.node(id);
        node.marks.contains(&Mark::Head) && last[&(node.lane, rows.of[id.0 as usize])] == axis.index_of(id)
    };
    ids(graph).map(is_end).collect()
}

/// The width of the label of a head.
pub(super) fn pill(graph: &UpdateGraph<'_>, id: NodeId) -> i32 {
    box_size(&graph.node(id).label(), AxisDirection::Right).0
}

/// A dot, or a head with its label from there on.
pub(super) fn spot(graph: &UpdateGraph<'_>, id: NodeId, x: i32, size: i32, is_end: bool) -> Spot {
    if is_end {
        let width = pill(graph, id);
        return Spot { x: x - size / 2 + width / 2, width, height: DOT, form: EntryForm::Box };
    }
    let is_head = graph.node(id).marks.contains(&Mark::Head);
    let form = if is_head { EntryForm::NamedStation } else { EntryForm::Station };
    Spot { x, width: size, height: size, form }
}
