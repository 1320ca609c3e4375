//! The layout of an update graph, made for channels.
//!
//! Versions run along one axis that all channels of the package share; each channel is a lane. The chain of `replaces`
//! is the lane's spine, other entries are beside it, and a skipRange is a band below that covers the versions it matches. A
//! general layered layout would need an edge for each of those, which are too many. All numbers are integers, one unit is a
//! CSS pixel at zoom 1, and the same graph always has the same layout.

mod axis;
mod band;
mod route;
mod rows;

use crate::{NodeId, UpdateGraph};
use axis::Axis;
use rows::Rows;

pub use band::Band;

/// A point; x grows to newer versions, y downwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Across.
    pub x: i32,
    /// Down.
    pub y: i32,
}

/// A drawn graph. Vectors named after parts of [`UpdateGraph`] run parallel to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Width of the drawing.
    pub width: i32,
    /// Height of the drawing.
    pub height: i32,
    /// Where nodes begin; the lane names are left of it.
    pub gutter: i32,
    /// The axis, ascending.
    pub columns: Vec<Column>,
    /// Lanes, from top to bottom.
    pub lanes: Vec<LaneBox>,
    /// Nodes.
    pub nodes: Vec<NodeBox>,
    /// Edges, from the older to the newer end: two points are a straight line, four a cubic curve.
    pub edges: Vec<Vec<Point>>,
    /// Bands of skipRanges, lane by lane.
    pub bands: Vec<Band>,
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
    /// Height.
    pub height: i32,
    /// The middle of the spine.
    pub spine: i32,
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeBox {
    /// The middle.
    pub at: Point,
    /// Width; the height is [`NODE_HEIGHT`].
    pub width: i32,
    /// Which column, an index.
    pub column: u32,
    /// 0 on the spine, 1 and more beside it.
    pub row: u32,
}

/// Height of every node.
pub const NODE_HEIGHT: i32 = 26;
/// From the top of a lane to the middle of its spine: room for marks above the nodes.
const ABOVE: i32 = 48;
/// Below the last row or band of a lane.
const BELOW: i32 = 10;
/// Between lanes.
const GAP: i32 = 10;
/// Above the first lane: the labels of the axis.
const HEADER: i32 = 30;

/// Lays out `graph`.
#[must_use]
pub fn layout(graph: &UpdateGraph<'_>) -> Layout {
    let axis = Axis::of(graph);
    let rows = rows::assign(graph, &axis);
    let bands = band::collect(graph, &axis);
    let lanes = lanes(graph, &rows, &bands);
    let lane_of = |id: NodeId| graph.node(id).lane.0 as usize;
    let nodes: Vec<NodeBox> = (0..graph.nodes.len())
        .map(|at| {
            let lane = lanes[graph.nodes[at].lane.0 as usize];
            let (id, row) = (NodeId(at as u32), rows.of[at]);
            let at = Point { x: axis.column_of(id).x, y: lane.spine + rows.down(lane_of(id), row) };
            NodeBox { at, width: axis.node_width(id), column: axis.index_of(id), row }
        })
        .collect();
    let edges = route::route(graph, &nodes, &axis);
    let bands = band::place(bands, &lanes, &rows);
    let height = lanes.last().map_or(HEADER, |lane| lane.y + lane.height);
    Layout { width: axis.width, height, gutter: axis.gutter, columns: axis.columns, lanes, nodes, edges, bands }
}

