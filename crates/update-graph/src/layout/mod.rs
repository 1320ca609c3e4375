//! The layouts of an update graph, made for channels.
//!
//! Each channel is a lane. In the layout of boxes and in that of dots, versions run along one axis that all lanes share. In
//! the grid each lane has its own places: a row for each channel or, of a long channel, for each minor version. A line to a
//! version that is not the neighbour runs along a bus below the row, and a skipRange is a band below that covers the versions
//! it matches. A general layered layout would need an edge for each of those, which are too many. All numbers are integers,
//! one unit is a CSS pixel at zoom 1, and the same graph always has the same layout. The axis leads to the right or up; x is
//! along it, and y across it.

mod axis;
mod dots;
mod grid;
mod route;
mod rows;

use crate::{Edge, LaneId, Mark, NodeId, UpdateGraph, Via};
use axis::{Axis, BOX, box_size};
use route::Router;
use rows::Rows;
use source::{AxisColumn, AxisDirection, AxisTick, EntryForm, Point};
use std::collections::BTreeSet;

/// How wide a drawing may be: a page whose labels keep their size in most windows, or a narrow screen, where the names of
/// channels are above their entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Page,
    Narrow,
}

/// Distances from top to bottom.
#[derive(Clone, Copy)]
struct Spacing {
    /// Above the first lane.
    header: i32,
    /// From the top of a lane to the middle of its first row.
    above: i32,
    /// More of it in a lane with a bracket over what is stuck.
    bracket: i32,
    /// Below the last row or band of a lane.
    below: i32,
}

/// With room for two lines of words above the boxes.
const BOXES: Spacing = Spacing { header: 28, above: 44, bracket: 0, below: 14 };
/// If the axis leads up, the labels of the axis and words are left of the boxes.
const BOXES_UP: Spacing = Spacing { header: 84, above: 58, bracket: 0, below: 20 };
const DOTS: Spacing = Spacing { header: 28, above: 24, bracket: 16, below: 16 };
const GRID: Spacing = Spacing { header: 28, above: 13, bracket: 0, below: 10 };
/// The height of the name of a channel where it is above its entries.
const NAME: i32 = 18;
/// The height of the words that say why entries are stuck, below all else of their lane.
const REASON: i32 = 17;

impl Room {
    /// The width, without the names of channels if these are above their entries.
    const fn width(self) -> i32 {
        match self {
            Self::Page => 744,
            Self::Narrow => 330,
        }
    }

    /// The width of the column with the ways to newer channels, right of the entries.
    const fn aside(self, graph: &UpdateGraph<'_>) -> i32 {
        match self {
            _ if graph.lanes.len() < 2 => 0,
            Self::Page => 138,
            Self::Narrow => 72,
        }
    }

    /// From the first entry to the column with the ways.
    fn along(self, graph: &UpdateGraph<'_>, gutter: i32) -> i32 {
        let names = if self == Self::Page { gutter } else { 0 };
        self.width() - names - self.aside(graph)
    }

    fn spacing(self, spacing: Spacing) -> Spacing {
        match self {
            Self::Page => spacing,
            Self::Narrow => Spacing { above: spacing.above + NAME, ..spacing },
        }
    }
}

/// Where a node stands along the axis.
#[derive(Clone, Copy)]
struct Spot {
    /// The middle.
    x: i32,
    width: i32,
    height: i32,
    form: EntryForm,
}

/// The layout of boxes on an axis of versions that all lanes share. Edges that are `quiet` need no place.
#[must_use]
pub fn boxes(graph: &UpdateGraph<'_>, direction: AxisDirection, quiet: &[bool]) -> Layout {
    let axis = Axis::of(graph, direction);
    let rows = rows::assign(graph, &axis);
    let spot = |id: NodeId| {
        let height = match direction {
            AxisDirection::Right => rows.height,
            AxisDirection::Up => box_size(&graph.node(id).label(), direction).1,
        };
        Spot { x: axis.column_of(id).x, width: axis.node_width(id), height, form: EntryForm::Box }
    };
    let spots = ids(graph).map(spot).collect();
    let (spacing, aside) = match direction {
        AxisDirection::Right => (BOXES, Room::Page.aside(graph)),
        AxisDirection::Up => (BOXES_UP, 0),
    };
    finish(graph, axis, rows, (spots, Vec::new()), (spacing, aside), quiet)
}

