//! Keyboard navigation: where the arrow keys lead from an entry, and what a screen reader announces.

use views::{AxisDirection, GraphView, Mark, NodeView};

/// Where an arrow key leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrow {
    /// To the entry that it is updated from.
    Left,
    /// To the entry that it is updated to.
    Right,
    /// To the entry above.
    Up,
    /// To the entry below.
    Down,
}

impl Arrow {
    /// The arrow of a key by its DOM name.
    pub(crate) fn of_key(key: &str) -> Option<Self> {
        match key {
            "ArrowLeft" => Some(Self::Left),
            "ArrowRight" => Some(Self::Right),
            "ArrowUp" => Some(Self::Up),
            "ArrowDown" => Some(Self::Down),
            _ => None,
        }
    }

    /// The arrow along the axis or across it that a key means.
    pub(crate) fn in_direction(self, direction: AxisDirection) -> Self {
        match (direction, self) {
            (AxisDirection::Right, arrow) => arrow,
            (AxisDirection::Up, Self::Up) => Self::Right,
            (AxisDirection::Up, Self::Down) => Self::Left,
            (AxisDirection::Up, Self::Left) => Self::Up,
            (AxisDirection::Up, Self::Right) => Self::Down,
        }
    }

    /// One step in CSS pixels, by which the drawing moves.
    pub(crate) fn pan(self) -> (f64, f64) {
        match self {
            Self::Left => (80.0, 0.0),
            Self::Right => (-80.0, 0.0),
            Self::Up => (0.0, 60.0),
            Self::Down => (0.0, -60.0),
        }
    }
}

/// The node that an arrow key leads to: along the edges, or to the nearest entry beside the spine or in the next lane.
/// Where no edge leads on, it continues along the lane, so that every entry can be reached.
pub(crate) fn neighbour(graph: &GraphView, from: usize, arrow: Arrow) -> Option<usize> {
    let here = graph.nodes.get(from)?;
    let along = |at: u32| at as usize;
    match arrow {
        Arrow::Left => here.previous.map(along).or_else(|| beside(graph, here, false)),
        Arrow::Right => here.following.map(along).or_else(|| beside(graph, here, true)),
        Arrow::Up => alternative(graph, here, false).or_else(|| other_lane(graph, here, false)),
        Arrow::Down => alternative(graph, here, true).or_else(|| other_lane(graph, here, true)),
    }
}

/// What a screen reader announces for an entry: what it is, where OLM's updates lead from it, and how many lead to it.
pub(crate) fn announcement(graph: &GraphView, at: usize) -> String {
    let Some(node) = graph.nodes.get(at) else { return String::new() };
    let label = |at: u32| graph.nodes.get(at as usize).map_or("", |node| node.label.as_str());
    let on = node.next.map(|next| format!("OLM updates it to {}; ", label(next.to))).unwrap_or_default();
    let incoming = match node.updated_from {
        0 => "no entry is updated to it".to_owned(),
        1 => "one entry is updated to it".to_owned(),
        many => format!("{many} entries are updated to it"),
    };
    format!("{}; {on}{}; {incoming}.", node.summary, ending(graph, node))
}

/// Where OLM's updates from a node end, and whether a switch leads on there.
pub(crate) fn ending(graph: &GraphView, node: &NodeView) -> String {
    let Some(end) = graph.nodes.get(node.end as usize) else { return String::new() };
    let has = |mark: Mark| end.marks.contains(&mark);
    let updates = match node.hops {
        0 => format!("no update from {}", end.label),
        1 => format!("1 update to {}", end.label),
        hops => format!("{hops} updates to {}", end.label),
    };
    let what = match (has(Mark::Head), has(Mark::Stranded)) {
        (_, true) => ", where it is stuck",
        (true, false) if has(Mark::NoWayOn) => ", the head, which has no way to a newer channel",
        (true, false) => ", the head",
        (false, false) => "",
    };
    format!("{updates}{what}")
}

/// The next entry of the lane.
fn beside(graph: &GraphView, here: &NodeView, newer: bool) -> Option<usize> {
    let lane = graph.nodes.iter().enumerate().filter(|(_, node)| node.lane == here.lane);
    let found = if newer {
        lane.filter(|(_, node)| order(node) > order(here)).min_by_key(|(_, node)| order(node))
    } else {
        lane.filter(|(_, node)| order(node) < order(here)).max_by_key(|(_, node)| order(node))
    };
    found.map(|(index, _)| index)
}

