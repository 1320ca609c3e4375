//! The drawing as an SVG file that contains its own style sheet.

use crate::print_layout::{PAPER, Sheet, parts};
use crate::print_part::content;
use crate::shape::{Frame, Shape, escaped, push};
use crate::simulated::SimulatedEntries;
use crate::simulation_marks::{SimulationMarks, mark_of, takes_band, takes_edge};
use crate::visible_area::VisibleArea;
use crate::{band, edge, lane, legend, node};
use views::GraphView;

/// The rules of the drawing, and the colours that they use.
const STYLE: &str = include_str!("../style/drawing.css");
const TOKENS: &str = include_str!("../style/tokens.css");

/// The pattern of hatched shapes.
const HATCH: &str = concat!(
    r#"<pattern id="hatch" width="6" height="6" patternTransform="rotate(45)" patternUnits="userSpaceOnUse">"#,
    r#"<path d="M0 0V6"/></pattern>"#
);

/// Margin around the picture and between its parts.
const MARGIN: i32 = 12;
/// Height of the line with the names of package and catalog.
const HEADING: i32 = 32;
/// Size of a sign in the legend, and the width of a character of its name.
const SIGN: (i32, i32) = (34, 20);
const CHARACTER: i32 = 7;
/// Height of a line of the legend.
const LINE: i32 = 26;
/// A drawing wider than this share of its height is divided into parts below each other.
const RATIO: (i32, i32) = (8, 5);

/// A picture of a drawing.
pub struct Picture {
    /// The file.
    pub svg: String,
    /// Its width, drawing units.
    pub width: i32,
    /// Its height, drawing units.
    pub height: i32,
}

/// Draws everything without marks of a simulation, in dark or light colours.
#[must_use]
pub fn whole_picture(graph: &GraphView, dark: bool) -> Picture {
    picture(graph, (&SimulationMarks::new(), &SimulatedEntries::default()), dark, None)
}

/// Shapes with their width and height.
type Block = (i32, i32, Vec<Shape>);