/// The layout of dots on an axis that all lanes share and that has about the width of a page: all versions are in sight, and
/// only heads have their label.
#[must_use]
pub fn dots(graph: &UpdateGraph<'_>, room: Room, quiet: &[bool]) -> Layout {
    let mut axis = Axis::of(graph, AxisDirection::Right);
    let rows = rows::assign(graph, &axis).of_dots();
    let spots = dots::place(graph, &mut axis, &rows, room);
    finish(graph, axis, rows, (spots, Vec::new()), (room.spacing(DOTS), room.aside(graph)), quiet)
}

/// The layout of dots in which each lane has its own places, by the patch number if each channel is one minor version. One
/// channel alone has a row for each minor version.
#[must_use]
pub fn grid(graph: &UpdateGraph<'_>, room: Room, quiet: &[bool]) -> Layout {
    let mut axis = Axis::of(graph, AxisDirection::Right);
    let mut rows = rows::assign(graph, &axis).of_dots();
    let (spots, ticks) = grid::place(graph, &mut axis, &mut rows, room);
    let mut layout = finish(graph, axis, rows, (spots, ticks), (room.spacing(GRID), room.aside(graph)), quiet);
    layout.columns.clear();
    layout
}

fn ids(graph: &UpdateGraph<'_>) -> impl Iterator<Item = NodeId> + use<> {
    (0..graph.nodes.len() as u32).map(NodeId)
}

/// All parts at their places.
fn finish(
    graph: &UpdateGraph<'_>,
    axis: Axis,
    rows: Rows,
    (spots, mut ticks): (Vec<Spot>, Vec<AxisTick>),
    (spacing, aside): (Spacing, i32),
    quiet: &[bool],
) -> Layout {
    let has_bands = ticks.is_empty();
    let router = Router::of(graph, &axis, &rows, quiet, has_bands);
    let rows = rows.with_room(|lane| router.height(lane));
    let bands = rows::collect(graph, &axis, has_bands);
    let lanes = lanes(graph, &rows, &bands, spacing);
    let node = |(id, spot): (NodeId, &Spot)| {
        let (lane, row) = (graph.node(id).lane.0 as usize, rows.of[id.0 as usize]);
        let Spot { x, width, height, form } = *spot;
        let y = lanes[lane].spine + rows.down(lane, row);
        NodeBox { at: Point { x, y }, width, height, form, column: axis.index_of(id), row }
    };
    let nodes: Vec<NodeBox> = ids(graph).zip(&spots).map(node).collect();
    let edges = router.lines(graph, &nodes, |lane| lanes[lane].spine + rows.height / 2);
    // The places of ticks are those of a lane that begins at the top.
    ticks.iter_mut().filter(|tick| tick.at.y >= 0).for_each(|tick| tick.at.y += lanes[0].spine);
    ticks.iter_mut().filter(|tick| tick.at.y < 0).for_each(|tick| tick.at.y = spacing.header - 11);
    Layout {
        width: axis.width + aside,
        height: lanes.last().map_or(spacing.header, |lane| lane.y + lane.height),
        gutter: axis.gutter,
        aside,
        direction: axis.direction,
        columns: axis.columns,
        ticks,
        edges,
        bands: rows::place(bands, &lanes, &rows),
        lanes,
        nodes,
    }
}

