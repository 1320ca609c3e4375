//! The versions that a skipRange covers, as a band below the entries of a lane.

use crate::node;
use crate::shape::Shape;
use std::ops::RangeInclusive;
use views::{AxisDirection, BandView, EntryForm, GraphLayout, GraphView, Mark, NodeView};

/// Half the height of a band.
pub const HALF: i32 = 4;
/// From the middle of a band to the baseline of its text, in a row of its own.
const TEXT: i32 = 17;
/// The sign left of a band without lower bound.
const UNBOUNDED: i32 = 10;
/// Before and behind texts.
const CLEAR: i32 = 8;

/// The whole width of the drawing.
pub const EVERYWHERE: (i32, i32) = (i32::MIN, i32::MAX);

/// The classes of a band in the style sheet.
pub fn classes(band: &BandView) -> String {
    format!("band{}{}", if band.warns { " warns" } else { "" }, if band.folded { " folded" } else { "" })
}

/// The stretches of a band, and an arrow to the entry that has the range. `more` are additional classes. The label is
/// placed within `from..to`, the part of the drawing that is visible.
pub fn shape(graph: &GraphView, band: &BandView, more: &str, seen: (i32, i32)) -> Shape {
    let (top, bottom) = (band.y - HALF, band.y + HALF);
    let mut shapes = Vec::new();
    for &(left, right) in &band.stretches {
        let (width, height) = ((right - left).max(2), 2 * HALF);
        shapes.push(Shape::Rect { class: "fill", x: left, y: top, width, height, radius: 3 });
    }
    if let Some(&(left, _)) = band.stretches.first() {
        if band.unbounded_below {
            let d = format!("M{} {top}L{} {}L{} {bottom}", left - 4, left - UNBOUNDED, band.y, left - 4);
            shapes.push(Shape::path("rim", d));
        }
        shapes.extend(arrow(graph, band));
        shapes.extend(label(graph, band, seen));
    }
    Shape::Group { class: format!("{}{more}", classes(band)), title: None, shapes }
}

/// The label in its row: where the visible part of the band begins, or further left, so that it ends with the entries.
/// What has no room is left out, the last part first.
fn label(graph: &GraphView, band: &BandView, (from, to): (i32, i32)) -> Option<Shape> {
    let &(left, _) = band.stretches.first()?;
    let start = graph.gutter + CLEAR;
    let end = (graph.width - graph.aside - CLEAR).min(to);
    // The arrows of the bands below pass this row.
    let below = graph.bands.iter().filter(|other| other.lane == band.lane && !other.folded && other.y > band.y);
    let passes = below.filter_map(|other| arrow_x(graph, other)).filter(|x| *x > left);
    let end = passes.map(|x| x - CLEAR).fold(end, i32::min);
    let range = band.label.split(" · ").next().unwrap_or_default();
    let texts = [&*band.label, band.label.split(", ").next().unwrap_or_default(), range];
    let room = end.saturating_sub(start.max(from));
    // A character of 12 px is 7.2 wide.
    let width = |text: &str| i32::try_from(text.chars().count()).unwrap_or(i32::MAX).saturating_mul(29) / 4;
    let text = texts.into_iter().find(|text| width(text) <= room);
    let text = text.map_or_else(|| node::fitted(range, room), str::to_owned);
    let x = left.max(from).min(end.saturating_sub(width(&text))).max(start);
    (room > 0).then_some(Shape::Text { class: "", x, y: band.y + TEXT, text })
}

/// Where the arrow of a band arrives.
fn arrow_x(graph: &GraphView, band: &BandView) -> Option<i32> {
    let (node, &(_, right)) = (graph.nodes.get(band.to as usize)?, band.stretches.last()?);
    // The label of a head among dots begins where its dot would be.
    let is_label = node.form == EntryForm::Box && graph.layout != GraphLayout::Boxes;
    Some(if is_label { right.max(node.at.x - node.width / 2 + CLEAR) } else { node.at.x })
}

