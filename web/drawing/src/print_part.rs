//! A part of the drawing as one block, with its axis and the names of its lanes.

use crate::picture::lines;
use crate::print_layout::{BESIDE, GAP, PrintPart};
use crate::shape::{Frame, Shape};
use crate::simulation_marks::{SimulationMarks, mark_of};
use crate::{bracket, lane, node};
use views::{AxisDirection, GraphView, LaneView};

/// Height of the names of lanes above their entries, if the axis leads up.
const NAMES: i32 = 44;
/// Left of the axis and of names then, and between the axis and the first lane.
const MARGIN: i32 = 8;

/// The size and the shapes of a part, with its axis and the names of its lanes.
pub fn content(graph: &GraphView, marks: &SimulationMarks, print_part: &PrintPart) -> (Frame, Vec<Shape>) {
    if graph.direction == AxisDirection::Up {
        return upright(graph, marks, print_part);
    }
    let (mut shapes, mut axis, mut height) = (Vec::new(), Vec::new(), lane::axis_height(graph));
    let on_paper = |x: i32| x - print_part.left + graph.gutter;
    for (x, text) in lane::apart(lane::minors(graph).filter(|(x, _)| print_part.has(*x)), 0) {
        axis.push(Shape::Text { class: "", x: on_paper(x) + lane::ASIDE, y: lane::BASELINES.0, text });
    }
    for (x, text) in lane::patches(graph).into_iter().filter(|(x, _)| print_part.has(*x)) {
        axis.push(Shape::Text { class: "patch", x: on_paper(x), y: lane::BASELINES.1, text: text.to_owned() });
    }
    shapes.push(Shape::Group { class: "axis".to_owned(), title: None, shapes: axis });
    for &at in &print_part.lanes {
        if let Some(lane) = graph.lanes.get(at as usize) {
            row(graph, marks, &PrintPart { lanes: vec![at], ..print_part.clone() }, (lane, height), &mut shapes);
            height += lane.height + GAP;
        }
    }
    (Frame { left: 0, top: 0, width: graph.gutter + print_part.right - print_part.left + BESIDE, height }, shapes)
}

/// A lane of a part. Lines and bands are cut off at its ends, words above an entry are not.
fn row(
    graph: &GraphView,
    marks: &SimulationMarks,
    print_part: &PrintPart,
    (lane, y): (&LaneView, i32),
    shapes: &mut Vec<Shape>,
) {
    let (gutter, height) = (graph.gutter, lane.height);
    let part = Frame { left: print_part.left, top: lane.y, width: print_part.right - print_part.left, height };
    let name = Frame { left: 0, width: gutter, ..part };
    let card = |class, x, y, width| Shape::Rect { class, x, y, width, height, radius: 10 };
    let below = below(graph, marks, print_part, &part);
    let words = lane::words(graph, lane);
    let names = std::iter::once(card("plate", 0, lane.y, gutter)).chain(words.name).chain(words.below).collect();
    let nodes = entries(graph, marks, print_part);
    shapes.push(card("card", gutter - lane::UNDER, y, part.width + lane::UNDER));
    shapes.push(Shape::Window { class: "", at: part.at(gutter, y), part, shapes: below });
    shapes.push(Shape::Window { class: "lane-name", at: name.at(0, y), part: name, shapes: names });
    shapes.push(Shape::Window { class: "open", at: part.at(gutter, y), part, shapes: nodes });
}

/// What is drawn below the entries of a lane: lines, bands, brackets, and where minor versions begin.
fn below(graph: &GraphView, marks: &SimulationMarks, print_part: &PrintPart, part: &Frame) -> Vec<Shape> {
    let minors = lane::minors(graph).filter(|(x, _)| print_part.has(*x));
    let mut below: Vec<Shape> =
        minors.map(|(x, _)| Shape::path("column", format!("M{x} {}v{}", part.top, part.height))).collect();
    below.append(&mut lines(graph, marks, part));
    for &at in &print_part.lanes {
        below.append(&mut bracket::shapes(graph, at, &(print_part.left..=print_part.right)));
    }
    below
}

fn entries(graph: &GraphView, marks: &SimulationMarks, print_part: &PrintPart) -> Vec<Shape> {
    let mut nodes = Vec::new();
    for at in print_part.entries(graph) {
        let Some(view) = graph.drawn(at) else { continue };
        let mark = mark_of(graph, marks, at);
        let (class, shapes) = (node::classes(&view, mark), node::shapes(&view, graph.direction, mark, None));
        nodes.push(Shape::Group { class, title: Some(view.summary.clone()), shapes });
    }
    nodes
}

/// A part whose axis leads up: its versions are at the left, and the names of its lanes above their entries.
fn upright(graph: &GraphView, marks: &SimulationMarks, print_part: &PrintPart) -> (Frame, Vec<Shape>) {
    let height = print_part.right - print_part.left;
    let (mut left, mut shapes) = (lane::axis_height(graph), Vec::new());
    let versions = lane::versions(graph).into_iter().filter(|(x, _)| print_part.has(*x));
    let version = |(x, text): (i32, String)| Shape::Text {
        class: "",
        x: left - MARGIN,
        y: NAMES + print_part.right - x + 4,
        text,
    };
    shapes.push(Shape::Group {
        class: "axis up-axis".to_owned(),
        title: None,
        shapes: versions.map(version).collect(),
    });
    for &at in &print_part.lanes {
        let Some(lane) = graph.lanes.get(at as usize) else { continue };
        let one = PrintPart { lanes: vec![at], ..print_part.clone() };
        // Along the axis and across it.
        let part = Frame { left: print_part.left, top: lane.y, width: height, height: lane.height };
        let (mut inside, mut nodes) = (below(graph, marks, &one, &part), entries(graph, marks, &one));
        inside.append(&mut nodes);
        let (width, radius) = (lane.height, 10);
        shapes.push(Shape::Rect { class: "card", x: left, y: NAMES, width, height, radius });
        let names = lane::words_above(lane).into_iter();
        let name = |(class, y, text)| Shape::Text { class, x: left + MARGIN, y, text };
        shapes.push(Shape::Group { class: "lane-name".to_owned(), title: None, shapes: names.map(name).collect() });
        let turned = Shape::Turned { left: -lane.y, top: print_part.right, shapes: inside };
        let frame = Frame { left: 0, top: 0, width, height };
        shapes.push(Shape::Window { class: "open", at: frame.at(left, NAMES), part: frame, shapes: vec![turned] });
        left += lane.height;
    }
    (Frame { left: 0, top: 0, width: left, height: NAMES + height }, shapes)
}
