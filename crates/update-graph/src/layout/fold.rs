//! Runs of entries that are drawn as one box.

use super::axis::{Axis, box_size};
use super::rows::Rows;
use super::shape::Fold;
use crate::{LaneId, Mark, NodeId, UpdateGraph};
use std::collections::{BTreeMap, BTreeSet};

/// Shorter runs are drawn in full.
pub(super) const FEWEST: usize = 3;
/// In a lane that is still wider, runs are folded whatever their marks are.
const WIDEST: i32 = 640;

/// The folds of all lanes.
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

    /// The fold that an entry is in.
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