/// From the end of the band to its entry.
fn arrow(graph: &GraphView, band: &BandView) -> Vec<Shape> {
    let (Some(node), Some(&(_, right))) = (graph.nodes.get(band.to as usize), band.stretches.last()) else {
        return Vec::new();
    };
    let Some(x) = arrow_x(graph, band) else { return Vec::new() };
    let y = node.at.y + node.height / 2 + 2;
    let d = match x > right + CLEAR {
        true => format!("M{right} {}H{}Q{x} {} {x} {}V{}", band.y, x - 6, band.y, band.y - 6, y + 7),
        false => format!("M{x} {}V{}", band.y - HALF, y + 7),
    };
    vec![Shape::path("arrow", d), Shape::path("tip", format!("M{x} {y}l-4 8h8z"))]
}

// What is stuck: a bracket over the entries with their number, a wall where their updates end, and the reason.

/// From the boxes to the bracket, above a line of words.
const ABOVE: i32 = 22;
const END: i32 = 6;
/// How far a wall extends above and below the middle of a box, and of a dot.
const WALL: (i32, i32) = (19, 11);
/// The radius of the sign on it.
const SIGN: (i32, i32) = (7, 5);
/// From the last entry to a wall behind which there is none.
const BEHIND: i32 = 10;
/// From the end of a lane to the baseline of the reason.
const REASON: i32 = 16;

/// What a lane has of that in a stretch of the drawing.
pub fn shapes(graph: &GraphView, lane: u32, stretch: &RangeInclusive<i32>) -> Vec<Shape> {
    let Some(view) = graph.lanes.get(lane as usize) else { return Vec::new() };
    let is_grid = graph.layout == GraphLayout::Grid;
    let in_rows = is_grid && graph.lanes.len() == 1;
    let nodes = graph.lane_nodes(lane).map(|at| &graph.nodes[at as usize]);
    let row: Vec<&NodeView> = nodes.filter(|node| in_rows || node.row == 0).collect();
    let is_stuck = |node: &NodeView| node.marks.contains(&Mark::Stranded);
    let (mut shapes, mut start, mut newest) = (Vec::new(), 0, None);
    for run in row.chunk_by(|one, other| is_stuck(one) == is_stuck(other)) {
        start += run.len();
        let [first, ..] = run else { continue };
        let last = run[run.len() - 1];
        let (left, right) = (first.at.x - first.width / 2, last.at.x + last.width / 2);
        if !is_stuck(first) {
            continue;
        }
        newest = Some(left);
        if right < *stretch.start() || left > *stretch.end() {
            continue;
        }
        if !is_grid {
            let y = first.at.y - first.height / 2 - ABOVE;
            shapes.push(Shape::path("bracket", format!("M{left} {}V{y}H{right}V{}", y + END, y + END)));
            let text = if run.len() == 1 { "stuck".to_owned() } else { format!("{} stuck", run.len()) };
            shapes.push(Shape::Text { class: "bracket", x: i32::midpoint(left, right), y: y + 4, text });
        }
        let next = row.get(start).filter(|next| next.at.y == last.at.y).map(|next| next.at.x - next.width / 2);
        let x = next.map_or(right + BEHIND, |next| i32::midpoint(right, next));
        shapes.extend(wall(x, last.at.y, last.form == EntryForm::Box));
    }
    let reason = view.reason.as_ref().filter(|_| graph.direction == AxisDirection::Right).zip(newest);
    shapes.extend(reason.map(|(text, left)| {
        let (start, end) = (graph.gutter + CLEAR, graph.width - graph.aside - CLEAR);
        let room = usize::try_from((end - start) / SMALL).unwrap_or(0);
        let text = crate::shape::shortened(text, room.max(1));
        let x = left.min(end - SMALL * text.chars().count() as i32).max(start);
        let end = view.before.as_ref().map_or(view.y + view.height, |before| before.top);
        Shape::Text { class: "reason", x, y: end - REASON, text }
    }));
    shapes
}

/// Width of a character of the reason.
const SMALL: i32 = 6;

