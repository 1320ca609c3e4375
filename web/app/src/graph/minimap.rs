//! The minimap: the whole drawing, small, with a window that shows the visible area and can be dragged.

use super::shape::push;
use crate::dom;
use crate::store::Shared;
use views::{GraphView, Mark};
use yew::prelude::*;

/// Maximum size, CSS pixels: it must not make the bar below the drawing higher.
const ROOM: (i32, i32) = (180, 28);

/// The inputs of the minimap.
#[derive(Clone, PartialEq)]
pub(super) struct Props {
    pub(super) graph: Shared<GraphView>,
    /// Moves the view.
    pub(super) on_point: Callback<(f64, f64)>,
}

/// The minimap. It has no keyboard interface, because the arrow keys move the view as well. The style sheet hides it
/// while everything is visible.
pub(super) fn minimap(props: &Props) -> Html {
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
