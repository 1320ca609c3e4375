//! `replaces` and `skips` edges.

use crate::shape::{Shape, push};
use views::{EdgeKind, EdgeView, Point, Presence};

/// Length of an arrow head and half its width.
const TIP: (f64, f64) = (8.0, 4.0);
/// Straight lines shorter than this have no arrow head: those between stations.
const SHORT: f64 = 10.0;
/// Shorter ones are not drawn.
const LEAST: i32 = 4;
/// The radius of the corners of a line.
const CORNER: i32 = 5;
/// From the corner before the arrow head to the mark on a line that OLM ignores.
const BREAK: i32 = 16;

/// All classes of edges.
pub const CLASSES: [&str; 8] = [
    "replaces",
    "skips",
    "replaces ignored",
    "skips ignored",
    "replaces removed",
    "skips removed",
    "replaces added",
    "skips added",
];

/// The classes of an edge in the style sheet.
pub const fn class(edge: &EdgeView) -> &'static str {
    match (edge.kind, edge.presence, edge.ignored) {
        (EdgeKind::Replaces, Presence::Before, _) => "replaces removed",
        (EdgeKind::Skips, Presence::Before, _) => "skips removed",
        (EdgeKind::Replaces, Presence::After, _) => "replaces added",
        (EdgeKind::Skips, Presence::After, _) => "skips added",
        (EdgeKind::Replaces, Presence::Both, false) => "replaces",
        (EdgeKind::Skips, Presence::Both, false) => "skips",
        (EdgeKind::Replaces, Presence::Both, true) => "replaces ignored",
        (EdgeKind::Skips, Presence::Both, true) => "skips ignored",
    }
}

/// A straight line on its own.
#[must_use]
pub fn straight(from: Point, to: Point, ignored: bool) -> EdgeView {
    EdgeView {
        kind: EdgeKind::Replaces,
        from: 0,
        to: 1,
        points: vec![from, to],
        ignored,
        quiet: false,
        presence: Presence::Both,
    }
}

/// A line with an arrow head through points, with a class.
#[must_use]
pub fn along(points: &[Point], class: &str) -> [Shape; 2] {
    let mut tip = String::new();
    push_tip(&mut tip, points);
    [Shape::path(class, line(points)), Shape::path(format!("{class} tip"), tip)]
}

/// A line with an arrow head, and a mark where OLM ignores it. `more` are additional classes.
pub fn shapes(edge: &EdgeView, more: &str) -> Vec<Shape> {
    merged(&format!("{}{more}", class(edge)), std::iter::once(edge), true)
}

/// Edges of one class as one path, and with `tips` one path for all arrow heads and one for all marks: a tile has few
/// elements, however many edges.
pub fn merged<'a>(class: &str, edges: impl Iterator<Item = &'a EdgeView>, tips: bool) -> Vec<Shape> {
    let [mut lines, mut heads, mut breaks] = [const { String::new() }; 3];
    // Between dots that nearly touch, a line would hide them.
    let is_seen = |edge: &&EdgeView| match edge.points[..] {
        [from, to] => (to.x - from.x).abs() + (to.y - from.y).abs() >= LEAST,
        _ => true,
    };
    for edge in edges.filter(is_seen) {
        lines.push_str(&line(&edge.points));
        push_tip(&mut heads, &edge.points);
        push_break(&mut breaks, edge);
    }
    let mut shapes = vec![Shape::path(format!("edge {class}"), lines)];
    if tips {
        shapes.push(Shape::path(format!("tip {class}"), heads));
        shapes.extend((!breaks.is_empty()).then(|| Shape::path("break", breaks)));
    }
    shapes
}

/// The points with round corners between them.
fn line(points: &[Point]) -> String {
    let mut d = String::new();
    for (index, &Point { x, y }) in points.iter().enumerate() {
        let neighbours = index.checked_sub(1).and_then(|before| points.get(before)).zip(points.get(index + 1));
        match neighbours {
            Some((&before, &after)) => {
                let (from, to) = (towards(Point { x, y }, before), towards(Point { x, y }, after));
                push(&mut d, format_args!("L{} {}Q{x} {y} {} {}", from.x, from.y, to.x, to.y));
            }
            None => push(&mut d, format_args!("{}{x} {y}", if index == 0 { "M" } else { "L" })),
        }
    }
    d
}

