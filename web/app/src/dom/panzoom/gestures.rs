//! Gestures of wheel, mouse, fingers and pens.

use super::{Grip, Inner};
use std::collections::BTreeMap;
use wasm_bindgen::JsCast;
use web_sys::{Event, PointerEvent, WheelEvent};

/// A press becomes a drag, rather than a click, when the pointer has moved this far, CSS pixels.
const DRAG: f64 = 4.0;

impl Inner {
    pub(super) fn wheel(&mut self, event: &Event) {
        let Some(event) = event.dyn_ref::<WheelEvent>() else { return };
        event.prevent_default();
        let unit = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE { 16.0 } else { 1.0 };
        let (dx, dy) = (event.delta_x() * unit, event.delta_y() * unit);
        let at = self.position(event.client_x(), event.client_y());
        if event.shift_key() || (dx.abs() > dy.abs() && !event.ctrl_key()) {
            let across = if dx == 0.0 { dy } else { dx };
            self.change(|view, drawing, frame| {
                let (along, beside) = if drawing.up { (0.0, -across) } else { (-across, 0.0) };
                view.panned(along, beside, drawing.size, frame)
            });
        } else {
            // Browsers report a pinch on a touchpad as wheel events with Ctrl and small deltas.
            let speed = if event.ctrl_key() { 0.01 } else { 0.0015 };
            self.change(|view, drawing, frame| view.zoomed((-dy * speed).exp(), at, drawing, frame));
        }
    }

    pub(super) fn press(&mut self, event: &Event) {
        let Some(event) = event.dyn_ref::<PointerEvent>().filter(|event| event.button() == 0) else { return };
        self.pointers.insert(event.pointer_id(), self.position(event.client_x(), event.client_y()));
        self.dragging = self.pointers.len() > 1;
        self.grasp();
    }

    pub(super) fn moved(&mut self, event: &Event) {
        let Some(event) = event.dyn_ref::<PointerEvent>() else { return };
        let to = self.position(event.client_x(), event.client_y());
        let Some(from) = self.pointers.get(&event.pointer_id()).copied() else { return };
        if !self.dragging && distance(from, to) < DRAG {
            return;
        }
        if !self.dragging {
            self.dragging = true;
            // A captured pointer causes no click on an entry. If capturing fails, the drag only ends at the edge.
            drop(self.element.set_pointer_capture(event.pointer_id()));
        }
        self.pointers.insert(event.pointer_id(), to);
        let Some(grip) = self.grip else { return };
        let (middle, spread) = hold(&self.pointers);
        let factor = if grip.spread > 0.0 { spread / grip.spread } else { 1.0 };
        self.change(|_, drawing, frame| {
            let view = grip.view.zoomed(factor, grip.middle, drawing, frame);
            view.panned(middle.0 - grip.middle.0, middle.1 - grip.middle.1, drawing.size, frame)
        });
    }

    pub(super) fn release(&mut self, event: &Event) {
        if let Some(event) = event.dyn_ref::<PointerEvent>() {
            self.pointers.remove(&event.pointer_id());
        }
        self.dragging = !self.pointers.is_empty();
        self.grasp();
    }

    fn grasp(&mut self) {
        let (middle, spread) = hold(&self.pointers);
        self.grip = self.view.filter(|_| !self.pointers.is_empty()).map(|view| Grip { view, middle, spread });
    }
}

/// The middle of the pointers, and the distance of the first two; 0 if there is one.
fn hold(pointers: &BTreeMap<i32, (f64, f64)>) -> ((f64, f64), f64) {
    let count = (pointers.len() as f64).max(1.0);
    let (x, y) = pointers.values().fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    let mut first = pointers.values();
    let spread = first.next().zip(first.next()).map_or(0.0, |(a, b)| distance(*a, *b));
    ((x / count, y / count), spread)
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}
