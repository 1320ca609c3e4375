//! The worker: decodes requests, passes them to the workbench, encodes the replies, and keeps the catalogs in the
//! browser's store. All decisions are the workbench's. A worker of another name is the unpacker.

mod fetch;
mod follow;
mod inbox;
mod jobs;
mod load;
mod server;
mod sessions;
mod share;
mod store;
mod unpack;
mod unpacker;

use futures_channel::mpsc;
use inbox::Inbox;
use server::Server;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

fn main() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    if scope.name() == unpacker::NAME {
        return unpacker::start(&scope);
    }
    report_panics(scope.clone());
    let (sender, receiver) = mpsc::unbounded();
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        // The receiver lives as long as the worker.
        drop(sender.unbounded_send(event.data()));
    });
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    listener.forget();
    spawn_local(Server::new(scope).work(Inbox::new(receiver)));
}

/// Sends the message of a panic to the page; the `error` event that ends the worker does not have it.
fn report_panics(scope: DedicatedWorkerGlobalScope) {
    std::panic::set_hook(Box::new(move |info| {
        let message = js_sys::Object::new();
        let sent = js_sys::Reflect::set(&message, &"panic".into(), &info.to_string().into())
            .and_then(|_| scope.post_message(&message));
        // If that fails, the page still gets the `error` event.
        drop(sent);
    }));
}
