//! The measures of a drawing: its size, and the scales at which it fits a frame.

use views::{GraphLayout, GraphView, Mark, NodeView, Presence};

/// A width and a height in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    /// Across.
    pub(crate) width: f64,
    /// Down.
    pub(crate) height: f64,
}

/// The drawing's size, and where its first lane begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Drawing {
    /// All of it.
    pub(crate) size: Size,
    /// Top of the first lane, which is also the height of the axis, CSS pixels.
    pub(crate) top: f64,
    /// Where entries begin, and how many CSS pixels wide the names of lanes are.
    pub(crate) gutter: f64,
    /// The newest entry of the first lane, which the initial view shows if it cannot show everything; absent in the
    /// compact layout, whose left end it shows.
    pub(crate) newest: Option<f64>,
    /// Height of the lowest lane.
    pub(crate) lane: f64,
    /// The newest entry that a compared change is about, which the initial view shows instead of the newest one.
    pub(crate) change: Option<(f64, f64)>,
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
/// In a narrower frame the lane names are above their entries.
const SLIM: f64 = 480.0;

impl Drawing {
    /// The measures of a graph.
    pub(crate) fn of(graph: &GraphView) -> Self {
        let newest = graph.nodes.iter().filter(|node| node.lane == 0).map(|node| node.at.x).max();
        Self {
            size: Size { width: f64::from(graph.width), height: f64::from(graph.height) },
            top: f64::from(graph.lanes.first().map_or(0, |lane| lane.y)),
            gutter: f64::from(graph.gutter),
            newest: (graph.layout == GraphLayout::SharedAxis).then(|| f64::from(newest.unwrap_or(graph.width))),
            lane: f64::from(graph.lanes.iter().map(|lane| lane.height).min().unwrap_or_default().max(1)),
            change: graph.compares.and_then(|_| newest_change(graph)),
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

    pub(super) fn across(&self, frame: Size) -> f64 {
        self.room(frame).width / (self.size.width - self.gutter).max(1.0)
    }

    pub(super) fn down(&self, frame: Size) -> f64 {
        self.room(frame).height / (self.size.height - self.top).max(1.0)
    }
}

/// The newest entry that a change adds or removes, else the newest end of such an edge, else the newest entry that it
/// harms; in the first lane that has one.
fn newest_change(graph: &GraphView) -> Option<(f64, f64)> {
    let marked = |marks: &'static [Mark]| {
        graph.nodes.iter().filter(move |node| node.marks.iter().any(|mark| marks.contains(mark)))
    };
    let edges = graph.edges.iter().filter(|edge| edge.presence != Presence::Both);
    let ends = edges.filter_map(|edge| graph.nodes.get(edge.to as usize));
    let newest = |nodes: &mut dyn Iterator<Item = &NodeView>| {
        let newest = nodes.min_by_key(|node| (node.lane, -node.at.x));
        newest.map(|node| (f64::from(node.at.x), f64::from(node.at.y)))
    };
    newest(&mut marked(&[Mark::Added, Mark::Removed]))
        .or_else(|| newest(&mut { ends }))
        .or_else(|| newest(&mut marked(&[Mark::Harmed])))
        .or_else(|| newest(&mut marked(&[Mark::AtRisk])))
}

/// Whether a frame has the names of lanes above their entries.
pub(crate) fn slim(frame: Size) -> bool {
    frame.width < SLIM
}
