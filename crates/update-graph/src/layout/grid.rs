//! The layout of dots in which lanes share no axis.

use super::axis::{Axis, BEFORE};
use super::dots::{ends, pill, right, size, spot};
use super::rows::{DOT, Rows};
use super::{Room, Spot, ids};
use crate::{LaneId, NodeId, UpdateGraph};
use go_semver::blang::Version;
use source::{AxisTick, Point};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// From an entry to the next one.
const PITCH: RangeInclusive<i32> = 5..=24;
/// The largest patch number that counts as a place.
const LARGEST: u64 = 60;
/// Left of the first entry, to those that the channel does not list.
const OLDER: i32 = 12;
/// The distance of labels on the axis.
const LABEL: i32 = 32;
/// Rows of one channel have at least so many entries on average, and at most so many.
const ROW: RangeInclusive<usize> = 4..=40;
/// Left of the rows of one channel, for their labels.
const MINOR: i32 = 46;

/// The spots of all nodes, and the labels of the grid: those with a negative y are above all lanes.
pub(super) fn place(
    graph: &UpdateGraph<'_>,
    axis: &mut Axis,
    rows: &mut Rows,
    room: Room,
) -> (Vec<Spot>, Vec<AxisTick>) {
    let mut nodes: Vec<NodeId> = ids(graph).filter(|id| graph.node(*id).entry.is_some()).collect();
    nodes.sort_by_key(|&id| (graph.node(id).lane, axis.index_of(id), id));
    if graph.lanes.len() == 1 {
        in_rows(graph, axis, rows, &nodes, room)
    } else {
        by_lane(graph, axis, rows, &nodes, room)
    }
}

/// A row for each channel.
fn by_lane(
    graph: &UpdateGraph<'_>,
    axis: &mut Axis,
    rows: &Rows,
    nodes: &[NodeId],
    room: Room,
) -> (Vec<Spot>, Vec<AxisTick>) {
    let lane = |id: &NodeId| graph.node(*id).lane;
    let lanes: Vec<&[NodeId]> = nodes.chunk_by(|one, other| lane(one) == lane(other)).collect();
    let by_patch = lanes.iter().all(|of| is_one_minor(graph, of));
    let mut places: BTreeMap<NodeId, i32> = BTreeMap::new();
    for of in &lanes {
        for (&id, at) in of.iter().zip(0..) {
            let patch = graph.node(id).version.as_ref().map(|version| version.patch() as i32);
            places.insert(id, patch.filter(|_| by_patch).unwrap_or(at));
        }
    }
    let ends = ends(graph, axis, rows);
    let is_end = |id: NodeId| ends[id.0 as usize];
    let last = places.values().copied().max().unwrap_or_default();
    let widest = nodes.iter().filter(|id| is_end(**id)).map(|id| pill(graph, *id)).max().unwrap_or_default();
    let along = room.along(graph, axis.gutter) - BEFORE - widest;
    let pitch = (along / last.max(1)).clamp(*PITCH.start(), *PITCH.end());
    let x = |at: i32| axis.gutter + BEFORE + pitch * at;
    let first: BTreeMap<LaneId, i32> = lanes.iter().map(|of| (lane(&of[0]), x(places[&of[0]]))).collect();
    let place = |id: NodeId| {
        let older = first.get(&lane(&id)).map_or_else(|| x(0), |first| first - OLDER);
        spot(graph, id, places.get(&id).map_or(older, |at| x(*at)), size(pitch), is_end(id))
    };
    let spots: Vec<Spot> = ids(graph).map(place).collect();
    let step = [1, 2, 5, 10, 20, 50].into_iter().find(|step| step * pitch >= LABEL).unwrap_or(100);
    let label = |at: i32| if by_patch { format!(".{at}") } else { at.to_string() };
    let tick = |at: i32| {
        let place = if by_patch { at } else { at.max(1) };
        AxisTick { at: Point { x: x(if by_patch { place } else { place - 1 }), y: -1 }, label: label(place) }
    };
    let ticks = (0..=last).step_by(step as usize).map(tick).collect();
    axis.width = right(&spots).max(axis.gutter) + BEFORE;
    (spots, ticks)
}

/// Whether all are releases of one minor version, with patch numbers that have room.
fn is_one_minor(graph: &UpdateGraph<'_>, nodes: &[NodeId]) -> bool {
    // Two of one patch would have one place.
    let is_plain = |version: &&Version| version.pre().is_empty() && version.build().is_empty();
    let version = |id: &NodeId| graph.node(*id).version.as_ref().filter(is_plain);
    let minor = |version: &Version| (version.major(), version.minor());
    let first = nodes.first().and_then(version).map(minor);
    nodes.iter().all(|id| version(id).is_some_and(|of| Some(minor(of)) == first && of.patch() <= LARGEST))
}

/// A row for each minor version of the only channel; for each major version, or for so many entries, if these were too many or
/// too long.
fn in_rows(
    graph: &UpdateGraph<'_>,
    axis: &mut Axis,
    rows: &mut Rows,
    nodes: &[NodeId],
    room: Room,
) -> (Vec<Spot>, Vec<AxisTick>) {
    let version = |id: NodeId| graph.node(id).version.as_ref();
    let minor = |id: NodeId| version(id).map(|version| format!("{}.{}", version.major(), version.minor()));
    let major = |id: NodeId| version(id).map(|version| version.major().to_string());
    let chunks = |name: &dyn Fn(NodeId) -> Option<String>| -> Option<Vec<(String, Vec<NodeId>)>> {
        let chunks: Vec<&[NodeId]> = nodes.chunk_by(|one, other| name(*one) == name(*other)).collect();
        let fits = ROW.start() * chunks.len() <= nodes.len() && chunks.iter().all(|of| of.len() <= *ROW.end());
        let named = |of: &&[NodeId]| (name(of[0]).unwrap_or_default(), of.to_vec());
        fits.then(|| chunks.iter().map(named).collect())
    };
    let equal = || {
        let chunk = |of: &[NodeId]| (minor(of[0]).unwrap_or_default(), of.to_vec());
        nodes.chunks(ROW.end() - ROW.end() / 4).map(chunk).collect()
    };
    let chunks = chunks(&minor).or_else(|| chunks(&major)).unwrap_or_else(equal);
    let longest = chunks.iter().map(|(_, of)| of.len() as i32).max().unwrap_or(1);
    let start = axis.gutter + MINOR;
    let along =
        room.along(graph, axis.gutter) - MINOR - nodes.iter().map(|id| pill(graph, *id)).max().unwrap_or_default();
    let pitch = (along / longest).clamp(*PITCH.start(), *PITCH.end());
    let mut of = vec![0; graph.nodes.len()];
    let mut places = vec![start - OLDER; graph.nodes.len()];
    let mut ticks = Vec::new();
    for ((label, chunk), row) in chunks.into_iter().zip(0..) {
        let y = DOT * row + 4;
        ticks.push(AxisTick { at: Point { x: axis.gutter + BEFORE - 12, y }, label });
        for (id, at) in chunk.into_iter().zip(0..) {
            (of[id.0 as usize], places[id.0 as usize]) = (row as u32, start + pitch * at);
        }
    }
    rows.set(of);
    let ends = ends(graph, axis, rows);
    let spots: Vec<Spot> =
        ids(graph).map(|id| spot(graph, id, places[id.0 as usize], size(pitch), ends[id.0 as usize])).collect();
    axis.width = right(&spots) + BEFORE;
    (spots, ticks)
}
