//! The highlighted parts, drawn above the tiles, so that hovering renders nothing else.

use super::lane::ShapeHtml;
use super::scene::Hit;
use super::shape::{Shape, push};
use super::simulation_marks::{SimulationMarks, takes_band, takes_edge};
use super::{band, edge, node, role_class};
use crate::dom;
use crate::store::{Highlight, HighlightedNode, Shared};
use opscope_drawing::VisibleArea;
use std::collections::BTreeMap;
use std::rc::Rc;
use views::{EdgeView, EntryForm, GraphView, Mark};
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
    let mut all: BTreeMap<u32, Option<&HighlightedNode>> =
        props.highlight.nodes.iter().map(|(&at, highlighted)| (at, Some(highlighted))).collect();
    for at in marks.copied().chain(props.selected) {
        all.entry(at).or_insert(None);
    }
    let shape = |(at, highlighted): (u32, Option<&HighlightedNode>)| {
        let view = graph.nodes.get(at as usize)?;
        let half = view.width / 2;
        let seen = props.shown.meets(view.lane, view.at.x - half, view.at.x + half);
        let mark = props.marks.get(&at);
        let mut class = node::classes(view, mark);
        class.extend(highlighted.map(|highlighted| format!(" {}", role_class(highlighted.role))));
        class.push_str(if props.selected == Some(at) { " selected" } else { "" });
        let word = highlighted.and_then(|highlighted| highlighted.word.as_deref());
        // Dots have no room for words.
        let word = word.filter(|_| view.form == EntryForm::Box);
        let shapes = node::shapes(view, graph.direction, mark, word);
        seen.then_some(Shape::Group { class, title: None, shapes })
    };
    all.into_iter().filter_map(shape).collect()
}

fn in_sight(graph: &GraphView, edge: &EdgeView, shown: &VisibleArea) -> bool {
    let ends = edge.points.iter().map(|point| point.x);
    let lane = graph.nodes.get(edge.from as usize).map_or(0, |node| node.lane);
    matches!((ends.clone().min(), ends.max()), (Some(left), Some(right)) if shown.meets(lane, left, right))
}

// The minimap: the whole drawing, small, with a window that shows the visible area and can be dragged.

/// Maximum size, CSS pixels: it must not make the bar below the drawing higher.
const ROOM: (i32, i32) = (180, 28);

#[derive(Clone, PartialEq)]
pub(super) struct MinimapProps {
    pub(super) graph: Shared<GraphView>,
    /// Moves the view.
    pub(super) on_point: Callback<(f64, f64)>,
}

/// The minimap. It has no keyboard interface, because the arrow keys move the view as well. The style sheet hides it
/// while everything is visible.
pub(super) fn minimap(props: &MinimapProps) -> Html {
    let graph = &*props.graph;
    let left = graph.gutter;
    let (width, height) = ((graph.width - left).max(1), graph.height.max(1));
    let share = (f64::from(ROOM.0) / f64::from(width)).min(f64::from(ROOM.1) / f64::from(height));
    let (across, down) = (((f64::from(width) * share) as i32).max(90), ((f64::from(height) * share) as i32).max(26));
    let point = props.on_point.clone();
    let go = move |event: PointerEvent| {
        if event.buttons() == 1
            && let Some((x, y)) = dom::captured_position(&event, ".minimap")
        {
            point.emit((f64::from(left) + x * f64::from(width), y * f64::from(height)));
        }
    };
    let path = |(class, d): (&'static str, String)| html! { <path {class} {d} /> };
    html! {
        <svg class="minimap" aria-hidden="true" data-testid="minimap" viewBox={format!("{left} 0 {width} {height}")}
            preserveAspectRatio="none" width={across.to_string()} height={down.to_string()} onpointerdown={go.clone()}
            onpointermove={go}>
            { for picture(graph, f64::from(width) / f64::from(across)).into_iter().map(path) }
            <rect class="window" vector-effect="non-scaling-stroke" />
        </svg>
    }
}

/// The paths of the minimap by class, heads last. Entries that share a pixel are drawn once. `pixel` is the number of
/// drawing units for one pixel.
fn picture(graph: &GraphView, pixel: f64) -> [(&'static str, String); 2] {
    let size = 2.0 * pixel;
    let mut paths = [("spot", String::new()), ("spot head", String::new())];
    let mut last = [None; 2];
    // The nodes of a lane stand together, from old to new.
    for node in &graph.nodes {
        let head = usize::from(node.marks.contains(&Mark::Head));
        let at = (f64::from(node.at.x - graph.gutter) / size) as i32;
        if let (Some(lane), true) = (graph.lanes.get(node.lane as usize), last[head] != Some((node.lane, at))) {
            last[head] = Some((node.lane, at));
            let (x, y, height) = (f64::from(graph.gutter) + f64::from(at) * size, lane.spine - 20, 40);
            push(&mut paths[head].1, format_args!("M{x:.0} {y}h{size:.0}v{height}h-{size:.0}z"));
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_share_a_pixel_are_drawn_once() {
        let mut graph = opscope_drawing::testing::graph(&[(0, 0), (0, 1), (0, 500)]);
        graph.lanes = vec![opscope_drawing::testing::lane(0)];
        let drawn = picture(&graph, 10.0);
        assert_eq!(drawn[0].1.matches('M').count(), 2);
    }
}
