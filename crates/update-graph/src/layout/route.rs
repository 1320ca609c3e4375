//! Routes the edges of `replaces` and `skips`.

use super::shape::{NODE_HEIGHT, NodeBox};
use crate::{Edge, LaneId, UpdateGraph, Via};
use source::Point;
use std::collections::BTreeMap;

/// How far the control points of a curve are from its row; the curve passes above the words of the entries below it.
const LIFT: i32 = 30;
/// From a box to the middle of the free space between rows.
const CORRIDOR: i32 = 13;
/// From the side of a box to the end of a curve above it, which stays clear of the words above its middle.
const CORNER: i32 = 6;

/// The columns in use, by lane and row.
type Rows = BTreeMap<(u32, u32), Vec<u32>>;

/// The course of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    /// Between entries of one fold.
    Hidden,
    Around,
    Straight,
    Arc,
    BetweenRows,
}

/// Decides the course of edges. It needs the columns and rows of nodes, and not their places.
pub(super) struct Router<'n> {
    nodes: &'n [NodeBox],
    rows: Rows,
}

impl<'n> Router<'n> {
    pub(super) fn of(graph: &UpdateGraph<'_>, nodes: &'n [NodeBox]) -> Self {
        let mut rows = Rows::new();
        for (node, drawn) in graph.nodes.iter().zip(nodes) {
            rows.entry((node.lane.0, drawn.row)).or_default().push(drawn.column);
        }
        rows.values_mut().for_each(|columns| columns.sort_unstable());
        Self { nodes, rows }
    }

    /// The lines of all edges; none for an edge between entries of one fold.
    pub(super) fn lines(&self, graph: &UpdateGraph<'_>) -> Vec<Vec<Point>> {
        let line = |edge: &Edge| {
            let (from, to) = self.ends(edge);
            match self.course(graph, edge) {
                Course::Hidden => Vec::new(),
                Course::Around => around(from),
                Course::Straight => straight(from, to),
                Course::Arc => arc(from, to),
                Course::BetweenRows => between_rows(from, to),
            }
        };
        graph.edges.iter().map(line).collect()
    }

    /// Whether a curve goes over the spine of a lane.
    pub(super) fn has_arcs(&self, graph: &UpdateGraph<'_>, lane: LaneId) -> bool {
        let on_spine = |edge: &&Edge| self.ends(edge).0.row == 0;
        graph.edges_of(lane).iter().filter(on_spine).any(|edge| self.course(graph, edge) == Course::Arc)
    }

    fn ends(&self, edge: &Edge) -> (&'n NodeBox, &'n NodeBox) {
        (&self.nodes[edge.from.0 as usize], &self.nodes[edge.to.0 as usize])
    }

    fn course(&self, graph: &UpdateGraph<'_>, edge: &Edge) -> Course {
        let (from, to) = self.ends(edge);
        if from.fold.is_some() && from.fold == to.fold {
            return Course::Hidden;
        }
        if edge.from == edge.to {
            return Course::Around;
        }
        let columns = &self.rows[&(graph.node(edge.from).lane.0, from.row)];
        let (older, newer) = (from.column, to.column);
        let free = columns.partition_point(|&at| at <= older) == columns.partition_point(|&at| at < newer);
        if from.row == to.row && older < newer && free && edge.via == Via::Replaces {
            Course::Straight
        } else if from.row == to.row {
            Course::Arc
        } else {
            Course::BetweenRows
        }
    }
}

/// A line between neighbours of one row.
fn straight(from: &NodeBox, to: &NodeBox) -> Vec<Point> {
    vec![right(from), left(to)]
}

/// A loop from a node to itself.
fn around(node: &NodeBox) -> Vec<Point> {
    let top = top(node);
    let at = |x: i32, y: i32| Point { x: top.x + x, y: top.y - y };
    vec![at(10, 0), at(30, LIFT), at(-30, LIFT), at(-10, 0)]
}

/// A curve over the nodes between two nodes of one row, or back to an older version.
fn arc(from: &NodeBox, to: &NodeBox) -> Vec<Point> {
    let aside = |node: &NodeBox, right: bool| {
        let half = node.width / 2 - CORNER;
        Point { x: node.at.x + if right { half } else { -half }, ..top(node) }
    };
    let forwards = from.at.x < to.at.x;
    let (start, end) = (aside(from, forwards), aside(to, !forwards));
    let control = |point: Point| Point { x: (3 * point.x + start.x + end.x) / 5, y: point.y - LIFT };
    vec![start, control(start), control(end), end]
}

/// A curve from a row beside the spine to another row: into the free space between rows, along it, and into the side of
/// the newer node.
fn between_rows(from: &NodeBox, to: &NodeBox) -> Vec<Point> {
    let upwards = from.at.y > to.at.y;
    let forwards = from.at.x < to.at.x;
    let start = if upwards { top(from) } else { bottom(from) };
    let side = if forwards { left(to) } else { right(to) };
    let towards = if upwards { 6 } else { -6 };
    let end = Point { x: side.x, y: side.y + towards };
    let back = if forwards { -2 * CORRIDOR } else { 2 * CORRIDOR };
    let corridor = start.y + if upwards { -CORRIDOR } else { CORRIDOR };
    vec![start, Point { x: start.x, y: corridor }, Point { x: end.x + back, y: end.y + towards }, end]
}

const fn right(node: &NodeBox) -> Point {
    Point { x: node.at.x + node.width / 2, y: node.at.y }
}

const fn left(node: &NodeBox) -> Point {
    Point { x: node.at.x - node.width / 2, y: node.at.y }
}

const fn top(node: &NodeBox) -> Point {
    Point { x: node.at.x, y: node.at.y - NODE_HEIGHT / 2 }
}

const fn bottom(node: &NodeBox) -> Point {
    Point { x: node.at.x, y: node.at.y + NODE_HEIGHT / 2 }
}
