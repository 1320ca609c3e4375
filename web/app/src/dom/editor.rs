//! The code editor: the custom element of `web/codemirror.js`, which is loaded when it is first needed.

use super::page::document;
use crate::store::{Action, EditorFocus, FindingsAction, SourceAction};
use gloo_events::EventListener;
use js_sys::{Array, Function, Reflect, Uint8Array};
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;
use views::{FileView, TextChange, TextPlace, TextRange};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CustomEvent, Element, Event, HtmlElement, HtmlScriptElement, Node};
use yew::Callback;

/// The element's name.
const NAME: &str = "source-editor";

/// The editor element. It outlives the panel that shows it, so that text and undo history survive a change of the tab.
#[derive(Debug)]
pub(crate) struct CodeEditor {
    element: HtmlElement,
    _listeners: Vec<EventListener>,
}

/// Loads the editor's script, unless it is loaded already, and reports whether it could be loaded.
pub(crate) fn load_editor(done: Callback<Result<(), String>>) {
    let loaded = document().and_then(|document| document.query_selector("script[data-code]").ok().flatten());
    if loaded.is_some() {
        done.emit(Ok(()));
    } else if let Err(reason) = add_script(&done) {
        done.emit(Err(reason));
    }
}

/// Adds the script element. A `meta` element has its address, because the file name contains a hash of the content.
fn add_script(done: &Callback<Result<(), String>>) -> Result<(), String> {
    let document = document().ok_or("there is no document")?;
    let unnamed = || "the document does not name it".to_owned();
    let meta = document.query_selector("meta[name='opscope-editor']").ok().flatten().ok_or_else(unnamed)?;
    let script: HtmlScriptElement =
        document.create_element("script").ok().and_then(|element| element.dyn_into().ok()).ok_or_else(unnamed)?;
    script.set_type("module");
    script.set_src(&meta.get_attribute("content").ok_or_else(unnamed)?);
    meta.get_attribute("data-integrity").into_iter().for_each(|hash| script.set_integrity(&hash));
    // Exactly one of the two events happens. The handler drops both listeners.
    let listeners: Rc<RefCell<Vec<EventListener>>> = Rc::default();
    for kind in ["load", "error"] {
        let (done, held, added) = (done.clone(), Rc::clone(&listeners), script.clone());
        listeners.borrow_mut().push(EventListener::new(&script, kind, move |_| {
            let ended = held.take();
            if kind == "load" {
                // It fails only for names that are no attribute names.
                drop(added.set_attribute("data-code", ""));
                done.emit(Ok(()));
            } else {
                added.remove();
                done.emit(Err("its file could not be loaded".to_owned()));
            }
            drop(ended);
        }));
    }
    let head = document.head().ok_or("the document has no head")?;
    head.append_child(&script).map(drop).map_err(|_| "its script was refused".to_owned())
}

