//! The component of the graph: drawing, gestures, keys and controls.

use super::events::{
    Drag, Hover, held_line, on_blur, on_click, on_down, on_focus, on_key, on_leave, on_move, on_point, on_up, reveal,
};
use super::export::{Choices, export, printout};
use super::lane::{self, legend};
use super::overlay::{self, MinimapProps};
use super::scene::{Hit, Scene, TileKey};
use super::simulation_marks::{SimulationMarks, simulation_marks};
use super::tile::{self, DrawingPart, Part, TilesOnPage, use_tile_queue};
use crate::dom::{self, PanZoom};
use crate::kit::{choice, press};
use crate::store::{Action, CompareAction, EdgeAction, ExploreAction, Highlight, LayoutAction, PathEntries, Shared};
use opscope_drawing::{Area, SimulatedEntries, VisibleArea};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use views::{AxisDirection, EdgeGesture, EntryKey, GraphLayout, GraphView, Presence, Subject};
use yew::prelude::*;

/// Pan and zoom, once the drawing is on the page.
type Slot = Rc<RefCell<Option<PanZoom>>>;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) graph: Shared<GraphView>,
    pub(crate) simulated: SimulatedEntries,
    pub(crate) selected: Option<EntryKey>,
    /// The edge, range or channel that is selected instead of an entry.
    pub(crate) subject: Option<Subject>,
    /// The entry that is pointed at or has the focus.
    pub(crate) pointed: Option<EntryKey>,
    /// The entry of the current step of the simulation, to be scrolled into view.
    pub(crate) followed: Option<EntryKey>,
    /// The entries of the path that is shown.
    pub(crate) path_entries: Option<PathEntries>,
    pub(crate) highlight: Rc<Highlight>,
    /// Whether entries can be dragged to each other.
    pub(crate) editing: bool,
    /// The change of edges that is held.
    pub(crate) held: Option<EdgeGesture>,
    /// Which states of a comparison are shown; absent if none are compared.
    pub(crate) changes: Option<Presence>,
    /// Whether its tab is shown.
    pub(crate) visible: bool,
    /// Whether another package is selected, whose graph takes its place as soon as it arrives.
    pub(crate) outdated: bool,
    /// Whether the source is beside it.
    pub(crate) split: bool,
    /// Whether it is being printed.
    pub(crate) printing: bool,
    pub(crate) send: Callback<Action>,
}

/// What the component computes from its inputs and the user's actions.
#[derive(Clone)]
pub(super) struct Model {
    pub(super) panzoom: Slot,
    scene: Rc<Scene>,
    marks: Rc<SimulationMarks>,
    shown: UseStateHandle<VisibleArea>,
    plan: TilesOnPage,
    pub(super) selected: Option<u32>,
    /// What is dragged in the editing mode.
    pub(super) drag: Rc<Cell<Drag>>,
    /// The line or band that the pointer is at.
    pub(super) hover: UseStateHandle<Option<Hover>>,
    /// The entry that has, or gets, the focus.
    pub(super) cursor: UseStateHandle<u32>,
    /// Whether it gets the focus as soon as its element exists.
    pub(super) focus_pending: Rc<Cell<bool>>,
}

