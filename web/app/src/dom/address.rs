//! The address of the page, and reloading it.

use crate::store::{Draft, Fragment, Route};
use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Location, Response, Storage, Window};

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

// The draft and the manifests of the last visit, in `localStorage`.

const KEY: &str = "opscope.draft";
const MANIFESTS: &str = "opscope.manifests";

/// The draft of the last visit; the default if there is none or it cannot be parsed.
pub(crate) fn load_draft() -> Draft {
    let text = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Stores a draft. The error is a text for the user.
pub(crate) fn save_draft(draft: &Draft) -> Result<(), String> {
    let text = serde_json::to_string(draft).map_err(|error| error.to_string())?;
    save(KEY, &text)
}

/// The manifests of the last visit.
pub(crate) fn load_manifests() -> String {
    storage().and_then(|storage| storage.get_item(MANIFESTS).ok().flatten()).unwrap_or_default()
}

/// Stores manifests. The error is a text for the user.
pub(crate) fn save_manifests(text: &str) -> Result<(), String> {
    save(MANIFESTS, text)
}

fn save(key: &str, text: &str) -> Result<(), String> {
    let storage = storage().ok_or("this browser gives the page no storage")?;
    storage.set_item(key, text).map_err(|_| "the browser's storage for this page is full".to_owned())
}

/// Removes draft and manifests.
pub(crate) fn forget_draft() -> Result<(), String> {
    storage()
        .map_or(Ok(()), |storage| storage.remove_item(KEY).and_then(|()| storage.remove_item(MANIFESTS)))
        .map_err(|_| "the draft could not be removed".to_owned())
}

fn storage() -> Option<Storage> {
    super::page::window()?.local_storage().ok().flatten()
}

// Fetching files that are deployed with the page.

/// The text of the file that a `meta` element of the document names.
pub(crate) async fn fetch(meta: &str) -> Result<String, String> {
    let window = super::page::window().ok_or("there is no window")?;
    let url = super::meta(meta).ok_or("the document does not name it")?;
    let response: Response = settled(window.fetch_with_str(&url)).await?.unchecked_into();
    if !response.ok() {
        return Err(format!("the server answers {}", response.status()));
    }
    let text = settled(response.text().map_err(|error| described(&error))?).await?;
    text.as_string().ok_or_else(|| "it is no text".to_owned())
}

pub(super) async fn settled(promise: js_sys::Promise) -> Result<JsValue, String> {
    JsFuture::from(promise).await.map_err(|error| described(&error))
}

pub(super) fn described(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into()).ok().and_then(|text| text.as_string());
    message.unwrap_or_else(|| "it cannot be reached".to_owned())
}
