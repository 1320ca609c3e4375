//! The versions that a skipRange covers, as a band below the lane's spine.

use super::shape::Shape;
use views::{BandView, GraphView};

const HALF: i32 = 8;
/// The label of a longer band stands at its end.
const LONG: i32 = 600;

/// Width of a character of a label.
const CHARACTER: i32 = 7;

/// The classes of a band in the style sheet.
pub(super) fn classes(band: &BandView) -> String {
    format!("band{}{}", if band.warns { " warns" } else { "" }, if band.folded { " folded" } else { "" })
}

/// The stretches of a band, and an arrow to the entry that has the range. `more` are classes.
pub(super) fn shape(graph: &GraphView, band: &BandView, more: &str) -> Shape {
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
        // The beginning of a long band is rarely in sight together with its end, where it leads on.
        let (class, x) = if right - left > LONG { ("end", right - 10) } else { ("", left + 7) };
        shapes.push(Shape::Text { class, x, y: band.y + 4, text: fitted(&band.label, right - left) });
    }
    Shape::Group { class: format!("{}{more}", classes(band)), title: None, shapes }
}

/// The label, without what it says of the range if that would stand across the arrow.
fn fitted(label: &str, width: i32) -> String {
    let is_short = i32::try_from(label.chars().count()).is_ok_and(|count| count * CHARACTER < width);
    let range = label.split(" · ").next().unwrap_or_default();
    if is_short { label } else { range }.to_owned()
}

/// From the end of the band, where it has a circle, to its entry.
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
