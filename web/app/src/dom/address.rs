//! The page's address, and the newer version that is asked for.

use crate::store::Fragment;
use web_sys::{Location, Window};

/// What the address asks for.
pub(crate) fn fragment() -> Fragment {
    location().and_then(|location| location.hash().ok()).map(|hash| Fragment::of(&hash)).unwrap_or_default()
}

/// The address without its fragment.
pub(crate) fn address() -> String {
    let address = location().and_then(|location| location.href().ok()).unwrap_or_default();
    address.split('#').next().unwrap_or_default().to_owned()
}

/// The address of the whole page that this one is a part of.
pub(crate) fn address_of_whole() -> String {
    let hash = location().and_then(|location| location.hash().ok()).unwrap_or_default();
    let asked = hash.trim_start_matches('#').split('&').filter(|part| *part != "embed" && !part.starts_with("embed="));
    format!("{}#{}", address(), asked.collect::<Vec<_>>().join("&"))
}

/// Takes the fragment out of the address; nothing is loaded.
pub(crate) fn forget_fragment() {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        // It fails only for an address of another site.
        drop(history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address())));
    }
}

/// Loads the page anew.
pub(crate) fn reload() {
    // It fails only for a page that is no longer shown.
    location().into_iter().for_each(|location| drop(location.reload()));
}

/// Asks the page's first script, which told of it, to go over to the newer version.
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
