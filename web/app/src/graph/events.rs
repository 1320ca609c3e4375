//! Pointer, keyboard and focus events of the drawing, other than pan and zoom.

use super::canvas::{Model, Props};
use super::navigate::{Arrow, neighbour};
use super::scene::{Hit, hit};
use crate::dom::{self, PanZoom};
use crate::store::{Action, EdgeAction, ExploreAction, NavigationAction};
use std::cell::Cell;
use std::rc::Rc;
use views::{EdgeGesture, Gesture, GraphView, LaneView, NodeView, Subject};
use web_sys::FocusEvent;
use yew::prelude::*;

/// An edge or band counts as under the pointer from this distance, CSS pixels.
const REACH: f64 = 7.0;

/// The edge or band under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hover {
    pub(super) hit: Hit,
    /// Where the pointer met it, CSS pixels of the frame.
    pub(super) at: (f64, f64),
    pub(super) width: f64,
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

/// The action of selecting an entry; with Shift it becomes the end of a path from the selected one.
fn chosen(node: &NodeView, shift: bool) -> Action {
    if shift {
        Action::Explore(ExploreAction::PathTo(node.key.clone()))
    } else {
        Action::Navigation(NavigationAction::EntrySelected(node.key.clone()))
    }
}

/// The edge or band at a point of the window.
fn met(props: &Props, view: Option<&PanZoom>, (x, y): (i32, i32)) -> Option<Hover> {
    let view = view?;
    let (point, magnification) = (view.point(x, y)?, view.magnification()?);
    let hit = hit(&props.graph, &props.highlight, point, REACH / magnification)?;
    let (at, width) = view.position(x, y);
    Some(Hover { hit, at, width })
}

/// Notes which edge or band the mouse is over, whenever that changes.
pub(super) fn on_move(props: &Props, model: &Model) -> Callback<PointerEvent> {
    let (props, model) = (props.clone(), model.clone());
    Callback::from(move |event: PointerEvent| {
        if matches!(model.drag.get(), Drag::Entry(_) | Drag::Range(..)) {
            return moved(&props, &model, &event);
        }
        let (panzoom, hover) = (&model.panzoom, &model.hover);
        let free = event.pointer_type() == "mouse" && event.buttons() == 0;
        let met = met(&props, panzoom.borrow().as_ref(), (event.client_x(), event.client_y()))
            .filter(|_| free && dom::closest_data(&event, ".entry, .still", "class").is_none());
        if met.map(|met| met.hit) != hover.map(|hover| hover.hit) {
            hover.set(met);
        }
    })
}

/// Reports which entry the mouse is over, whenever that changes.
pub(super) fn on_point(props: &Props) -> Callback<PointerEvent> {
    let pointed = pointed(props);
    Callback::from(move |event: PointerEvent| {
        pointed.emit(node_index(&event).filter(|_| event.pointer_type() == "mouse"));
    })
}

pub(super) fn on_leave(props: &Props, model: &Model) -> Callback<PointerEvent> {
    let (pointed, hover, drag) = (pointed(props), model.hover.setter(), model.drag.clone());
    let (send, is_held) = (props.send.clone(), props.held.is_some());
    Callback::from(move |_: PointerEvent| {
        if drag.take() != Drag::None && is_held {
            send.emit(EdgeAction::Held(None).into());
        }
        hover.set(None);
        pointed.emit(None);
    })
}

pub(super) fn on_focus(props: &Props, model: &Model) -> Callback<FocusEvent> {
    let (pointed, cursor) = (pointed(props), model.cursor.setter());
    Callback::from(move |event: FocusEvent| {
        let index = node_index(&event);
        index.iter().for_each(|index| cursor.set(*index));
        pointed.emit(index);
    })
}

pub(super) fn on_blur(props: &Props) -> Callback<FocusEvent> {
    pointed(props).reform(|_: FocusEvent| None)
}

