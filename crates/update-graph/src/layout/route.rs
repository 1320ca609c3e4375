//! Routes the edges of `replaces` and `skips`.

use super::axis::Axis;
use super::{NODE_HEIGHT, NodeBox, Point};
use crate::{Edge, NodeId, UpdateGraph, Via};
use std::collections::BTreeMap;

/// How far a curve moves away from its row.
const LIFT: i32 = 26;

/// The columns in use, by lane and row.
type Rows = BTreeMap<(u32, u32), Vec<u32>>;

pub(super) fn route(graph: &UpdateGraph<'_>, nodes: &[NodeBox], axis: &Axis) -> Vec<Vec<Point>> {
    let mut rows = Rows::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        let id = NodeId(at as u32);
        rows.entry((node.lane.0, nodes[at].row)).or_default().push(axis.index_of(id));
    }
    rows.values_mut().for_each(|columns| columns.sort_unstable());
    let line = |edge: &Edge| {
        let (from, to) = (&nodes[edge.from.0 as usize], &nodes[edge.to.0 as usize]);
        let (older, newer) = (axis.index_of(edge.from), axis.index_of(edge.to));
        if edge.from == edge.to {
            return around(from);
        }
        let columns = &rows[&(graph.node(edge.from).lane.0, from.row)];
        let free = columns.partition_point(|&at| at <= older) == columns.partition_point(|&at| at < newer);
        if from.row == to.row && older < newer && free && edge.via == Via::Replaces {
            straight(from, to)
        } else if from.row == to.row {
            arc(from, to)
        } else {
            between_rows(from, to)
        }
    };
    graph.edges.iter().map(line).collect()
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
    let (start, end) = (top(from), top(to));
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
    let back = if forwards { -LIFT } else { LIFT };
    let corridor = start.y + if upwards { -LIFT / 2 } else { LIFT / 2 };
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
