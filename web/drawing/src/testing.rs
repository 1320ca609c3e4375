//! Small graphs for tests.

use views::{AnswerView, CatalogId, EdgeKind, EdgeView, EntryKey, GraphLayout, GraphView, NodeView, PackageKey, Point};

/// A graph of entries, each with its lane and x coordinate.
pub fn graph(nodes: &[(u32, i32)]) -> GraphView {
    GraphView {
        compares: None,
        package: PackageKey { catalog: CatalogId(0), package: "p".to_owned() },
        catalog: "operators".to_owned(),
        layout: GraphLayout::Boxes,
        direction: views::AxisDirection::Right,
        deprecated: None,
        answer: AnswerView::default(),
        width: nodes.iter().map(|node| node.1 + 50).max().unwrap_or(0),
        height: 0,
        gutter: 0,
        aside: 0,
        ticks: Vec::new(),
        switches: Vec::new(),
        columns: Vec::new(),
        lanes: Vec::new(),
        nodes: nodes.iter().map(|&(lane, x)| node(lane, x, 0)).collect(),
        edges: Vec::new(),
        bands: Vec::new(),
    }
}

/// An entry.
pub fn node(lane: u32, x: i32, y: i32) -> NodeView {
    NodeView {
        lane,
        key: EntryKey { channel: Some(format!("c{lane}")), name: format!("{lane}-{x}-{y}") },
        label: "1.0.0".to_owned(),
        at: Point { x, y },
        width: 50,
        height: 28,
        summary: "1.0.0 in channel c".to_owned(),
        subtree: (0, 1),
        ..NodeView::default()
    }
}

/// A `replaces` edge through points.
pub fn replaces(from: u32, to: u32, points: &[(i32, i32)]) -> EdgeView {
    let points = points.iter().map(|&(x, y)| Point { x, y }).collect();
    EdgeView {
        kind: EdgeKind::Replaces,
        from,
        to,
        points,
        ignored: false,
        quiet: false,
        presence: views::Presence::Both,
    }
}

/// A lane.
pub fn lane(at: i32) -> views::LaneView {
    views::LaneView {
        channel: format!("c{at}"),
        default: at == 0,
        deprecated: None,
        y: 30 + 100 * at,
        height: 90,
        spine: 74 + 100 * at,
        entries: 1,
        stuck: 0,
        reason: None,
        ways: None,
        problem: None,
        place: views::Place { file: views::FileKey(0), start: 0, end: 0, line: 1, column: 1 },
        before: None,
    }
}
