//! The draft in `localStorage`.

use crate::store::Draft;
use web_sys::Storage;

const KEY: &str = "opscope.draft";

/// The draft of the last visit; a new one if there is none, or none that can be read.
pub(crate) fn load_draft() -> Draft {
    let text = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Keeps a draft. Returns what went wrong.
pub(crate) fn save_draft(draft: &Draft) -> Result<(), String> {
    let text = serde_json::to_string(draft).map_err(|error| error.to_string())?;
    let storage = storage().ok_or("this browser gives the page no storage")?;
    storage.set_item(KEY, &text).map_err(|_| "the browser's storage for this page is full".to_owned())
}

/// Forgets the draft.
pub(crate) fn forget_draft() -> Result<(), String> {
    storage()
        .map_or(Ok(()), |storage| storage.remove_item(KEY))
        .map_err(|_| "the draft could not be removed".to_owned())
}

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}
