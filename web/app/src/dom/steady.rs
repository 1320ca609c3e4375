//! Fields that stay where they are on the screen while a result above them changes its height.

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{HtmlElement, HtmlInputElement, HtmlTextAreaElement, Node, ResizeObserver};

/// How long fields stay in place after the focus has left them, ms: nothing may move under the pointer during a click.
const AFTER_FOCUS: u32 = 400;

/// Keeps fields in place until it is dropped.
pub(crate) struct Steady {
    hold: Rc<Hold>,
    _listeners: [EventListener; 2],
    observer: Option<ResizeObserver>,
    _resized: Closure<dyn FnMut()>,
}

/// While a field between `above` and `last` has the focus, neither gets lower; where `above` gets higher, the region
/// scrolls as far.
struct Hold {
    above: HtmlElement,
    last: HtmlElement,
    region: HtmlElement,
    /// The height that `above` keeps, CSS pixels.
    height: Cell<Option<f64>>,
    release: RefCell<Option<Timeout>>,
}

impl Steady {
    /// Keeps fields in place between two elements of the region that scrolls all of them.
    pub(crate) fn between(above: HtmlElement, last: HtmlElement, region: HtmlElement) -> Self {
        let hold = Rc::new(Hold { above, last, region, height: Cell::new(None), release: RefCell::new(None) });
        let (focused, left, resized) = (Rc::clone(&hold), Rc::clone(&hold), Rc::downgrade(&hold));
        let _listeners = [
            EventListener::new(&hold.region, "focusin", move |event| {
                let field = event
                    .target()
                    .filter(|target| target.has_type::<HtmlInputElement>() || target.has_type::<HtmlTextAreaElement>());
                field.and_then(|field| field.dyn_into().ok()).iter().for_each(|field| focused.begin(field));
            }),
            EventListener::new(&hold.region, "focusout", move |_| {
                let hold = Rc::clone(&left);
                *left.release.borrow_mut() = Some(Timeout::new(AFTER_FOCUS, move || hold.end()));
            }),
        ];
        let _resized = Closure::new(move || resized.upgrade().iter().for_each(|hold| hold.resized()));
        let observer = ResizeObserver::new(_resized.as_ref().unchecked_ref()).ok();
        observer.iter().for_each(|observer| observer.observe(&hold.above));
        Self { hold, _listeners, observer, _resized }
    }
}

impl Drop for Steady {
    fn drop(&mut self) {
        self.observer.iter().for_each(ResizeObserver::disconnect);
        self.hold.release.borrow_mut().take();
        self.hold.end();
    }
}

impl Hold {
    fn begin(&self, field: &Node) {
        let follows =
            |one: &Node, other: &Node| one.compare_document_position(other) & Node::DOCUMENT_POSITION_FOLLOWING != 0;
        if !follows(&self.above, field) || !follows(field, &self.last) {
            return;
        }
        self.release.borrow_mut().take();
        if self.height.get().is_none() {
            // Otherwise the browser would scroll as well.
            set(&self.region, "overflow-anchor", "none");
            [&self.above, &self.last].into_iter().for_each(|element| set(element, "box-sizing", "border-box"));
            // Room to scroll, also where all of it was in sight.
            let room = height(&self.last).max(height(&self.region));
            set(&self.last, "min-height", &format!("{room}px"));
            self.keep(height(&self.above));
        }
    }

    fn keep(&self, height: f64) {
        self.height.set(Some(height));
        set(&self.above, "min-height", &format!("{height}px"));
    }

    fn resized(&self) {
        let (Some(kept), height) = (self.height.get(), height(&self.above)) else { return };
        if height > kept {
            self.keep(height);
            self.region.set_scroll_top(self.region.scroll_top() + (height - kept).round() as i32);
        }
    }

    fn end(&self) {
        if self.height.take().is_some() {
            set(&self.region, "overflow-anchor", "");
            for element in [&self.above, &self.last] {
                set(element, "box-sizing", "");
                set(element, "min-height", "");
            }
        }
    }
}

fn height(element: &HtmlElement) -> f64 {
    element.get_bounding_client_rect().height()
}

fn set(element: &HtmlElement, name: &str, value: &str) {
    // It fails only for names that are no property names.
    drop(element.style().set_property(name, value));
}
