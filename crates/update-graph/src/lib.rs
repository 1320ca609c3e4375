//! The update graph of a package: update chains, next updates and paths, pruned versions, and the layout of the drawing.

mod chain;
mod channel_map;
mod edit;
mod export;
mod graph;
mod installed;
mod layout;
mod path;
mod prune;
mod reach;
mod rules;
mod sort;
mod subset;
#[cfg(test)]
mod testing;
mod walk;
mod ways;

pub use chain::{NextUpdate, UpdateChain, Via, edge_to_add, hop, reaches_head, version_in, version_of};
pub use channel_map::{ChannelMap, Head, MappedChannel, channels_in_order, safety};
pub use edit::{Change, ChannelEdit, Edges, Edit, NewEntry, PackageEdit, applied, describe};
pub use export::{dot, mermaid};
pub use graph::{Edge, Lane, LaneId, Next, Node, NodeId, UpdateGraph, build, can_start};
pub use installed::{NameError, csv_name, installed_csv, is_followed, known_csv};
pub use layout::{
    Band, LaneBox, Layout, NodeBox, Room, boxes, dots, grid, is_grid_better, is_legible, other_than_next, quiet_edges,
};
pub use path::{Hop, Obstacle, OlmPath, Paths, known_name};
pub use prune::{Pruning, prunings};
pub use reach::{Installable, Installables, Reach};
pub use rules::{check, check_package};
pub use sort::{ChainEnds, Link, SortError, SortErrorKind, sort_channel};
pub use source::{Mark, Point, StopReason};
pub use subset::Subset;
pub use walk::{TreePosition, Walk, WalkSums, Walks};
pub use ways::{Reached, Stage, Ways};
