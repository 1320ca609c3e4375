//! Messages to the page.

use js_sys::{Array, Object, Reflect, Uint8Array};
use views::{Event, FromWorker, Reply, Stage};
use wasm_bindgen::JsValue;
use web_sys::DedicatedWorkerGlobalScope;

/// Sends a reply. Bytes are sent beside it, transferred rather than copied.
pub(crate) fn post_reply(scope: &DedicatedWorkerGlobalScope, reply: Reply, bytes: Option<Uint8Array>) {
    post(scope, &FromWorker::Reply(reply), bytes);
}

/// Sends an event.
pub(crate) fn post_event(scope: &DedicatedWorkerGlobalScope, event: Event) {
    post(scope, &FromWorker::Event(event), None);
}

/// Sends a message. A failure ends the worker; the page notices and starts another one.
fn post(scope: &DedicatedWorkerGlobalScope, message: &FromWorker, bytes: Option<Uint8Array>) {
    if let Err(error) = try_post(scope, message, bytes) {
        wasm_bindgen::throw_val(error);
    }
}

fn try_post(
    scope: &DedicatedWorkerGlobalScope,
    message: &FromWorker,
    bytes: Option<Uint8Array>,
) -> Result<(), JsValue> {
    let envelope = Object::new();
    Reflect::set(&envelope, &"message".into(), &serde_wasm_bindgen::to_value(message)?)?;
    let Some(bytes) = bytes else { return scope.post_message(&envelope) };
    Reflect::set(&envelope, &"bytes".into(), &bytes)?;
    scope.post_message_with_transfer(&envelope, &Array::of1(&bytes.buffer()))
}

/// Sends the progress of a command, but not too often, because the page renders for each message.
pub(crate) struct Progress {
    scope: DedicatedWorkerGlobalScope,
    stage: Stage,
    /// When the last message was sent, in milliseconds since the epoch.
    last: f64,
}

impl Progress {
    /// The least time between two messages of a stage, in milliseconds.
    const PAUSE: f64 = 100.0;

    pub(crate) fn new(scope: &DedicatedWorkerGlobalScope) -> Self {
        Self { scope: scope.clone(), stage: Stage::Fetching, last: js_sys::Date::now() }
    }

    /// Sends the progress, unless the last message was sent just before.
    pub(crate) fn send(&mut self, stage: Stage, done: u32, total: u32) {
        let now = js_sys::Date::now();
        if now - self.last >= Self::PAUSE || stage != self.stage {
            self.last = now;
            self.stage = stage;
            post_event(&self.scope, Event::Progress { stage, done, total });
        }
    }
}
