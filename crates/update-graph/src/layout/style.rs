//! Which of the layouts shows more of a graph at the first look.

use super::shape::Layout;
use crate::{Mark, UpdateGraph};
use source::{AxisDirection, EntryForm};

/// What is visible of a drawing in most windows with readable labels: width and height.
pub(super) const PAGE: (i32, i32) = (840, 720);
/// If the axis leads up, so much of it is visible at once.
const PAGE_UP: i32 = 560;
/// Lanes hardly overlap if they have entries at fewer than one in so many places of the shared axis.
const SPARSE: usize = 3;

/// In smaller columns of a page, entries are stations; so wide are most columns.
const COLUMN: (i32, i32) = (48, 70);

/// Whether the labels of a layout are legible on a page of one width; else entries are better drawn as stations.
#[must_use]
pub fn is_legible(shared: &Layout) -> bool {
    match shared.direction {
        AxisDirection::Right => COLUMN.0 * (shared.width - shared.gutter) <= COLUMN.1 * (PAGE.0 - shared.gutter),
        AxisDirection::Up => shared.width <= PAGE_UP,
    }
}

/// Whether the compact layout is better than one on a shared axis: there is an axis to share, but its lanes hardly
/// overlap on it, or their heads are not visible together.
#[must_use]
pub fn is_compact_better(graph: &UpdateGraph<'_>, shared: &Layout) -> bool {
    let (lanes, columns) = (graph.lanes.len(), shared.columns.len());
    let entries = graph.nodes.iter().filter(|node| node.entry.is_some()).count();
    let is_dense = shared.nodes.iter().any(|node| node.form != EntryForm::Box);
    let hardly_overlap = (shared.width > PAGE.0 || is_dense) && SPARSE * entries < lanes * columns;
    let is_higher = shared.direction == AxisDirection::Right && shared.height > PAGE.1;
    lanes > 1 && (hardly_overlap || is_higher || width_of_heads(graph, shared) > PAGE.0 - shared.gutter)
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
