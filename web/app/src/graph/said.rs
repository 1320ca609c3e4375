//! What the simulation says of the entries of a drawing, by their indices.

use crate::store::Standing;
use std::collections::BTreeMap;
use views::{BandView, EdgeView, GraphView};

/// What the simulation says of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
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
pub(super) type Told = BTreeMap<u32, Said>;

/// Joins the simulation with the drawing.
pub(super) fn told(graph: &GraphView, standing: &Standing) -> Told {
    if standing.installed.is_empty() && standing.chosen.is_empty() {
        return Told::new();
    }
    let said = |key: &views::EntryKey| {
        let text = standing.of(key)?;
        let hop = standing.hop(key).unwrap_or_default();
        Some(Said { installed: standing.installed.contains(&key.name), chosen: hop > 0, hop, text })
    };
    let mut told = Told::new();
    for (node, at) in graph.nodes.iter().zip(0..) {
        if let Some(said) = said(&node.key) {
            told.insert(at, said);
        }
    }
    told
}

/// Whether the simulation goes along an edge: from something installed or chosen to what is chosen next.
pub(super) fn takes_edge(told: &Told, edge: &EdgeView) -> bool {
    follows(told, edge.from, edge.to)
}

/// Whether the simulation jumps over a band: from something that it covers, and that no edge leads on from.
pub(super) fn takes_band(told: &Told, graph: &GraphView, band: &BandView) -> bool {
    let edge = |from: u32| graph.edges.iter().any(|edge| edge.from == from && edge.to == band.to && !edge.ignored);
    told.contains_key(&band.to)
        && graph.covered(band).find(|&from| follows(told, from, band.to)).is_some_and(|from| !edge(from))
}

fn follows(told: &Told, from: u32, to: u32) -> bool {
    matches!((told.get(&from), told.get(&to)), (Some(from), Some(to)) if to.hop == from.hop + 1)
}
