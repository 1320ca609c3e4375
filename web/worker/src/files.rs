//! Contents of files: `Blob`s to bytes and back.

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// A buffer has room for this fraction more than its file, so that typing seldom needs a larger allocation and a copy.
const SLACK: usize = 64;

/// An empty buffer for the bytes of a file. It is allocated at once with its final size, because the memory of a worker
/// never shrinks.
pub(crate) fn buffer(blob: &Blob) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let size = blob.size();
    bytes
        .try_reserve_exact(size as usize + size as usize / SLACK)
        .map(|()| bytes)
        .map_err(|_| format!("its {size} bytes are more than the browser has room for"))
}

/// Appends a part of a file.
pub(crate) fn append(bytes: &mut Vec<u8>, part: &Uint8Array) {
    let start = bytes.len();
    bytes.resize(start + part.length() as usize, 0);
    part.copy_to(&mut bytes[start..]);
}

/// All bytes of a file.
pub(crate) async fn whole(blob: &Blob) -> Result<Vec<u8>, String> {
    let mut bytes = buffer(blob)?;
    let buffer = JsFuture::from(blob.array_buffer()).await.map_err(|error| describe(&error))?;
    append(&mut bytes, &Uint8Array::new(&buffer));
    Ok(bytes)
}

/// A text as a file.
pub(crate) fn blob(text: &str) -> Result<Blob, String> {
    bytes(text.as_bytes()).map_err(|error| describe(&error))
}

/// Bytes as a file.
pub(crate) fn bytes(bytes: &[u8]) -> Result<Blob, JsValue> {
    Blob::new_with_u8_array_sequence(&js_sys::Array::of1(&Uint8Array::from(bytes)))
}

/// The message of a thrown value.
pub(crate) fn describe(error: &JsValue) -> String {
    let message = js_sys::Reflect::get(error, &"message".into()).ok().and_then(|message| message.as_string());
    message.unwrap_or_else(|| format!("{error:?}"))
}
