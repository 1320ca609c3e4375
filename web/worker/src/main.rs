//! The worker: decodes requests, puts them to the workbench, encodes the answers, and keeps the catalogs in the
//! browser's store. Decides nothing itself.

mod arrive;
mod deflate;
mod desk;
mod fetch;
mod files;
mod inbox;
mod kept;
mod load;
mod post;
mod room;
mod store;
mod visits;

use desk::Desk;
use futures_channel::mpsc;
use inbox::Inbox;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

fn main() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    report_panics(scope.clone());
    let (sender, receiver) = mpsc::unbounded();
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        // The receiver lives as long as the worker: there is nobody to tell if it does not.
        drop(sender.unbounded_send(event.data()));
    });
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    listener.forget();
    wasm_bindgen_futures::spawn_local(Desk::new(scope).work(Inbox::new(receiver)));
}

/// Tells the page why the worker is about to die, which its `error` event would not.
fn report_panics(scope: DedicatedWorkerGlobalScope) {
    std::panic::set_hook(Box::new(move |info| {
        let message = js_sys::Object::new();
        let told = js_sys::Reflect::set(&message, &"panic".into(), &info.to_string().into())
            .and_then(|_| scope.post_message(&message));
        // Nothing is left to do when even that fails: the page sees the `error` event that follows.
        drop(told);
    }));
}
