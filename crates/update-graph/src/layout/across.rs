//! Where the entries of each lane stand from left to right: on the axis that all lanes share, or each lane by itself.

use super::axis::{Axis, box_size};
use super::fold::Folds;
use crate::{LaneId, NodeId, UpdateGraph};
use std::collections::BTreeMap;
use std::ops::Range;

/// The x coordinates of a layout.
pub(super) struct Across {
    /// By node, the middle and the width of its box; entries of a fold have that of the fold.
    pub(super) boxes: Vec<(i32, i32)>,
    pub(super) folds: Folds,
    pub(super) width: i32,
    /// By lane, its places from left to right, if the lanes do not share the axis.
    lanes: Option<Vec<Vec<Place>>>,
}

/// A place in a lane, which entries of several rows may share.
struct Place {
    left: i32,
    right: i32,
    nodes: Vec<NodeId>,
}

impl Across {
    /// Each version has the same place in all lanes.
    pub(super) fn shared(graph: &UpdateGraph<'_>, axis: &Axis, folds: Folds) -> Self {
        let ids = (0..graph.nodes.len() as u32).map(NodeId);
        let boxes = ids.map(|id| (axis.column_of(id).x, axis.node_width(id))).collect();
        Self { boxes, folds, width: axis.width, lanes: None }
    }

    /// Each lane has places of its own, without gaps for the versions of other lanes.
    pub(super) fn compact(graph: &UpdateGraph<'_>, axis: &Axis, folds: Folds) -> Self {
        let mut across = Self { boxes: vec![(0, 0); graph.nodes.len()], folds, width: axis.gutter, lanes: None };
        let lanes = (0..graph.lanes.len() as u32).map(LaneId);
        let lanes: Vec<Vec<Place>> = lanes.map(|lane| across.places(graph, axis, lane)).collect();
        let ends = lanes.iter().filter_map(|places| places.last());
        across.width = ends.map(|place| place.right + axis.gap).max().unwrap_or(axis.gutter + axis.gap);
        across.lanes = Some(lanes);
        across
    }

    fn places(&mut self, graph: &UpdateGraph<'_>, axis: &Axis, lane: LaneId) -> Vec<Place> {
        let mut columns: BTreeMap<u32, (i32, Vec<NodeId>)> = BTreeMap::new();
        for (id, _) in graph.nodes_of(lane) {
            // A fold stands where its oldest entry would.
            let (first, width) = match self.folds.fold_of(id) {
                Some(fold) => (fold.nodes[0], box_size(&fold.label, axis.direction).0),
                None => (id, axis.node_width(id)),
            };
            let (widest, nodes) = columns.entry(axis.index_of(first)).or_default();
            *widest = width.max(*widest);
            self.boxes[id.0 as usize].1 = width;
            nodes.push(id);
        }
        let mut left = axis.gutter + axis.gap;
        let mut places = Vec::new();
        for (width, nodes) in columns.into_values() {
            nodes.iter().for_each(|id| self.boxes[id.0 as usize].0 = left + width / 2);
            places.push(Place { left, right: left + width, nodes });
            left += width + axis.gap;
        }
        places
    }

    /// The left and right ends of what a skipRange covers in a lane. Without a shared axis these are the runs of places
    /// with covered entries, other than the one that has the range.
    pub(super) fn stretches(&self, axis: &Axis, lane: LaneId, own: NodeId, covered: &[Range<u32>]) -> Vec<(i32, i32)> {
        let Some(lanes) = &self.lanes else {
            return covered.iter().map(|run| axis.stretch(run)).collect();
        };
        let covers = |id: &NodeId| {
            let column = axis.index_of(*id);
            let before = covered.partition_point(|run| run.end <= column);
            *id != own && covered.get(before).is_some_and(|run| run.start <= column)
        };
        let mut stretches: Vec<(i32, i32)> = Vec::new();
        let mut continues = false;
        for place in &lanes[lane.0 as usize] {
            let is_covered = place.nodes.iter().any(covers);
            match stretches.last_mut() {
                Some(last) if continues && is_covered => last.1 = place.right,
                _ => stretches.extend(is_covered.then_some((place.left, place.right))),
            }
            continues = is_covered;
        }
        stretches
    }
}
