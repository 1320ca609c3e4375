//! Gestures and keys of the editing mode: an entry is dragged to another one, or the end of a skipRange to an entry.

use super::canvas::{Model, Props};
use super::events::{met, node_at, node_index};
use super::hit::Hit;
use crate::dom::PanZoom;
use crate::store::EdgeAction;
use views::{EdgeGesture, Gesture, GraphView, NodeView};
use yew::prelude::*;

/// The end of a skipRange is taken within this distance, CSS pixels.
const END: f64 = 16.0;

/// What is dragged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Drag {
    /// Nothing.
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
pub(super) fn key_action(props: &Props, model: &Model, key: &str, at: Option<u32>) -> Option<EdgeAction> {
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

/// The change of an entry of a drawing towards another one; `None` for folds, and for the entry itself.
pub(crate) fn edge_edit(graph: &GraphView, gesture: Gesture, from: u32, to: u32) -> Option<EdgeGesture> {
    let (from, to) = (graph.nodes.get(from as usize)?, graph.nodes.get(to as usize)?);
    let is_entry = from.fold.is_none() && to.fold.is_none() && from.key.name != to.key.name;
    let channel = graph.lanes.get(from.lane as usize)?.channel.clone();
    let (entry, to) = (from.key.name.clone(), to.key.name.clone());
    is_entry.then_some(EdgeGesture { channel, entry, gesture, to })
}
