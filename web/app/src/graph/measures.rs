//! The measures of a drawing: its size, and the scales at which it fits a frame.

use opscope_drawing::Area;
use views::{AxisDirection, GraphView, Mark, NodeView, Presence};

/// A width and a height in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// The drawing's size, and where its first lane begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Drawing {
    pub(crate) size: Size,
    /// Top of the first lane, which is also the height of the axis, CSS pixels.
    pub(crate) top: f64,
    /// Where entries begin, and how many CSS pixels wide the names of lanes are.
    pub(crate) gutter: f64,
    /// The newest entry of the first lane, which the initial view shows if it cannot show everything.
    pub(crate) newest: f64,
    /// Height of the lowest lane.
    pub(crate) lane: f64,
    /// What a compared change is about, which the initial view shows instead of the newest entry.
    pub(crate) change: Option<Change>,
    /// Whether the axis leads up: then across is from the bottom to the top, and down is from left to right.
    pub(crate) up: bool,
}

/// The entries that a compared change is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    /// The area of all of them: left, top, right, bottom.
    pub(crate) area: Area,
    /// The middle of the newest one in the first lane that has one.
    pub(crate) newest: (f64, f64),
}

/// Margin around the drawing, CSS pixels.
pub(super) const MARGIN: f64 = 12.0;
/// Minimum height of the lowest lane, CSS pixels: its name has room.
pub(super) const LANE: f64 = 14.0;
/// The same where the name is above the entries, which have room below it.
const SLIM_LANE: f64 = 30.0;
/// The minimum scale, unless the drawing fits the frame only at a smaller one.
const SMALLEST: f64 = 0.18;
/// Below it labels are illegible, and far tiles without labels are drawn.
pub(super) const LEGIBLE: f64 = 0.45;
/// In a lower lane its chips or its number of entries have no room below its name, CSS pixels.
const NAMED_LANE: f64 = 40.0;
/// Height of the lane names if the axis leads up, CSS pixels. They are outside of the frame.
pub(crate) const UP_NAMES: f64 = 40.0;
/// In a narrower frame the lane names are above their entries.
const SLIM: f64 = 480.0;

impl Drawing {
    pub(crate) fn of(graph: &GraphView) -> Self {
        let newest = graph.nodes.iter().filter(|node| node.lane == 0).map(|node| node.at.x).max();
        Self {
            size: Size { width: f64::from(graph.width), height: f64::from(graph.height) },
            top: f64::from(graph.lanes.first().map_or(0, |lane| lane.y)),
            gutter: f64::from(graph.gutter),
            newest: f64::from(newest.unwrap_or(graph.width)),
            lane: f64::from(graph.lanes.iter().map(|lane| lane.height).min().unwrap_or_default().max(1)),
            change: graph.compares.and_then(|_| change(graph)),
            up: graph.direction == AxisDirection::Up,
        }
    }

    /// Width of the lane names, CSS pixels.
    pub(crate) fn names(&self, frame: Size) -> f64 {
        if slim(frame) { MARGIN } else { self.gutter }
    }

    /// The size of the frame without names and axis.
    pub(super) fn room(&self, frame: Size) -> Size {
        Size {
            width: (frame.width - self.names(frame) - 2.0 * MARGIN).max(1.0),
            height: (frame.height - self.top - 2.0 * MARGIN).max(1.0),
        }
    }

    /// The scale at which everything is visible, but for lanes that would be too low.
    pub(super) fn whole(&self, frame: Size) -> f64 {
        self.across(frame).min(self.all_lanes(frame))
    }

    /// The smallest scale allowed.
    pub(super) fn smallest(&self, frame: Size) -> f64 {
        self.whole(frame).min(SMALLEST)
    }

    /// The magnification down at a scale. Without labels nothing has to keep its proportions, so all lanes are visible,
    /// as high as the frame allows.
    pub(super) fn down_at(&self, scale: f64, frame: Size) -> f64 {
        scale.max(self.all_lanes(frame).min(LEGIBLE))
    }

    /// The magnification down at which all lanes are visible, or as many as can be told apart.
    fn all_lanes(&self, frame: Size) -> f64 {
        self.down(frame).max(if slim(frame) { SLIM_LANE } else { LANE } / self.lane)
    }

    /// Whether a lane is too low for more than its name.
    pub(crate) fn has_low_lanes(&self, down: f64) -> bool {
        self.lane * down < NAMED_LANE
    }

    pub(super) fn across(&self, frame: Size) -> f64 {
        self.room(frame).width / (self.size.width - self.gutter).max(1.0)
    }

    pub(super) fn down(&self, frame: Size) -> f64 {
        self.room(frame).height / (self.size.height - self.top).max(1.0)
    }
}

/// The entries that a change adds or removes, else the newer ends of such edges, else the entries that it harms.
fn change(graph: &GraphView) -> Option<Change> {
    let marked = |marks: &[Mark]| -> Vec<&NodeView> {
        graph.nodes.iter().filter(|node| node.marks.iter().any(|mark| marks.contains(mark))).collect()
    };
    let edges = graph.edges.iter().filter(|edge| edge.presence != Presence::Both);
    let ends: Vec<&NodeView> = edges.filter_map(|edge| graph.nodes.get(edge.to as usize)).collect();
    let found = [marked(&[Mark::Added, Mark::Removed]), ends, marked(&[Mark::Harmed]), marked(&[Mark::AtRisk])];
    let nodes = found.into_iter().find(|nodes| !nodes.is_empty())?;
    let newest = nodes.iter().min_by_key(|node| (node.lane, -node.at.x))?;
    Some(Change {
        area: (
            nodes.iter().map(|node| node.at.x - node.width / 2).min()?,
            nodes.iter().map(|node| node.at.y - node.height / 2).min()?,
            nodes.iter().map(|node| node.at.x + node.width / 2).max()?,
            nodes.iter().map(|node| node.at.y + node.height / 2).max()?,
        ),
        newest: (f64::from(newest.at.x), f64::from(newest.at.y)),
    })
}

/// Whether a frame has the names of lanes above their entries.
pub(crate) fn slim(frame: Size) -> bool {
    frame.width < SLIM
}
