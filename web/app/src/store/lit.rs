//! What of the drawing stands out, and why; by the indices of [`GraphView`].

use super::State;
use std::collections::BTreeMap;
use std::rc::Rc;
use views::GraphView;

/// Why a part of the drawing stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Glow {
    /// It is what the others stand out for.
    Subject,
    /// One can come from it.
    Before,
    /// One can go to it.
    After,
    /// It is on the way that was asked for.
    Way,
}

/// An entry that stands out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LitNode {
    /// Why.
    pub glow: Glow,
    /// What is written at it, as `hop 2`.
    pub word: Option<Rc<str>>,
}

/// What stands out of the drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lit {
    /// Entries, by their index.
    pub nodes: BTreeMap<u32, LitNode>,
    /// Edges, by their index.
    pub edges: BTreeMap<u32, Glow>,
    /// Bands, by their index.
    pub bands: BTreeMap<u32, Glow>,
    /// Everything else steps back.
    pub dims: bool,
}

/// What stands out now: the edges of the selected entry.
#[must_use]
pub fn lit(state: &State) -> Rc<Lit> {
    let selected = state.graph.as_deref().zip(state.selection.entry.as_ref());
    let index = selected.and_then(|(graph, key)| Some((graph, graph.nodes.iter().position(|node| node.key == *key)?)));
    let lit = index.and_then(|(graph, index)| Some(around(graph, u32::try_from(index).ok()?)));
    Rc::new(lit.unwrap_or_default())
}

/// An entry and its edges.
fn around(graph: &GraphView, index: u32) -> Lit {
    let mut lit = Lit::default();
    lit.nodes.insert(index, LitNode { glow: Glow::Subject, word: None });
    for (edge, at) in graph.edges.iter().zip(0..) {
        if edge.to == index {
            lit.edges.insert(at, Glow::Before);
        } else if edge.from == index {
            lit.edges.insert(at, Glow::After);
        }
    }
    lit
}
