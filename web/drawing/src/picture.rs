//! The drawing as an SVG file that contains its own style sheet.

use crate::print_layout::{PAPER, Sheet, content, parts};
use crate::shape::{Area, Frame, Shape, escaped, push};
use crate::simulation_marks::{SimulatedEntries, SimulationMarks, takes_band, takes_edge};
use crate::{band, edge, legend};
use std::collections::BTreeSet;
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
    // Parts are cut between entries, so that no number is cut.
    let area = area.map(|(left, top, right, bottom)| (left as i32, top as i32, right as i32, bottom as i32));
    let body = wrapped(graph, marks, area);
    let heading = format!("{} · {}", graph.package.package, graph.catalog);
    let inner = body.0.max(CHARACTER * 2 * i32::try_from(heading.chars().count()).unwrap_or(0).min(60));
    let drawn: Option<BTreeSet<u32>> = area.map(|area| {
        let all = Sheet { widest: i32::MAX, tallest: i32::MAX };
        parts(graph, Some(area), all).iter().flat_map(|part| part.entries(graph)).collect()
    });
    let key = legend(graph, simulated, |at| drawn.as_ref().is_none_or(|drawn| drawn.contains(&at)), inner);
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

/// Everything or what an area meets, as one part or in parts below each other that together have about the ratio of a
/// page.
fn wrapped(graph: &GraphView, marks: &SimulationMarks, area: Option<Area>) -> Block {
    let within = |widest: i32| {
        let parts = parts(graph, area, Sheet { widest, tallest: i32::MAX });
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

/// The signs that the drawing has, in lines of this width.
fn legend(graph: &GraphView, simulated: &SimulatedEntries, is_drawn: impl Fn(u32) -> bool, room: i32) -> Block {
    let (mut x, mut y, mut shapes) = (0, 0, Vec::new());
    for (sign, name) in legend::key(graph, simulated, is_drawn) {
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

/// Whether a lane and a part of the drawing overlap.
fn lane_in(graph: &GraphView, lane: u32, part: &Frame) -> bool {
    let lane = graph.lanes.get(lane as usize);
    lane.is_some_and(|lane| lane.y < part.top + part.height && lane.y + lane.height > part.top)
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
        let is_drawn = lane_in(graph, lane, part) && !view.quiet;
        if let (Some(from), Some(to), true) = (ends.clone().min(), ends.max(), is_drawn)
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
        assert!(made.svg.contains(">p · operators</text>") && made.svg.contains(">update</text>"), "{}", made.svg);
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
        let part = made(&drawn(), false, Some((300.0, 0.0, 480.0, 900.0)));
        assert_eq!(part.svg.matches("class=\"box\"").count(), 2, "one is in the legend");
        assert!(part.width < made(&drawn(), false, None).width);
        let mut marked = drawn();
        marked.nodes[0].marks = vec![views::Mark::Deprecated];
        let part_of_marked = made(&marked, false, Some((300.0, 0.0, 480.0, 900.0))).svg;
        assert!(!part_of_marked.contains(">deprecated<"), "its legend is about the part");
        assert!(made(&marked, false, None).svg.contains(">deprecated<"));
        // What the area cuts is whole in the picture.
        let cut = made(&drawn(), false, Some((300.0, 0.0, 401.0, 90.0)));
        assert_eq!((cut.svg, cut.height), (part.svg, part.height));
    }

    #[test]
    fn the_marks_of_a_change_have_their_style_in_the_file() {
        let mut graph = drawn();
        graph.nodes[0].marks = vec![views::Mark::Harmed];
        let svg = made(&graph, false, None).svg;
        assert!(svg.contains("class=\"harm\"") && svg.contains(".entry .harm {"), "{svg}");
    }

    #[test]
    fn an_axis_that_leads_up_has_its_versions_at_the_left() {
        let mut graph = drawn();
        (graph.direction, graph.lanes[0].y) = (views::AxisDirection::Up, 84);
        graph.columns = [200, 400].map(|x| views::AxisColumn { x, width: 28, label: format!("1.{x}.0") }).to_vec();
        let svg = made(&graph, false, None).svg;
        assert!(svg.contains(r#"<g class="up" transform="matrix(0 -1 1 0 -84 "#), "{svg}");
        let place = |label: &str| {
            let (before, _) = svg.split_once(&format!(">{label}<")).unwrap();
            let y = before.rsplit_once("y=\"").unwrap().1;
            y.split('"').next().unwrap().parse::<i32>().unwrap()
        };
        assert_eq!(place("1.200.0") - place("1.400.0"), 200, "the newest is at the top");
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
