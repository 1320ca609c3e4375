//! The drawing with its gestures and keys.

use super::export::{Choices, export};
use super::mount::{Plan, use_mounting};
use super::navigate::{Arrow, neighbour};
use super::part::{Drawn, Part};
use super::said::{Told, told};
use super::scene::{Scene, Shown, TileKey};
use super::{Drawing, lane, minimap, overlay, tile};
use crate::dom::{self, PanZoom};
use crate::store::{Action, Explored, Lit, Shared, Standing};
use std::cell::{Cell, RefCell};
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
    /// The entry that is to be in view: the simulation comes to it.
    pub(crate) followed: Option<EntryKey>,
    /// What stands out.
    pub(crate) lit: Rc<Lit>,
    /// Whether its tab is shown.
    pub(crate) visible: bool,
    /// Where events go.
    pub(crate) send: Callback<Action>,
}

/// What is made of the properties and of what the user did with the drawing.
struct Model {
    panzoom: Slot,
    scene: Rc<Scene>,
    told: Rc<Told>,
    shown: UseStateHandle<Shown>,
    /// The tiles to draw.
    plan: Plan,
    selected: Option<u32>,
    /// The entry that has, or gets, the focus.
    cursor: UseStateHandle<u32>,
    /// It is to have the focus as soon as it is on the page.
    wanted: Rc<Cell<bool>>,
}

/// The drawing. Pan and zoom stay as they are when the graph of the same package changes.
#[component]
pub(crate) fn Canvas(props: &Props) -> Html {
    let (stage, view) = (use_node_ref(), use_node_ref());
    let model = use_model(props);
    use_gestures(&stage, &view, &model, props);
    let slot = model.panzoom.clone();
    let to_point = use_callback((), move |point, ()| slot.borrow().iter().for_each(|view| view.centre(point)));
    let slot = model.panzoom.clone();
    let area = Callback::from(move |()| slot.borrow().as_ref().and_then(PanZoom::area));
    let choices = use_state(Choices::default);
    html! {
        <div ref={stage} class="canvas" role="tabpanel" aria-label="Graph" hidden={!props.visible}>
            <div ref={view} class={classes!("drawing", props.lit.dims.then_some("dims"))} data-testid="graph" tabindex="0" role="group"
                aria-label={format!("Update graph of {}", props.graph.package.package)}
                onclick={on_click(props, &model)} onkeydown={on_key(props, &model)}
                onpointerover={on_point(props)} onpointerleave={on_leave(props)} onfocusin={on_focus(props, &model)} onfocusout={on_blur(props)}>
                { drawing(props, &model) }
            </div>
            <Drawn part={Part::Minimap(minimap::Props { graph: props.graph.clone(), on_point: to_point })} />
            <div class="zoom" role="group" aria-label="View">
                { controls(&model.panzoom) }
                { export(props, &model.told, &area, &choices) }
            </div>
        </div>
    }
}

/// What a button does to the view.
type Act = fn(&PanZoom);

fn controls(panzoom: &Slot) -> Html {
    let buttons: [(&str, &str, &str, Act); 5] = [
        ("−", "Zoom out (-)", "zoom-out", |view| view.zoom(0.8)),
        ("+", "Zoom in (+)", "zoom-in", |view| view.zoom(1.25)),
        ("1:1", "1:1, own size (1)", "zoom-own", PanZoom::actual),
        ("Width", "Width of all versions (w)", "fit-width", PanZoom::fit_width),
        ("Fit", "Fit everything (0)", "fit", PanZoom::fit),
    ];
    let button = |(text, title, id, act): (&'static str, &'static str, &'static str, Act)| {
        let panzoom = panzoom.clone();
        let onclick = Callback::from(move |_: MouseEvent| panzoom.borrow().iter().for_each(act));
        html! { <button type="button" {title} aria-label={title} data-testid={id} {onclick}>{ text }</button> }
    };
    html! { <>{ for buttons.into_iter().map(button) }</> }
}

#[hook]
fn use_model(props: &Props) -> Model {
    let graph = props.graph.clone();
    let scene = use_memo(graph.clone(), |graph| Scene::of(graph));
    let told = use_memo((graph.clone(), props.standing.clone()), |(graph, standing)| told(graph, standing));
    let selected = *use_memo((graph, props.selected.clone()), |(graph, selected)| {
        let key = selected.as_ref()?;
        graph.nodes.iter().zip(0..).find(|(node, _)| node.key == *key).map(|(_, at)| at)
    });
    let cursor = use_state_eq(|| 0);
    let focus = cursor.setter();
    use_effect_with(selected, move |selected| selected.iter().for_each(|at| focus.set(*at)));
    let shown = use_state_eq(|| Shown::START);
    let plan = use_mounting(&scene, &props.graph, *shown, *cursor);
    Model {
        panzoom: use_mut_ref(|| None::<PanZoom>),
        scene,
        told,
        shown,
        plan,
        selected,
        cursor,
        wanted: use_memo((), |()| Cell::new(false)),
    }
}

