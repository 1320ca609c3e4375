//! The drawing with its gestures and keys.

use super::navigate::{Arrow, neighbour};
use super::node::{Look, node};
use super::{Drawing, Size, band, edge, lane};
use crate::dom::{self, PanZoom};
use crate::store::{Action, Explored, Lit, Shared, Standing};
use std::cell::RefCell;
use std::rc::Rc;
use views::{EntryKey, GraphView, LaneView, NodeView, Subject};
use web_sys::FocusEvent;
use yew::prelude::*;

/// The gestures, once the drawing is in the page.
type Slot = Rc<RefCell<Option<PanZoom>>>;

/// What the drawing shows.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The graph.
    pub(crate) graph: Shared<GraphView>,
    /// What the simulation says of its entries.
    pub(crate) standing: Standing,
    /// The selected entry.
    pub(crate) selected: Option<EntryKey>,
    /// The entry that is pointed at or has the focus.
    pub(crate) pointed: Option<EntryKey>,
    /// What stands out.
    pub(crate) lit: Rc<Lit>,
    /// Whether its tab is shown.
    pub(crate) visible: bool,
    /// Where events go.
    pub(crate) send: Callback<Action>,
}

/// The drawing. Pan and zoom stay as they are when the graph of the same package changes.
#[component]
pub(crate) fn Canvas(props: &Props) -> Html {
    let svg = use_node_ref();
    let panzoom = use_mut_ref(|| None::<PanZoom>);
    use_gestures(&svg, &panzoom, props);
    let control = |act: fn(&PanZoom)| {
        let panzoom = panzoom.clone();
        Callback::from(move |_: MouseEvent| panzoom.borrow().iter().for_each(act))
    };
    html! {
        <div class="canvas" role="tabpanel" aria-label="Graph" hidden={!props.visible}>
            <svg ref={svg} class={classes!(props.lit.dims.then_some("dims"))} data-testid="graph" tabindex="0" role="group"
                aria-label={format!("Update graph of {}", props.graph.package.package)}
                onclick={on_click(props, &panzoom)} onkeydown={on_key(props, &panzoom)}
                onpointerover={on_point(props)} onpointerleave={on_leave(props)} onfocusin={on_focus(props)} onfocusout={on_blur(props)}>
                { definitions() }
                { drawing(props) }
            </svg>
            <div class="zoom" role="group" aria-label="Zoom">
                <button type="button" title="Zoom in (+)" aria-label="Zoom in" onclick={control(|p| p.zoom(1.25))}>{ "+" }</button>
                <button type="button" title="Zoom out (-)" aria-label="Zoom out" onclick={control(|p| p.zoom(0.8))}>{ "−" }</button>
                <button type="button" title="Fit (f)" data-testid="fit" onclick={control(PanZoom::fit)}>{ "Fit" }</button>
            </div>
        </div>
    }
}

#[hook]
fn use_gestures(svg: &NodeRef, panzoom: &Slot, props: &Props) {
    let (svg, panzoom) = (svg.clone(), panzoom.clone());
    let (graph, visible, selected) = (props.graph.clone(), props.visible, props.selected.clone());
    let (into_sight, shown) = (panzoom.clone(), graph.clone());
    use_effect_with((graph, visible), move |(graph, _)| {
        let mut slot = panzoom.borrow_mut();
        if slot.is_none() {
            *slot = svg.cast().map(PanZoom::attach);
        }
        if let Some(panzoom) = slot.clone() {
            let extent = extent(graph);
            dom::next_frame(move || panzoom.measure(extent));
        }
    });
    // Declared after the above, so that there is a view to move.
    use_effect_with((selected, visible), move |(selected, _)| {
        let index = shown.nodes.iter().position(|node| selected.as_ref() == Some(&node.key));
        if let (Some(index), Some(panzoom)) = (index, into_sight.borrow().clone()) {
            dom::next_frame(move || reveal(&panzoom, &shown, &shown.nodes[index]));
        }
    });
}

fn extent(graph: &GraphView) -> Drawing {
    let newest = graph.nodes.iter().filter(|node| node.lane == 0).map(|node| node.at.x).max();
    Drawing {
        size: Size { width: f64::from(graph.width), height: f64::from(graph.height) },
        top: f64::from(graph.lanes.first().map_or(0, |lane| lane.y)),
        gutter: f64::from(graph.gutter),
        newest: f64::from(newest.unwrap_or(graph.width)),
    }
}

fn drawing(props: &Props) -> Html {
    let graph = &*props.graph;
    let selected = graph.nodes.iter().position(|node| props.selected.as_ref() == Some(&node.key));
    let stop = selected.unwrap_or(0);
    let nodes = graph.nodes.iter().enumerate().map(|(index, view)| {
        let folded = graph.bands.iter().find(|band| band.folded && band.to as usize == index);
        let look = Look {
            index,
            lit: u32::try_from(index).ok().and_then(|index| props.lit.nodes.get(&index)),
            selected: selected == Some(index),
            stop: index == stop,
            standing: &props.standing,
            band: folded.map(|view| band::band(graph, view, &props.standing, None)),
        };
        node(view, &look)
    });
    html! { <>
        <g class="rows">{ for graph.lanes.iter().map(lane::stripe) }</g>
        <g class="follow">
            { lane::columns(graph) }
            { for graph.bands.iter().zip(0..).filter(|(view, index)| !view.folded || props.lit.bands.contains_key(index)).map(|(view, index)| band::band(graph, view, &props.standing, props.lit.bands.get(&index).copied())) }
            { for graph.edges.iter().zip(0..).map(|(view, index)| edge::edge(graph, view, &props.standing, props.lit.edges.get(&index).copied())) }
            { for nodes }
        </g>
        <g class="rows names">{ for graph.lanes.iter().zip(0..).map(|(view, index)| lane::name(graph, view, index)) }</g>
        <g class="columns axis" aria-hidden="true">{ lane::axis(graph) }</g>
        <g class="corner" aria-hidden="true">{ lane::corner(graph) }</g>
    </> }
}

