//! The versions that a skipRange covers, as a band below the lane's spine.

use super::node;
use super::shape::Shape;
use views::{BandView, GraphView};

const HALF: i32 = 8;
/// Bands longer than this have their label at the right end.
const LONG: i32 = 600;

/// Width of a character of a label.
const CHARACTER: i32 = 7;

/// A label is cut to its range at this width, even if its band is shorter.
const RANGE: i32 = 220;

/// The whole width of the drawing.
pub(super) const EVERYWHERE: (i32, i32) = (i32::MIN, i32::MAX);

/// The classes of a band in the style sheet.
pub(super) fn classes(band: &BandView) -> String {
    format!("band{}{}", if band.warns { " warns" } else { "" }, if band.folded { " folded" } else { "" })
}

/// The stretches of a band, and an arrow to the entry that has the range. `more` are additional classes. The label is
/// placed within `from..to`, the part of the drawing that is visible.
pub(super) fn shape(graph: &GraphView, band: &BandView, more: &str, (from, to): (i32, i32)) -> Shape {
    let (top, bottom) = (band.y - HALF, band.y + HALF);
    let mut shapes = Vec::new();
    for &(left, right) in &band.stretches {
        let (width, height) = (right - left, 2 * HALF);
        shapes.push(Shape::Rect { class: "fill", x: left, y: top, width, height, radius: 0 });
        shapes.push(Shape::path("rim", format!("M{left} {top}V{bottom}H{right}")));
    }
    if let Some(&(left, _)) = band.stretches.first() {
        if band.unbounded_below {
            let d = format!("M{} {}L{} {}L{} {}", left - 4, top + 2, left - 10, band.y, left - 4, bottom - 2);
            shapes.push(Shape::path("rim", d));
        }
        shapes.extend(arrow(graph, band));
        let right = band.stretches.last().map_or(left, |stretch| stretch.1);
        let is_cut = left < from || right > to;
        let (left, right) = (left.max(from), right.min(to));
        let text = fitted(&band.label, right.saturating_sub(left));
        // The beginning of a long band is rarely visible together with its end, where its entry is.
        let (class, x) =
            if right.saturating_sub(left) > LONG { ("end", right - 10) } else { ("", left.saturating_add(7)) };
        if !is_cut || fits(&text, right.saturating_sub(left)) {
            shapes.push(Shape::Text { class, x, y: band.y + 4, text });
        }
    }
    Shape::Group { class: format!("{}{more}", classes(band)), title: None, shapes }
}

/// The label; only the range if the rest would be drawn across the arrow.
fn fitted(label: &str, width: i32) -> String {
    let range = label.split(" · ").next().unwrap_or_default();
    if fits(label, width) { label.to_owned() } else { node::fitted(range, width.max(RANGE)) }
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
    let bottom = band.y + HALF;
    let (d, start) = if x > right + 8 {
        (format!("M{right} {bottom}H{}Q{x} {bottom} {x} {}V{}", x - 8, bottom - 8, y + 7), (right, bottom))
    } else {
        (format!("M{x} {}V{}", band.y - HALF, y + 7), (x, band.y - HALF))
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
    use crate::graph::testing::graph;

    /// The labels of a band from 0 to 2000 when only the given part is visible.
    fn labels(seen: (i32, i32)) -> Vec<(i32, String)> {
        let label = ">=1.0.0 <2.0.0 · covers 30 versions".to_owned();
        let band = BandView {
            lane: 0,
            to: 0,
            label,
            y: 50,
            columns: Vec::new(),
            stretches: vec![(0, 2000)],
            warns: false,
            folded: false,
            unbounded_below: false,
            range: String::new(),
            ignored: false,
        };
        let Shape::Group { shapes, .. } = shape(&graph(&[(0, 2100)]), &band, "", seen) else { return Vec::new() };
        let text = |shape| match shape {
            Shape::Text { x, text, .. } => Some((x, text)),
            Shape::Rect { .. } | Shape::Path { .. } | Shape::Group { .. } | Shape::Window { .. } => None,
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
    fn a_label_ends_where_its_band_does_or_soon_after() {
        let label = ">=1.0.0 <2.0.0 · covers 3 versions";
        assert_eq!(fitted(label, 400), label);
        assert_eq!(fitted(label, 50), ">=1.0.0 <2.0.0", "a range of some length is read beside its band");
        let long = format!(">={}", "1".repeat(250));
        assert_eq!(fitted(&long, 50).chars().count(), 28);
    }
}