/// Draws everything, or an area between left, top, right and bottom, with the names of package and catalog and a
/// legend.
pub fn picture(
    graph: &GraphView,
    (marks, simulated): (&SimulationMarks, &SimulatedEntries),
    dark: bool,
    area: Option<(f64, f64, f64, f64)>,
) -> Picture {
    let body = area.map_or_else(|| wrapped(graph, marks), |area| window(graph, marks, &part(graph, area)));
    let heading = format!("{} · {}", graph.package.package, graph.catalog);
    let inner = body.0.max(CHARACTER * 2 * i32::try_from(heading.chars().count()).unwrap_or(0).min(60));
    let key = legend(graph, simulated, inner);
    let (width, height) = (inner + 2 * MARGIN, HEADING + body.1 + key.1 + 3 * MARGIN);
    let mut svg = String::new();
    svg.push_str(r#"<svg xmlns="http://www.w3.org/2000/svg" class="drawing""#);
    push(&mut svg, format_args!(r#" viewBox="0 0 {width} {height}" width="{width}" height="{height}">"#));
    let title = escaped(&format!("Update graph of {}", graph.package.package));
    push(&mut svg, format_args!("<title>{title}</title><style>{}</style><defs>{HATCH}</defs>", styles(dark)));
    push(&mut svg, format_args!(r#"<rect class="ground" width="{width}" height="{height}"/>"#));
    Shape::Text { class: "heading", x: MARGIN, y: MARGIN + 16, text: heading }.write(&mut svg);
    let below = HEADING + body.1 + 2 * MARGIN;
    for ((width, height, shapes), top) in [(body, HEADING + MARGIN), (key, below)] {
        let part = Frame { left: 0, top: 0, width, height };
        Shape::Window { class: "open", at: part.at(MARGIN, top), part, shapes }.write(&mut svg);
    }
    svg.push_str("</svg>\n");
    Picture { svg, width, height }
}

/// Everything, as one part or in parts below each other that together have about the ratio of a page.
fn wrapped(graph: &GraphView, marks: &SimulationMarks) -> Block {
    let within = |widest: i32| {
        let parts = parts(graph, None, Sheet { widest, tallest: i32::MAX });
        parts.iter().map(|part| content(graph, marks, part)).collect::<Vec<_>>()
    };
    let size = |parts: &[(Frame, Vec<Shape>)]| {
        let width = parts.iter().map(|(frame, _)| frame.width).max().unwrap_or(1);
        (width, parts.iter().map(|(frame, _)| frame.height + MARGIN).sum::<i32>().max(1))
    };
    let mut widest = PAPER.widest;
    let mut drawn = within(widest);
    while drawn.len() > 1 && size(&drawn).0 * RATIO.1 < size(&drawn).1 * RATIO.0 {
        widest = widest.saturating_add(widest / 2);
        drawn = within(widest);
    }
    let ((width, height), mut top) = (size(&drawn), 0);
    let mut shapes = Vec::new();
    for (part, inside) in drawn {
        shapes.push(Shape::Window { class: "open", at: part.at(0, top), part, shapes: inside });
        top += part.height + MARGIN;
    }
    (width, height, shapes)
}

/// A part of the drawing with its axis and its lane names, cut off at its edges.
fn window(graph: &GraphView, marks: &SimulationMarks, part: &Frame) -> Block {
    let (x, y) = (graph.gutter, lane::axis_height(graph));
    let names = Frame { left: 0, width: graph.gutter, ..*part };
    let axis = Frame { top: 0, height: y, ..*part };
    let windows = [
        ("cards", x - 40, y, Frame { left: part.left - 40, width: part.width + 40, ..*part }, cards(graph)),
        ("content", x, y, *part, entries(graph, marks, part)),
        ("lane-name", 0, y, names, lanes(graph)),
        ("axis", x, 0, axis, labels(graph)),
    ];
    let shape =
        |(class, x, y, part, shapes): (_, _, _, Frame, _)| Shape::Window { class, at: part.at(x, y), part, shapes };
    (x + part.width, y + part.height, windows.into_iter().map(shape).collect())
}

/// The signs that the drawing has, in lines of this width.
fn legend(graph: &GraphView, simulated: &SimulatedEntries, room: i32) -> Block {
    let (mut x, mut y, mut shapes) = (0, 0, Vec::new());
    for (sign, name) in legend::key(graph, simulated) {
        let width = SIGN.0 + 8 + CHARACTER * i32::try_from(name.chars().count()).unwrap_or(0) + 18;
        if x > 0 && x + width > room {
            (x, y) = (0, y + LINE);
        }
        let part = Frame { left: 0, top: 0, width: SIGN.0, height: SIGN.1 };
        shapes.push(Shape::Window { class: "open", at: part.at(x, y), part, shapes: sign });
        shapes.push(Shape::Text { class: "key", x: x + SIGN.0 + 8, y: y + 14, text: name.to_owned() });
        x += width;
    }
    (room, y + LINE, shapes)
}

/// An area without what is outside of the drawing.
fn part(graph: &GraphView, (left, top, right, bottom): (f64, f64, f64, f64)) -> Frame {
    let (left, top) = (left.max(f64::from(graph.gutter)), top.max(f64::from(lane::axis_height(graph))));
    let (right, bottom) = (right.min(f64::from(graph.width)), bottom.min(f64::from(graph.height)));
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

fn entries(graph: &GraphView, marks: &SimulationMarks, part: &Frame) -> Vec<Shape> {
    let inside = |from: i32, to: i32| from <= part.left + part.width && to >= part.left;
    let mut shapes = lines(graph, marks, part);
    for at in (0..graph.lanes.len() as u32).flat_map(|lane| graph.boxes(lane)) {
        let Some(view) = graph.drawn(at) else { continue };
        let (x, half) = (view.at.x, view.width / 2 + 60);
        if lane_in(graph, view.lane, part) && inside(x - half, x + half) {
            let mark = mark_of(graph, marks, at);
            let (class, shapes_of) = (node::classes(&view, mark), node::shapes(&view, mark, None));
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
pub fn lines(graph: &GraphView, marks: &SimulationMarks, part: &Frame) -> Vec<Shape> {
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
    use crate::testing::{graph, lane, replaces};

    fn drawn() -> GraphView {
        let mut graph = graph(&[(0, 200), (0, 400)]);
        graph.lanes = vec![lane(0)];
        (graph.gutter, graph.height) = (110, 130);
        graph.edges = vec![replaces(0, 1, &[(225, 74), (375, 74)])];
        graph.nodes[1].summary = "</title>".to_owned();
        graph
    }

    fn made(graph: &GraphView, dark: bool, area: Option<(f64, f64, f64, f64)>) -> Picture {
        picture(graph, (&SimulationMarks::new(), &SimulatedEntries::default()), dark, area)
    }

    #[test]
    fn the_file_contains_its_style() {
        let made = made(&drawn(), true, None);
        assert!(made.svg.contains(">p · operators</text>") && made.svg.contains(">replaces</text>"), "{}", made.svg);
        assert_eq!(made.svg.matches("class=\"box\"").count(), 3, "one is in the legend");
        assert_eq!(made.svg.matches("class=\"edge replaces\"").count(), 2, "one is in the legend");
        assert!(made.svg.contains("<title>&lt;/title&gt;</title>"), "text is no markup");
        let (_, rest) = made.svg.split_once("<style>").unwrap();
        let (style, _) = rest.split_once("</style>").unwrap();
        assert!(!style.contains("var(--"), "{style}");
        assert!(!style.contains("light-dark"), "colours are resolved");
    }

    #[test]
    fn a_part_contains_what_overlaps_it() {
        let made = made(&drawn(), false, Some((300.0, 0.0, 480.0, 900.0)));
        assert_eq!(made.svg.matches("class=\"box\"").count(), 2, "one is in the legend");
        assert!(made.width < 320);
    }

    #[test]
    fn a_long_drawing_gets_the_ratio_of_a_page() {
        for count in [40, 400] {
            let nodes: Vec<_> = (0..count).map(|at| (0, 200 + 70 * at)).collect();
            let mut graph = graph(&nodes);
            graph.lanes = vec![lane(0)];
            (graph.gutter, graph.height) = (110, 130);
            let made = made(&graph, false, None);
            assert!(made.width < 3 * made.height && made.height < 2 * made.width, "{} x {}", made.width, made.height);
            assert_eq!(made.svg.matches("class=\"box\"").count(), nodes.len() + 1);
        }
    }
}
