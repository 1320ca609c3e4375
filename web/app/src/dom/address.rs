//! The address of the page, and reloading it.

use crate::store::{Fragment, Route};
use web_sys::{Location, Window};

/// The parsed fragment of the address.
pub(crate) fn fragment() -> Fragment {
    location().and_then(|location| location.hash().ok()).map(|hash| Fragment::of(&hash)).unwrap_or_default()
}

/// The address without its fragment.
pub(crate) fn address() -> String {
    let address = location().and_then(|location| location.href().ok()).unwrap_or_default();
    address.split('#').next().unwrap_or_default().to_owned()
}

/// The address of the full page, for a link from the embedded one.
pub(crate) fn address_of_full_page() -> String {
    let hash = location().and_then(|location| location.hash().ok()).unwrap_or_default();
    let asked = hash.trim_start_matches('#').split('&').filter(|part| *part != "embed" && !part.starts_with("embed="));
    format!("{}#{}", address(), asked.collect::<Vec<_>>().join("&"))
}

/// Removes the fragment from the address, without loading anything.
pub(crate) fn forget_fragment() {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        // It fails only for an address of another site.
        drop(history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address())));
    }
}

/// Shows a route in the address and in the title of the browser's tab, without loading anything. A step can be taken
/// back with the browser's Back button.
pub(crate) fn show_route(route: Option<&Route>, is_step: bool) {
    let Some(window) = window() else { return };
    let title = route.map_or_else(|| "Opscope".to_owned(), Route::title);
    window.document().into_iter().for_each(|document| document.set_title(&title));
    let target = route.map(Route::fragment).unwrap_or_default();
    if window.location().hash().is_ok_and(|hash| hash == target) {
        return;
    }
    let Ok(history) = window.history() else { return };
    let (none, url) = (wasm_bindgen::JsValue::NULL, format!("{}{target}", address()));
    // Both fail only for an address of another site, or when a script has added very many.
    drop(match is_step {
        true => history.push_state_with_url(&none, "", Some(&url)),
        false => history.replace_state_with_url(&none, "", Some(&url)),
    });
}

/// Reloads the page.
pub(crate) fn reload() {
    // It fails only for a page that is no longer shown.
    location().into_iter().for_each(|location| drop(location.reload()));
}

/// Asks `boot.js`, which found the newer version, to load it.
pub(crate) fn load_new_version() {
    if let (Some(window), Ok(asked)) = (window(), web_sys::Event::new("opscope-renew")) {
        // It fails only for an event that is under way already.
        drop(window.dispatch_event(&asked));
    }
}

fn location() -> Option<Location> {
    window().map(|window| window.location())
}

fn window() -> Option<Window> {
    super::page::window()
}