fn pointed(props: &Props) -> Callback<Option<u32>> {
    let (send, graph, before) = (props.send.clone(), props.graph.clone(), props.pointed.clone());
    Callback::from(move |index: Option<u32>| {
        let node = index.and_then(|index| graph.nodes.get(index as usize));
        let key = node.map(|node| node.key.clone());
        if key != before {
            send.emit(ExploreAction::Pointed(key).into());
        }
    })
}

/// The entry at a point of the drawing, for zoom levels at which entries have no elements.
fn node_at(graph: &GraphView, (x, y): (f64, f64)) -> Option<&NodeView> {
    let within = |at: i32, size: i32, point: f64| (point - f64::from(at)).abs() <= f64::from(size / 2 + 4);
    graph.nodes.iter().find(|node| within(node.at.x, node.width, x) && within(node.at.y, node.height, y))
}

pub(super) fn reveal(panzoom: &PanZoom, node: &NodeView) {
    panzoom.reveal((f64::from(node.at.x), f64::from(node.at.y)), f64::from(node.width / 2));
}

pub(super) fn on_click(props: &Props, model: &Model) -> Callback<MouseEvent> {
    let (props, panzoom) = (props.clone(), model.panzoom.clone());
    let drag = model.drag.clone();
    Callback::from(move |event: MouseEvent| {
        if drag.take() == Drag::Done {
            return;
        }
        let (send, graph) = (&props.send, &*props.graph);
        let view = panzoom.borrow();
        let point = view.as_ref().and_then(|view| view.point(event.client_x(), event.client_y()));
        let node = node_index(&event).and_then(|index| graph.nodes.get(index as usize));
        if let Some(node) = node {
            send.emit(chosen(node, event.shift_key()));
        } else if let Some(lane) = lane_of(graph, &event) {
            let channel = lane.channel.clone();
            send.emit(ExploreAction::SubjectSelected(Subject::Channel { channel }).into());
        } else if let Some(node) = point.and_then(|point| node_at(graph, point)) {
            send.emit(chosen(node, event.shift_key()));
        } else if let Some(met) = met(&props, view.as_ref(), (event.client_x(), event.client_y())) {
            select(&props, met.hit);
        }
        if let (Some(node), Some(view)) = (lane_end(graph, &event), &*view) {
            reveal(view, node);
        }
    })
}

fn select(props: &Props, hit: Hit) {
    let subject = hit.subject(&props.graph);
    subject.into_iter().for_each(|subject| props.send.emit(ExploreAction::SubjectSelected(subject).into()));
}

/// The edge or band of an entry that follows the selected one.
fn next_hit(props: &Props, entry: u32) -> Option<Hit> {
    let all = Hit::at(&props.graph, entry);
    let now = props.subject.as_ref().and_then(|subject| Hit::of(&props.graph, subject));
    let at = all.iter().position(|hit| Some(*hit) == now).map_or(0, |at| at + 1);
    all.get(at).or(all.first()).copied()
}

/// Moves the focus to an entry, at once or as soon as its element exists.
fn go_to(
    graph: &GraphView,
    index: u32,
    cursor: &UseStateSetter<u32>,
    focus_pending: &Cell<bool>,
    view: Option<&PanZoom>,
) {
    cursor.set(index);
    focus_pending.set(!dom::focus_id(&format!("entry-{index}")));
    if let (Some(view), Some(node)) = (view, graph.nodes.get(index as usize)) {
        reveal(view, node);
    }
}

