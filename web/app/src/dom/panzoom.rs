//! Pan and zoom of the drawing with pointer, touch and wheel. The view is applied as transforms of layers; nothing is
//! rendered.

use super::next_frame;
use crate::graph::{Drawing, Rule, Size, UP_NAMES, Viewport, slim};
use crate::store::Shared;
use gloo_events::{EventListener, EventListenerOptions};
use opscope_drawing::{Area, VisibleArea};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use views::{GraphView, NodeView};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, Event, HtmlElement, PointerEvent, ResizeObserver, SvgElement, WheelEvent};
use yew::Callback;

/// Pan and zoom of one drawing. Of the layers below `stage`, the one of class `follow` moves in both directions;
/// `names` moves down, and across only as far as it stays visible; `axis` moves across, and down only as far as it
/// stays visible.
#[derive(Clone, Debug)]
pub(crate) struct PanZoom {
    inner: Rc<RefCell<Inner>>,
    _listeners: Rc<Listeners>,
}

#[derive(Debug)]
struct Listeners {
    _events: Vec<EventListener>,
    observer: Option<ResizeObserver>,
    _resized: Closure<dyn FnMut()>,
}

impl Drop for Listeners {
    fn drop(&mut self) {
        self.observer.iter().for_each(ResizeObserver::disconnect);
    }
}

#[derive(Debug)]
struct Inner {
    stage: Element,
    /// The element that receives the gestures; its size is the size of the frame.
    element: Element,
    drawing: Drawing,
    graph: Option<Shared<GraphView>>,
    frame: Size,
    view: Option<Viewport>,
    /// How the view follows the size of the frame.
    rule: Rule,
    /// The point that was scrolled into view last, with the half width of its entry: it stays visible when the frame
    /// shrinks.
    revealed: Option<((f64, f64), f64)>,
    pointers: BTreeMap<i32, (f64, f64)>,
    grip: Option<Grip>,
    dragging: bool,
    /// Whether an animation frame that applies the view is requested.
    due: bool,
    names: Vec<Name>,
    shown: Option<VisibleArea>,
    on_shown: Callback<VisibleArea>,
}

/// Positions of pointers and view when the number of pointers last changed. Each move computes the view from them, so
/// that rounding errors do not add up.
#[derive(Clone, Copy, Debug)]
struct Grip {
    view: Viewport,
    middle: (f64, f64),
    spread: f64,
}

/// The name of a lane, which shows the direction of its entries when none is visible.
#[derive(Debug)]
struct Name {
    element: Element,
    /// The x ranges of the entries.
    stretches: Vec<(f64, f64)>,
    away: Option<&'static str>,
}