/// The lanes below each other.
fn lanes(graph: &UpdateGraph<'_>, rows: &Rows, bands: &[Band], spacing: Spacing) -> Vec<LaneBox> {
    let stuck = graph.nodes.iter().filter(|node| node.marks.contains(&Mark::Stranded)).map(|node| node.lane);
    let stuck: BTreeSet<LaneId> = stuck.collect();
    let mut y = spacing.header;
    let boxes = (0..graph.lanes.len()).map(|lane| {
        let (bracket, reason) = if stuck.contains(&LaneId(lane as u32)) { (spacing.bracket, REASON) } else { (0, 0) };
        // If the axis leads up, words are beside boxes that are as high as their labels are long.
        let above = spacing.above + bracket + (rows.height - BOX).max(0) / 2;
        let height = above + rows.end(lane) + rows::height_in(bands, lane) + reason + spacing.below;
        let lane = LaneBox { y, height, spine: y + above };
        y += height;
        lane
    });
    boxes.collect()
}

// What a layout consists of: the values that are drawn.

/// A drawn graph. Vectors named after parts of [`crate::UpdateGraph`] run parallel to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub width: i32,
    pub height: i32,
    /// Where nodes begin; the lane names are left of it.
    pub gutter: i32,
    /// The width of the column right of the nodes, which the width contains.
    pub aside: i32,
    /// Where the axis leads: x is along it, and y across it.
    pub direction: AxisDirection,
    /// The versions, ascending; none in the grid.
    pub columns: Vec<AxisColumn>,
    /// The labels of the grid.
    pub ticks: Vec<AxisTick>,
    /// Lanes, from top to bottom.
    pub lanes: Vec<LaneBox>,
    pub nodes: Vec<NodeBox>,
    /// Edges, from the older to the newer end: two points are a straight line, more one of horizontal and vertical parts.
    pub edges: Vec<Vec<Point>>,
    /// Bands of skipRanges, lane by lane.
    pub bands: Vec<Band>,
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
    /// The row below the lane; 0 is the first.
    pub(super) row: u32,
}

// Which of the layouts shows a graph best.

/// A drawing of boxes is legible up to this width: it is made a little smaller.
const WIDEST: i32 = 850;
/// The most versions and channels that an axis that leads up has room for.
const MOST_UP: (usize, usize) = (14, 4);
/// Packages with more entries, and channels by themselves, are shown in a grid.
const MANY: (usize, usize) = (40, 150);

/// Whether the boxes have room.
#[must_use]
pub fn is_legible(boxes: &Layout) -> bool {
    match boxes.direction {
        AxisDirection::Right => boxes.width <= WIDEST,
        AxisDirection::Up => boxes.columns.len() <= MOST_UP.0 && boxes.lanes.len() <= MOST_UP.1,
    }
}

/// Whether the grid is better than an axis for all lanes: they share no version, or there is one long lane.
#[must_use]
pub fn is_grid_better(graph: &UpdateGraph<'_>) -> bool {
    let names: Vec<_> = graph.nodes.iter().filter(|node| node.entry.is_some()).map(|node| node.name).collect();
    match graph.lanes.len() {
        1 => names.len() > MANY.1,
        _ => names.len() > MANY.0 && names.iter().collect::<BTreeSet<_>>().len() == names.len(),
    }
}

// Which edges are drawn only on demand.

/// Which edges matter to nobody, and are drawn only on demand: OLM ignores them and their older entry is not stuck, or
/// they skip what the same entry replaces.
#[must_use]
pub fn quiet_edges(edges: &[Edge], is_stuck: impl Fn(NodeId) -> bool) -> Vec<bool> {
    let replaces = edges.iter().filter(|edge| edge.via == Via::Replaces);
    let replaces: BTreeSet<(NodeId, NodeId)> = replaces.map(|edge| (edge.from, edge.to)).collect();
    let is_quiet = |edge: &Edge| {
        let is_twice = edge.via != Via::Replaces && replaces.contains(&(edge.from, edge.to));
        (edge.ignored && !is_stuck(edge.from)) || is_twice
    };
    edges.iter().map(is_quiet).collect()
}

