//! The highlighted parts, drawn above the tiles, so that hovering renders nothing else.

use super::hit::Hit;
use super::shape::Shape;
use super::shape_html::ShapeHtml;
use super::simulation_marks::{SimulationMarks, mark_of, takes_band, takes_edge};
use super::{band, edge, node, role_class};
use crate::store::{Highlight, HighlightedNode, Shared};
use opscope_drawing::VisibleArea;
use std::collections::BTreeMap;
use std::rc::Rc;
use views::{EdgeView, GraphView};
use yew::prelude::*;

/// The inputs of the overlay.
#[derive(Clone, PartialEq)]
pub(super) struct Props {
    pub(super) graph: Shared<GraphView>,
    pub(super) marks: Rc<SimulationMarks>,
    pub(super) highlight: Rc<Highlight>,
    pub(super) selected: Option<u32>,
    /// The edge or band under the pointer.
    pub(super) at: Option<Hit>,
    pub(super) shown: VisibleArea,
}

/// The hops of the simulation, the highlighted parts, and the frame of the selected entry. Screen readers and pointers
/// use the tiles below.
pub(super) fn overlay(props: &Props) -> Html {
    html! { <g class="overlay" aria-hidden="true">{ for shapes(props).into_iter().map(Shape::html) }</g> }
}

fn shapes(props: &Props) -> Vec<Shape> {
    let (graph, shown) = (&*props.graph, &props.shown);
    let shape = |view, more: &str| band::shape(graph, view, more, band::EVERYWHERE);
    let mut shapes = Vec::new();
    if !props.marks.is_empty() {
        let bands = graph.bands.iter().filter(|view| takes_band(&props.marks, graph, view));
        shapes.extend(bands.map(|view| shape(view, " taken")));
        let edges = graph.edges.iter().filter(|view| takes_edge(&props.marks, view));
        shapes.extend(edges.flat_map(|view| edge::shapes(view, " taken")));
    }
    for (&at, &why) in &props.highlight.bands {
        let view = graph.bands.get(at as usize).filter(|view| (shown.lanes.0..shown.lanes.1).contains(&view.lane));
        shapes.extend(view.map(|view| shape(view, &format!(" {}", role_class(why)))));
    }
    for (&at, &why) in &props.highlight.edges {
        let view = graph.edges.get(at as usize).filter(|view| in_sight(graph, view, shown));
        shapes.extend(view.into_iter().flat_map(|view| edge::shapes(view, &format!(" {}", role_class(why)))));
    }
    match props.at {
        Some(Hit::Edge(at)) => {
            shapes.extend(graph.edges.get(at as usize).into_iter().flat_map(|view| edge::shapes(view, " at")));
        }
        Some(Hit::Band(at)) => shapes.extend(graph.bands.get(at as usize).map(|view| shape(view, " at"))),
        None => {}
    }
    shapes.extend(entries(props));
    shapes
}

/// Highlighted entries, drawn again because the style sheet dims all others; zoomed out, also those of the simulation.
fn entries(props: &Props) -> Vec<Shape> {
    let graph = &*props.graph;
    let marks = props.marks.keys().filter(|_| props.shown.far || props.highlight.dims);
    // What is drawn, with the reason; of the entries in a fold the first reason counts.
    let mut all: BTreeMap<u32, Option<&HighlightedNode>> = BTreeMap::new();
    for (&at, highlighted) in &props.highlight.nodes {
        all.entry(graph.shown_as(at)).or_insert(Some(highlighted));
    }
    for at in marks.copied().chain(props.selected) {
        all.entry(graph.shown_as(at)).or_insert(None);
    }
    let shape = |(at, highlighted): (u32, Option<&HighlightedNode>)| {
        let view = graph.drawn(at)?;
        let half = view.width / 2;
        let seen = props.shown.meets(view.lane, view.at.x - half, view.at.x + half);
        let mark = mark_of(graph, &props.marks, at);
        let mut class = node::classes(&view, mark);
        class.extend(highlighted.map(|highlighted| format!(" {}", role_class(highlighted.role))));
        class.push_str(if props.selected.map(|at| graph.shown_as(at)) == Some(at) { " selected" } else { "" });
        let word = highlighted.and_then(|highlighted| highlighted.word.as_deref()).filter(|_| view.fold.is_none());
        let shapes = node::shapes(&view, graph.direction, mark, word);
        seen.then_some(Shape::Group { class, title: None, shapes })
    };
    all.into_iter().filter_map(shape).collect()
}

fn in_sight(graph: &GraphView, edge: &EdgeView, shown: &VisibleArea) -> bool {
    let ends = edge.points.iter().map(|point| point.x);
    let lane = graph.nodes.get(edge.from as usize).map_or(0, |node| node.lane);
    matches!((ends.clone().min(), ends.max()), (Some(left), Some(right)) if shown.meets(lane, left, right))
}
