//! The layouts of an update graph, made for channels.
//!
//! Each channel is a lane. Versions run along one axis that all lanes share or, in the compact layout, each lane has
//! its own places and draws long runs of entries as one box. In the dense layout the axis is as wide as a page. Entries stand in one row, below it those that an edge
//! would cross. `skips` run along a bus below the row, and a skipRange is a band below that covers the versions it
//! matches. A general layered layout would need an edge for each of those, which are too many. All numbers are integers,
//! one unit is a CSS pixel at zoom 1, and the same graph always has the same layout. The axis leads to the right or up; x is
//! along it, and y across it.

mod axis;
mod dense;
mod route;
mod rows;

use crate::{Edge, LaneId, Mark, NodeId, UpdateGraph, Via, entry_points};
use axis::{Across, Axis, BOX, box_size};
use catalog::DeprecationTarget;
use route::Router;
use rows::{Folds, Rows};
use source::{AxisColumn, AxisDirection, EntryForm, Point};
use std::collections::BTreeSet;

/// Distances from top to bottom.
struct Spacing {
    /// Above the first lane.
    header: i32,
    /// From the top of a lane to the middle of its spine: room for words above the nodes.
    above: i32,
    /// Below the last row or band of a lane.
    below: i32,
    /// Between lanes.
    gap: i32,
}

/// With the labels of the axis above the first lane, and room for two lines of words above the nodes.
const SHARED: Spacing = Spacing { header: 26, above: 48, below: 16, gap: 0 };
/// With two lines of labels on the axis, and room for two lines of words above the nodes.
const DENSE: Spacing = Spacing { header: 44, above: 46, below: 18, gap: 0 };
/// With room for one line of words above the nodes; see [`WORDS`].
const COMPACT: Spacing = Spacing { header: 2, above: 38, below: 6, gap: 0 };
/// If the axis leads up, the labels of the axis and words are left of the nodes.
const SHARED_UP: Spacing = Spacing { header: 84, above: 58, below: 20, gap: 0 };
const COMPACT_UP: Spacing = Spacing { header: 2, above: 46, below: 12, gap: 0 };
/// More room above the nodes in a lane of the compact layout with words above them, for a second line, or with a bracket
/// over the entries that are stuck; and if the axis leads up.
const WORDS: (i32, i32) = (10, 40);
/// Height of a fold among stations.
const FOLD: i32 = 20;
/// Above the first lane of a deprecated package, whose mark stands there.
const DEPRECATED: i32 = 30;
/// A compact drawing of this height is visible as a whole, in most windows. In higher ones bands are thin.
const PAGE: i32 = 720;

/// The layout on an axis of versions that all lanes share.
#[must_use]
pub fn layout(graph: &UpdateGraph<'_>, direction: AxisDirection) -> Layout {
    let axis = Axis::of(graph, direction);
    let across = Across::shared(graph, &axis, Folds::none(graph));
    let rows = rows::assign(graph, &axis);
    let router = Router::of(graph, &axis, &rows, &across.folds.of);
    let rows = rows.with_room(|lane| router.height(lane));
    let bands = rows::collect(graph, &axis, &across, rows::OWN_ROWS);
    let lanes = lanes(graph, &rows, &bands, if direction == AxisDirection::Up { &SHARED_UP } else { &SHARED }, |_| 0);
    finish(graph, axis, &rows, across, (bands, lanes), &router, &[])
}

/// The layout on an axis that all lanes share, as wide as a page: versions are close together, and long runs of them at
/// which nothing happens are drawn as one box, except for `opened`.
#[must_use]
pub fn dense(graph: &UpdateGraph<'_>, direction: AxisDirection, opened: &BTreeSet<NodeId>) -> Layout {
    let mut axis = Axis::of(graph, direction);
    let rows = rows::assign(graph, &axis).of_stations();
    let folds = dense::place(graph, &mut axis, &rows, STYLE_PAGE.0, opened);
    let forms = dense::forms(graph, &axis, &rows, &folds);
    let across = Across::shared(graph, &axis, folds);
    let router = Router::of(graph, &axis, &rows, &across.folds.of);
    let rows = rows.with_room(|lane| router.height(lane));
    let bands = rows::collect(graph, &axis, &across, rows::OWN_ROWS);
    let lanes = lanes(graph, &rows, &bands, if direction == AxisDirection::Up { &SHARED_UP } else { &DENSE }, |_| 0);
    finish(graph, axis, &rows, across, (bands, lanes), &router, &forms)
}