/// The edges that are not the next update of their older entry, in the channels that OLM can order: a line is what OLM does
/// next, not what the text says.
#[must_use]
pub fn other_than_next(graph: &UpdateGraph<'_>) -> Vec<bool> {
    let is_other = |edge: &Edge| {
        let from = graph.node(edge.from);
        let is_next = from.next.is_some_and(|next| (next.to, next.via) == (edge.to, edge.via));
        !is_next && graph.lanes[from.lane.0 as usize].chain.is_ok()
    };
    graph.edges.iter().map(is_other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use crate::testing::read;

    fn drawn(graph: &UpdateGraph<'_>) -> Layout {
        boxes(graph, AxisDirection::Right, &other_than_next(graph))
    }

    /// A sketch of the layout: `name column/row` of every node, then `edges` by their number of points, then bands.
    #[track_caller]
    fn check(notation: &str, expected: &[&str]) {
        let catalog = read(notation);
        let graph = build(&catalog.packages[0]);
        let layout = drawn(&graph);
        let column = |x| layout.columns.iter().position(|column| column.x == x).unwrap();
        let nodes = graph.nodes.iter().zip(&layout.nodes);
        let nodes = nodes.map(|(node, drawn)| format!("{} {}/{}", node.name, column(drawn.at.x), drawn.row));
        let edges = graph.edges.iter().zip(&layout.edges);
        let edges = edges.map(|(edge, points)| format!("{} -> {}: {}", edge.from.0, edge.to.0, points.len()));
        let bands = layout.bands.iter().map(|band| {
            let stretches: Vec<_> = band.stretches.iter().map(|&(from, to)| to - from).collect();
            format!("band of {}: {stretches:?} covers {:?}", band.to.0, band.columns)
        });
        assert_eq!(nodes.chain(edges).chain(bands).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_chain_is_on_the_spine() {
        check(
            "c: 2.0.0 (replaces 1.0.0), 1.0.0 (replaces 0.1.0)",
            &["p.v2.0.0 2/0", "p.v1.0.0 1/0", "p.v0.1.0 0/0", "1 -> 0: 2", "2 -> 1: 2"],
        );
    }

    #[test]
    fn lines_to_other_than_the_neighbour_run_below() {
        check(
            "c: 3.0.0 (replaces 1.0.0; skips 2.0.0), 2.0.0, 1.0.0, 0.1.0, 4.0.0 (replaces 3.0.0; skips 0.1.0)",
            &[
                "p.v3.0.0 3/0",
                "p.v2.0.0 2/0",
                "p.v1.0.0 1/0",
                "p.v0.1.0 0/0",
                "p.v4.0.0 4/0",
                "2 -> 0: 4",
                "1 -> 0: 2",
                "0 -> 4: 2",
                "3 -> 4: 4",
            ],
        );
    }

    #[test]
    fn each_bus_has_a_height_that_no_other_one_needs_there() {
        let heights = |notation: &str| {
            let catalog = read(notation);
            let graph = build(&catalog.packages[0]);
            let layout = drawn(&graph);
            let buses = graph.edges.iter().zip(&layout.edges).filter(|(_, points)| points.len() == 4);
            let height = |(edge, points): (&crate::Edge, &Vec<Point>)| {
                let name = |id| graph.node(id).label();
                format!("{} to {}: {}", name(edge.from), name(edge.to), points[1].y - layout.lanes[0].spine)
            };
            buses.map(height).collect::<Vec<_>>()
        };
        let side_by_side = "c: 4.0.0 (replaces 3.0.0; skips 2.0.0), 3.0.0 (skips 1.0.0, 2.0.0), 2.0.0, 1.0.0";
        assert_eq!(heights(side_by_side), ["2.0.0 to 4.0.0: 37", "1.0.0 to 3.0.0: 29", "2.0.0 to 3.0.0: 29"]);
        let apart = "c: 4.0.0 (replaces 2.0.0; skips 3.0.0), 3.0.0, 2.0.0 (skips 1.0.0), 1.0.0";
        assert_eq!(heights(apart), ["2.0.0 to 4.0.0: 29"]);
        let quiet = "c: 4.0.0 (skips 1.0.0, 2.0.0, 3.0.0), 3.0.0 (skips 1.0.0, 2.0.0), 2.0.0 (skips 1.0.0), 1.0.0";
        assert!(heights(quiet).iter().all(|text| text.ends_with(": 29")), "edges that OLM ignores need no place");
    }

    #[test]
    fn a_skip_range_is_a_band() {
        check(
            "c: 3.0.0 (replaces 2.0.0; skipRange >=1.0.0 <3.0.0), 2.0.0 (replaces 1.0.0), 1.0.0 (replaces 0.1.0)",
            &[
                "p.v3.0.0 3/0",
                "p.v2.0.0 2/0",
                "p.v1.0.0 1/0",
                "p.v0.1.0 0/0",
                "1 -> 0: 2",
                "2 -> 1: 2",
                "3 -> 2: 2",
                "band of 0: [117] covers [1..3]",
            ],
        );
    }

    #[test]
    fn entries_below_each_other_have_room_for_words_between_them() {
        let apart = |notation: &str| {
            let catalog = read(notation);
            let layout = drawn(&build(&catalog.packages[0]));
            let mut tops: Vec<i32> = layout.nodes.iter().map(|node| node.at.y).collect();
            tops.sort_unstable();
            tops[tops.len() - 1] - tops[0] - layout.nodes[0].height
        };
        assert_eq!(apart("c: 2.0.0 (replaces 1.0.0), 1.0.0, 2.0.0"), 34);
    }

    #[test]
    fn on_an_axis_that_leads_up_labels_are_across_it() {
        let catalog = read("c: 2.0.0 (replaces 1.0.0), 1.0.0\nd: 2.0.0-candidate.7");
        let layout = boxes(&build(&catalog.packages[0]), AxisDirection::Up, &[]);
        let sizes: Vec<(i32, i32)> = layout.nodes.iter().map(|node| (node.width, node.height)).collect();
        assert_eq!(sizes, [(28, 49), (28, 49), (28, 112)]);
        let steps: Vec<i32> = layout.columns.windows(2).map(|pair| pair[1].x - pair[0].x).collect();
        assert_eq!(steps, [40, 40]);
    }

    #[test]
    fn entries_of_the_same_name_are_below_each_other() {
        const ENTRIES: usize = 40_000;
        let catalog = read(&format!("c: {}", "1.0.0 (no bundle), ".repeat(ENTRIES)));
        let layout = drawn(&build(&catalog.packages[0]));
        let rows: Vec<usize> = layout.nodes.iter().map(|node| node.row as usize).collect();
        assert_eq!(rows, (0..ENTRIES).collect::<Vec<_>>());
    }

    #[test]
    fn cycles_and_several_heads_are_drawn() {
        check(
            "c: 2.0.0 (replaces 1.0.0), 1.0.0 (replaces 2.0.0), 3.0.0, 4.0.0",
            &["p.v2.0.0 1/0", "p.v1.0.0 0/0", "p.v3.0.0 2/0", "p.v4.0.0 3/0", "1 -> 0: 2", "0 -> 1: 4"],
        );
    }

    #[test]
    fn edges_are_quiet_that_olm_ignores_or_that_repeat_another_one() {
        let edge = |from, via, ignored| Edge { from: NodeId(from), to: NodeId(2), via, ignored };
        let edges = [
            edge(0, Via::Replaces, false),
            edge(0, Via::Skips, false),
            edge(1, Via::Skips, false),
            edge(1, Via::Replaces, true),
        ];
        let quiet = |stuck| quiet_edges(&edges, |id| id == NodeId(stuck));
        assert_eq!(quiet(0), [false, true, true, true]);
        assert_eq!(quiet(1), [false, true, true, false], "it may be what is wrong");
    }
}
