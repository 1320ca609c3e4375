//! The versions that a skipRange covers, as a band below the lane's spine.

use crate::node;
use crate::shape::Shape;
use views::{BandView, GraphView};

/// Half the height of a band, and of one whose row has no room for words.
const HALF: i32 = 8;
const THIN: i32 = 2;
/// Between a label and the arrow of its band.
const CLEAR: i32 = 10;
/// The sign left of a band without lower bound.
const UNBOUNDED: i32 = 10;
/// Bands longer than this have their label at the right end.
const LONG: i32 = 600;

/// Width of a character of a label.
const CHARACTER: i32 = 7;

/// A label in less room is left out.
const LEAST: i32 = 60;

/// The whole width of the drawing.
pub const EVERYWHERE: (i32, i32) = (i32::MIN, i32::MAX);

/// The classes of a band in the style sheet.
pub fn classes(band: &BandView) -> String {
    format!("band{}{}", if band.warns { " warns" } else { "" }, if band.folded { " folded" } else { "" })
}

/// The stretches of a band, and an arrow to the entry that has the range. `more` are additional classes. The label is
/// placed within `from..to`, the part of the drawing that is visible.
pub fn shape(graph: &GraphView, band: &BandView, more: &str, (from, to): (i32, i32)) -> Shape {
    let half = half(band);
    let (top, bottom) = (band.y - half, band.y + half);
    let mut shapes = Vec::new();
    for &(left, right) in &band.stretches {
        let (width, height) = (right - left, 2 * half);
        shapes.push(Shape::Rect { class: "fill", x: left, y: top, width, height, radius: 0 });
        shapes.push(Shape::path("rim", format!("M{left} {top}V{bottom}H{right}")));
    }
    if let Some(&(left, _)) = band.stretches.first() {
        if band.unbounded_below {
            let d = format!("M{} {}L{} {}L{} {}", left - 4, top + 2, left - UNBOUNDED, band.y, left - 4, bottom - 2);
            shapes.push(Shape::path("rim", d));
        }
        shapes.extend(arrow(graph, band));
        shapes.extend((!band.thin).then(|| label(graph, band, (from, to))).flatten());
    }
    Shape::Group { class: format!("{}{more}", classes(band)), title: None, shapes }
}

const fn half(band: &BandView) -> i32 {
    if band.thin { THIN } else { HALF }
}

/// The label on the visible part of a band; if that is too short, left of the band, where nothing is drawn in its row.
/// If there is no room either, it ends where the band does or before the arrow.
fn label(graph: &GraphView, band: &BandView, (from, to): (i32, i32)) -> Option<Shape> {
    let (&(left, _), &(_, right)) = (band.stretches.first()?, band.stretches.last()?);
    let is_cut = left < from || right > to;
    let (start, end) = (left.max(from), right.min(to));
    let width = end.saturating_sub(start);
    // Beyond its end the row is free up to the arrow.
    let arrow = graph.nodes.get(band.to as usize).map_or(right, |node| node.at.x);
    let beyond = if is_cut { end } else { end.max(arrow - CLEAR) };
    let room = beyond.saturating_sub(start);
    let short = band.label.split(", ").next().unwrap_or_default();
    if let Some(text) = [&*band.label, short].into_iter().find(|text| fits(text, room)) {
        // The beginning of a long band is rarely visible together with its end, where its entry is.
        let (class, x) = if width > LONG { ("end", end - CLEAR) } else { ("", start.saturating_add(7)) };
        return Some(Shape::Text { class, x, y: band.y + 4, text: text.to_owned() });
    }
    let range = band.label.split(" · ").next().unwrap_or_default();
    if is_cut {
        return fits(range, width).then(|| Shape::Text {
            class: "",
            x: start.saturating_add(7),
            y: band.y + 4,
            text: range.to_owned(),
        });
    }
    let sign = if band.unbounded_below { UNBOUNDED } else { 0 };
    let room = left - sign - graph.gutter - 2 * CLEAR;
    if fits(range, room) {
        return Some(Shape::Text { class: "end", x: left - sign - CLEAR, y: band.y + 4, text: range.to_owned() });
    }
    let end = if arrow > right { arrow } else { right } - CLEAR;
    let room = end - graph.gutter - CLEAR;
    (room > LEAST).then(|| Shape::Text { class: "end", x: end, y: band.y + 4, text: node::fitted(range, room) })
}

fn fits(text: &str, width: i32) -> bool {
    i32::try_from(text.chars().count()).is_ok_and(|count| count.saturating_mul(CHARACTER) < width)
}

/// From the end of the band, which has a circle, to its entry.
fn arrow(graph: &GraphView, band: &BandView) -> Vec<Shape> {
    let (Some(node), Some(&(_, right))) = (graph.nodes.get(band.to as usize), band.stretches.last()) else {
        return Vec::new();
    };
    let (x, y) = (node.at.x, node.at.y + node.height / 2 + 2);
    let bottom = band.y + half(band);
    let (d, start) = if x > right + 8 {
        (format!("M{right} {bottom}H{}Q{x} {bottom} {x} {}V{}", x - 8, bottom - 8, y + 7), (right, bottom))
    } else {
        (format!("M{x} {}V{}", band.y - half(band), y + 7), (x, band.y - half(band)))
    };
    vec![
        Shape::path("arrow", d),
        Shape::path("tip", format!("M{x} {y}l-4 8h8z")),
        Shape::path("ring", format!("M{} {}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", start.0 - 3, start.1)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::graph;

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
            thin: false,
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
        assert_eq!(labels(EVERYWHERE), [(1990, whole.clone())]);
        assert_eq!(labels((300, 700)), [(307, whole)]);
        assert_eq!(labels((1800, 3000)), [(1807, ">=1.0.0 <2.0.0".to_owned())]);
        assert_eq!(labels((1950, 3000)), [], "none rather than half of one");
    }

    #[test]
    fn a_label_longer_than_its_band_is_left_of_it_or_ends_before_the_arrow() {
        let mut view = band(vec![(900, 950)]);
        let mut graph = graph(&[(0, 1000)]);
        let drawn = |graph: &GraphView, view: &BandView| match label(graph, view, EVERYWHERE) {
            Some(Shape::Text { class, x, text, .. }) => (class, x, text),
            _ => ("none", 0, String::new()),
        };
        assert_eq!(drawn(&graph, &view), ("end", 890, ">=1.0.0 <2.0.0".to_owned()));
        view.unbounded_below = true;
        assert_eq!(drawn(&graph, &view).1, 880);
        graph.gutter = 800;
        assert_eq!(drawn(&graph, &view), ("end", 990, ">=1.0.0 <2.0.0".to_owned()), "no room left of it");
        graph.gutter = 920;
        assert_eq!(drawn(&graph, &view).0, "none", "it would be written over the lane's name");
        view.label = format!(">={}", "1".repeat(250));
        graph.gutter = 780;
        assert_eq!(drawn(&graph, &view).2.chars().count(), 26);
    }
}
