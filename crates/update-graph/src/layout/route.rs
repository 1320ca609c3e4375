//! Routes the edges of `replaces` and `skips`: between neighbours of a row as a straight line, all others along a bus
//! below the first row of their lane. All edges to one entry share a bus.

use super::NodeBox;
use super::axis::Axis;
use super::rows::{DOT, Rows};
use crate::{Edge, LaneId, NodeId, UpdateGraph, Via};
use source::{EntryForm, Point};
use std::collections::BTreeMap;

/// From the row to the first bus, with room for an arrow head.
const FIRST: i32 = 15;
/// From a bus to the next.
const STEP: i32 = 8;
/// Below the last bus.
const CLEAR: i32 = 9;
/// More buses than these share the last place.
const MOST: u32 = 4;
/// From the middle of a box to where edges leave it or arrive, so that they do not meet there.
const BESIDE: i32 = 5;
/// From the side of a box to an edge that passes other boxes of its column.
const PASS: i32 = 9;
/// The height of a loop above its entry.
const LOOP: i32 = 14;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    /// In the grid, not between neighbours.
    Hidden,
    Around,
    Straight,
    /// Along a bus; 0 is the one next to the row.
    Bus(u32),
}

/// The courses of all edges. They depend on the columns and rows of nodes, and not on their places.
pub(super) struct Router {
    courses: Vec<Course>,
    /// By lane, how many places its buses take.
    buses: Vec<u32>,
}

impl Router {
    /// The courses in a drawing that has buses, or in the grid of one channel, which has none.
    pub(super) fn of(graph: &UpdateGraph<'_>, axis: &Axis, rows: &Rows, quiet: &[bool], has_buses: bool) -> Self {
        let has_buses = has_buses || graph.lanes.len() > 1;
        let mut columns: BTreeMap<(LaneId, u32), Vec<u32>> = BTreeMap::new();
        for (at, node) in graph.nodes.iter().enumerate() {
            let column = axis.index_of(NodeId(at as u32));
            columns.entry((node.lane, rows.of[at])).or_default().push(column);
        }
        columns.values_mut().for_each(|columns| columns.sort_unstable());
        let row = |id: NodeId| rows.of[id.0 as usize];
        let is_straight = |edge: &Edge| {
            let (older, newer) = (axis.index_of(edge.from), axis.index_of(edge.to));
            let columns = &columns[&(graph.node(edge.from).lane, row(edge.from))];
            let free = columns.partition_point(|&at| at <= older) == columns.partition_point(|&at| at < newer);
            let is_one = edge.via == Via::Replaces || graph.node(edge.from).next.is_some_and(|next| next.to == edge.to);
            is_one && row(edge.from) == row(edge.to) && older < newer && free
        };
        let course = |edge: &Edge| match edge {
            _ if edge.from == edge.to => Course::Around,
            _ if is_straight(edge) => Course::Straight,
            _ if has_buses => Course::Bus(MOST - 1),
            _ => Course::Hidden,
        };
        let mut router = Self { courses: graph.edges.iter().map(course).collect(), buses: Vec::new() };
        for lane in (0..graph.lanes.len() as u32).map(LaneId) {
            let edges = graph.edges.iter().enumerate().filter(|(_, edge)| graph.node(edge.from).lane == lane);
            let buses = edges.filter(|&(at, _)| matches!(router.courses[at], Course::Bus(_)));
            let bus = |(at, edge): (usize, &Edge)| {
                let (from, to) = (axis.index_of(edge.from), axis.index_of(edge.to));
                (at, edge.to, (from.min(to), from.max(to)), quiet[at])
            };
            let buses: Vec<_> = buses.map(bus).collect();
            router.place_buses(&buses);
        }
        router
    }