impl PanZoom {
    /// Adds the listeners to an element below `stage`. `on_shown` is called when the visible area changes, whose parts
    /// have to be on the page.
    pub(crate) fn attach(stage: Element, element: Element, on_shown: Callback<VisibleArea>) -> Self {
        let inner = Inner {
            stage,
            element: element.clone(),
            drawing: Drawing::default(),
            graph: None,
            frame: Size::default(),
            view: None,
            rule: Rule::First,
            revealed: None,
            pointers: BTreeMap::new(),
            grip: None,
            dragging: false,
            due: false,
            names: Vec::new(),
            shown: None,
            on_shown,
        };
        let inner = Rc::new(RefCell::new(inner));
        let listen = |name: &'static str, handle: fn(&mut Inner, &Event)| {
            let inner = Rc::clone(&inner);
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&element, name, options, move |event| {
                handle(&mut inner.borrow_mut(), event);
                schedule(&inner);
            })
        };
        let _events = vec![
            listen("wheel", Inner::wheel),
            listen("pointerdown", Inner::press),
            listen("pointermove", Inner::moved),
            listen("pointerup", Inner::release),
            listen("pointercancel", Inner::release),
        ];
        let resized = Rc::downgrade(&inner);
        let _resized = Closure::new(move || {
            if let Some(inner) = resized.upgrade() {
                inner.borrow_mut().resized();
                schedule(&inner);
            }
        });
        let observer = ResizeObserver::new(_resized.as_ref().unchecked_ref()).ok();
        observer.iter().for_each(|observer| observer.observe(&element));
        Self { inner, _listeners: Rc::new(Listeners { _events, observer, _resized }) }
    }

    /// Takes a graph, whose size the view needs. The initial view is computed as soon as the frame has a size.
    pub(crate) fn measure(&self, graph: Shared<GraphView>) {
        let mut inner = self.inner.borrow_mut();
        let differs = |before: &GraphView| {
            before.layout != graph.layout
                || before.direction != graph.direction
                || before.compares.is_some() != graph.compares.is_some()
        };
        if inner.graph.as_deref().is_some_and(differs) {
            (inner.view, inner.rule, inner.revealed) = (None, Rule::First, None);
        }
        let (drawing, rule, frame) = (Drawing::of(&graph), inner.rule, inner.frame);
        let before = std::mem::replace(&mut inner.drawing, drawing);
        inner.view = inner.view.map(|view| view.redrawn(rule, before, drawing, frame));
        (inner.graph, inner.shown) = (Some(graph), None);
        inner.resized();
        drop(inner);
        schedule(&self.inner);
    }

    /// Finds the elements that a rendering has added.
    pub(crate) fn refresh(&self) {
        self.inner.borrow_mut().find_names();
        schedule(&self.inner);
    }

    /// Shows all of the drawing.
    pub(crate) fn fit(&self) {
        self.keep_to(Rule::Whole);
    }

    /// Shows all versions, and perhaps not all lanes.
    pub(crate) fn fit_width(&self) {
        self.keep_to(Rule::Width);
    }

    /// Zooms around the middle of the frame.
    pub(crate) fn zoom(&self, factor: f64) {
        self.change(|view, drawing, frame| {
            view.zoomed(factor, (frame.width / 2.0, frame.height / 2.0), drawing, frame)
        });
    }

    /// Shows the drawing in its own size.
    pub(crate) fn actual(&self) {
        self.change(Viewport::actual);
    }

    /// Moves the drawing by CSS pixels.
    pub(crate) fn pan(&self, dx: f64, dy: f64) {
        self.change(|view, drawing, frame| {
            let (dx, dy) = if drawing.up { (-dy, dx) } else { (dx, dy) };
            view.panned(dx, dy, drawing.size, frame)
        });
    }

    /// Moves a point of the drawing to the middle.
    pub(crate) fn centre(&self, point: (f64, f64)) {
        self.change(|view, drawing, frame| view.centred(point, drawing, frame));
    }

    /// Scrolls a point of the drawing into view, with `half` to both of its sides.
    pub(crate) fn reveal(&self, point: (f64, f64), half: f64) {
        self.inner.borrow_mut().revealed = Some((point, half));
        self.change(|view, drawing, frame| view.showing(point, half, drawing, frame));
    }

    /// Scrolls a part of the drawing into view or, if that is too long, its start.
    pub(crate) fn reveal_all(&self, area: Area, start: (f64, f64)) {
        self.change(|view, drawing, frame| view.showing_all(area, start, drawing, frame));
    }

    /// Whether any of a part of the drawing is visible.
    pub(crate) fn meets(&self, area: Area) -> bool {
        let inner = self.inner.borrow();
        inner.view.is_some_and(|view| view.sees(area, inner.drawing, inner.frame, false))
    }

    /// The magnification down, which is not smaller than the one across.
    pub(crate) fn magnification(&self) -> Option<f64> {
        self.inner.borrow().view.map(|view| view.down)
    }

    /// The position in the frame of a point of the window, and the width of the frame, CSS pixels.
    pub(crate) fn position(&self, x: i32, y: i32) -> ((f64, f64), f64) {
        let rect = self.inner.borrow().element.get_bounding_client_rect();
        ((f64::from(x) - rect.left(), f64::from(y) - rect.top()), rect.width())
    }

    /// The visible part of the drawing: left, top, right and bottom.
    pub(crate) fn area(&self) -> Option<(f64, f64, f64, f64)> {
        let inner = self.inner.borrow();
        Some(inner.view?.area(inner.drawing, inner.frame))
    }

    /// The point of the drawing at a point of the window.
    pub(crate) fn point(&self, x: i32, y: i32) -> Option<(f64, f64)> {
        let inner = self.inner.borrow();
        let ((x, y), view) = (inner.position(x, y), inner.view?);
        Some(((x - view.x) / view.scale, (y - view.y) / view.down))
    }

    fn keep_to(&self, rule: Rule) {
        self.change(|view, drawing, frame| view.resized(rule, drawing, frame, frame));
        self.inner.borrow_mut().rule = rule;
    }

    fn change(&self, change: impl FnOnce(Viewport, Drawing, Size) -> Viewport) {
        self.inner.borrow_mut().change(change);
        schedule(&self.inner);
    }
}