/// The layout without shared axis, with long runs of entries drawn as one box, except for `opened`.
#[must_use]
pub fn compact(graph: &UpdateGraph<'_>, direction: AxisDirection, opened: &BTreeSet<NodeId>) -> Layout {
    let axis = Axis::of(graph, direction);
    let rows = rows::assign(graph, &axis).closer();
    let entry_points: BTreeSet<NodeId> = entry_points(graph).into_keys().collect();
    let axis = axis.with_room_at(&entry_points);
    let folds = Folds::of(graph, &axis, &rows, &entry_points, opened);
    let across = Across::compact(graph, &axis, folds);
    let router = Router::of(graph, &axis, &rows, &across.folds.of);
    let rows = rows.with_room(|lane| router.height(lane));
    let is_deprecated = graph.package.deprecations.iter().any(|found| found.target == DeprecationTarget::Package);
    let (spacing, words) = match direction {
        AxisDirection::Right if is_deprecated => (Spacing { header: DEPRECATED, ..COMPACT }, WORDS.0),
        AxisDirection::Right => (COMPACT, WORDS.0),
        AxisDirection::Up => (COMPACT_UP, WORDS.1),
    };
    let stuck = graph.nodes.iter().filter(|node| node.marks.contains(&Mark::Stranded)).map(|node| node.lane);
    let with_words: BTreeSet<LaneId> = entry_points.iter().map(|&id| graph.node(id).lane).chain(stuck).collect();
    let more = |lane: usize| if with_words.contains(&LaneId(lane as u32)) { words } else { 0 };
    let place = |bands: &[Band]| lanes(graph, &rows, bands, &spacing, more);
    let fits = |bands: &Vec<Band>| height(&place(bands)) <= PAGE;
    let bands = |own_rows| rows::collect(graph, &axis, &across, own_rows);
    let bands = (1..=rows::OWN_ROWS).rev().map(bands).find(fits).unwrap_or_else(|| bands(0));
    let lanes = place(&bands);
    finish(graph, axis, &rows, across, (bands, lanes), &router, &[])
}

/// All parts at their places. The entries have these forms; if there are none, they are boxes.
fn finish(
    graph: &UpdateGraph<'_>,
    axis: Axis,
    rows: &Rows,
    across: Across,
    (bands, lanes): (Vec<Band>, Vec<LaneBox>),
    router: &Router,
    forms: &[EntryForm],
) -> Layout {
    let nodes = boxes(graph, &axis, rows, &across, &lanes, forms);
    let edges = router.lines(graph, &nodes, |lane| lanes[lane].spine + rows.height / 2);
    Layout {
        width: across.width,
        height: height(&lanes),
        gutter: axis.gutter,
        direction: axis.direction,
        columns: axis.columns,
        edges,
        bands: rows::place(bands, &lanes, rows),
        folds: across.folds.all,
        lanes,
        nodes,
    }
}

fn boxes(
    graph: &UpdateGraph<'_>,
    axis: &Axis,
    rows: &Rows,
    across: &Across,
    lanes: &[LaneBox],
    forms: &[EntryForm],
) -> Vec<NodeBox> {
    let node = |at: usize| {
        let (lane, row) = (graph.nodes[at].lane.0 as usize, rows.of[at]);
        let (x, width) = across.boxes[at];
        let (y, column) = (lanes[lane].spine + rows.down(lane, row), axis.index_of(NodeId(at as u32)));
        let form = forms.get(at).copied().unwrap_or_default();
        let label = || {
            across.folds.fold_of(NodeId(at as u32)).map_or_else(|| graph.nodes[at].label(), |fold| fold.label.clone())
        };
        let height = match (form, axis.direction) {
            (EntryForm::Station | EntryForm::NamedStation, _) => rows.height,
            // The label of a fold has more room than a station.
            (EntryForm::Box, AxisDirection::Right) if !forms.is_empty() => FOLD,
            (EntryForm::Box, AxisDirection::Right) => rows.height,
            (EntryForm::Box, AxisDirection::Up) => box_size(&label(), axis.direction).1,
        };
        NodeBox { at: Point { x, y }, width, height, form, column, row, fold: across.folds.of[at] }
    };
    (0..graph.nodes.len()).map(node).collect()
}