/// The nearest entry above or below in the same lane, at most as far across as two boxes.
fn alternative(graph: &GraphView, here: &NodeView, lower: bool) -> Option<usize> {
    let drop = |node: &NodeView| if lower { node.at.y - here.at.y } else { here.at.y - node.at.y };
    let lane = graph.nodes.iter().enumerate().filter(|(_, node)| node.lane == here.lane);
    let there = lane.filter(|(_, node)| drop(node) > 0 && aside(node, here) <= 2 * here.width);
    there.min_by_key(|(_, node)| (drop(node), aside(node, here))).map(|(index, _)| index)
}

/// The nearest entry of the next lane that has any.
fn other_lane(graph: &GraphView, here: &NodeView, lower: bool) -> Option<usize> {
    let lanes = graph.nodes.iter().map(|node| node.lane);
    let lane =
        if lower { lanes.filter(|lane| *lane > here.lane).min() } else { lanes.filter(|lane| *lane < here.lane).max() };
    let nodes = graph.nodes.iter().enumerate().filter(|(_, node)| Some(node.lane) == lane);
    nodes.min_by_key(|(_, node)| aside(node, here)).map(|(index, _)| index)
}

fn order(node: &NodeView) -> (i32, i32) {
    (node.at.x, node.at.y)
}

fn aside(node: &NodeView, here: &NodeView) -> i32 {
    (node.at.x - here.at.x).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(nodes: &[(u32, i32, i32)]) -> GraphView {
        let mut graph = opscope_drawing::testing::graph(&[]);
        graph.nodes = nodes.iter().map(|&(lane, x, y)| opscope_drawing::testing::node(lane, x, y)).collect();
        graph
    }

    #[test]
    fn left_and_right_follow_the_edges() {
        let mut graph = graph(&[(0, 10, 0), (0, 20, 40), (0, 30, 0)]);
        (graph.nodes[0].following, graph.nodes[2].previous) = (Some(2), Some(0));
        assert_eq!(neighbour(&graph, 0, Arrow::Right), Some(2));
        assert_eq!(neighbour(&graph, 2, Arrow::Left), Some(0));
        assert_eq!(neighbour(&graph, 2, Arrow::Down), Some(1));
        assert_eq!(neighbour(&graph, 1, Arrow::Up), Some(0));
    }

    #[test]
    fn up_leads_along_an_axis_that_leads_up() {
        assert_eq!(Arrow::Up.in_direction(AxisDirection::Up), Arrow::Right);
        assert_eq!(Arrow::Right.in_direction(AxisDirection::Up), Arrow::Down, "to the next channel");
        assert_eq!(Arrow::Up.in_direction(AxisDirection::Right), Arrow::Up);
    }

    #[test]
    fn an_announcement_says_where_updates_lead() {
        let mut graph = graph(&[(0, 10, 0), (0, 20, 0), (0, 30, 0)]);
        let next = views::NextView { to: 1, line: views::Line::Edge(0) };
        (graph.nodes[0].next, graph.nodes[0].hops, graph.nodes[0].end) = (Some(next), 2, 2);
        (graph.nodes[1].label, graph.nodes[2].label) = ("1.1.0".to_owned(), "1.2.0".to_owned());
        graph.nodes[2].updated_from = 1;
        (graph.nodes[2].marks, graph.nodes[2].end) = (vec![Mark::Head], 2);
        let expected =
            "1.0.0 in channel c; OLM updates it to 1.1.0; 2 updates to 1.2.0, the head; no entry is updated to it.";
        assert_eq!(announcement(&graph, 0), expected);
        assert_eq!(
            announcement(&graph, 2),
            "1.0.0 in channel c; no update from 1.2.0, the head; one entry is updated to it."
        );
    }

    #[test]
    fn without_edges_left_and_right_follow_the_lane() {
        let graph = graph(&[(0, 10, 0), (0, 30, 0), (0, 20, 0), (1, 15, 90)]);
        assert_eq!(neighbour(&graph, 0, Arrow::Right), Some(2));
        assert_eq!(neighbour(&graph, 2, Arrow::Right), Some(1));
        assert_eq!(neighbour(&graph, 1, Arrow::Right), None);
        assert_eq!(neighbour(&graph, 2, Arrow::Left), Some(0));
    }

    #[test]
    fn up_and_down_take_the_nearest_of_the_next_lane_that_has_any() {
        let graph = graph(&[(0, 10, 0), (2, 12, 90), (2, 200, 90)]);
        assert_eq!(neighbour(&graph, 0, Arrow::Down), Some(1));
        assert_eq!(neighbour(&graph, 2, Arrow::Up), Some(0));
        assert_eq!(neighbour(&graph, 0, Arrow::Up), None);
    }
}
