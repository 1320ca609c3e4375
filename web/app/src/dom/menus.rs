//! Closing menus, and detecting the pointer or the focus in an element.

use super::page::{by_id, find, target};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlDetailsElement, HtmlElement, KeyboardEvent, Node};

/// Closes the open menu if `event` is Escape or a pointer event outside of it. Escape also gives the focus back to its
/// button. Returns whether Escape closed a menu.
pub(crate) fn close_menu(event: &Event) -> bool {
    let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
    let Some(menu) = open_menu().filter(|_| key.as_ref().is_none_or(|key| key == "Escape")) else { return false };
    if key.is_none() && menu.contains(target::<Node>(event).as_ref()) {
        return false;
    }
    close(&menu, key.is_some());
    key.is_some()
}

/// Closes the menu in which a button was clicked. Its own button gets the focus: a dialog that opens now gives it back
/// when it is closed.
pub(crate) fn close_menu_of(event: &Event) {
    let button = target::<Element>(event).and_then(|target| target.closest("button, label").ok().flatten());
    let menu = button.and_then(|button| button.closest("details[name='menu']").ok().flatten());
    menu.and_then(|menu| menu.dyn_into().ok()).iter().for_each(|menu| close(menu, true));
}

fn close(menu: &HtmlDetailsElement, focus: bool) {
    menu.set_open(false);
    let button = menu.first_element_child().filter(|_| focus).and_then(|child| child.dyn_into::<HtmlElement>().ok());
    // It fails only for an element that cannot have the focus, which then stays where it is.
    button.into_iter().for_each(|button| drop(button.focus()));
}

/// Whether the pointer or the focus is in the element with an id.
pub(crate) fn is_attended(id: &str) -> bool {
    let element = by_id(id);
    element.is_some_and(|element: Element| element.matches(":hover, :focus-within").unwrap_or(false))
}

/// The open menu. There is at most one: of `details` elements with the same name the browser opens one at a time.
fn open_menu() -> Option<HtmlDetailsElement> {
    find("details[name='menu'][open]")?.dyn_into().ok()
}
