//! A bracket over the entries of a lane that never reach the head, with their number.

use crate::shape::Shape;
use std::ops::RangeInclusive;
use views::{GraphView, Mark};

/// From the boxes to the bracket, above a line of words.
const ABOVE: i32 = 22;
/// The length of its ends.
const END: i32 = 6;

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
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{graph, lane};

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
}
