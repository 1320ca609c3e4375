//! From entry to entry with the arrow keys: along the lane, or to the nearest entry of the next lane.

use views::{GraphView, NodeView};

/// Where an arrow key leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrow {
    /// To the older entry.
    Left,
    /// To the newer entry.
    Right,
    /// To the lane above.
    Up,
    /// To the lane below.
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

    /// One step in CSS pixels, as the drawing moves under the frame.
    pub(crate) fn pan(self) -> (f64, f64) {
        match self {
            Self::Left => (80.0, 0.0),
            Self::Right => (-80.0, 0.0),
            Self::Up => (0.0, 60.0),
            Self::Down => (0.0, -60.0),
        }
    }
}

/// The index of the node that an arrow leads to.
pub(crate) fn neighbour(graph: &GraphView, from: usize, arrow: Arrow) -> Option<usize> {
    let here = graph.nodes.get(from)?;
    let nodes = graph.nodes.iter().enumerate();
    match arrow {
        Arrow::Left => {
            nodes.filter(|(_, node)| node.lane == here.lane && order(node) < order(here)).max_by_key(|(_, n)| order(n))
        }
        Arrow::Right => {
            nodes.filter(|(_, node)| node.lane == here.lane && order(node) > order(here)).min_by_key(|(_, n)| order(n))
        }
        Arrow::Up => {
            let lane = nodes.clone().map(|(_, node)| node.lane).filter(|lane| *lane < here.lane).max()?;
            nodes.filter(|(_, node)| node.lane == lane).min_by_key(|(_, node)| aside(node, here))
        }
        Arrow::Down => {
            let lane = nodes.clone().map(|(_, node)| node.lane).filter(|lane| *lane > here.lane).min()?;
            nodes.filter(|(_, node)| node.lane == lane).min_by_key(|(_, node)| aside(node, here))
        }
    }
    .map(|(index, _)| index)
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
    use views::{CatalogId, EntryKey, PackageKey, Point};

    fn graph(nodes: &[(u32, i32, i32)]) -> GraphView {
        let node = |(lane, x, y): &(u32, i32, i32)| NodeView {
            lane: *lane,
            column: 0,
            key: EntryKey { channel: None, name: format!("{lane}-{x}-{y}") },
            label: String::new(),
            at: Point { x: *x, y: *y },
            width: 50,
            height: 26,
            marks: Vec::new(),
            summary: String::new(),
            place: None,
            next: None,
        };
        GraphView {
            package: PackageKey { catalog: CatalogId(0), package: "p".to_owned() },
            width: 0,
            height: 0,
            gutter: 0,
            columns: Vec::new(),
            lanes: Vec::new(),
            nodes: nodes.iter().map(node).collect(),
            edges: Vec::new(),
            bands: Vec::new(),
        }
    }

    #[test]
    fn left_and_right_follow_the_lane() {
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