/// The graph. When the graph of the same package changes, a place that the user moved to stays in view.
#[component]
pub(crate) fn Canvas(props: &Props) -> Html {
    let (stage, view) = (use_node_ref(), use_node_ref());
    let model = use_model(props);
    use_gestures(&stage, &view, &model, props);
    // After the hook above, which creates the view that these move.
    use_reveals(&model, props);
    let slot = model.panzoom.clone();
    let to_point = use_callback((), move |point, ()| slot.borrow().iter().for_each(|view| view.centre(point)));
    let slot = model.panzoom.clone();
    let area = Callback::from(move |()| slot.borrow().as_ref().and_then(PanZoom::area));
    let choices = use_state(Choices::default);
    html! {
        <>
            { hatch() }
            <div ref={stage} class={classes!("canvas", props.outdated.then_some("outdated"))} role="tabpanel"
                aria-label="Graph" aria-busy={props.outdated.then_some("true")} inert={props.outdated}
                hidden={!props.visible}>
                <div ref={view}
                    class={classes!("drawing", props.highlight.dims.then_some("dims"), model.hover.map(|_| "at"),
                        props.editing.then_some("editing"))}
                    data-testid="graph" data-changes={props.changes.map(changes_name)} tabindex="0" role="group"
                    aria-label={format!("Update graph of {}", props.graph.package.package)}
                    onclick={on_click(props, &model)} onkeydown={on_key(props, &model)} onpointerover={on_point(props)}
                    onpointerdown={on_down(props, &model)} onpointerup={on_up(props, &model)}
                    onpointermove={on_move(props, &model)} onpointerleave={on_leave(props, &model)}
                    onfocusin={on_focus(props, &model)} onfocusout={on_blur(props)}>
                    { drawing(props, &model) }
                </div>
                <div class="foot">
                    <DrawingPart
                        part={Part::Minimap(MinimapProps { graph: props.graph.clone(), on_point: to_point })} />
                    <div class="zoom" role="group" aria-label="View">
                        if let Some(shown) = props.changes {
                            <div class="changes">{ changes(shown, &props.send) }</div>
                        }
                        <details class="more" name="menu" data-testid="drawing-menu">
                            <summary class="button" aria-label="More about the drawing" title="More about the drawing">
                                { "⋯" }
                            </summary>
                            <div class="menu">
                                <div class="acts" onclick={|event: MouseEvent| dom::close_menu_of(&event)}>
                                    { layouts(Some(props.graph.layout), &props.send) }
                                    { for SIZES.map(|button| zoom_button(button, &model.panzoom)) }
                                    if !props.split {
                                        <button type="button" data-testid="split" onclick={press(&props.send,
                                            LayoutAction::SplitSwitched { on: true })}>
                                            { "Show the source beside" }</button>
                                    }
                                    <button type="button" data-testid="present" title="Headline and drawing alone (p)"
                                        onclick={press(&props.send, LayoutAction::Presented { on: true })}>
                                        { "Present" }</button>
                                    <button type="button" aria-pressed={props.editing.to_string()}
                                        data-testid="edges-edit" title="Change edges in the drawing (m)"
                                        onclick={press(&props.send, EdgeAction::Switched)}>
                                        { "Edit edges" }</button>
                                </div>
                                { export(props, &model.marks, &area, &choices) }
                            </div>
                        </details>
                    </div>
                    { legend(props.graph.clone(), props.simulated.clone(), props.printing) }
                </div>
            </div>
            if props.printing { { printed(props, &model) } }
        </>
    }
}

/// The printed drawing, which replaces the one on the screen.
fn printed(props: &Props, model: &Model) -> Html {
    let area = model.panzoom.borrow().as_ref().and_then(PanZoom::area);
    let area = area.map(|(left, top, right, bottom)| (left as i32, top as i32, right as i32, bottom as i32));
    printout(&props.graph, &model.marks, area)
}

/// The states of a comparison to choose from. Places stay the same.
fn changes(shown: Presence, send: &Callback<Action>) -> Html {
    let names = [
        (Some(Presence::Before), "Before"),
        (Some(Presence::Both), "Both"),
        (Some(Presence::After), "After"),
        (None, "Hide changes"),
    ];
    choice("Changes", &names, Some(shown), send, CompareAction::GraphShown)
}

const fn changes_name(shown: Presence) -> &'static str {
    match shown {
        Presence::Before => "before",
        Presence::Both => "both",
        Presence::After => "after",
    }
}

/// The layouts to choose from; none is the channel map.
pub(super) fn layouts(on: Option<GraphLayout>, send: &Callback<Action>) -> Html {
    let names = [
        (Some(GraphLayout::Boxes), "Boxes"),
        (Some(GraphLayout::Dots), "Dots"),
        (Some(GraphLayout::Grid), "Grid"),
        (None, "Channel map"),
    ];
    choice("Layout", &names, on, send, |layout| {
        layout.map_or(ExploreAction::ChannelMapChosen, ExploreAction::GraphLayoutChosen)
    })
}

