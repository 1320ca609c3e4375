//! The draft and the manifests of the last visit, in `localStorage`.

use crate::store::Draft;
use web_sys::Storage;

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