fn definitions() -> Html {
    let head = |name: &'static str| {
        html! { <marker id={format!("head-{name}")} class={classes!("arrowhead", name)} viewBox="0 0 8 8" refX="7" refY="4"
        markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8Z" /></marker> }
    };
    html! { <defs>
        { for ["replaces", "skips", "range", "warns", "taken"].into_iter().map(head) }
        <pattern id="hatch" width="6" height="6" patternTransform="rotate(45)" patternUnits="userSpaceOnUse"><path d="M0 0V6" /></pattern>
    </defs> }
}

/// The index of the node that an event comes from.
fn node_index(event: &Event) -> Option<usize> {
    dom::closest_data(event, "[data-index]", "data-index")?.parse().ok()
}

/// The newest entry of the lane whose name an event comes from.
fn lane_end<'a>(graph: &'a GraphView, event: &Event) -> Option<&'a NodeView> {
    let lane: u32 = dom::closest_data(event, "[data-lane]", "data-lane")?.parse().ok()?;
    graph.nodes.iter().filter(|node| node.lane == lane).max_by_key(|node| node.at.x)
}

/// The lane whose name an event comes from.
fn lane_of<'a>(graph: &'a GraphView, event: &Event) -> Option<&'a LaneView> {
    let lane: usize = dom::closest_data(event, "[data-lane]", "data-lane")?.parse().ok()?;
    graph.lanes.get(lane)
}

/// What choosing an entry means: with Shift it is the end of a way from the selected one.
fn chosen(node: &NodeView, shift: bool) -> Action {
    if shift { Action::Explored(Explored::WayTo(node.key.clone())) } else { Action::EntrySelected(node.key.clone()) }
}

/// Tells which entry is under the pointer, each time it is another one.
fn on_point(props: &Props) -> Callback<PointerEvent> {
    let pointed = pointed(props);
    Callback::from(move |event: PointerEvent| {
        pointed.emit(node_index(&event).filter(|_| event.pointer_type() == "mouse"));
    })
}

fn on_leave(props: &Props) -> Callback<PointerEvent> {
    pointed(props).reform(|_: PointerEvent| None)
}

fn on_focus(props: &Props) -> Callback<FocusEvent> {
    pointed(props).reform(|event: FocusEvent| node_index(&event))
}

fn on_blur(props: &Props) -> Callback<FocusEvent> {
    pointed(props).reform(|_: FocusEvent| None)
}

fn pointed(props: &Props) -> Callback<Option<usize>> {
    let (send, graph, before) = (props.send.clone(), props.graph.clone(), props.pointed.clone());
    Callback::from(move |index: Option<usize>| {
        let key = index.and_then(|index| graph.nodes.get(index)).map(|node| node.key.clone());
        if key != before {
            send.emit(Action::Explored(Explored::Pointed(key)));
        }
    })
}

fn reveal(panzoom: &PanZoom, graph: &GraphView, node: &NodeView) {
    let half = f64::from(node.width / 2);
    panzoom.reveal((f64::from(node.at.x), f64::from(node.at.y)), half, f64::from(graph.gutter));
}

fn on_click(props: &Props, panzoom: &Slot) -> Callback<MouseEvent> {
    let (send, graph, panzoom) = (props.send.clone(), props.graph.clone(), panzoom.clone());
    Callback::from(move |event: MouseEvent| {
        if let Some(node) = node_index(&event).and_then(|index| graph.nodes.get(index)) {
            send.emit(chosen(node, event.shift_key()));
        } else if let Some(lane) = lane_of(&graph, &event) {
            let channel = lane.channel.clone();
            send.emit(Action::Explored(Explored::SubjectSelected(Subject::Channel { channel })));
        }
        if let (Some(node), Some(panzoom)) = (lane_end(&graph, &event), &*panzoom.borrow()) {
            reveal(panzoom, &graph, node);
        }
    })
}

fn on_key(props: &Props, panzoom: &Slot) -> Callback<KeyboardEvent> {
    let (send, graph, panzoom) = (props.send.clone(), props.graph.clone(), panzoom.clone());
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() {
            return;
        }
        // Entries can be walked as soon as they are there, the view only once it has been measured.
        let view = panzoom.borrow();
        let with_view = |act: &dyn Fn(&PanZoom)| view.iter().for_each(act);
        match (event.key().as_str(), node_index(&event), Arrow::of_key(&event.key())) {
            ("Enter" | " ", Some(index), _) => {
                graph.nodes.get(index).iter().for_each(|node| send.emit(chosen(node, event.shift_key())));
            }
            (_, Some(index), Some(arrow)) if !event.shift_key() => {
                if let Some(next) = neighbour(&graph, index, arrow) {
                    dom::focus_id(&format!("entry-{next}"));
                    with_view(&|view| reveal(view, &graph, &graph.nodes[next]));
                }
            }
            (_, _, Some(arrow)) => with_view(&|view| view.pan(arrow.pan().0, arrow.pan().1)),
            ("+" | "=", ..) => with_view(&|view| view.zoom(1.25)),
            ("-", ..) => with_view(&|view| view.zoom(0.8)),
            ("f", ..) => with_view(&PanZoom::fit),
            ("Escape", ..) => send.emit(Action::EntryLeft),
            _ => return,
        }
        event.prevent_default();
    })
}
