//! The update graph of a package: which entry of a channel follows which, what a skipRange takes out of it, and where
//! all that is drawn.

mod export;
mod graph;
mod hop;
mod layout;
mod picked;
mod prune;
mod rules;
mod sort;
#[cfg(test)]
mod testing;

pub use export::{dot, mermaid};
pub use graph::{Edge, Lane, LaneId, Mark, Node, NodeId, UpdateGraph, build, version_in};
pub use hop::{Via, hop};
pub use layout::{Band, Column, LaneBox, Layout, NODE_HEIGHT, NodeBox, Point, layout};
pub use picked::Picked;
pub use prune::{Pruning, prunings};
pub use rules::check;
pub use sort::{Link, SortError, SortErrorKind, sort_channel};
