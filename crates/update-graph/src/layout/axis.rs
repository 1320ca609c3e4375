//! The versions of a package in order, one column each. On the shared axis the columns are also places.

use super::Room;
use crate::{LaneId, Mark, NodeId, UpdateGraph};
use go_semver::blang::Version;
use source::{AxisColumn, AxisDirection};
use std::collections::{BTreeMap, BTreeSet};

/// Width of a character of a label, a little more than a 12 px monospaced font needs.
const CHARACTER: i32 = 7;
/// Padding left and right of a node's label, together.
const PADDING: i32 = 14;
const NARROWEST: i32 = 46;
/// Longer labels lose their middle.
const LONGEST: i32 = 24;
/// The same if the axis leads up, where channels are beside each other.
const LONGEST_UP: i32 = 14;
/// Gap between columns; if the axis leads up, the lower one.
const GAP: std::ops::RangeInclusive<i32> = 10..=20;
const LOW_GAP: i32 = 12;
/// More of it where updates end before the head.
pub(super) const WALL: i32 = 14;
/// Before the first column.
pub(super) const BEFORE: i32 = 20;
/// Height of a box.
pub(super) const BOX: i32 = 28;
const GUTTER: std::ops::RangeInclusive<i32> = 104..=240;

pub(super) struct Axis {
    pub(super) columns: Vec<AxisColumn>,
    pub(super) width: i32,
    pub(super) gutter: i32,
    pub(super) direction: AxisDirection,
    /// How many columns have no version; they come first.
    pub(super) unversioned: u32,
    /// The versions of the other columns, ascending.
    pub(super) versions: Vec<Version>,
    column_of: Vec<u32>,
    labels: Vec<i32>,
    /// The columns behind which the updates of a lane end before its head.
    pub(super) walls: BTreeSet<u32>,
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
        let order: BTreeMap<&Key, u32> = widths.keys().zip(0..).map(|(&key, at)| (key, at)).collect();
        let column_of: Vec<u32> = keys.iter().map(|key| order[key]).collect();
        let walls = walls(graph, &column_of);
        let used: i32 = widths.values().sum::<i32>() + WALL * walls.len() as i32;
        let (gutter, gap) = match direction {
            AxisDirection::Right => {
                let gutter = gutter(graph);
                let room = Room::Page.along(graph, gutter) - BEFORE - used;
                (gutter, (room / (widths.len() as i32).max(1)).clamp(*GAP.start(), *GAP.end()))
            }
            // Names are above the newest versions.
            AxisDirection::Up => (0, LOW_GAP),
        };
        let mut left = gutter + BEFORE;
        let columns: Vec<AxisColumn> = widths
            .iter()
            .zip(0..)
            .map(|(((_, label), &width), at)| {
                let column = AxisColumn { x: left + width / 2, width, label: label.clone() };
                left += width + gap + if walls.contains(&at) { WALL } else { 0 };
                column
            })
            .collect();
        let versions: Vec<Version> = order.keys().filter_map(|key| key.0.clone()).collect();
        let unversioned = (columns.len() - versions.len()) as u32;
        Self { columns, width: left, gutter, direction, unversioned, versions, column_of, labels, walls }
    }

    pub(super) fn index_of(&self, node: NodeId) -> u32 {
        self.column_of[node.0 as usize]
    }

    pub(super) fn column_of(&self, node: NodeId) -> &AxisColumn {
        &self.columns[self.index_of(node) as usize]
    }

    /// From the left edge of a run's first column to the right edge of its last.
    pub(super) fn stretch(&self, run: &std::ops::Range<u32>) -> (i32, i32) {
        let (first, last) = (&self.columns[run.start as usize], &self.columns[run.end as usize - 1]);
        (first.x - first.width / 2, last.x + last.width / 2)
    }

    pub(super) fn node_width(&self, node: NodeId) -> i32 {
        self.labels[node.0 as usize]
    }
}

/// The columns of entries that are stuck, before one that is not.
fn walls(graph: &UpdateGraph<'_>, column_of: &[u32]) -> BTreeSet<u32> {
    let mut walls = BTreeSet::new();
    for lane in (0..graph.lanes.len() as u32).map(LaneId) {
        let nodes = graph.nodes_of(lane);
        let mut nodes: Vec<(u32, bool)> =
            nodes.map(|(id, node)| (column_of[id.0 as usize], node.marks.contains(&Mark::Stranded))).collect();
        nodes.sort_unstable();
        let ends = nodes.windows(2).filter(|pair| pair[0].1 && !pair[1].1);
        walls.extend(ends.map(|pair| pair[0].0));
    }
    walls
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