    /// Gives each bus of a lane the place nearest to the row that no other one needs there, short ones first. The edges
    /// of a lane have an index, an end, their columns, and whether they are quiet: then they are in the last place.
    fn place_buses(&mut self, edges: &[(usize, NodeId, (u32, u32), bool)]) {
        let mut spans: BTreeMap<NodeId, (u32, u32)> = BTreeMap::new();
        for &(_, end, (from, to), _) in edges.iter().filter(|(.., is_quiet)| !is_quiet) {
            let span = spans.entry(end).or_insert((from, to));
            *span = (span.0.min(from), span.1.max(to));
        }
        let mut spans: Vec<(NodeId, (u32, u32))> = spans.into_iter().collect();
        spans.sort_by_key(|&(end, (first, last))| (last - first, first, end));
        let mut taken: Vec<Vec<(u32, u32)>> = Vec::new();
        let mut places: BTreeMap<NodeId, u32> = BTreeMap::new();
        for (end, (first, last)) in spans {
            let is_free = |taken: &Vec<(u32, u32)>| taken.iter().all(|&(from, to)| to <= first || last <= from);
            let place = taken.iter().position(is_free).unwrap_or(taken.len()).min(MOST as usize - 1);
            if place == taken.len() {
                taken.push(Vec::new());
            }
            taken[place].push((first, last));
            places.insert(end, place as u32);
        }
        let last = taken.len().saturating_sub(1) as u32;
        for (at, end, ..) in edges {
            self.courses[*at] = Course::Bus(places.get(end).copied().unwrap_or(last));
        }
        self.buses.push(taken.len() as u32);
    }

    /// The height below the first row of a lane that its buses need.
    pub(super) fn height(&self, lane: usize) -> i32 {
        match self.buses[lane] {
            0 => 0,
            buses => FIRST + STEP * (buses as i32 - 1) + CLEAR,
        }
    }

    /// The lines of all edges, for nodes in lanes whose first rows end at these heights; none for one that is hidden.
    pub(super) fn lines(
        &self,
        graph: &UpdateGraph<'_>,
        nodes: &[NodeBox],
        end: impl Fn(usize) -> i32,
    ) -> Vec<Vec<Point>> {
        let line = |(edge, course): (&Edge, &Course)| {
            let (from, to) = (&nodes[edge.from.0 as usize], &nodes[edge.to.0 as usize]);
            match course {
                Course::Hidden => Vec::new(),
                Course::Around => around(from),
                Course::Straight => vec![side(from, 1), side(to, -1)],
                Course::Bus(place) => {
                    let lane = graph.node(edge.from).lane.0 as usize;
                    bus(from, to, end(lane) + FIRST + STEP * *place as i32)
                }
            }
        };
        graph.edges.iter().zip(&self.courses).map(line).collect()
    }
}

/// A loop from a node to itself.
fn around(node: &NodeBox) -> Vec<Point> {
    let top = node.at.y - node.height / 2;
    let at = |x: i32, y: i32| Point { x: node.at.x + x, y: top - y };
    vec![at(12, 0), at(12, LOOP), at(0, LOOP), at(-12, LOOP), at(-12, 0)]
}

/// From a node to a bus at height `y`, along it, and to the other node.
fn bus(from: &NodeBox, to: &NodeBox, y: i32) -> Vec<Point> {
    let mut points = access(from, 1, y);
    points.extend(access(to, -1, y).into_iter().rev());
    points
}

/// From a node to a bus: what leaves is right of the middle, what arrives with -1 left of it. From the rows below the
/// second, it passes the boxes of the same column at the side.
fn access(node: &NodeBox, direction: i32, y: i32) -> Vec<Point> {
    let x = match node.form {
        EntryForm::Box if node.height > DOT => node.at.x + direction * BESIDE,
        // The label of a head begins where its dot would be.
        EntryForm::Box => node.at.x - node.width / 2 + BESIDE,
        EntryForm::Station | EntryForm::NamedStation => node.at.x,
    };
    match node.row {
        0 => vec![Point { x, y: node.at.y + node.height / 2 }, Point { x, y }],
        1 => vec![Point { x, y: node.at.y - node.height / 2 }, Point { x, y }],
        _ => {
            let side = side(node, direction);
            let x = side.x + direction * PASS;
            vec![side, Point { x, y: side.y }, Point { x, y }]
        }
    }
}

/// The middle of the right side, or with -1 of the left side.
const fn side(node: &NodeBox, direction: i32) -> Point {
    Point { x: node.at.x + direction * node.width / 2, y: node.at.y }
}