/// What a button does to the view.
type Act = fn(&PanZoom);

/// A button that changes the part of the drawing in sight: its text, its name, its test id, and what it does.
type ZoomButton = (&'static str, &'static str, &'static str, Act);

const SIZES: [ZoomButton; 5] = [
    ("Fit everything", "Fit everything (0)", "fit", PanZoom::fit),
    ("Zoom in", "Zoom in (+)", "zoom-in", |view| view.zoom(1.25)),
    ("Zoom out", "Zoom out (-)", "zoom-out", |view| view.zoom(0.8)),
    ("Own size", "1:1, own size (1)", "zoom-own", PanZoom::actual),
    ("Fit the width", "Width of all versions (w)", "fit-width", PanZoom::fit_width),
];

fn zoom_button((text, title, id, act): ZoomButton, panzoom: &Slot) -> Html {
    let panzoom = panzoom.clone();
    let onclick = Callback::from(move |_: MouseEvent| panzoom.borrow().iter().for_each(act));
    html! { <button type="button" {title} aria-label={title} data-testid={id} {onclick}>{ text }</button> }
}

#[hook]
fn use_model(props: &Props) -> Model {
    let graph = props.graph.clone();
    let scene = use_memo(graph.clone(), |graph| Scene::of(graph));
    let marks =
        use_memo((graph.clone(), props.simulated.clone()), |(graph, simulated)| simulation_marks(graph, simulated));
    let selected = *use_memo((graph, props.selected.clone()), |(graph, selected)| {
        let key = selected.as_ref()?;
        graph.nodes.iter().zip(0..).find(|(node, _)| node.key == *key).map(|(_, at)| at)
    });
    let cursor = use_state_eq(|| 0);
    let focus = cursor.setter();
    use_effect_with(selected, move |selected| selected.iter().for_each(|at| focus.set(*at)));
    let shown = use_state_eq(|| VisibleArea::START);
    let plan = use_tile_queue(&scene, &props.graph, *shown, *cursor);
    Model {
        panzoom: use_mut_ref(|| None::<PanZoom>),
        scene,
        marks,
        shown,
        plan,
        hover: use_state_eq(|| None),
        selected,
        cursor,
        focus_pending: use_memo((), |()| Cell::new(false)),
        drag: use_memo((), |()| Cell::default()),
    }
}

#[hook]
fn use_gestures(stage: &NodeRef, view: &NodeRef, model: &Model, props: &Props) {
    let (stage, view, panzoom) = (stage.clone(), view.clone(), model.panzoom.clone());
    let (setter, focus_pending) = (model.shown.setter(), Rc::clone(&model.focus_pending));
    use_effect_with((props.graph.clone(), props.visible), move |(graph, _)| {
        let mut slot = panzoom.borrow_mut();
        if slot.is_none() {
            // The entry with the focus gets another element when its tile switches between near and far.
            let on_shown = Callback::from(move |shown| {
                focus_pending.set(focus_pending.get() || dom::has_focus(".entry"));
                setter.set(shown);
            });
            *slot = stage.cast().zip(view.cast()).map(|(stage, view)| PanZoom::attach(stage, view, on_shown));
        }
        if let Some(panzoom) = slot.clone() {
            let graph = graph.clone();
            dom::next_frame(move || panzoom.measure(graph));
        }
    });
    let (panzoom, focus_pending) = (model.panzoom.clone(), Rc::clone(&model.focus_pending));
    let cursor = *model.cursor;
    use_effect_with((model.plan.clone(), *model.shown, props.graph.clone(), cursor), move |_| {
        panzoom.borrow().iter().for_each(PanZoom::refresh);
        if focus_pending.get() && dom::focus_id(&format!("entry-{cursor}")) {
            focus_pending.set(false);
        }
    });
}

/// Brings an entry into sight.
#[hook]
fn use_reveal(model: &Model, props: &Props, entry: Option<u32>) {
    let (panzoom, graph) = (model.panzoom.clone(), props.graph.clone());
    use_effect_with((entry, props.visible), move |(entry, _)| {
        let node = entry.and_then(|at| graph.nodes.get(at as usize)).cloned();
        if let (Some(node), Some(panzoom)) = (node, panzoom.borrow().clone()) {
            dom::next_frame(move || reveal(&panzoom, &node));
        }
    });
}

/// Scrolls to the selected entry, to what the simulation installs, to its current step, and to the path that is shown.
#[hook]
fn use_reveals(model: &Model, props: &Props) {
    use_reveal(model, props, model.selected);
    let node = props.followed.as_ref().and_then(|key| props.graph.nodes.iter().position(|node| node.key == *key));
    use_reveal(model, props, node.and_then(|at| u32::try_from(at).ok()));
    let (panzoom, graph) = (model.panzoom.clone(), props.graph.clone());
    use_effect_with((props.subject.clone(), props.visible), move |(subject, _)| {
        let hit = subject.as_ref().and_then(|subject| Hit::of(&graph, subject));
        if let (Some((area, to)), Some(panzoom)) = (hit.and_then(|hit| hit.extent(&graph)), panzoom.borrow().clone()) {
            let to = to.clone();
            dom::next_frame(move || {
                if !panzoom.meets(area) {
                    reveal(&panzoom, &to);
                }
            });
        }
    });
    use_reveal_all(model, props, props.path_entries.clone());
    use_reveal_all(model, props, (!model.marks.is_empty()).then(|| model.marks.keys().copied().collect()));
}

/// Brings several entries into sight.
#[hook]
fn use_reveal_all(model: &Model, props: &Props, entries: Option<PathEntries>) {
    let (panzoom, graph) = (model.panzoom.clone(), props.graph.clone());
    use_effect_with((entries, props.visible), move |(entries, _)| {
        let place = entries.as_ref().and_then(|entries| extent(&graph, entries));
        if let (Some((area, start)), Some(panzoom)) = (place, panzoom.borrow().clone()) {
            dom::next_frame(move || panzoom.reveal_all(area, start));
        }
    });
}

/// The area of a path's entries (left, top, right, bottom), and the middle of the first one.
fn extent(graph: &GraphView, path: &PathEntries) -> Option<(Area, (f64, f64))> {
    let nodes = || path.iter().filter_map(|at| graph.nodes.get(*at as usize));
    let first = nodes().next()?;
    let (half, up) = (|node: &views::NodeView| node.width / 2, |node: &views::NodeView| node.height / 2);
    let area = (
        nodes().map(|node| node.at.x - half(node)).min()?,
        nodes().map(|node| node.at.y - up(node)).min()?,
        nodes().map(|node| node.at.x + half(node)).max()?,
        nodes().map(|node| node.at.y + up(node)).max()?,
    );
    Some((area, (f64::from(first.at.x), f64::from(first.at.y))))
}

/// Everything that is panned and zoomed is one SVG element with a transform, so that the browser lays nothing out
/// again.
fn drawing(props: &Props, model: &Model) -> Html {
    let (graph, shown, plan) = (&props.graph, *model.shown, &model.plan);
    let lanes = |selected| lane::Props { graph: graph.clone(), shown, selected };
    let (marks, highlight) = (model.marks.clone(), props.highlight.clone());
    let is_up = graph.direction == AxisDirection::Up;
    let overlay = overlay::Props {
        graph: graph.clone(),
        marks,
        highlight,
        selected: model.selected,
        at: model.hover.map(|hover| hover.hit),
        shown,
    };
    html! { <>
        <svg class={classes!("layer", "follow", is_up.then_some("up"))} role="presentation">
            <DrawingPart part={Part::Cards(lanes(model.selected))} />
            <g class="tiles">
                { for plan.far.iter().map(|at| tile(props, model, *at, true)) }
                { for plan.near.iter().map(|at| tile(props, model, *at, false)) }
            </g>
            <DrawingPart part={Part::Overlay(overlay)} />
            // An element of its own: the entries stay the same elements, and keep the focus.
            <g aria-hidden="true">{ for held_line(props) }</g>
        </svg>
        <svg class="layer still" role="presentation">
            <g class="heads" aria-hidden="true"><DrawingPart part={Part::Heads(lanes(None))} /></g>
            <g class="names"><DrawingPart part={Part::Names(lanes(None))} /></g>
            <g class="axis" aria-hidden="true"><DrawingPart part={Part::Axis(lanes(model.selected))} /></g>
            <g class="corner" aria-hidden="true">{ corner(graph) }</g>
            { for model.hover.and_then(|hover| hint(graph, hover)) }
        </svg>
    </> }
}

fn tile(props: &Props, model: &Model, at: TileKey, far: bool) -> Html {
    let content = model.scene.tile(at, far);
    let is_drawn = |node: &u32| content.is_some_and(|content| content.nodes.contains(node));
    let mut marks = SimulationMarks::new();
    marks.extend(model.marks.iter().filter(|(node, _)| is_drawn(node)).map(|(node, mark)| (*node, mark.clone())));
    // Only one of the tiles that contain the focused entry has its element: the near one, if there is one.
    let stop = Some(*model.cursor).filter(is_drawn).filter(|_| !far || model.shown.far);
    let (selected, tiny) = (model.selected.filter(is_drawn), far && model.shown.tiny);
    let part =
        tile::Props { graph: props.graph.clone(), scene: model.scene.clone(), at, far, tiny, marks, stop, selected };
    html! { <DrawingPart key={format!("{} {} {} {far}", at.rank, at.lane, at.at)} part={Part::Tile(part)} /> }
}

/// The corner between the axis and the lane names; it says when the whole package is deprecated.
fn corner(graph: &GraphView) -> Html {
    let (width, height) = (graph.gutter.to_string(), (lane::axis_height(graph) + 194).to_string());
    html! {
        <>
            <rect class="plate" x="0" y="-200" {width} height={height.clone()} />
            <rect class="fade" x={graph.gutter.to_string()} y="-200" width="44" {height} />
            if let Some(message) = &graph.deprecated {
                <g class="chip warning" transform="translate(8 5)">
                    <title>{ format!("The package is deprecated: {message}") }</title>
                    <rect width="92" height="17" rx="8" />
                    <text x="46" y="12">{ "deprecated" }</text>
                </g>
            }
        </>
    }
}

/// The tooltip of the line or band under the pointer.
fn hint(graph: &GraphView, hover: Hover) -> Option<Html> {
    let text = hover.hit.text(graph)?;
    let width = 16 + 7 * text.chars().count();
    let left = (hover.at.0 - width as f64 / 2.0).min(hover.width - width as f64 - 4.0).max(4.0);
    let place = format!("translate({left:.0} {:.0})", (hover.at.1 - 34.0).max(2.0));
    Some(html! { <g class="hint" aria-hidden="true" transform={place} data-testid="hint">
        <rect width={width.to_string()} height="22" rx="6" /><text x={(width / 2).to_string()} y="15">{ text }</text>
    </g> })
}

/// From opaque to transparent; the style sheet has the colours.
fn gradient(id: &'static str) -> Html {
    html! { <linearGradient {id}><stop offset="0.1" /><stop offset="1" stop-opacity="0" /></linearGradient> }
}

/// The hatch pattern of pruned entries, and how lanes and the axis fade out beside the names. They are outside of the
/// element that is hidden for printing, because a pattern in a hidden element is not drawn.
fn hatch() -> Html {
    html! {
        <svg class="patterns" aria-hidden="true">
            <pattern id="hatch" width="6" height="6" patternTransform="rotate(45)" patternUnits="userSpaceOnUse">
                <path d="M0 0V6" />
            </pattern>
            { for ["fade", "axis-fade"].map(gradient) }
        </svg>
    }
}