/// Applies the view in the next animation frame, once for all changes until then.
fn schedule(inner: &Rc<RefCell<Inner>>) {
    let mut state = inner.borrow_mut();
    if state.view.is_none() || std::mem::replace(&mut state.due, true) {
        return;
    }
    let inner = Rc::clone(inner);
    next_frame(move || {
        let mut state = inner.borrow_mut();
        state.due = false;
        let news = state.apply();
        let on_shown = state.on_shown.clone();
        drop(state);
        news.into_iter().for_each(|shown| on_shown.emit(shown));
    });
}

impl Inner {
    /// Adapts the view to the size of the frame. While its tab is hidden, the frame has no size and the view stays.
    fn resized(&mut self) {
        let rect = self.element.get_bounding_client_rect();
        let frame = match self.drawing.up {
            true => Size { width: rect.height() - UP_NAMES, height: rect.width() },
            false => Size { width: rect.width(), height: rect.height() },
        };
        if frame.width > 0.0 && self.drawing.size.width > 0.0 {
            if let Some(stage) = self.stage.dyn_ref::<HtmlElement>() {
                let needed = format!("{:.0}px", Viewport::needed(self.drawing, frame));
                // It fails only for a read-only style.
                drop(stage.style().set_property("--needed", &needed));
            }
            let before = std::mem::replace(&mut self.frame, frame);
            let Some(view) = self.view.filter(|_| before != frame) else {
                self.view.get_or_insert_with(|| Viewport::first(self.drawing, frame));
                return;
            };
            let seen = self.revealed.filter(|(at, half)| view.showing(*at, *half, self.drawing, before) == view);
            let view = view.resized(self.rule, self.drawing, before, frame);
            self.view = Some(seen.map_or(view, |(at, half)| view.showing(at, half, self.drawing, frame)));
        }
    }

    /// Changes the view. One that has moved is the user's own, which no rule fits again.
    fn change(&mut self, change: impl FnOnce(Viewport, Drawing, Size) -> Viewport) {
        let Some(view) = self.view else { return };
        let changed = change(view, self.drawing, self.frame);
        if changed != view {
            self.rule = Rule::Own;
        }
        self.view = Some(changed);
    }

    /// Moves the layers. Returns the visible area if it has changed.
    fn apply(&mut self) -> Option<VisibleArea> {
        let view = self.view?;
        let Viewport { x, y, scale, down } = view;
        let (drawing, frame) = (self.drawing, self.frame);
        set(&self.element, "data-far", if view.far() { "true" } else { "false" });
        set(&self.element, "data-tiny", if view.tiny() { "true" } else { "false" });
        set(&self.element, "data-low", if drawing.has_low_lanes(down) { "true" } else { "false" });
        set(&self.element, "data-slim", if slim(frame) && !drawing.up { "true" } else { "false" });
        set(&self.element, "data-axis", if drawing.up { "up" } else { "right" });
        set(&self.element, "data-cut", view.cut(drawing, frame));
        let (names, axis) = (view.names_left(drawing, frame), view.axis_top(drawing));
        for (class, name, magnification) in [
            ("names", "--down", down),
            ("axis", "--across", scale),
            ("heads", "--across", scale),
            ("heads", "--down", down),
        ] {
            self.style_layer(class, name, &format!("{magnification:.4}"));
        }
        // On the layer itself: a transform of an element inside would make the browser lay out all texts again.
        if drawing.up {
            let bottom = frame.width + UP_NAMES - x;
            let turn = format!("matrix(0, {:.8}, {down:.8}, 0, {y:.2}, {bottom:.2})", -scale);
            self.style_layer("follow", "transform", &turn);
            self.move_layer("names", &format!("translate({y:.2} 0) scale({down:.8} 1)"));
            self.move_layer("axis", &format!("matrix(0 {:.8} 1 0 {axis:.2} {bottom:.2})", -scale));
        } else {
            let place = format!("translate({x:.2}px, {y:.2}px) scale({scale:.8}, {down:.8})");
            self.style_layer("follow", "transform", &place);
            self.move_layer("names", &format!("translate({names:.2} {y:.2}) scale(1 {down:.8})"));
            self.move_layer("heads", &format!("translate({x:.2} {y:.2}) scale({scale:.8} {down:.8})"));
            self.move_layer("axis", &format!("translate({x:.2} {axis:.2}) scale({scale:.8} 1)"));
            self.move_layer("corner", &format!("translate({names:.2} {axis:.2})"));
        }
        self.apply_names(view);
        self.apply_minimap(view);
        let lanes = self.graph.as_ref().map_or(&[][..], |graph| &graph.lanes);
        let shown = view.shown(drawing, frame, lanes);
        (self.shown != Some(shown)).then(|| {
            self.shown = Some(shown);
            shown
        })
    }