#[hook]
fn use_gestures(stage: &NodeRef, view: &NodeRef, model: &Model, props: &Props) {
    let (stage, view, panzoom) = (stage.clone(), view.clone(), model.panzoom.clone());
    let setter = model.shown.setter();
    use_effect_with((props.graph.clone(), props.visible), move |(graph, _)| {
        let mut slot = panzoom.borrow_mut();
        if slot.is_none() {
            let on_shown = Callback::from(move |shown| setter.set(shown));
            *slot = stage.cast().zip(view.cast()).map(|(stage, view)| PanZoom::attach(stage, view, on_shown));
        }
        if let Some(panzoom) = slot.clone() {
            let (drawing, lanes) = (Drawing::of(graph), graph.lanes.clone());
            dom::next_frame(move || panzoom.measure(drawing, lanes));
        }
    });
    // Declared after the above, so that there is a view to move.
    let (panzoom, graph) = (model.panzoom.clone(), props.graph.clone());
    use_effect_with((model.selected, props.visible), move |(selected, _)| {
        let node = selected.and_then(|at| graph.nodes.get(at as usize)).cloned();
        if let (Some(node), Some(panzoom)) = (node, panzoom.borrow().clone()) {
            dom::next_frame(move || reveal(&panzoom, &node));
        }
    });
    let (panzoom, graph) = (model.panzoom.clone(), props.graph.clone());
    use_effect_with((props.followed.clone(), props.visible), move |(followed, _)| {
        let node = followed.as_ref().and_then(|key| graph.nodes.iter().find(|node| node.key == *key)).cloned();
        if let (Some(node), Some(panzoom)) = (node, panzoom.borrow().clone()) {
            dom::next_frame(move || reveal(&panzoom, &node));
        }
    });
    let (panzoom, wanted, cursor) = (model.panzoom.clone(), Rc::clone(&model.wanted), *model.cursor);
    use_effect_with((model.plan.clone(), *model.shown, props.graph.clone(), cursor), move |_| {
        panzoom.borrow().iter().for_each(PanZoom::refresh);
        if wanted.get() && dom::focus_id(&format!("entry-{cursor}")) {
            wanted.set(false);
        }
    });
}

/// What moves and is zoomed as a whole is an SVG of its own: moved from outside, none of it is laid out anew.
fn drawing(props: &Props, model: &Model) -> Html {
    let (graph, shown, plan) = (&props.graph, *model.shown, &model.plan);
    let lanes = || lane::Props { graph: graph.clone(), shown };
    let (told, lit) = (model.told.clone(), props.lit.clone());
    let overlay = overlay::Props { graph: graph.clone(), told, lit, selected: model.selected, shown };
    html! { <>
        <svg class="layer follow" role="presentation">
            { definitions() }
            <Drawn part={Part::Cards(lanes())} />
            <g class="tiles">
                { for plan.far.iter().map(|at| tile(props, model, *at, true)) }
                { for plan.near.iter().map(|at| tile(props, model, *at, false)) }
            </g>
            <Drawn part={Part::Overlay(overlay)} />
        </svg>
        <svg class="layer still" role="presentation">
            <g class="names"><Drawn part={Part::Names(lanes())} /></g>
            <g class="axis" aria-hidden="true"><Drawn part={Part::Axis(lanes())} /></g>
            <g class="corner" aria-hidden="true">{ corner(graph) }</g>
        </svg>
    </> }
}

fn tile(props: &Props, model: &Model, at: TileKey, far: bool) -> Html {
    let content = model.scene.tile(at, far);
    let here = |node: &u32| content.is_some_and(|content| content.nodes.contains(node));
    let mut told = Told::new();
    for (node, said) in model.told.iter().filter(|(node, _)| here(node)) {
        told.insert(*node, said.clone());
    }
    // The entry with the focus has its element in one tile only: in that of full detail, if there is one.
    let stop = Some(*model.cursor).filter(here).filter(|_| !far || model.shown.far);
    let selected = model.selected.filter(here);
    let part = tile::Props { graph: props.graph.clone(), scene: model.scene.clone(), at, far, told, stop, selected };
    html! { <Drawn key={format!("{} {} {} {far}", at.rank, at.lane, at.at)} part={Part::Tile(part)} /> }
}

/// What the axis passes under, left of the entries; it says when the whole package is deprecated.
fn corner(graph: &GraphView) -> Html {
    let width = graph.gutter.to_string();
    html! { <>
        <rect class="plate" x="0" y="-200" {width} height={(lane::AXIS + 194).to_string()} />
        if let Some(message) = &graph.deprecated {
            <g class="chip problem" transform="translate(8 5)"><title>{ format!("The package is deprecated: {message}") }</title>
                <rect width="92" height="17" rx="8" /><text x="46" y="12">{ "deprecated" }</text></g>
        }
    </> }
}

fn definitions() -> Html {
    html! { <defs>
        <pattern id="hatch" width="6" height="6" patternTransform="rotate(45)" patternUnits="userSpaceOnUse"><path d="M0 0V6" /></pattern>
    </defs> }
}

/// The index of the node that an event comes from.
fn node_index(event: &Event) -> Option<u32> {
    dom::closest_data(event, "[data-index]", "data-index")?.parse().ok()
}

