//! `replaces` and `skips` edges.

use crate::shape::{Shape, push};
use views::{EdgeKind, EdgeView, Point, Presence};

/// Length of an arrow head and half its width.
const TIP: (f64, f64) = (8.0, 4.0);

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

/// A line with an arrow head, and a cross at its tail where the older entry is skipped. `more` are additional classes.
pub fn shapes(edge: &EdgeView, more: &str) -> Vec<Shape> {
    merged(&format!("{}{more}", class(edge)), std::iter::once(edge), true)
}

/// Edges of one class as one path, and with `tips` one path for all arrow heads and one for all crosses: a tile has few
/// elements, however many edges.
pub fn merged<'a>(class: &str, edges: impl Iterator<Item = &'a EdgeView>, tips: bool) -> Vec<Shape> {
    let [mut lines, mut heads, mut tails] = [const { String::new() }; 3];
    for edge in edges {
        lines.push_str(&line(&edge.points));
        push_tip(&mut heads, &edge.points);
        push_tail(&mut tails, edge);
    }
    let mut shapes = vec![Shape::path(format!("edge {class}"), lines)];
    if tips {
        shapes.push(Shape::path(format!("tip {class}"), heads));
        shapes.extend((!tails.is_empty()).then(|| Shape::path(format!("tail {class}"), tails)));
    }
    shapes
}

/// Two points are a line, four a cubic curve, others a polyline.
fn line(points: &[Point]) -> String {
    let mut d = String::new();
    for (index, Point { x, y }) in points.iter().enumerate() {
        let command = match (points.len(), index) {
            (_, 0) => "M",
            (4, 1) => "C",
            (4, _) => " ",
            _ => "L",
        };
        push(&mut d, format_args!("{command}{x} {y}"));
    }
    d
}

/// A cross where the older entry is skipped.
fn push_tail(d: &mut String, edge: &EdgeView) {
    if let (EdgeKind::Skips, Some(Point { x, y })) = (edge.kind, edge.points.first()) {
        push(d, format_args!("M{} {}l6 6m0 -6l-6 6", x - 3, y - 3));
    }
}

/// A triangle at the end.
fn push_tip(d: &mut String, points: &[Point]) {
    let [.., before, end] = points else { return };
    let at = |point: &Point| (f64::from(point.x), f64::from(point.y));
    let ((from_x, from_y), (x, y)) = (at(before), at(end));
    let length = (x - from_x).hypot(y - from_y);
    if length > 0.0 {
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
    fn four_points_are_a_curve() {
        assert_eq!(line(&points(&[(0, 1), (2, 3)])), "M0 1L2 3");
        assert_eq!(line(&points(&[(0, 0), (1, 0), (2, 5), (3, 5)])), "M0 0C1 0 2 5 3 5");
        assert_eq!(line(&points(&[(0, 0), (1, 0), (2, 5)])), "M0 0L1 0L2 5");
    }

    #[test]
    fn an_arrow_head_points_along_its_line() {
        let mut d = String::new();
        push_tip(&mut d, &points(&[(0, 10), (50, 10)]));
        assert_eq!(d, "M50 10L42.0 14.0 42.0 6.0Z");
    }
}