/// The lanes below each other, each with so much `more` room above its nodes.
fn lanes(
    graph: &UpdateGraph<'_>,
    rows: &Rows,
    bands: &[Band],
    spacing: &Spacing,
    more: impl Fn(usize) -> i32,
) -> Vec<LaneBox> {
    let mut y = spacing.header;
    let boxes = (0..graph.lanes.len()).map(|lane| {
        // If the axis leads up, words are beside boxes that are as high as their labels are long.
        let above = spacing.above + more(lane) + (rows.height - BOX).max(0) / 2;
        let height = above + rows.end(lane) + rows::height_in(bands, lane) + spacing.below;
        let lane = LaneBox { y, height, spine: y + above };
        y += height + spacing.gap;
        lane
    });
    boxes.collect()
}

fn height(lanes: &[LaneBox]) -> i32 {
    lanes.last().map_or(SHARED.header, |lane| lane.y + lane.height)
}

// What a layout consists of: the values that are drawn.

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
    pub columns: Vec<AxisColumn>,
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

// Which of the layouts shows more of a graph at the first look.

/// What is visible of a drawing in most windows with readable labels: width and height.
const STYLE_PAGE: (i32, i32) = (840, 720);
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
        AxisDirection::Right => COLUMN.0 * (shared.width - shared.gutter) <= COLUMN.1 * (STYLE_PAGE.0 - shared.gutter),
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
    let hardly_overlap = (shared.width > STYLE_PAGE.0 || is_dense) && SPARSE * entries < lanes * columns;
    let is_higher = shared.direction == AxisDirection::Right && shared.height > STYLE_PAGE.1;
    lanes > 1 && (hardly_overlap || is_higher || width_of_heads(graph, shared) > STYLE_PAGE.0 - shared.gutter)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use crate::testing::read;

    /// A sketch of the layout: `name column/row` of every node, then `edges` by their number of points, then bands.
    #[track_caller]
    fn check(notation: &str, expected: &[&str]) {
        let catalog = read(notation);
        let graph = build(&catalog.packages[0]);
        let layout = layout(&graph, AxisDirection::Right);
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
    fn entries_that_an_edge_would_cross_are_below() {
        check(
            "c: 3.0.0 (replaces 1.0.0; skips 2.0.0), 2.0.0, 1.0.0, 0.1.0, 4.0.0 (replaces 3.0.0; skips 0.1.0)",
            &[
                "p.v3.0.0 3/0",
                "p.v2.0.0 2/1",
                "p.v1.0.0 1/0",
                "p.v0.1.0 0/0",
                "p.v4.0.0 4/0",
                "2 -> 0: 2",
                "1 -> 0: 4",
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
            let layout = layout(&graph, AxisDirection::Right);
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
        assert_eq!(heights(apart), ["3.0.0 to 4.0.0: 29", "1.0.0 to 2.0.0: 29"]);
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
                "band of 0: [125] covers [1..3]",
            ],
        );
    }

    #[test]
    fn entries_below_each_other_have_room_for_words_between_them() {
        let apart = |notation: &str| {
            let catalog = read(notation);
            let layout = layout(&build(&catalog.packages[0]), AxisDirection::Right);
            let mut tops: Vec<i32> = layout.nodes.iter().map(|node| node.at.y).collect();
            tops.sort_unstable();
            tops[tops.len() - 1] - tops[0] - layout.nodes[0].height
        };
        assert_eq!(apart("c: 2.0.0 (replaces 1.0.0), 1.0.0, 2.0.0"), 34);
        assert_eq!(apart("c: 2.0.0 (replaces 1.0.0), 1.0.0, 1.5.0"), 14);
    }

    #[test]
    fn on_an_axis_that_leads_up_labels_are_across_it() {
        let catalog = read("c: 2.0.0 (replaces 1.0.0), 1.0.0\nd: 2.0.0-candidate.7");
        let layout = layout(&build(&catalog.packages[0]), AxisDirection::Up);
        let sizes: Vec<(i32, i32)> = layout.nodes.iter().map(|node| (node.width, node.height)).collect();
        assert_eq!(sizes, [(28, 53), (28, 53), (28, 116)]);
        let steps: Vec<i32> = layout.columns.windows(2).map(|pair| pair[1].x - pair[0].x).collect();
        assert_eq!(steps, [40, 40]);
    }

    #[test]
    fn entries_of_the_same_name_are_below_each_other() {
        const ENTRIES: usize = 40_000;
        let catalog = read(&format!("c: {}", "1.0.0 (no bundle), ".repeat(ENTRIES)));
        let layout = layout(&build(&catalog.packages[0]), AxisDirection::Right);
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
