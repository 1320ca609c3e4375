//! The drawing as an SVG file that contains its own style sheet.

use super::scene::VisibleArea;
use super::shape::{Frame, Shape, escaped, push};
use super::simulation_marks::{SimulationMarks, takes_band, takes_edge};
use super::{band, edge, lane, node};
use views::GraphView;

/// The rules of the drawing, and the colours that they use.
const STYLE: &str = include_str!("../../style/drawing.css");
const TOKENS: &str = include_str!("../../style/tokens.css");

/// Margin around the picture.
const MARGIN: i32 = 12;

/// A picture of a drawing.
pub(super) struct Picture {
    /// The file.
    pub(super) svg: String,
    /// Its width, drawing units.
    pub(super) width: i32,
    /// Its height, drawing units.
    pub(super) height: i32,
}

/// Draws everything, or an area between left, top, right and bottom.
pub(super) fn picture(
    graph: &GraphView,
    marks: &SimulationMarks,
    dark: bool,
    area: Option<(f64, f64, f64, f64)>,
) -> Picture {
    let part = part(graph, area);
    let (width, height) = (graph.gutter + part.width + 2 * MARGIN, lane::AXIS + part.height + 2 * MARGIN);
    let mut svg = String::new();
    push(
        &mut svg,
        format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="drawing" viewBox="0 0 {width} {height}" width="{width}" height="{height}"><title>{}</title><style>{}</style>"#,
            escaped(&format!("Update graph of {}", graph.package.package)),
            styles(dark),
        ),
    );
    svg.push_str(r#"<defs><pattern id="hatch" width="6" height="6" patternTransform="rotate(45)" patternUnits="userSpaceOnUse"><path d="M0 0V6"/></pattern></defs>"#);
    push(&mut svg, format_args!(r#"<rect class="ground" width="{width}" height="{height}"/>"#));
    let (x, y) = (MARGIN + graph.gutter, MARGIN + lane::AXIS);
    let names = Frame { left: 0, width: graph.gutter, ..part };
    let axis = Frame { top: 0, height: lane::AXIS, ..part };
    let windows = [
        ("cards", x - 40, y, Frame { left: part.left - 40, width: part.width + 40, ..part }, cards(graph)),
        ("content", x, y, part, content(graph, marks, &part)),
        ("lane-name", MARGIN, y, names, lanes(graph)),
        ("axis", x, MARGIN, axis, labels(graph)),
    ];
    for (class, x, y, part, shapes) in windows {
        Shape::Window { class, at: part.at(x, y), part, shapes }.write(&mut svg);
    }
    svg.push_str("</svg>\n");
    Picture { svg, width, height }
}

fn part(graph: &GraphView, area: Option<(f64, f64, f64, f64)>) -> Frame {
    let top = graph.lanes.first().map_or(0, |lane| lane.y);
    let all = (f64::from(graph.gutter), f64::from(top), f64::from(graph.width), f64::from(graph.height));
    let (left, top, right, bottom) = area.map_or(all, |(left, top, right, bottom)| {
        (left.max(all.0), top.max(all.1), right.min(all.2), bottom.min(all.3))
    });
    let (left, top) = (left as i32, top as i32);
    Frame { left, top, width: (right as i32 - left).max(1), height: (bottom as i32 - top).max(1) }
}

/// A visible area that contains everything: what is outside a picture is cut off by its window.
fn all(graph: &GraphView) -> VisibleArea {
    VisibleArea {
        across: (i32::MIN / 1024, i32::MAX / 1024),
        lanes: (0, graph.lanes.len() as u32),
        ..VisibleArea::START
    }
}

fn cards(graph: &GraphView) -> Vec<Shape> {
    let mut cards = lane::cards(graph, &all(graph));
    let names = graph.lanes.iter().map(|lane| Shape::Rect {
        class: "card",
        x: 0,
        y: lane.y,
        width: graph.gutter,
        height: lane.height,
        radius: 10,
    });
    cards.splice(0..0, names);
    cards
}

fn lanes(graph: &GraphView) -> Vec<Shape> {
    let name = |lane: &views::LaneView| {
        let plate =
            Shape::Rect { class: "plate", x: 0, y: lane.y, width: graph.gutter, height: lane.height, radius: 10 };
        std::iter::once(plate).chain(lane::words(graph, lane)).collect::<Vec<_>>()
    };
    graph.lanes.iter().flat_map(name).collect()
}

fn labels(graph: &GraphView) -> Vec<Shape> {
    let labels = lane::labels(graph, &all(graph));
    labels.into_iter().map(|(x, text)| Shape::Text { class: "", x, y: 19, text }).collect()
}

fn content(graph: &GraphView, marks: &SimulationMarks, part: &Frame) -> Vec<Shape> {
    let inside = |from: i32, to: i32| from <= part.left + part.width && to >= part.left;
    let mut shapes = lines(graph, marks, part);
    for (view, at) in graph.nodes.iter().zip(0..) {
        let (x, half) = (view.at.x, view.width / 2 + 60);
        if lane_in(graph, view.lane, part) && inside(x - half, x + half) {
            let mark = marks.get(&at);
            let (class, shapes_of) = (node::classes(view, mark), node::shapes(view, mark, None));
            shapes.push(Shape::Group { class, title: Some(view.summary.clone()), shapes: shapes_of });
        }
    }
    shapes
}

/// Whether a lane and a part of the drawing overlap.
fn lane_in(graph: &GraphView, lane: u32, part: &Frame) -> bool {
    let lane = graph.lanes.get(lane as usize);
    lane.is_some_and(|lane| lane.y <= part.top + part.height && lane.y + lane.height >= part.top)
}

/// The bands and edges of a part of the drawing, which are drawn below the entries.
pub(super) fn lines(graph: &GraphView, marks: &SimulationMarks, part: &Frame) -> Vec<Shape> {
    let (left, right) = (part.left, part.left + part.width);
    let mut shapes = Vec::new();
    for view in graph.bands.iter().filter(|view| lane_in(graph, view.lane, part)) {
        let taken = takes_band(marks, graph, view);
        if taken || !view.folded {
            shapes.push(band::shape(graph, view, if taken { " taken" } else { "" }, (left, right)));
        }
    }
    for view in &graph.edges {
        let ends = view.points.iter().map(|point| point.x);
        let lane = graph.nodes.get(view.from as usize).map_or(0, |node| node.lane);
        if let (Some(from), Some(to), true) = (ends.clone().min(), ends.max(), lane_in(graph, lane, part))
            && from <= right
            && to >= left
        {
            shapes.extend(edge::shapes(view, if takes_edge(marks, view) { " taken" } else { "" }));
        }
    }
    shapes
}

/// The rules with colours in place of their variables.
fn styles(dark: bool) -> String {
    let mut styles = STYLE.to_owned();
    for line in TOKENS.lines() {
        let Some((name, value)) = line.trim().strip_prefix("--").and_then(|line| line.split_once(": ")) else {
            continue;
        };
        let value = value.trim_end_matches(';');
        let pair = value.strip_prefix("light-dark(").and_then(|pair| pair.strip_suffix(')')?.split_once(", "));
        let value = pair.map_or(value, |(light, night)| if dark { night } else { light });
        styles = styles.replace(&format!("var(--{name})"), &value.replace('"', "'"));
    }
    styles.replace('<', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::testing::{graph, lane, replaces};

    fn drawn() -> GraphView {
        let mut graph = graph(&[(0, 200), (0, 400)]);
        graph.lanes = vec![lane(0)];
        (graph.gutter, graph.height) = (110, 130);
        graph.edges = vec![replaces(0, 1, &[(225, 74), (375, 74)])];
        graph.nodes[1].summary = "</title>".to_owned();
        graph
    }

    #[test]
    fn the_file_contains_its_style() {
        let made = picture(&drawn(), &SimulationMarks::new(), true, None);
        assert_eq!((made.width, made.height), (110 + 340 + 24, 30 + 100 + 24));
        assert_eq!(made.svg.matches("class=\"box\"").count(), 2);
        assert_eq!(made.svg.matches("class=\"edge replaces\"").count(), 1);
        assert!(made.svg.contains("<title>&lt;/title&gt;</title>"), "text is no markup");
        let (_, rest) = made.svg.split_once("<style>").unwrap();
        let (style, _) = rest.split_once("</style>").unwrap();
        assert!(
            !style.contains("var(--")
                || style.contains("var(--zoom)")
                    && style.matches("var(--").count() == style.matches("var(--zoom)").count(),
            "{style}"
        );
        assert!(!style.contains("light-dark"), "colours are resolved");
    }

    #[test]
    fn a_part_contains_what_overlaps_it() {
        let made = picture(&drawn(), &SimulationMarks::new(), false, Some((300.0, 0.0, 480.0, 900.0)));
        assert_eq!(made.svg.matches("class=\"box\"").count(), 1);
        assert!(made.width < 320);
    }
}