pub(super) fn on_key(props: &Props, model: &Model) -> Callback<KeyboardEvent> {
    let (props, panzoom) = (props.clone(), model.panzoom.clone());
    let (cursor, focus_pending) = (model.cursor.setter(), Rc::clone(&model.focus_pending));
    let model = model.clone();
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() {
            return;
        }
        if let Some(action) = key_action(&props, &model, &event.key(), node_index(&event)) {
            props.send.emit(Action::Edges(action));
            return event.prevent_default();
        }
        let (send, graph) = (&props.send, &*props.graph);
        // The keys work as soon as there are entries; the view exists only once the frame has been measured.
        let view = panzoom.borrow();
        let with_view = |act: &dyn Fn(&PanZoom)| view.iter().for_each(act);
        let whole_view = event.shift_key() || event.alt_key();
        match (event.key().as_str(), node_index(&event), Arrow::of_key(&event.key())) {
            ("Enter" | " ", Some(index), _) => {
                if let Some(node) = graph.nodes.get(index as usize) {
                    send.emit(chosen(node, event.shift_key()));
                }
            }
            (_, Some(index), Some(arrow)) if !whole_view => {
                let arrow = arrow.in_direction(graph.direction);
                let next = neighbour(graph, index as usize, arrow).and_then(|next| u32::try_from(next).ok());
                next.iter().for_each(|next| go_to(graph, *next, &cursor, &focus_pending, view.as_ref()));
            }
            (_, _, Some(arrow)) => with_view(&|view| view.pan(arrow.pan().0, arrow.pan().1)),
            ("+" | "=", ..) => with_view(&|view| view.zoom(1.25)),
            ("-", ..) => with_view(&|view| view.zoom(0.8)),
            ("1", ..) => with_view(&PanZoom::actual),
            ("l", Some(index), _) => next_hit(&props, index).into_iter().for_each(|hit| select(&props, hit)),
            ("w", ..) => with_view(&PanZoom::fit_width),
            ("0", ..) => with_view(&PanZoom::fit),
            ("Escape", ..) => send.emit(NavigationAction::EntryLeft.into()),
            _ => return,
        }
        event.prevent_default();
    })
}

// Gestures and keys of the editing mode: an entry is dragged to another one, or the end of a skipRange to an entry.

/// The end of a skipRange is taken within this distance, CSS pixels.
const END: f64 = 16.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Drag {
    #[default]
    None,
    Entry(u32),
    /// An end of the skipRange of an entry.
    Range(u32, Gesture),
    /// Nothing any more; the click that ends it is none.
    Done,
}

/// Takes the entry or the end of a skipRange under the pointer; the drawing then stays where it is.
pub(super) fn on_down(props: &Props, model: &Model) -> Callback<PointerEvent> {
    let (props, panzoom, drag) = (props.clone(), model.panzoom.clone(), model.drag.clone());
    Callback::from(move |event: PointerEvent| {
        drag.set(Drag::None);
        let view = panzoom.borrow();
        let Some(view) = view.as_ref().filter(|_| props.editing && event.button() == 0) else { return };
        let at = (event.client_x(), event.client_y());
        let entry = node_index(&event).or_else(|| index_at(&props.graph, view, at));
        let taken = match entry {
            Some(entry) => Drag::Entry(entry),
            None => range_end(&props, view, at).unwrap_or_default(),
        };
        if taken != Drag::None {
            // The root sees events before the view, which would be moved.
            event.stop_propagation();
            drag.set(taken);
        }
    })
}

/// Holds the change that the pointer is at.
pub(super) fn moved(props: &Props, model: &Model, event: &PointerEvent) {
    let view = model.panzoom.borrow();
    let Some(view) = view.as_ref() else { return };
    let to = index_at(&props.graph, view, (event.client_x(), event.client_y()));
    let edit = to.and_then(|to| match model.drag.get() {
        Drag::Entry(from) if event.shift_key() => gesture(&props.graph, Gesture::Skip, from, to),
        Drag::Entry(from) => gesture(&props.graph, Gesture::Replace, from, to),
        Drag::Range(entry, change) => edge_edit(&props.graph, change, entry, to),
        Drag::None | Drag::Done => None,
    });
    if props.held != edit {
        props.send.emit(EdgeAction::Held(edit).into());
    }
}

/// Makes the change that is held, if something was dragged.
pub(super) fn on_up(props: &Props, model: &Model) -> Callback<PointerEvent> {
    let (send, drag, is_held) = (props.send.clone(), model.drag.clone(), props.held.is_some());
    Callback::from(move |_: PointerEvent| {
        if matches!(drag.take(), Drag::Entry(_) | Drag::Range(..)) && is_held {
            drag.set(Drag::Done);
            send.emit(EdgeAction::Made.into());
        }
    })
}

