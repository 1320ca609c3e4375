//! What a layout consists of: the values that are drawn.

use crate::{LaneId, NodeId};
use source::{AxisDirection, EntryForm, Point};

/// A drawn graph. Vectors named after parts of [`crate::UpdateGraph`] run parallel to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub width: i32,
    pub height: i32,
    /// Where nodes begin; the lane names are left of it.
    pub gutter: i32,
    /// Where the axis leads: x is along it, and y across it.
    pub direction: AxisDirection,
    /// The versions, ascending. Their places count only if the lanes share the axis.
    pub columns: Vec<Column>,
    /// Lanes, from top to bottom.
    pub lanes: Vec<LaneBox>,
    pub nodes: Vec<NodeBox>,
    /// Edges, from the older to the newer end: two points are a straight line, more one of horizontal and vertical parts.
    pub edges: Vec<Vec<Point>>,
    /// Bands of skipRanges, lane by lane.
    pub bands: Vec<Band>,
    /// Runs of entries that are drawn as one box, in the compact layout.
    pub folds: Vec<Fold>,
}

/// A version on the axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The middle.
    pub x: i32,
    /// Width of its widest node.
    pub width: i32,
    /// The version; for nodes without one, their name.
    pub label: String,
}

/// A lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneBox {
    /// Top.
    pub y: i32,
    pub height: i32,
    pub spine: i32,
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeBox {
    /// The middle.
    pub at: Point,
    pub width: i32,
    pub height: i32,
    pub form: EntryForm,
    /// Which column, an index.
    pub column: u32,
    /// 0 on the spine, 1 and more below it.
    pub row: u32,
    /// The fold that it is in, an index; the box is that of the fold.
    pub fold: Option<u32>,
}

/// The versions that the skipRange of an entry matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    pub lane: LaneId,
    /// The entry with the skipRange.
    pub to: NodeId,
    /// The middle of its row.
    pub y: i32,
    /// The left and right ends of the covered parts; none if the lane has nothing that it covers.
    pub stretches: Vec<(i32, i32)>,
    /// Columns that it covers, ascending.
    pub columns: Vec<std::ops::Range<u32>>,
    /// Whether it shares its row with others and is drawn only while it is highlighted.
    pub folded: bool,
    /// Whether its row has no room for words.
    pub thin: bool,
    /// The row below the lane; 0 is the first.
    pub(super) row: u32,
}

/// Entries side by side in one row of a lane that are drawn as one box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The entries, from old to new.
    pub nodes: Vec<NodeId>,
    /// The text of the box.
    pub label: String,
}