/// The newest entry of the lane whose name an event comes from.
fn lane_end<'a>(graph: &'a GraphView, event: &Event) -> Option<&'a NodeView> {
    let lane: u32 = dom::closest_data(event, "[data-lane]", "data-lane")?.parse().ok()?;
    graph.nodes.get(graph.lane_nodes(lane).last()? as usize)
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

fn on_focus(props: &Props, model: &Model) -> Callback<FocusEvent> {
    let (pointed, cursor) = (pointed(props), model.cursor.setter());
    Callback::from(move |event: FocusEvent| {
        let index = node_index(&event);
        index.iter().for_each(|index| cursor.set(*index));
        pointed.emit(index);
    })
}

fn on_blur(props: &Props) -> Callback<FocusEvent> {
    pointed(props).reform(|_: FocusEvent| None)
}

fn pointed(props: &Props) -> Callback<Option<u32>> {
    let (send, graph, before) = (props.send.clone(), props.graph.clone(), props.pointed.clone());
    Callback::from(move |index: Option<u32>| {
        let key = index.and_then(|index| graph.nodes.get(index as usize)).map(|node| node.key.clone());
        if key != before {
            send.emit(Action::Explored(Explored::Pointed(key)));
        }
    })
}

/// The entry at a point of the drawing, for when it is too far away for elements of its own.
fn node_at(graph: &GraphView, (x, y): (f64, f64)) -> Option<&NodeView> {
    let within = |at: i32, size: i32, point: f64| (point - f64::from(at)).abs() <= f64::from(size / 2 + 4);
    graph.nodes.iter().find(|node| within(node.at.x, node.width, x) && within(node.at.y, node.height, y))
}

fn reveal(panzoom: &PanZoom, node: &NodeView) {
    panzoom.reveal((f64::from(node.at.x), f64::from(node.at.y)), f64::from(node.width / 2));
}

fn on_click(props: &Props, model: &Model) -> Callback<MouseEvent> {
    let (send, graph, panzoom) = (props.send.clone(), props.graph.clone(), model.panzoom.clone());
    Callback::from(move |event: MouseEvent| {
        let view = panzoom.borrow();
        let point = view.as_ref().and_then(|view| view.point(event.client_x(), event.client_y()));
        let node = node_index(&event).and_then(|index| graph.nodes.get(index as usize));
        if let Some(node) = node {
            send.emit(chosen(node, event.shift_key()));
        } else if let Some(lane) = lane_of(&graph, &event) {
            let channel = lane.channel.clone();
            send.emit(Action::Explored(Explored::SubjectSelected(Subject::Channel { channel })));
        } else if let Some(node) = point.and_then(|point| node_at(&graph, point)) {
            send.emit(chosen(node, event.shift_key()));
        }
        if let (Some(node), Some(view)) = (lane_end(&graph, &event), &*view) {
            reveal(view, node);
        }
    })
}

/// Gives an entry the focus, at once or as soon as it is on the page.
fn go_to(graph: &GraphView, index: u32, cursor: &UseStateSetter<u32>, wanted: &Cell<bool>, view: Option<&PanZoom>) {
    cursor.set(index);
    wanted.set(!dom::focus_id(&format!("entry-{index}")));
    if let (Some(view), Some(node)) = (view, graph.nodes.get(index as usize)) {
        reveal(view, node);
    }
}

fn on_key(props: &Props, model: &Model) -> Callback<KeyboardEvent> {
    let (send, graph, panzoom) = (props.send.clone(), props.graph.clone(), model.panzoom.clone());
    let (cursor, wanted) = (model.cursor.setter(), Rc::clone(&model.wanted));
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() {
            return;
        }
        // Entries can be walked as soon as they are there, the view only once it has been measured.
        let view = panzoom.borrow();
        let with_view = |act: &dyn Fn(&PanZoom)| view.iter().for_each(act);
        let whole_view = event.shift_key() || event.alt_key();
        match (event.key().as_str(), node_index(&event), Arrow::of_key(&event.key())) {
            ("Enter" | " ", Some(index), _) => {
                let node = graph.nodes.get(index as usize);
                node.iter().for_each(|node| send.emit(chosen(node, event.shift_key())));
            }
            (_, Some(index), Some(arrow)) if !whole_view => {
                let next = neighbour(&graph, index as usize, arrow).and_then(|next| u32::try_from(next).ok());
                next.iter().for_each(|next| go_to(&graph, *next, &cursor, &wanted, view.as_ref()));
            }
            (_, _, Some(arrow)) => with_view(&|view| view.pan(arrow.pan().0, arrow.pan().1)),
            ("+" | "=", ..) => with_view(&|view| view.zoom(1.25)),
            ("-", ..) => with_view(&|view| view.zoom(0.8)),
            ("1", ..) => with_view(&PanZoom::actual),
            ("w", ..) => with_view(&PanZoom::fit_width),
            ("0", ..) => with_view(&PanZoom::fit),
            ("Escape", ..) => send.emit(Action::EntryLeft),
            _ => return,
        }
        event.prevent_default();
    })
}
