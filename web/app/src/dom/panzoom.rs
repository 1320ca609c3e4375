//! Pan and zoom of the drawing: pointer, touch and wheel, applied as transforms of its layers without rendering.

use crate::graph::{Drawing, Size, Viewport};
use gloo_events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, PointerEvent, WheelEvent};

/// A pointer has to move so far (CSS pixels) before a press becomes a drag and not a click.
const DRAG: f64 = 4.0;

/// The view of one drawing. Layers of class `follow` move with it in both directions, `rows` only down, `columns` only
/// across, and `corner` not at all.
#[derive(Clone, Debug)]
pub(crate) struct PanZoom {
    inner: Rc<RefCell<Inner>>,
    _listeners: Rc<[EventListener]>,
}

#[derive(Debug)]
struct Inner {
    svg: Element,
    drawing: Drawing,
    view: Option<Viewport>,
    pointers: BTreeMap<i32, (f64, f64)>,
    dragging: bool,
}

impl PanZoom {
    /// Takes over the gestures of an `svg`.
    pub(crate) fn attach(svg: Element) -> Self {
        let inner = Inner {
            svg: svg.clone(),
            drawing: Drawing::default(),
            view: None,
            pointers: BTreeMap::new(),
            dragging: false,
        };
        let inner = Rc::new(RefCell::new(inner));
        let on = |name: &'static str, handle: fn(&mut Inner, &Event)| {
            let inner = Rc::clone(&inner);
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&svg, name, options, move |event| handle(&mut inner.borrow_mut(), event))
        };
        let listeners = [
            on("wheel", Inner::wheel),
            on("pointerdown", Inner::press),
            on("pointermove", Inner::moved),
            on("pointerup", Inner::release),
            on("pointercancel", Inner::release),
        ];
        Self { inner, _listeners: Rc::new(listeners) }
    }

    /// Takes the size of the drawing; looks at it for the first time as soon as the frame has a size.
    pub(crate) fn measure(&self, drawing: Drawing) {
        let mut inner = self.inner.borrow_mut();
        inner.drawing = drawing;
        let frame = inner.frame();
        if inner.view.is_none() && frame.width > 0.0 {
            inner.view = Some(Viewport::first(drawing, frame));
        }
        inner.apply(frame);
    }

    /// Shows all of the drawing.
    pub(crate) fn fit(&self) {
        self.inner.borrow_mut().change(|_, drawing, frame| Viewport::fit(drawing, frame));
    }

    /// Zooms around the middle.
    pub(crate) fn zoom(&self, factor: f64) {
        self.inner.borrow_mut().change(|view, _, frame| view.zoomed(factor, (frame.width / 2.0, frame.height / 2.0)));
    }

    /// Moves by CSS pixels.
    pub(crate) fn pan(&self, dx: f64, dy: f64) {
        self.inner.borrow_mut().change(|view, drawing, frame| view.panned(dx, dy, drawing.size, frame));
    }

    /// Brings a point of the drawing, and what is `half` to both of its sides, into sight.
    pub(crate) fn reveal(&self, point: (f64, f64), half: f64, gutter: f64) {
        self.inner.borrow_mut().change(|view, _, frame| view.showing(point, half, gutter, frame));
    }
}

impl Inner {
    fn frame(&self) -> Size {
        let rect = self.svg.get_bounding_client_rect();
        Size { width: rect.width(), height: rect.height() }
    }

    fn change(&mut self, change: impl FnOnce(Viewport, Drawing, Size) -> Viewport) {
        let frame = self.frame();
        // While its tab is hidden the frame has no size that a view could fit.
        if let Some(view) = self.view.filter(|_| frame.width > 0.0) {
            self.view = Some(change(view, self.drawing, frame));
            self.apply(frame);
        }
    }

