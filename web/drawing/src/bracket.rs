//! A bracket over the entries of a lane that never reach the head, with their number, and below them what OLM ignores.

use crate::shape::Shape;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use views::{AxisDirection, EdgeKind, GraphView, Mark};

/// From the boxes to the bracket, above a line of words.
const ABOVE: i32 = 22;
/// The length of its ends.
const END: i32 = 6;
/// From a line to the words below it, and the height that they need.
const BELOW: i32 = 13;
const WORDS: i32 = 18;

/// The brackets of a lane in a stretch of the drawing: one over each run of such entries in its first row.
pub fn shapes(graph: &GraphView, lane: u32, stretch: &RangeInclusive<i32>) -> Vec<Shape> {
    let drawn = |at: u32| graph.drawn(at).filter(|node| node.row == 0);
    let row: Vec<_> = graph.boxes(lane).filter_map(|at| Some((at, drawn(at)?))).collect();
    let is_stuck = |node: &views::NodeView| node.marks.contains(&Mark::Stranded);
    let mut shapes = Vec::new();
    for run in row.chunk_by(|(_, one), (_, other)| is_stuck(one) == is_stuck(other)) {
        let [(_, first), ..] = run else { continue };
        let (_, last) = &run[run.len() - 1];
        let (left, right) = (first.at.x - first.width / 2, last.at.x + last.width / 2);
        if !is_stuck(first) || right < *stretch.start() || left > *stretch.end() {
            continue;
        }
        let stands_for = |at: u32| graph.fold(at).map_or(1, |fold| graph.folded(fold).count());
        let count: usize = run.iter().map(|&(at, _)| stands_for(at)).sum();
        let y = first.at.y - first.height / 2 - ABOVE;
        shapes.push(Shape::path("bracket", format!("M{left} {}V{y}H{right}V{}", y + END, y + END)));
        let text = if count == 1 { "stuck".to_owned() } else { format!("{count} stuck") };
        shapes.push(Shape::Text { class: "bracket", x: i32::midpoint(left, right), y: y + 4, text });
    }
    shapes.extend(ignored(graph, lane));
    shapes
}

/// The words for the `skips` of an entry that OLM ignores, below the line that they share, if there is room.
fn ignored(graph: &GraphView, lane: u32) -> Vec<Shape> {
    let Some(end) = graph.lanes.get(lane as usize).map(|lane| lane.y + lane.height) else { return Vec::new() };
    let has_bands = graph.bands.iter().any(|band| band.lane == lane && !band.folded);
    if has_bands || graph.direction == AxisDirection::Up {
        return Vec::new();
    }
    let mut lines: BTreeMap<u32, (i32, i32)> = BTreeMap::new();
    for edge in graph.edges.iter().filter(|edge| edge.ignored && !edge.quiet && edge.kind == EdgeKind::Skips) {
        let is_here = graph.nodes.get(edge.to as usize).is_some_and(|node| node.lane == lane);
        if let ([from, _, shared, _], true) = (&edge.points[..], is_here) {
            let line = lines.entry(edge.to).or_insert((from.x, shared.y));
            line.0 = line.0.min(from.x);
        }
    }
    // Where several entries have such lines, the words would be about one of them alone.
    let one = lines.iter().next().filter(|_| lines.len() == 1);
    let words = one.filter(|(_, (_, y))| y + WORDS <= end).map(|(&to, &(x, y))| {
        let text = format!("skips of {}, ignored by OLM", graph.nodes[to as usize].label);
        Shape::Text { class: "ignored", x: x + END, y: y + BELOW, text }
    });
    words.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{graph, lane, replaces};
    use views::EdgeView;

    #[test]
    fn a_run_of_stuck_entries_has_one_bracket() {
        let mut graph = graph(&[(0, 100), (0, 170), (0, 240), (0, 310), (0, 380)]);
        graph.lanes = vec![lane(0)];
        for at in [0, 1, 3, 4] {
            graph.nodes[at].marks = vec![Mark::Stranded];
        }
        graph.nodes[4].row = 1;
        let texts = |stretch: RangeInclusive<i32>| {
            let text = |shape| match shape {
                Shape::Text { text, x, .. } => Some((text, x)),
                Shape::Rect { .. }
                | Shape::Path { .. }
                | Shape::Group { .. }
                | Shape::Turned { .. }
                | Shape::Window { .. } => None,
            };
            shapes(&graph, 0, &stretch).into_iter().filter_map(text).collect::<Vec<_>>()
        };
        assert_eq!(texts(0..=400), [("2 stuck".to_owned(), 135), ("stuck".to_owned(), 310)]);
        assert_eq!(texts(200..=220), []);
    }

    #[test]
    fn the_skips_that_olm_ignores_are_named_below_their_line() {
        let mut graph = graph(&[(0, 100), (0, 170), (0, 240)]);
        graph.lanes = vec![lane(0)];
        let skips = |from: u32, x: i32| EdgeView {
            kind: EdgeKind::Skips,
            ignored: true,
            ..replaces(from, 2, &[(x, 80), (x, 100), (240, 100), (240, 80)])
        };
        graph.edges = vec![skips(1, 170), skips(0, 100)];
        let words = ignored(&graph, 0);
        let text = "skips of 1.0.0, ignored by OLM".to_owned();
        assert_eq!(words, [Shape::Text { class: "ignored", x: 106, y: 113, text }]);
        graph.lanes[0].height = 80;
        assert_eq!(ignored(&graph, 0), [], "there is no room");
    }
}
