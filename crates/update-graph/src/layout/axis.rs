//! The versions of a package in order, one column each. On the shared axis the columns are also places.

use super::rows::Folds;
use crate::{LaneId, NodeId, UpdateGraph};
use go_semver::blang::Version;
use source::{AxisColumn, AxisDirection};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Width of a character of a label, a little more than a 12 px monospaced font needs.
const CHARACTER: i32 = 7;
/// Padding left and right of a node's label, together.
const PADDING: i32 = 18;
const NARROWEST: i32 = 50;
/// Width of a box that has words above it.
const ROOMY: i32 = 116;
/// Longer labels lose their middle.
const LONGEST: i32 = 24;
/// The same if the axis leads up, where channels are beside each other.
const LONGEST_UP: i32 = 14;
/// Gap between columns; if the axis leads up, the lower one.
const GAP: i32 = 20;
const LOW_GAP: i32 = 12;
/// Height of a box.
pub(super) const BOX: i32 = 28;
const GUTTER: std::ops::RangeInclusive<i32> = 150..=240;

pub(super) struct Axis {
    pub(super) columns: Vec<AxisColumn>,
    pub(super) width: i32,
    pub(super) gutter: i32,
    pub(super) direction: AxisDirection,
    /// Between columns.
    pub(super) gap: i32,
    /// How many columns have no version; they come first.
    pub(super) unversioned: u32,
    /// The versions of the other columns, ascending.
    pub(super) versions: Vec<Version>,
    column_of: Vec<u32>,
    labels: Vec<i32>,
}

/// Sort key of columns: those without version first, by name; equal versions by build metadata.
type Key = (Option<Version>, String);

impl Axis {
    pub(super) fn of(graph: &UpdateGraph<'_>, direction: AxisDirection) -> Self {
        let keys: Vec<Key> = graph.nodes.iter().map(|node| key(node.version.clone(), node.name.as_str())).collect();
        let labels: Vec<i32> = graph.nodes.iter().map(|node| box_size(&node.label(), direction).0).collect();
        let mut widths: BTreeMap<&Key, i32> = BTreeMap::new();
        for (key, &width) in keys.iter().zip(&labels) {
            let widest = widths.entry(key).or_default();
            *widest = width.max(*widest);
        }
        let (gutter, gap) = match direction {
            AxisDirection::Right => (gutter(graph), GAP),
            // Names are above the newest versions.
            AxisDirection::Up => (0, LOW_GAP),
        };
        let mut left = gutter + gap;
        let columns: Vec<AxisColumn> = widths
            .iter()
            .map(|((_, label), &width)| {
                let column = AxisColumn { x: left + width / 2, width, label: label.clone() };
                left += width + gap;
                column
            })
            .collect();
        let order: BTreeMap<&Key, u32> = widths.keys().zip(0..).map(|(&key, at)| (key, at)).collect();
        let column_of = keys.iter().map(|key| order[key]).collect();
        let versions: Vec<Version> = order.keys().filter_map(|key| key.0.clone()).collect();
        let unversioned = (columns.len() - versions.len()) as u32;
        Self { columns, width: left, gutter, direction, gap, unversioned, versions, column_of, labels }
    }

    /// With boxes of these nodes wide enough for words above them.
    pub(super) fn with_room_at(mut self, nodes: &BTreeSet<NodeId>) -> Self {
        for node in nodes.iter().filter(|_| self.direction == AxisDirection::Right) {
            let width = &mut self.labels[node.0 as usize];
            *width = ROOMY.max(*width);
        }
        self
    }

    /// With these widths of the nodes, and of all.
    pub(super) fn resize(&mut self, nodes: Vec<i32>, width: i32) {
        (self.labels, self.width) = (nodes, width);
    }

    pub(super) fn index_of(&self, node: NodeId) -> u32 {
        self.column_of[node.0 as usize]
    }

    pub(super) fn column_of(&self, node: NodeId) -> &AxisColumn {
        &self.columns[self.index_of(node) as usize]
    }

    /// From the left edge of a run's first column to the right edge of its last.
    fn stretch(&self, run: &std::ops::Range<u32>) -> (i32, i32) {
        let (first, last) = (&self.columns[run.start as usize], &self.columns[run.end as usize - 1]);
        (first.x - first.width / 2, last.x + last.width / 2)
    }

    pub(super) fn node_width(&self, node: NodeId) -> i32 {
        self.labels[node.0 as usize]
    }
}

fn key(version: Option<Version>, name: &str) -> Key {
    let label = version.as_ref().map_or_else(|| name.to_owned(), ToString::to_string);
    (version, label)
}

/// The size of a box with a label, along the axis and across it.
pub(super) fn box_size(label: &str, direction: AxisDirection) -> (i32, i32) {
    let width = |longest| (CHARACTER * (label.chars().count() as i32).min(longest) + PADDING).max(NARROWEST);
    match direction {
        AxisDirection::Right => (width(LONGEST), BOX),
        AxisDirection::Up => (BOX, width(LONGEST_UP)),
    }
}

fn gutter(graph: &UpdateGraph<'_>) -> i32 {
    let names = graph.lanes.iter().map(|lane| lane.channel.name.value.as_str().chars().count() as i32);
    (8 * names.max().unwrap_or(0) + 32).clamp(*GUTTER.start(), *GUTTER.end())
}

// Where the entries of each lane stand from left to right: on the axis that all lanes share, or each lane by itself.

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
