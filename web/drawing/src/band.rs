//! The versions that a skipRange covers, as a band below the lane's spine.

use crate::node;
use crate::shape::Shape;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use views::{AxisDirection, BandView, EdgeKind, GraphView, Mark};

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

// A bracket over the entries of a lane that never reach the head, with their number, and below them what OLM ignores.

/// From the boxes to the bracket, above a line of words.
const ABOVE: i32 = 22;
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