    fn move_layer(&self, class: &str, transform: &str) {
        let layers = self.element.get_elements_by_class_name(class);
        (0..layers.length()).filter_map(|at| layers.item(at)).for_each(|layer| set(&layer, "transform", transform));
    }

    /// Sets a style property of a layer. The scale is set only on the layers whose text has a constant size: on an
    /// element above the entries it would make the browser compute the styles of all entries again.
    fn style_layer(&self, class: &str, name: &str, value: &str) {
        let layer = self.stage.get_elements_by_class_name(class).item(0).and_then(|layer| layer.dyn_into().ok());
        // It fails only for names that are no property names.
        drop(layer.map(|layer: SvgElement| layer.style().set_property(name, value)));
    }

    fn find_names(&mut self) {
        let names = self.element.get_elements_by_class_name("lane-name");
        let name = |element: Element| {
            let (graph, lane) = (self.graph.as_ref()?, element.get_attribute("data-lane")?.parse().ok()?);
            let nodes = graph.lane_nodes(lane).filter_map(|at| graph.nodes.get(at as usize));
            let side = |node: &NodeView, to: i32| f64::from(node.at.x + to * node.width / 2);
            let stretches = nodes.map(|node| (side(node, -1), side(node, 1))).collect();
            Some(Name { element, stretches, away: None })
        };
        self.names = (0..names.length()).filter_map(|at| names.item(at)).filter_map(name).collect();
        self.names.iter().for_each(|name| set(&name.element, "data-away", "no"));
    }

    /// Updates the direction that the name of each lane shows.
    fn apply_names(&mut self, view: Viewport) {
        for name in &mut self.names {
            let away = view.away(&name.stretches, self.drawing, self.frame);
            if away != name.away {
                name.away = away;
                set(&name.element, "data-away", away.unwrap_or("no"));
            }
        }
    }

    /// Updates the window of the minimap. The style sheet hides the minimap while everything is visible.
    fn apply_minimap(&self, view: Viewport) {
        let all = view.sees_all(self.drawing, self.frame);
        set(&self.stage, "data-all", if all { "true" } else { "false" });
        let (left, top, right, bottom) = view.area(self.drawing, self.frame);
        let windows = self.stage.get_elements_by_class_name("window");
        if let Some(window) = windows.item(0) {
            let sides = [("x", left), ("y", top), ("width", right - left), ("height", bottom - top)];
            sides.iter().for_each(|(name, value)| set(&window, name, &format!("{value:.0}")));
        }
    }

    /// The position in the frame of a point of the window: along the axis and across it.
    fn position(&self, x: i32, y: i32) -> (f64, f64) {
        let rect = self.element.get_bounding_client_rect();
        match self.drawing.up {
            true => (rect.bottom() - f64::from(y), f64::from(x) - rect.left()),
            false => (f64::from(x) - rect.left(), f64::from(y) - rect.top()),
        }
    }
}

/// Sets an attribute if its value differs: setting an equal one would make the browser match style rules again.
fn set(element: &Element, name: &str, value: &str) {
    if element.get_attribute(name).as_deref() == Some(value) {
        return;
    }
    // It fails only for names that are no attribute names.
    drop(element.set_attribute(name, value));
}

// Gestures of wheel, mouse, fingers and pens.

/// A press becomes a drag, rather than a click, when the pointer has moved this far, CSS pixels.
const DRAG: f64 = 4.0;

impl Inner {
    fn wheel(&mut self, event: &Event) {
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