/// Where updates end before the head.
fn wall(x: i32, y: i32, is_box: bool) -> [Shape; 2] {
    let (half, radius) = if is_box { (WALL.0, SIGN.0) } else { (WALL.1, SIGN.1) };
    let cross = radius / 2;
    let sign = format!(
        "M{} {y}a{radius} {radius} 0 1 0 {} 0a{radius} {radius} 0 1 0 -{} 0zM{} {}l{} {}m0 -{}l-{} {}",
        x - radius,
        2 * radius,
        2 * radius,
        x - cross,
        y - cross,
        2 * cross,
        2 * cross,
        2 * cross,
        2 * cross,
        2 * cross
    );
    [Shape::path("wall", format!("M{x} {}v{}", y - half, 2 * half)), Shape::path("break", sign)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{graph, lane};

    /// A band of the first entry.
    fn band(stretches: Vec<(i32, i32)>) -> BandView {
        BandView {
            lane: 0,
            to: 0,
            label: ">=1.0.0 <2.0.0 · covers 30 versions".to_owned(),
            y: 50,
            columns: Vec::new(),
            stretches,
            warns: false,
            folded: false,
            unbounded_below: false,
            range: String::new(),
            ignored: false,
        }
    }

    /// The labels of a band from 0 to 2000 when only the given part is visible.
    fn labels(seen: (i32, i32)) -> Vec<(i32, String)> {
        let band = band(vec![(0, 2000)]);
        let Shape::Group { shapes, .. } = shape(&graph(&[(0, 2100)]), &band, "", seen) else { return Vec::new() };
        let text = |shape| match shape {
            Shape::Text { x, text, .. } => Some((x, text)),
            Shape::Rect { .. }
            | Shape::Path { .. }
            | Shape::Group { .. }
            | Shape::Turned { .. }
            | Shape::Window { .. } => None,
        };
        shapes.into_iter().filter_map(text).collect()
    }

    #[test]
    fn the_label_stands_where_it_can_be_read() {
        let whole = ">=1.0.0 <2.0.0 · covers 30 versions".to_owned();
        assert_eq!(labels(EVERYWHERE), [(8, whole.clone())]);
        assert_eq!(labels((300, 700)), [(300, whole)]);
        assert_eq!(labels((1900, 3000)), [(1900, ">=1.0.0 <2.0.0".to_owned())]);
    }

    #[test]
    fn a_label_that_would_end_behind_the_entries_begins_further_left() {
        let mut view = band(vec![(900, 950)]);
        let mut graph = graph(&[(0, 1000)]);
        let drawn = |graph: &GraphView, view: &BandView| match label(graph, view, EVERYWHERE) {
            Some(Shape::Text { x, text, .. }) => (x, text),
            _ => (0, String::new()),
        };
        assert_eq!(drawn(&graph, &view), (789, ">=1.0.0 <2.0.0 · covers 30 versions".to_owned()));
        graph.gutter = 900;
        assert_eq!(drawn(&graph, &view), (908, ">=1.0.0 <2.0.0".to_owned()), "never over the name of the lane");
        view.label = format!(">={}", "1".repeat(250));
        assert_eq!(drawn(&graph, &view).0, 908);
    }

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
    fn updates_end_at_a_wall_with_its_reason() {
        let mut graph = graph(&[(0, 100), (0, 170), (0, 240)]);
        graph.lanes = vec![views::LaneView { reason: Some("3.0.0 skips 2.0.0".to_owned()), ..lane(0) }];
        graph.nodes[0].marks = vec![Mark::Stranded];
        let drawn = shapes(&graph, 0, &(0..=400));
        let wall = Shape::path("wall", "M135 -19v38".to_owned());
        let reason = Shape::Text { class: "reason", x: 75, y: 104, text: "3.0.0 skips 2.0.0".to_owned() };
        assert!(drawn.contains(&wall) && drawn.contains(&reason), "{drawn:?}");
        graph.layout = GraphLayout::Grid;
        let drawn = shapes(&graph, 0, &(0..=400));
        assert!(drawn.contains(&wall) && !drawn.iter().any(|shape| shape.text() == Some("stuck")), "{drawn:?}");
    }
}
