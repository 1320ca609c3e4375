//! Requests in the order they came, and the moments in which others can come in.

use futures_channel::mpsc::UnboundedReceiver;
use js_sys::{Array, Promise, Reflect};
use std::collections::VecDeque;
use views::{Ask, Request};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, MessageChannel};

/// A request and the files that go with it.
pub(crate) struct Letter {
    pub(crate) request: Request,
    pub(crate) blobs: Vec<Blob>,
}

pub(crate) struct Inbox {
    messages: UnboundedReceiver<JsValue>,
    /// Letters that came while something went on that they must not disturb.
    waiting: VecDeque<Letter>,
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

    /// The next letter, if there is one.
    pub(crate) fn try_next(&mut self) -> Option<Letter> {
        self.waiting.pop_front().or_else(|| self.messages.try_recv().ok().map(|message| open(&message)))
    }

    /// The next letter, once there is one.
    pub(crate) async fn next(&mut self) -> Option<Letter> {
        match self.waiting.pop_front() {
            Some(letter) => Some(letter),
            None => self.messages.recv().await.ok().map(|message| open(&message)),
        }
    }

    /// A letter that can be taken up before what goes on is over: a question about what there is, or a cancellation. A
    /// question behind a change waits with it.
    pub(crate) fn try_urgent(&mut self) -> Option<Letter> {
        while let Ok(message) = self.messages.try_recv() {
            let letter = open(&message);
            let ask = &letter.request.ask;
            if matches!(ask, Ask::Cancel) || (self.waiting.is_empty() && ask.is_question()) {
                return Some(letter);
            }
            self.waiting.push_back(letter);
        }
        None
    }

    /// Lets those messages in that have come meanwhile. A timer would do, but nested ones are held back for 4 ms each.
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

fn open(message: &JsValue) -> Letter {
    let field = |name: &str| Reflect::get(message, &name.into()).unwrap_or(JsValue::UNDEFINED);
    let request: Request = match serde_wasm_bindgen::from_value(field("request")) {
        Ok(request) => request,
        Err(error) => wasm_bindgen::throw_str(&format!("a request could not be read: {error}")),
    };
    let blobs = Array::from(&field("files")).iter().filter_map(|file| file.dyn_into().ok()).collect();
    Letter { request, blobs }
}
