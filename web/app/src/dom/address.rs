//! The address of the page, and reloading it.

use crate::store::Fragment;
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
    web_sys::window()
}
