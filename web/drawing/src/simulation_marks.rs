//! Marks of the simulation on the entries of a drawing.

use crate::simulated::SimulatedEntries;
use std::collections::BTreeMap;
use views::{BandView, EdgeView, GraphView, Mark, NodeView};

/// The mark of an entry that the simulation installs or finds installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulationMark {
    /// Whether it is installed before the first hop.
    pub installed: bool,
    /// Whether the simulation chooses it.
    pub chosen: bool,
    /// The number of the hop in which it is chosen; 0 if it is only installed.
    pub hop: u32,
    /// The same in words.
    pub text: String,
}

/// The marks of all entries, by node index.
pub type SimulationMarks = BTreeMap<u32, SimulationMark>;

/// Finds the entries that the simulation is about.
pub fn simulation_marks(graph: &GraphView, simulated: &SimulatedEntries) -> SimulationMarks {
    if simulated.installed.is_empty() && simulated.chosen.is_empty() {
        return SimulationMarks::new();
    }
    let mark = |key: &views::EntryKey| {
        let text = simulated.label(key)?;
        let hop = simulated.hop(key).unwrap_or_default();
        Some(SimulationMark { installed: simulated.installed.contains(&key.name), chosen: hop > 0, hop, text })
    };
    let mut marks = SimulationMarks::new();
    // A fold of many names that the channel does not list says nothing about one of them.
    let is_shown = |node: &NodeView| node.fold.is_none() || !node.marks.contains(&Mark::Ghost);
    for (node, at) in graph.nodes.iter().zip(0..).filter(|(node, _)| is_shown(node)) {
        if let Some(mark) = mark(&node.key) {
            marks.insert(at, mark);
        }
    }
    marks
}

/// The mark of what is drawn for a node: its own, or the first one in its fold.
pub fn mark_of<'a>(graph: &GraphView, marks: &'a SimulationMarks, node: u32) -> Option<&'a SimulationMark> {
    let Some(fold) = graph.fold(node) else { return marks.get(&node) };
    let inside = marks.range(fold.first..=fold.last);
    inside.into_iter().find(|(at, _)| graph.shown_as(**at) == fold.first).map(|(_, mark)| mark)
}

/// Whether the simulation uses an edge: from an installed or chosen entry to the one of the next hop.
pub fn takes_edge(marks: &SimulationMarks, edge: &EdgeView) -> bool {
    follows(marks, edge.from, edge.to)
}

/// Whether the simulation uses a skipRange: from an entry that it covers and that has no edge to the same entry.
pub fn takes_band(marks: &SimulationMarks, graph: &GraphView, band: &BandView) -> bool {
    let edge = |from: u32| graph.edges.iter().any(|edge| edge.from == from && edge.to == band.to && !edge.ignored);
    marks.contains_key(&band.to)
        && graph.covered(band).find(|&from| follows(marks, from, band.to)).is_some_and(|from| !edge(from))
}

fn follows(marks: &SimulationMarks, from: u32, to: u32) -> bool {
    matches!((marks.get(&from), marks.get(&to)), (Some(from), Some(to)) if to.hop == from.hop + 1)
}