fn lanes(graph: &UpdateGraph<'_>, rows: &Rows, bands: &[Band]) -> Vec<LaneBox> {
    let mut y = HEADER;
    let boxes = (0..graph.lanes.len()).map(|lane| {
        let below = rows.down(lane, rows.deepest[lane]) + NODE_HEIGHT / 2;
        let height = ABOVE + below + band::HEIGHT * band::rows_in(bands, lane) + BELOW;
        let lane = LaneBox { y, height, spine: y + ABOVE };
        y += height + GAP;
        lane
    });
    boxes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use crate::testing::{bundles, catalog};

    /// A sketch of the layout: `name column/row` of every node, then `edges` by their number of points, then bands.
    #[track_caller]
    fn check(entries: &str, versions: &[&str], expected: &[&str]) {
        let catalog = catalog(&format!("{entries}{}", bundles(versions)));
        let graph = build(&catalog.packages[0]);
        let layout = layout(&graph);
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
            "- {name: p.v2.0.0, replaces: p.v1.0.0}\n- {name: p.v1.0.0, replaces: p.v0.1.0}\n",
            &["1.0.0", "2.0.0"],
            &["p.v2.0.0 2/0", "p.v1.0.0 1/0", "p.v0.1.0 0/0", "1 -> 0: 2", "2 -> 1: 2"],
        );
    }

    #[test]
    fn skipped_entries_are_beside_the_spine() {
        check(
            "- {name: p.v3.0.0, replaces: p.v1.0.0, skips: [p.v2.0.0]}\n- name: p.v2.0.0\n- name: p.v1.0.0\n",
            &["1.0.0", "2.0.0", "3.0.0"],
            &["p.v3.0.0 2/0", "p.v2.0.0 1/1", "p.v1.0.0 0/0", "2 -> 0: 2", "1 -> 0: 4"],
        );
    }

    #[test]
    fn a_skip_range_is_a_band() {
        check(
            "- {name: p.v3.0.0, replaces: p.v2.0.0, skipRange: '>=1.0.0 <3.0.0'}\n- {name: p.v2.0.0, replaces: p.v1.0.0}\n- {name: p.v1.0.0, replaces: p.v0.1.0}\n",
            &["1.0.0", "2.0.0", "3.0.0"],
            &[
                "p.v3.0.0 3/0",
                "p.v2.0.0 2/0",
                "p.v1.0.0 1/0",
                "p.v0.1.0 0/0",
                "1 -> 0: 2",
                "2 -> 1: 2",
                "3 -> 2: 2",
                "band of 0: [129] covers [1..3]",
            ],
        );
    }

    #[test]
    fn entries_below_each_other_have_room_for_words_between_them() {
        let apart = |entries: &str, versions: &str| {
            let catalog = catalog(&format!("{entries}{versions}"));
            let layout = layout(&build(&catalog.packages[0]));
            let mut tops: Vec<i32> = layout.nodes.iter().map(|node| node.at.y).collect();
            tops.sort_unstable();
            tops[tops.len() - 1] - tops[0] - NODE_HEIGHT
        };
        let chain = "- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
        assert_eq!(apart(&format!("{chain}- name: p.v2.0.0\n"), &bundles(&["1.0.0", "2.0.0"])), 34);
        assert_eq!(apart(&format!("{chain}- name: p.v1.5.0\n"), &bundles(&["1.0.0", "1.5.0", "2.0.0"])), 14);
    }

    #[test]
    fn entries_of_the_same_name_are_below_each_other() {
        const ENTRIES: usize = 40_000;
        let catalog = catalog(&"- name: p.v1.0.0\n".repeat(ENTRIES));
        let layout = layout(&build(&catalog.packages[0]));
        let rows: Vec<usize> = layout.nodes.iter().map(|node| node.row as usize).collect();
        assert_eq!(rows, (0..ENTRIES).collect::<Vec<_>>());
    }

    #[test]
    fn cycles_and_several_heads_are_drawn() {
        check(
            "- {name: p.v2.0.0, replaces: p.v1.0.0}\n- {name: p.v1.0.0, replaces: p.v2.0.0}\n- name: p.v3.0.0\n- name: p.v4.0.0\n",
            &["1.0.0", "2.0.0", "3.0.0", "4.0.0"],
            &["p.v2.0.0 1/1", "p.v1.0.0 0/1", "p.v3.0.0 2/1", "p.v4.0.0 3/0", "1 -> 0: 2", "0 -> 1: 4"],
        );
    }
}