/// The point on the horizontal or vertical way to another one where a corner begins.
fn towards(from: Point, to: Point) -> Point {
    let step = |from: i32, to: i32| from + ((to - from) / 2).clamp(-CORNER, CORNER);
    Point { x: step(from.x, to.x), y: step(from.y, to.y) }
}

/// A circle with a cross on a line that OLM ignores: before the last corner or, of a straight line, in the middle. The
/// lines of one bus have it in one place.
fn push_break(d: &mut String, edge: &EdgeView) {
    let at = match edge.points.as_slice() {
        _ if !edge.ignored || edge.presence != Presence::Both => return,
        [from, to] => Point { x: i32::midpoint(from.x, to.x) - TIP.0 as i32 / 2, y: i32::midpoint(from.y, to.y) },
        [.., before, corner, _] => {
            let away = (before.x - corner.x).clamp(-BREAK, BREAK);
            Point { x: corner.x + away, y: corner.y }
        }
        _ => return,
    };
    let (x, y) = (at.x, at.y);
    push(d, format_args!("M{} {y}a6 6 0 1 0 12 0a6 6 0 1 0 -12 0zM{} {}l5 5m0 -5l-5 5", x - 6, x - 2, y - 2));
}

/// A triangle at the end.
fn push_tip(d: &mut String, points: &[Point]) {
    let [.., before, end] = points else { return };
    let at = |point: &Point| (f64::from(point.x), f64::from(point.y));
    let ((from_x, from_y), (x, y)) = (at(before), at(end));
    let length = (x - from_x).hypot(y - from_y);
    if length >= if points.len() > 2 { 1.0 } else { SHORT } {
        let (along, across) = ((x - from_x) / length, (y - from_y) / length);
        let (back_x, back_y) = (x - along * TIP.0, y - across * TIP.0);
        let (side_x, side_y) = (across * TIP.1, along * TIP.1);
        push(
            d,
            format_args!(
                "M{x:.0} {y:.0}L{:.1} {:.1} {:.1} {:.1}Z",
                back_x - side_x,
                back_y + side_y,
                back_x + side_x,
                back_y - side_y
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(points: &[(i32, i32)]) -> Vec<Point> {
        points.iter().map(|&(x, y)| Point { x, y }).collect()
    }

    #[test]
    fn corners_are_round() {
        assert_eq!(line(&points(&[(0, 1), (2, 3)])), "M0 1L2 3");
        assert_eq!(line(&points(&[(0, 0), (0, 20), (60, 20), (60, 0)])), "M0 0L0 15Q0 20 5 20L55 20Q60 20 60 15L60 0");
        assert_eq!(line(&points(&[(0, 0), (0, 20), (4, 20), (4, 0)])), "M0 0L0 15Q0 20 2 20L2 20Q4 20 4 15L4 0");
    }

    #[test]
    fn an_ignored_edge_is_broken() {
        let broken = |points: &[(i32, i32)], ignored| {
            let edge = EdgeView { ignored, ..crate::testing::replaces(0, 1, points) };
            let mut d = String::new();
            push_break(&mut d, &edge);
            d.split('a').next().unwrap_or_default().to_owned()
        };
        assert_eq!(broken(&[(0, 0), (50, 0)], true), "M15 0");
        assert_eq!(broken(&[(0, 0), (0, 20), (60, 20), (60, 0)], true), "M38 20");
        assert_eq!(broken(&[(60, 0), (60, 20), (0, 20), (0, 0)], true), "M10 20", "to an older version");
        assert_eq!(broken(&[(0, 0), (50, 0)], false), "");
    }

    #[test]
    fn an_arrow_head_points_along_its_line() {
        let mut d = String::new();
        push_tip(&mut d, &points(&[(0, 10), (50, 10)]));
        assert_eq!(d, "M50 10L42.0 14.0 42.0 6.0Z");
        push_tip(&mut d, &points(&[(0, 10), (9, 10)]));
        assert_eq!(d.matches('M').count(), 1, "it has no room");
    }
}
