//! Keyboard shortcuts of the whole page.

use crate::store::Tab;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// A shortcut of the whole page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shortcut {
    /// `/` or Ctrl-K
    Search,
    Help,
    /// Ctrl-Enter
    Run,
    /// Ctrl-Z
    Undo,
    /// Ctrl-Shift-Z or Ctrl-Y
    Redo,
    /// `x`
    Examples,
    /// The index in [`Tab::ALL`]: the keys `1` to `6`, or the letter of the tab.
    Tab(usize),
    /// `e`
    Entry,
    /// `c`
    Cluster,
    /// Escape
    Close,
    /// `j`, while presenting the right arrow
    NextPackage,
    /// `k`, while presenting the left arrow
    PreviousPackage,
    /// `p`
    Present,
    /// While presenting the down arrow: the state after this one
    NextState,
    /// While presenting the up arrow
    PreviousState,
}

/// Which keys are shortcuts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keys {
    /// Whether single letters and digits are.
    pub(crate) single: bool,
    /// Whether the arrows are.
    pub(crate) arrows: bool,
}

/// The shortcut of a keyboard event, unless it is text for a field, or another handler has prevented its default
/// action.
pub(crate) fn shortcut(event: &KeyboardEvent, keys: Keys) -> Option<Shortcut> {
    let key = event.key();
    let command = event.ctrl_key() || event.meta_key();
    if key == "Enter" && command {
        return Some(Shortcut::Run);
    }
    if key == "k" && command && !event.default_prevented() && !event.shift_key() && !event.alt_key() && !modal_open() {
        return Some(Shortcut::Search);
    }
    if event.default_prevented() || event.alt_key() || typing(event.target()) || modal_open() {
        return None;
    }
    if command {
        return match (key.to_ascii_lowercase().as_str(), event.shift_key()) {
            ("z", false) => Some(Shortcut::Undo),
            ("z", true) | ("y", false) => Some(Shortcut::Redo),
            _ => None,
        };
    }
    match key.as_str() {
        "Escape" => Some(Shortcut::Close),
        "ArrowRight" if keys.arrows => Some(Shortcut::NextPackage),
        "ArrowLeft" if keys.arrows => Some(Shortcut::PreviousPackage),
        "ArrowDown" if keys.arrows => Some(Shortcut::NextState),
        "ArrowUp" if keys.arrows => Some(Shortcut::PreviousState),
        _ if !keys.single => None,
        "/" => Some(Shortcut::Search),
        "?" => Some(Shortcut::Help),
        "x" => Some(Shortcut::Examples),
        "e" => Some(Shortcut::Entry),
        "c" => Some(Shortcut::Cluster),
        "j" => Some(Shortcut::NextPackage),
        "k" => Some(Shortcut::PreviousPackage),
        "p" => Some(Shortcut::Present),
        "1" | "2" | "3" | "4" | "5" | "6" => key.parse::<usize>().ok().map(|digit| Shortcut::Tab(digit - 1)),
        key => Tab::ALL.iter().position(|tab| tab.key() == key).map(Shortcut::Tab),
    }
}

/// Moves the focus from a shape that is used as a button to one beside it: the next or the previous one by the arrows,
/// the first or the last one by Home and End. Returns whether the key is one of these.
pub(crate) fn focus_sibling(event: &KeyboardEvent, key: &str) -> bool {
    let Some(here) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else { return false };
    let Some(children) = here.parent_element().map(|parent| parent.children()) else { return false };
    let all: Vec<Element> = (0..children.length()).filter_map(|at| children.item(at)).collect();
    let is_button = |element: &Element| element.get_attribute("role").as_deref() == Some("button");
    let all: Vec<Element> = all.into_iter().filter(is_button).collect();
    let at = all.iter().position(|button| *button == here).unwrap_or(0);
    let to = match key {
        "ArrowRight" | "ArrowDown" => at + 1,
        "ArrowLeft" | "ArrowUp" => at.saturating_sub(1),
        "Home" => 0,
        "End" => all.len().saturating_sub(1),
        _ => return false,
    };
    all.get(to).into_iter().for_each(|button| super::page::give_focus(button.clone()));
    true
}

/// Whether keys pressed in an element are text.
pub(crate) fn typing(target: Option<web_sys::EventTarget>) -> bool {
    let element = target.and_then(|target| target.dyn_into::<Element>().ok());
    element.is_some_and(|element| {
        let field = matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT" | "SOURCE-EDITOR");
        field || element.dyn_ref::<HtmlElement>().is_some_and(HtmlElement::is_content_editable)
    })
}

fn modal_open() -> bool {
    let document = super::page::document();
    document.is_some_and(|document| document.query_selector("dialog[open]").ok().flatten().is_some())
}
