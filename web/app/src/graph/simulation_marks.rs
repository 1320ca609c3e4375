//! What the simulation says of the entries of a drawing, by their indices.

use crate::store::Standing;
use std::collections::BTreeMap;
use views::{BandView, EdgeView, GraphView};

/// What the simulation says of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SimulationMark {
    /// It is installed before the first hop.
    pub(super) installed: bool,
    /// It is chosen.
    pub(super) chosen: bool,
    /// The hop that it is chosen in; 0 for what is only installed.
    pub(super) hop: u32,
    /// The same in words.
    pub(super) text: String,
}

/// What it says of all entries.
pub(super) type SimulationMarks = BTreeMap<u32, SimulationMark>;

/// Joins the simulation with the drawing.
pub(super) fn simulation_marks(graph: &GraphView, standing: &Standing) -> SimulationMarks {
    if standing.installed.is_empty() && standing.chosen.is_empty() {
        return SimulationMarks::new();
    }
    let mark = |key: &views::EntryKey| {
        let text = standing.of(key)?;
        let hop = standing.hop(key).unwrap_or_default();
        Some(SimulationMark { installed: standing.installed.contains(&key.name), chosen: hop > 0, hop, text })
    };
    let mut marks = SimulationMarks::new();
    for (node, at) in graph.nodes.iter().zip(0..) {
        if let Some(mark) = mark(&node.key) {
            marks.insert(at, mark);
        }
    }
    marks
}

/// Whether the simulation goes along an edge: from something installed or chosen to what is chosen next.
pub(super) fn takes_edge(marks: &SimulationMarks, edge: &EdgeView) -> bool {
    follows(marks, edge.from, edge.to)
}

/// Whether the simulation jumps over a band: from something that it covers, and that no edge leads on from.
pub(super) fn takes_band(marks: &SimulationMarks, graph: &GraphView, band: &BandView) -> bool {
    let edge = |from: u32| graph.edges.iter().any(|edge| edge.from == from && edge.to == band.to && !edge.ignored);
    marks.contains_key(&band.to)
        && graph.covered(band).find(|&from| follows(marks, from, band.to)).is_some_and(|from| !edge(from))
}

fn follows(marks: &SimulationMarks, from: u32, to: u32) -> bool {
    matches!((marks.get(&from), marks.get(&to)), (Some(from), Some(to)) if to.hop == from.hop + 1)
}
