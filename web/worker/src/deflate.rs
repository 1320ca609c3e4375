//! Compression with the browser's own raw deflate, and size-limited decompression.
//!
//! A library would make the download larger, and every browser has this built in.

use crate::files;
use js_sys::{Function, Reflect, Uint8Array};
use views::ShareFault;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, ReadableWritablePair};

/// Compresses bytes.
pub(crate) async fn deflate(bytes: &[u8]) -> Result<Vec<u8>, JsValue> {
    let reader = through("CompressionStream", bytes)?;
    let mut out = Vec::new();
    while let Some(chunk) = next(&reader).await? {
        out.extend_from_slice(&chunk.to_vec());
    }
    Ok(out)
}

/// Decompresses to at most `most` bytes: a small input can be crafted that decompresses to any size.
pub(crate) async fn inflate(bytes: &[u8], most: u32) -> Result<Vec<u8>, ShareFault> {
    let reader = through("DecompressionStream", bytes).map_err(|_| ShareFault::Garbled)?;
    let mut out = Vec::new();
    while let Some(chunk) = next(&reader).await.map_err(|_| ShareFault::Garbled)? {
        if out.len() + chunk.length() as usize > most as usize {
            // It fails only if the stream has ended already.
            drop(JsFuture::from(reader.cancel()).await);
            return Err(ShareFault::TooLarge { most });
        }
        out.extend_from_slice(&chunk.to_vec());
    }
    Ok(out)
}

/// Pipes bytes through a stream of the Compression Standard. It is constructed by name, because web-sys has no stable
/// bindings for these classes yet.
fn through(class: &str, bytes: &[u8]) -> Result<ReadableStreamDefaultReader, JsValue> {
    let class: Function = Reflect::get(&js_sys::global(), &class.into())?.dyn_into()?;
    let stream = Reflect::construct(&class, &js_sys::Array::of1(&"deflate-raw".into()))?;
    let through = files::bytes(bytes)?.stream().pipe_through(stream.unchecked_ref::<ReadableWritablePair>());
    Ok(through.get_reader().unchecked_into())
}

/// The next chunk; `None` at the end.
async fn next(reader: &ReadableStreamDefaultReader) -> Result<Option<Uint8Array>, JsValue> {
    let step = JsFuture::from(reader.read()).await?;
    if Reflect::get(&step, &"done".into())?.is_truthy() {
        return Ok(None);
    }
    Reflect::get(&step, &"value".into())?.dyn_into().map(Some)
}