/// The change of a key at an entry, from the selected one; `None` for other keys.
fn key_action(props: &Props, model: &Model, key: &str, at: Option<u32>) -> Option<EdgeAction> {
    let between = |change| {
        let (from, to) = (model.selected?, at?);
        match change {
            Gesture::Replace | Gesture::Skip => gesture(&props.graph, change, from, to),
            Gesture::RangeFrom | Gesture::RangeTo => edge_edit(&props.graph, change, from, to),
        }
    };
    let held = |change| between(change).map(|edit| EdgeAction::Held(Some(edit)));
    match key {
        "m" => Some(EdgeAction::Switched),
        "Enter" if props.held.is_some() => Some(EdgeAction::Made),
        "Escape" if props.held.is_some() => {
            model.drag.set(Drag::None);
            Some(EdgeAction::Held(None))
        }
        _ if !props.editing => None,
        "r" => held(Gesture::Replace),
        "s" => held(Gesture::Skip),
        "[" => held(Gesture::RangeFrom),
        "]" => held(Gesture::RangeTo),
        _ => None,
    }
}

/// The line of the change that is held.
pub(super) fn held_line(props: &Props) -> Option<Html> {
    let edit = props.held.as_ref()?;
    let channel =
        |node: &NodeView| props.graph.lanes.get(node.lane as usize).is_some_and(|lane| lane.channel == edit.channel);
    let node = |name: &str| props.graph.nodes.iter().find(|node| node.key.name == name && channel(node));
    let (from, to) = node(&edit.to).zip(node(&edit.entry))?;
    let line = format!("M{} {}L{} {}", from.at.x, from.at.y, to.at.x, to.at.y);
    Some(html! { <path class="held" d={line} data-testid="edge-held" /> })
}

/// In one channel the newer entry gets the edge, whichever was dragged.
fn gesture(graph: &GraphView, change: Gesture, from: u32, to: u32) -> Option<EdgeGesture> {
    let lane = |at: u32| graph.nodes.get(at as usize).map(|node| node.lane);
    let (from, to) = if lane(from) == lane(to) { (from.max(to), from.min(to)) } else { (from, to) };
    edge_edit(graph, change, from, to)
}

fn index_at(graph: &GraphView, view: &PanZoom, (x, y): (i32, i32)) -> Option<u32> {
    let node = node_at(graph, view.point(x, y)?)?;
    graph.nodes.iter().position(|other| std::ptr::eq(other, node)).and_then(|at| u32::try_from(at).ok())
}

/// The end of the skipRange that is under the pointer.
fn range_end(props: &Props, view: &PanZoom, at: (i32, i32)) -> Option<Drag> {
    let Hit::Band(band) = met(props, Some(view), at)?.hit else { return None };
    let band = props.graph.bands.get(band as usize)?;
    let ((x, _), near) = (view.point(at.0, at.1)?, END / view.magnification()?);
    let (left, right) = (band.stretches.first()?.0, band.stretches.last()?.1);
    let is_near = |end: i32| (x - f64::from(end)).abs() <= near;
    if is_near(left) {
        Some(Drag::Range(band.to, Gesture::RangeFrom))
    } else {
        is_near(right).then_some(Drag::Range(band.to, Gesture::RangeTo))
    }
}

/// The change of an entry of a drawing towards another one; `None` for the entry itself.
pub(crate) fn edge_edit(graph: &GraphView, gesture: Gesture, from: u32, to: u32) -> Option<EdgeGesture> {
    let (from, to) = (graph.nodes.get(from as usize)?, graph.nodes.get(to as usize)?);
    let is_entry = from.key.name != to.key.name;
    let channel = graph.lanes.get(from.lane as usize)?.channel.clone();
    let (entry, to) = (from.key.name.clone(), to.key.name.clone());
    is_entry.then_some(EdgeGesture { channel, entry, gesture, to })
}
