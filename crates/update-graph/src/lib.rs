//! The update graph of a package: which entry of a channel follows which, what a skipRange takes out of it, and how an installed
//! version comes where, and where all that is drawn.

mod ahead;
mod channel_order;
mod export;
mod graph;
mod hop;
mod ladder;
mod layout;
mod path;
mod picked;
mod prune;
mod reach;
mod rules;
mod sort;
#[cfg(test)]
mod testing;

pub use ahead::gets_ahead;
pub use channel_order::{channels_in_order, safety};
pub use export::{dot, mermaid};
pub use graph::{Edge, Lane, LaneId, Mark, Node, NodeId, UpdateGraph, build, version_in};
pub use hop::{Via, hop};
pub use ladder::{Climb, Ladder};
pub use layout::{Band, Column, LaneBox, Layout, NODE_HEIGHT, NodeBox, Point, layout};
pub use path::{Hop, Mend, Missed, Walk, Ways, known_name};
pub use picked::Picked;
pub use prune::{Pruning, prunings};
pub use reach::{Halt, Installable, Installables, Reach};
pub use rules::check;
pub use sort::{ChainEnds, Link, SortError, SortErrorKind, sort_channel};
