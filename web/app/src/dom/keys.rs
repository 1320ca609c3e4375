//! Keyboard events as shortcuts.

use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// A shortcut of the whole page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shortcut {
    /// `/`
    Search,
    /// `?`
    Help,
    /// Ctrl-Enter
    Run,
    /// `1` to `5`, counted from 0.
    Tab(usize),
    /// `j`
    NextPackage,
    /// `k`
    PreviousPackage,
}

/// The shortcut of a key, unless it belongs to the text field that has the focus.
pub(crate) fn shortcut(event: &KeyboardEvent) -> Option<Shortcut> {
    let key = event.key();
    if key == "Enter" && (event.ctrl_key() || event.meta_key()) {
        return Some(Shortcut::Run);
    }
    if event.ctrl_key() || event.meta_key() || event.alt_key() || typing(event.target()) || modal_open() {
        return None;
    }
    match key.as_str() {
        "/" => Some(Shortcut::Search),
        "?" => Some(Shortcut::Help),
        "j" => Some(Shortcut::NextPackage),
        "k" => Some(Shortcut::PreviousPackage),
        "1" | "2" | "3" | "4" | "5" => key.parse::<usize>().ok().map(|digit| Shortcut::Tab(digit - 1)),
        _ => None,
    }
}

/// Whether keys typed there are text.
pub(crate) fn typing(target: Option<web_sys::EventTarget>) -> bool {
    let element = target.and_then(|target| target.dyn_into::<Element>().ok());
    element
        .is_some_and(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT" | "SOURCE-EDITOR"))
}

fn modal_open() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_some_and(|document| document.query_selector("dialog[open]").ok().flatten().is_some())
}