impl CodeEditor {
    /// Makes the editor, which must have been loaded.
    pub(crate) fn new(send: &Callback<Action>) -> Result<Self, String> {
        let element = document().and_then(|document| document.create_element(NAME).ok());
        let element = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()).ok_or("it is no element")?;
        if !Reflect::has(&element, &"takeChanges".into()).unwrap_or(false) {
            return Err("its file has no editor".to_owned());
        }
        for (name, value) in [("id", "source-text"), ("data-testid", "source-text")] {
            // It fails only for names that are no attribute names.
            drop(element.set_attribute(name, value));
        }
        let _listeners = listeners(&element, send);
        Ok(Self { element, _listeners })
    }

    /// The element, for a panel to show.
    pub(crate) fn node(&self) -> Node {
        self.element.clone().into()
    }

    /// Shows a file from its UTF-8 bytes. `opened` is the change that makes them as they were opened.
    pub(crate) fn open(
        &self,
        (key, label): (&str, &str),
        read_only: Option<&str>,
        bytes: &Uint8Array,
        opened: Option<&TextChange>,
    ) {
        let reason = read_only.map_or(JsValue::NULL, JsValue::from);
        let opened = opened.map_or(JsValue::NULL, value);
        self.call("open", &[key.into(), label.into(), reason, bytes.into(), opened]);
    }

    /// Shows in the text how it differs from what was opened, or hides it.
    pub(crate) fn show_changes(&self, shown: bool) {
        self.call("showChanges", &[shown.into()]);
    }

    /// Keeps the editor's text; differences from these bytes count as typed.
    pub(crate) fn reconcile(&self, bytes: &Uint8Array) {
        self.call("reconcile", &[bytes.into()]);
    }

    /// Replaces the editor's text by these bytes, as a change that can be undone. `opened` is the change that makes
    /// them as they were opened.
    pub(crate) fn renew(&self, bytes: &Uint8Array, opened: Option<&TextChange>) {
        self.call("renew", &[bytes.into(), opened.map_or(JsValue::NULL, value)]);
    }

    /// The changes since the last call.
    pub(crate) fn take_changes(&self) -> Vec<TextChange> {
        serde_wasm_bindgen::from_value(self.call("takeChanges", &[])).unwrap_or_default()
    }

    /// Marks the findings. Returns false, and marks none, if they are about another text.
    pub(crate) fn mark(&self, view: &FileView) -> bool {
        let agrees = self.call("agrees", &[view.units.into()]).is_truthy();
        if agrees {
            self.call("showFindings", &[value(&view.marks)]);
        }
        agrees
    }

    /// Marks a range and scrolls to it.
    pub(crate) fn reveal(&self, range: TextRange, focus: EditorFocus) {
        let active = || document().and_then(|document| document.active_element());
        let takes = match focus {
            EditorFocus::Keep => false,
            EditorFocus::IfLost => active().is_none_or(|active| active.tag_name() == "BODY"),
            EditorFocus::Take => true,
        };
        self.call("reveal", &[value(&range), takes.into()]);
    }

    fn call(&self, method: &str, arguments: &[JsValue]) -> JsValue {
        call(&self.element, method, arguments)
    }
}

/// Calls a method of the editor in the page, if there is one, for the buttons of the Source tab.
pub(crate) fn command_editor(method: &str) {
    if let Some(element) = document().and_then(|document| document.query_selector(NAME).ok().flatten()) {
        call(&element, method, &[]);
    }
}

/// Calls a method. An exception is a defect of the editor: it is reported on the console.
fn call(element: &Element, method: &str, arguments: &[JsValue]) -> JsValue {
    let arguments: Array = arguments.iter().collect();
    let called = Reflect::get(element, &method.into())
        .and_then(|function| function.dyn_into::<Function>())
        .and_then(|function| function.apply(element, &arguments));
    called.unwrap_or_else(|error| {
        web_sys::console::error_2(&"the editor:".into(), &error);
        JsValue::UNDEFINED
    })
}

fn listeners(element: &HtmlElement, send: &Callback<Action>) -> Vec<EventListener> {
    let on_event = |name: &'static str, action: fn(&JsValue) -> Option<Action>| {
        let send = send.clone();
        EventListener::new(element, name, move |event: &Event| {
            let detail = event.dyn_ref::<CustomEvent>().map(CustomEvent::detail).unwrap_or(JsValue::NULL);
            action(&detail).into_iter().for_each(|action| send.emit(action));
        })
    };
    vec![
        on_event("source-typed", |_| Some(Action::Source(SourceAction::Typed))),
        on_event("source-changed", |detail| {
            detail.as_f64().map(|lines| Action::Source(SourceAction::ChangesCounted(lines as u32)))
        }),
        on_event("source-toggle", |_| Some(Action::Source(SourceAction::ChangesToggled))),
        on_event("source-rested", |detail| place_of(detail).map(|it| Action::Source(SourceAction::CursorRested(it)))),
        on_event("source-define", |detail| {
            place_of(detail).map(|it| Action::Source(SourceAction::DefinitionAsked(it)))
        }),
        on_event("source-rule", |detail| {
            detail.as_string().map(|it| Action::Findings(FindingsAction::RuleExplained(it)))
        }),
    ]
}

fn place_of(detail: &JsValue) -> Option<TextPlace> {
    serde_wasm_bindgen::from_value(detail.clone()).ok()
}

fn value(data: &impl Serialize) -> JsValue {
    serde_wasm_bindgen::to_value(data).unwrap_or(JsValue::NULL)
}