    fn apply(&self, frame: Size) {
        let Some(view) = self.view else { return };
        let Viewport { x, y, scale } = view;
        // It fails only for names that are no attribute names.
        drop(self.svg.set_attribute("data-far", if view.far() { "true" } else { "false" }));
        self.apply_names(view, frame);
        for (class, x, y) in [("follow", x, y), ("rows", 0.0, y), ("columns", x, 0.0), ("corner", 0.0, 0.0)] {
            let layers = self.svg.get_elements_by_class_name(class);
            for layer in (0..layers.length()).filter_map(|index| layers.item(index)) {
                // It fails only for names that are no attribute names.
                drop(layer.set_attribute("transform", &format!("translate({x:.2} {y:.2}) scale({scale:.4})")));
            }
        }
    }

    /// Keeps the names of the lanes readable, and lets them say where entries are that are out of sight.
    fn apply_names(&self, view: Viewport, frame: Size) {
        let names = self.svg.get_elements_by_class_name("lane-name");
        for name in (0..names.length()).filter_map(|index| names.item(index)) {
            let number = |attribute: &str| name.get_attribute(attribute)?.parse::<f64>().ok();
            let spine = number("data-spine").unwrap_or_default();
            let stretch = number("data-from").zip(number("data-to"));
            let away = stretch.and_then(|stretch| view.away(stretch, self.drawing.gutter, frame));
            let grown = view.names();
            // As above.
            drop(name.set_attribute("data-away", away.unwrap_or("no")));
            drop(
                name.set_attribute(
                    "transform",
                    &format!("translate(0 {spine}) scale({grown:.3}) translate(0 -{spine})"),
                ),
            );
        }
    }

    fn wheel(&mut self, event: &Event) {
        let Some(event) = event.dyn_ref::<WheelEvent>() else { return };
        event.prevent_default();
        let unit = if event.delta_mode() == WheelEvent::DOM_DELTA_LINE { 16.0 } else { 1.0 };
        let (dx, dy) = (event.delta_x() * unit, event.delta_y() * unit);
        let at = self.position(event.client_x(), event.client_y());
        if event.shift_key() || (dx.abs() > dy.abs() && !event.ctrl_key()) {
            let across = if dx == 0.0 { dy } else { dx };
            self.change(|view, drawing, frame| view.panned(-across, 0.0, drawing.size, frame));
        } else {
            // A pinch on a touchpad comes as small steps with ctrl.
            let speed = if event.ctrl_key() { 0.01 } else { 0.0015 };
            self.change(|view, _, _| view.zoomed((-dy * speed).exp(), at));
        }
    }

    fn press(&mut self, event: &Event) {
        let Some(event) = event.dyn_ref::<PointerEvent>().filter(|event| event.button() == 0) else { return };
        self.pointers.insert(event.pointer_id(), self.position(event.client_x(), event.client_y()));
        self.dragging = self.pointers.len() > 1;
    }

    fn moved(&mut self, event: &Event) {
        let Some(event) = event.dyn_ref::<PointerEvent>() else { return };
        let to = self.position(event.client_x(), event.client_y());
        let Some(from) = self.pointers.get(&event.pointer_id()).copied() else { return };
        if !self.dragging && distance(from, to) < DRAG {
            return;
        }
        if !self.dragging {
            self.dragging = true;
            // A captured pointer makes no click on an entry; without capture the drag ends at the edge, no more.
            drop(self.svg.set_pointer_capture(event.pointer_id()));
        }
        let other = self.pointers.iter().find(|(id, _)| **id != event.pointer_id()).map(|(_, at)| *at);
        self.pointers.insert(event.pointer_id(), to);
        self.change(|view, drawing, frame| {
            let view = match other {
                Some(other) => view.zoomed(distance(to, other) / distance(from, other).max(1.0), to),
                None => view,
            };
            let share = if other.is_some() { 0.5 } else { 1.0 };
            view.panned((to.0 - from.0) * share, (to.1 - from.1) * share, drawing.size, frame)
        });
    }

    fn release(&mut self, event: &Event) {
        if let Some(event) = event.dyn_ref::<PointerEvent>() {
            self.pointers.remove(&event.pointer_id());
        }
        self.dragging = !self.pointers.is_empty();
    }

    fn position(&self, x: i32, y: i32) -> (f64, f64) {
        let rect = self.svg.get_bounding_client_rect();
        (f64::from(x) - rect.left(), f64::from(y) - rect.top())
    }
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}
