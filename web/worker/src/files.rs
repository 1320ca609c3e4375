//! Contents of files, read where it may take its time: in the worker.

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use web_sys::{Blob, FileReaderSync};

/// The bytes of a file, or why the browser does not give them (it was deleted or changed meanwhile, say).
pub(crate) fn read(blob: &Blob) -> Result<Vec<u8>, String> {
    let buffer =
        FileReaderSync::new().and_then(|reader| reader.read_as_array_buffer(blob)).map_err(|error| describe(&error))?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

/// A text as a file.
pub(crate) fn blob(text: &str) -> Result<Blob, String> {
    let parts = js_sys::Array::of1(&Uint8Array::from(text.as_bytes()));
    Blob::new_with_u8_array_sequence(&parts).map_err(|error| describe(&error))
}

/// What a thrown value says of itself.
pub(crate) fn describe(error: &JsValue) -> String {
    let message = js_sys::Reflect::get(error, &"message".into()).ok().and_then(|message| message.as_string());
    message.unwrap_or_else(|| format!("{error:?}"))
}
