//! The unpacker: reads one archive, image or folder of images, and ends.
//!
//! It is a worker of its own with the same module, which the worker starts (`unpack.rs`).
//! Reading can block here, ending it cancels, and its memory goes with it.

mod blob_source;
mod read;

use js_sys::{Array, Object, Reflect};
use read::{UnpackedFiles, read};
use views::{FromUnpacker, Unpack};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageEvent};

/// The least time between two messages about progress, in milliseconds.
const PAUSE: f64 = 100.0;

/// The name of a worker that is an unpacker; `web/boot.js` looks whether a worker has one.
pub(crate) const NAME: &str = "unpacker";

/// Answers requests; says that it can.
pub(crate) fn start(scope: &DedicatedWorkerGlobalScope) {
    let inner = scope.clone();
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| answer(&inner, &event.data()));
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    listener.forget();
    post(scope, &JsValue::NULL, &Array::new());
}

/// Answers a request. What is no request comes from a defect: the error that is thrown reaches the worker.
fn answer(scope: &DedicatedWorkerGlobalScope, request: &JsValue) {
    let field = |name: &str| Reflect::get(request, &name.into()).unwrap_or(JsValue::UNDEFINED);
    let asked: Unpack = match serde_wasm_bindgen::from_value(field("unpack")) {
        Ok(asked) => asked,
        Err(error) => wasm_bindgen::throw_str(&error.to_string()),
    };
    let blobs = Array::from(&field("files")).iter().filter_map(|file| file.dyn_into::<Blob>().ok()).collect();
    let mut last = js_sys::Date::now();
    let mut progress = |bytes: u64| {
        let now = js_sys::Date::now();
        if now - last >= PAUSE {
            last = now;
            send(scope, &FromUnpacker::Read { bytes: bytes as f64 }, &Array::new());
        }
        true
    };
    match read(asked, blobs, &mut progress) {
        Ok(Some(UnpackedFiles { unpacked, blobs })) => send(scope, &FromUnpacker::Done(unpacked), &blobs),
        Ok(None) => send(scope, &FromUnpacker::NoImages, &Array::new()),
        Err(reason) => send(scope, &FromUnpacker::Refused { reason }, &Array::new()),
    }
}

fn send(scope: &DedicatedWorkerGlobalScope, message: &FromUnpacker, blobs: &Array) {
    match serde_wasm_bindgen::to_value(message) {
        Ok(message) => post(scope, &message, blobs),
        Err(error) => wasm_bindgen::throw_str(&error.to_string()),
    }
}

/// Sends a message; one that cannot be sent ends the unpacker with an error.
fn post(scope: &DedicatedWorkerGlobalScope, message: &JsValue, blobs: &Array) {
    let envelope = Object::new();
    let sent = Reflect::set(&envelope, &"message".into(), message)
        .and_then(|_| Reflect::set(&envelope, &"blobs".into(), blobs))
        .and_then(|_| scope.post_message(&envelope));
    if let Err(error) = sent {
        wasm_bindgen::throw_val(error);
    }
}
