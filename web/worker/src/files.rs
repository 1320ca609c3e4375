//! Contents of files, read where it may take its time: in the worker.

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use web_sys::{Blob, FileReaderSync};

/// A part of a text that may be typed into it before all of it must move to a larger room.
const SLACK: usize = 64;

/// Room for all bytes of a file. Memory of a worker is never given back, so no more is taken than needed.
pub(crate) fn room(blob: &Blob) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let size = blob.size();
    bytes
        .try_reserve_exact(size as usize + size as usize / SLACK)
        .map(|()| bytes)
        .map_err(|_| format!("its {size} bytes are more than the browser has room for"))
}

/// Reads on for at most so many bytes; how many there were, 0 at the end. Fails when the browser does not give them (the
/// file was deleted or changed meanwhile, say).
pub(crate) fn read_on(blob: &Blob, bytes: &mut Vec<u8>, most: u32) -> Result<u32, String> {
    let start = bytes.len();
    let end = (start as f64 + f64::from(most)).min(blob.size());
    let read = || {
        let part = blob.slice_with_f64_and_f64(start as f64, end)?;
        let buffer = FileReaderSync::new()?.read_as_array_buffer(&part)?;
        Ok::<_, JsValue>(Uint8Array::new(&buffer))
    };
    let part = read().map_err(|error| describe(&error))?;
    bytes.resize(start + part.length() as usize, 0);
    part.copy_to(&mut bytes[start..]);
    Ok(part.length())
}

/// A text as a file.
pub(crate) fn blob(text: &str) -> Result<Blob, String> {
    bytes(text.as_bytes()).map_err(|error| describe(&error))
}

/// Bytes as a file.
pub(crate) fn bytes(bytes: &[u8]) -> Result<Blob, JsValue> {
    Blob::new_with_u8_array_sequence(&js_sys::Array::of1(&Uint8Array::from(bytes)))
}

/// What a thrown value says of itself.
pub(crate) fn describe(error: &JsValue) -> String {
    let message = js_sys::Reflect::get(error, &"message".into()).ok().and_then(|message| message.as_string());
    message.unwrap_or_else(|| format!("{error:?}"))
}
