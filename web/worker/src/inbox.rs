//! Receives requests in their order, and lets urgent ones through during long work.

use futures_channel::mpsc::UnboundedReceiver;
use js_sys::{Array, Object, Promise, Reflect, Uint8Array};
use serde::Deserialize;
use std::collections::VecDeque;
use views::{AnyQuery, Ask, Compared, Event, FromWorker, Reply, RequestId, Revision, Stage};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, DedicatedWorkerGlobalScope, MessageChannel};

/// A request and the files that go with it.
pub(crate) struct Incoming {
    pub(crate) id: RequestId,
    pub(crate) revision: Revision,
    /// The request, or why it cannot be decoded.
    pub(crate) ask: Result<Ask, String>,
    pub(crate) blobs: Vec<Blob>,
}

/// The fields of a [`views::Request`] that a reply needs even if the rest cannot be decoded.
#[derive(Deserialize)]
struct Head {
    id: RequestId,
    revision: Revision,
}

/// A request that is handled while a command is executed.
pub(crate) enum Urgent {
    Query(RequestId, AnyQuery),
    /// The manifests of the cluster that later queries are about.
    SetCluster(RequestId, String),
    /// The states that later queries compare.
    SetComparison(RequestId, Compared),
    /// The cancellation of the command.
    Cancel(RequestId),
}

pub(crate) struct Inbox {
    messages: UnboundedReceiver<JsValue>,
    /// Requests that arrived during a command and have to wait for its end.
    waiting: VecDeque<Incoming>,
    channel: MessageChannel,
}

impl Inbox {
    pub(crate) fn new(messages: UnboundedReceiver<JsValue>) -> Self {
        let channel = match MessageChannel::new() {
            Ok(channel) => channel,
            Err(error) => wasm_bindgen::throw_val(error),
        };
        Self { messages, waiting: VecDeque::new(), channel }
    }

    /// The next request, if one has arrived.
    pub(crate) fn try_next(&mut self) -> Option<Incoming> {
        self.waiting.pop_front().or_else(|| self.messages.try_recv().ok().map(|message| open(&message)))
    }

    /// Waits for the next request; `None` when the page has closed the channel.
    pub(crate) async fn next(&mut self) -> Option<Incoming> {
        match self.waiting.pop_front() {
            Some(incoming) => Some(incoming),
            None => self.messages.recv().await.ok().map(|message| open(&message)),
        }
    }

    /// The next request that need not wait for the current command: a cancellation, or a query, which is answered from
    /// what is loaded so far, or its cluster or comparison. One that came after another command waits for that, and
    /// [`query::Share`](views::query::Share) always waits, because a session must contain all catalogs.
    pub(crate) fn try_urgent(&mut self) -> Option<Urgent> {
        while let Ok(message) = self.messages.try_recv() {
            if let Some(urgent) = self.urgent(&message) {
                return Some(urgent);
            }
        }
        None
    }

    /// Waits for such a request; `None` when the page has closed the channel.
    pub(crate) async fn next_urgent(&mut self) -> Option<Urgent> {
        loop {
            let message = self.messages.recv().await.ok()?;
            if let Some(urgent) = self.urgent(&message) {
                return Some(urgent);
            }
        }
    }

    /// The request of a message, if it need not wait; otherwise it is kept.
    fn urgent(&mut self, message: &JsValue) -> Option<Urgent> {
        let incoming = open(message);
        match incoming.ask {
            Ok(Ask::Cancel) => return Some(Urgent::Cancel(incoming.id)),
            // Behind a waiting command, it has to be answered from what that command makes.
            Ok(Ask::Query(query)) if self.waiting.is_empty() && !matches!(query, AnyQuery::Share(_)) => {
                return Some(Urgent::Query(incoming.id, query));
            }
            Ok(Ask::SetCluster(manifests)) if self.waiting.is_empty() => {
                return Some(Urgent::SetCluster(incoming.id, manifests));
            }
            Ok(Ask::SetComparison(compared)) if self.waiting.is_empty() => {
                return Some(Urgent::SetComparison(incoming.id, compared));
            }
            ask => self.waiting.push_back(Incoming { ask, ..incoming }),
        }
        None
    }

    /// Gives the browser a turn to deliver messages. A timer would do, but browsers delay nested timers by 4 ms each.
    pub(crate) async fn pause(&self) {
        let message = Promise::new(&mut |resolve, _| {
            self.channel.port1().set_onmessage(Some(&resolve));
            if let Err(error) = self.channel.port2().post_message(&JsValue::NULL) {
                wasm_bindgen::throw_val(error);
            }
        });
        // The promise is never rejected.
        drop(JsFuture::from(message).await);
    }
}

fn open(message: &JsValue) -> Incoming {
    let field = |object: &JsValue, name: &str| Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED);
    let request = field(message, "request");
    // Without an id there is nothing to reply to: the worker ends, which the page notices.
    let Head { id, revision } = match serde_wasm_bindgen::from_value(request.clone()) {
        Ok(head) => head,
        Err(error) => wasm_bindgen::throw_str(&format!("a request could not be read: {error}")),
    };
    let ask = serde_wasm_bindgen::from_value(field(&request, "ask")).map_err(|error| error.to_string());
    let blobs = Array::from(&field(message, "files")).iter().filter_map(|file| file.dyn_into().ok()).collect();
    Incoming { id, revision, ask, blobs }
}

// Messages to the page.

/// Sends a reply. Bytes are sent beside it, transferred rather than copied.
pub(crate) fn post_reply(scope: &DedicatedWorkerGlobalScope, reply: Reply, bytes: Option<Uint8Array>) {
    post(scope, &FromWorker::Reply(reply), bytes);
}

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
