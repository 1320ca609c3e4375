//! What a simulation says of the entries of a package.

use std::collections::{BTreeMap, BTreeSet};
use views::{BandView, EdgeView, EntryKey, GraphView};

/// The entries of the selected package that the simulation installs or finds installed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimulatedEntries {
    /// Installed after the shown step.
    pub installed: BTreeSet<String>,
    /// Installed before the first step, but no longer after the shown one.
    pub replaced: BTreeSet<String>,
    /// How many steps are completed at the point that is shown.
    pub step: u32,
    /// Chosen entries by channel and name, with the number of the step, counted from 1.
    pub chosen: BTreeMap<(String, String), u32>,
}

impl SimulatedEntries {
    /// The number of the hop in which an entry is chosen; 0 if it is installed before the first.
    #[must_use]
    pub fn hop(&self, key: &EntryKey) -> Option<u32> {
        let chosen = key.channel.as_ref().and_then(|channel| self.chosen.get(&(channel.clone(), key.name.clone())));
        let before = self.replaced.contains(&key.name) || self.installed.contains(&key.name);
        chosen.copied().or_else(|| before.then_some(0))
    }

    /// The label of an entry: `installed`, `before`, `hop 1`, two of them or none.
    #[must_use]
    pub fn label(&self, key: &EntryKey) -> Option<String> {
        let held = match (self.installed.contains(&key.name), self.replaced.contains(&key.name)) {
            (true, _) => Some("installed".to_owned()),
            (false, true) => Some("before".to_owned()),
            (false, false) => None,
        };
        // The entry that the shown step installs is labelled as installed already.
        let hop = self
            .hop(key)
            .filter(|hop| *hop > 0 && !(*hop == self.step && held.is_some()))
            .map(|hop| format!("hop {hop}"));
        match (held, hop) {
            (Some(held), Some(hop)) => Some(format!("{held} · {hop}")),
            (held, hop) => held.or(hop),
        }
    }
}

// Marks of the simulation on the entries of a drawing.

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
    (0..).zip(&graph.nodes).filter_map(|(at, node)| Some((at, mark(&node.key)?))).collect()
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
