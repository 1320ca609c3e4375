//! Answers and signs of life, on their way to the page.

use js_sys::{Array, Reflect, Uint8Array};
use views::{Answer, Reply, Revision, Stage};
use wasm_bindgen::JsValue;
use web_sys::DedicatedWorkerGlobalScope;

/// Sends an answer. One that cannot be sent ends the worker, which the page sees and mends.
fn post(scope: &DedicatedWorkerGlobalScope, revision: Revision, answer: Answer) {
    post_with(scope, revision, answer, None);
}

/// Sends an answer with a text beside it, which travels as bytes that are handed over, not copied.
pub(crate) fn post_with(scope: &DedicatedWorkerGlobalScope, revision: Revision, answer: Answer, text: Option<&str>) {
    let reply = serde_wasm_bindgen::to_value(&Reply { revision, answer }).map_err(JsValue::from);
    let posted = reply.and_then(|reply| match text {
        Some(text) => {
            let bytes = Uint8Array::from(text.as_bytes());
            Reflect::set(&reply, &"bytes".into(), &bytes)?;
            scope.post_message_with_transfer(&reply, &Array::of1(&bytes.buffer()))
        }
        None => scope.post_message(&reply),
    });
    if let Err(error) = posted {
        wasm_bindgen::throw_val(error);
    }
}

/// Signs of life during a long change: now and then, because the page draws itself anew for each.
pub(crate) struct Progress {
    scope: DedicatedWorkerGlobalScope,
    revision: Revision,
    stage: Stage,
    /// When the last one went out, in milliseconds since the epoch.
    last: f64,
}

impl Progress {
    /// Milliseconds between two of them.
    const PAUSE: f64 = 100.0;

    pub(crate) fn new(scope: &DedicatedWorkerGlobalScope, revision: Revision) -> Self {
        Self { scope: scope.clone(), revision, stage: Stage::Fetching, last: js_sys::Date::now() }
    }

    /// So many bytes of `total` are done.
    pub(crate) fn tell(&mut self, stage: Stage, done: u32, total: u32) {
        let now = js_sys::Date::now();
        if now - self.last >= Self::PAUSE || stage != self.stage {
            self.last = now;
            self.stage = stage;
            post(&self.scope, self.revision, Answer::Progress { stage, done, total });
        }
    }
}
