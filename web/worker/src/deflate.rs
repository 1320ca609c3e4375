//! The browser's own compression (raw deflate) and base64, within bounds.
//!
//! A library for it would make the download of every visitor larger for what the browser has built in.

use crate::files;
use js_sys::{Function, Reflect, Uint8Array};
use views::ShareFault;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DedicatedWorkerGlobalScope, ReadableStreamDefaultReader, ReadableWritablePair};

/// Compresses.
pub(crate) async fn deflate(bytes: &[u8]) -> Result<Vec<u8>, JsValue> {
    let reader = through("CompressionStream", bytes)?;
    let mut out = Vec::new();
    while let Some(chunk) = next(&reader).await? {
        out.extend_from_slice(&chunk.to_vec());
    }
    Ok(out)
}

/// Unfolds, as far as `most` bytes: a small text can be made that unfolds to any size.
pub(crate) async fn inflate(bytes: &[u8], most: u32) -> Result<Vec<u8>, ShareFault> {
    let reader = through("DecompressionStream", bytes).map_err(|_| ShareFault::Garbled)?;
    let mut out = Vec::new();
    while let Some(chunk) = next(&reader).await.map_err(|_| ShareFault::Garbled)? {
        if out.len() + chunk.length() as usize > most as usize {
            // It only fails when there is nothing left to be told.
            drop(JsFuture::from(reader.cancel()).await);
            return Err(ShareFault::TooLarge { most });
        }
        out.extend_from_slice(&chunk.to_vec());
    }
    Ok(out)
}

/// base64url without padding (RFC 4648, section 5).
pub(crate) fn to_base64url(scope: &DedicatedWorkerGlobalScope, bytes: &[u8]) -> Result<String, JsValue> {
    let binary: String = bytes.iter().map(|&byte| char::from(byte)).collect();
    let plain = scope.btoa(&binary)?;
    Ok(plain.trim_end_matches('=').chars().map(|c| swapped(c, ['+', '/'], ['-', '_'])).collect())
}

/// The bytes of base64url, or of base64.
pub(crate) fn from_base64url(scope: &DedicatedWorkerGlobalScope, text: &str) -> Result<Vec<u8>, ShareFault> {
    let plain: String = text.chars().map(|c| swapped(c, ['-', '_'], ['+', '/'])).collect();
    let binary = scope.atob(plain.trim_end_matches('=')).map_err(|_| ShareFault::Garbled)?;
    binary.chars().map(|c| u8::try_from(c).map_err(|_| ShareFault::Garbled)).collect()
}

fn swapped(c: char, from: [char; 2], to: [char; 2]) -> char {
    from.iter().position(|&other| other == c).map_or(c, |at| to[at])
}

/// Bytes on their way through a stream of the Compression Standard, whose classes have no stable bindings yet.
fn through(class: &str, bytes: &[u8]) -> Result<ReadableStreamDefaultReader, JsValue> {
    let class: Function = Reflect::get(&js_sys::global(), &class.into())?.dyn_into()?;
    let stream = Reflect::construct(&class, &js_sys::Array::of1(&"deflate-raw".into()))?;
    let through = files::bytes(bytes)?.stream().pipe_through(stream.unchecked_ref::<ReadableWritablePair>());
    Ok(through.get_reader().unchecked_into())
}

/// The next piece; none at the end.
async fn next(reader: &ReadableStreamDefaultReader) -> Result<Option<Uint8Array>, JsValue> {
    let step = JsFuture::from(reader.read()).await?;
    if Reflect::get(&step, &"done".into())?.is_truthy() {
        return Ok(None);
    }
    Reflect::get(&step, &"value".into())?.dyn_into().map(Some)
}
