//! Assigns nodes to rows of their lane, the spine or one below it, and decides the distance of the rows.

use super::axis::{Across, Axis, BOX, box_size};
use super::{Band, Fold, LaneBox};
use crate::{LaneId, Mark, NodeId, UpdateGraph, Via};
use go_semver::blang::Range;
use std::collections::{BTreeMap, BTreeSet};

/// Between the boxes of a row and those of the next: with room for words between them.
const APART: i32 = 14;
/// The same if nodes are right below each other: with room for two lines of words.
const WIDE: i32 = 34;
/// The same in the compact layout, where words cover what is above.
const CLOSE: i32 = 8;
/// The height of a row of stations.
pub(super) const STATION: i32 = 14;

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

// Runs of entries that are drawn as one box.

/// Shorter runs are drawn in full.
pub(super) const FEWEST: usize = 3;
/// In a lane that is still wider, runs are folded whatever their marks are.
const WIDEST: i32 = 640;

pub(super) struct Folds {
    pub(super) all: Vec<Fold>,
    pub(super) of: Vec<Option<u32>>,
}

impl Folds {
    /// Every entry is drawn.
    pub(super) fn none(graph: &UpdateGraph<'_>) -> Self {
        Self { all: Vec::new(), of: vec![None; graph.nodes.len()] }
    }

    /// Folds neighbours in a row that have the same marks, without heads, those that are `kept`, and `opened`.
    pub(super) fn of(
        graph: &UpdateGraph<'_>,
        axis: &Axis,
        rows: &Rows,
        kept: &BTreeSet<NodeId>,
        opened: &BTreeSet<NodeId>,
    ) -> Self {
        let mut folds = Self::none(graph);
        for lane in (0..graph.lanes.len() as u32).map(LaneId) {
            let rows = rows_of(graph, axis, rows, lane);
            let marks = |id: NodeId| &graph.node(id).marks;
            let is_head = |id: NodeId| marks(id).contains(&Mark::Head);
            let mut runs = runs(graph, &rows, |id| is_head(id) || kept.contains(&id), |a, b| marks(a) == marks(b));
            if width(axis, &rows, &runs) > WIDEST {
                runs = self::runs(graph, &rows, is_head, |a, b| is_ghost(graph, a) == is_ghost(graph, b));
            }
            let parts = runs.iter().flat_map(|fold| fold.nodes.split(|id| opened.contains(id)));
            parts.filter(|run| run.len() >= FEWEST).for_each(|run| folds.add(fold_of_run(graph, run)));
        }
        folds
    }

    pub(super) fn add(&mut self, fold: Fold) {
        fold.nodes.iter().for_each(|id| self.of[id.0 as usize] = Some(self.all.len() as u32));
        self.all.push(fold);
    }

    pub(super) fn fold_of(&self, id: NodeId) -> Option<&Fold> {
        self.of[id.0 as usize].map(|at| &self.all[at as usize])
    }
}

/// The entries of each row of a lane, from old to new.
pub(super) fn rows_of(graph: &UpdateGraph<'_>, axis: &Axis, rows: &Rows, lane: LaneId) -> Vec<Vec<NodeId>> {
    let mut of: BTreeMap<u32, Vec<NodeId>> = BTreeMap::new();
    for (id, _) in graph.nodes_of(lane) {
        of.entry(rows.of[id.0 as usize]).or_default().push(id);
    }
    of.values_mut().for_each(|row| row.sort_by_key(|&id| (axis.index_of(id), id)));
    of.into_values().collect()
}

fn is_ghost(graph: &UpdateGraph<'_>, id: NodeId) -> bool {
    graph.node(id).entry.is_none()
}

/// The runs of neighbours that are alike, between those that are fixed. The first and the last of a run are not folded
/// unless they are ghosts or beside a fixed entry, which is drawn in their place.
fn runs(
    graph: &UpdateGraph<'_>,
    rows: &[Vec<NodeId>],
    is_fixed: impl Fn(NodeId) -> bool,
    alike: impl Fn(NodeId, NodeId) -> bool,
) -> Vec<Fold> {
    let mut runs = Vec::new();
    for row in rows {
        let mut start = 0;
        for chunk in row.chunk_by(|&one, &other| !is_fixed(one) && !is_fixed(other) && alike(one, other)) {
            let end = start + chunk.len();
            let is_beside = |at: Option<usize>| at.and_then(|at| row.get(at)).is_some_and(|&id| is_fixed(id));
            let ghosts = is_ghost(graph, chunk[0]);
            let from = usize::from(!ghosts && !is_beside(start.checked_sub(1)));
            let to = chunk.len() - usize::from(!ghosts && !is_beside(Some(end)));
            let run = chunk.get(from..to).unwrap_or_default();
            runs.extend((run.len() >= FEWEST).then(|| fold_of_run(graph, run)));
            start = end;
        }
    }
    runs
}

/// About the width of a lane with its runs folded: entries of different rows may share a place.
fn width(axis: &Axis, rows: &[Vec<NodeId>], folds: &[Fold]) -> i32 {
    let total = |nodes: &[NodeId]| nodes.iter().map(|&id| axis.node_width(id) + axis.gap).sum::<i32>();
    let saved = |fold: &Fold| total(&fold.nodes) - box_size(&fold.label, axis.direction).0 - axis.gap;
    rows.iter().map(|row| total(row)).sum::<i32>() - folds.iter().map(saved).sum::<i32>()
}

pub(super) fn fold_of_run(graph: &UpdateGraph<'_>, run: &[NodeId]) -> Fold {
    let word = |mark: Mark| {
        let all = run.iter().all(|&id| graph.node(id).marks.contains(&mark));
        all.then(|| format!(" {}", mark.word()))
    };
    let word = word(Mark::Pruned).or_else(|| word(Mark::Ghost)).unwrap_or_default();
    let label = format!("… {}{word} …", run.len());
    Fold { nodes: run.to_vec(), label }
}

// The bands of skipRanges below a lane.

/// Height of a row of bands.
const HEIGHT: i32 = 20;
/// Height of a thin band with the space around it.
const THIN: i32 = 6;
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
        let columns = band_runs(axis, range);
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
fn band_runs(axis: &Axis, range: &Range) -> Vec<std::ops::Range<u32>> {
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
