//! Fetching files that are deployed with the page.

use js_sys::Reflect;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

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
