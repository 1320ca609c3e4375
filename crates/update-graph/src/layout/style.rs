//! Which of the two layouts shows more of a graph at the first look.

use super::shape::Layout;
use crate::{Mark, UpdateGraph};

/// What is visible of a drawing in most windows with readable labels: width and height.
const PAGE: (i32, i32) = (840, 720);
/// Lanes hardly overlap if they have entries at fewer than one in so many places of the shared axis.
const SPARSE: usize = 3;

/// Whether the compact layout is better than the one on a shared axis: there is an axis to share, but its lanes hardly
/// overlap on it, or their heads are not visible together.
#[must_use]
pub fn is_compact_better(graph: &UpdateGraph<'_>, shared: &Layout) -> bool {
    let (lanes, columns) = (graph.lanes.len(), shared.columns.len());
    let hardly_overlap = shared.width > PAGE.0 && SPARSE * graph.nodes.len() < lanes * columns;
    lanes > 1 && (hardly_overlap || shared.height > PAGE.1 || width_of_heads(graph, shared) > PAGE.0 - shared.gutter)
}

/// From the leftmost to the rightmost head.
fn width_of_heads(graph: &UpdateGraph<'_>, shared: &Layout) -> i32 {
    let heads = || {
        let drawn = graph.nodes.iter().zip(&shared.nodes);
        drawn.filter(|(node, _)| node.marks.contains(&Mark::Head)).map(|(_, drawn)| drawn)
    };
    let left = heads().map(|head| head.at.x - head.width / 2).min();
    let right = heads().map(|head| head.at.x + head.width / 2).max();
    left.zip(right).map_or(0, |(left, right)| right - left)
}
