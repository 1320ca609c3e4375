//! The worker's sign of life: a lock that it holds until it ends. The page waits for this lock, because a browser may
//! end a worker without an event. Messages are no sign of life: a worker that computes sends none.

use js_sys::{Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::DedicatedWorkerGlobalScope;

#[wasm_bindgen]
extern "C" {
    /// The Web Locks API; web-sys has it for unstable builds only.
    #[wasm_bindgen(catch, js_namespace = ["navigator", "locks"], js_name = request)]
    fn request_lock(name: &str, granted: &JsValue) -> Result<Promise, JsValue>;
}

/// Takes a lock of a new name, and sends the name to the page once it has the lock. Where the browser has no locks, or
/// does not permit them, the page learns only of ends that are events.
pub(crate) fn show_life(scope: DedicatedWorkerGlobalScope) {
    // Workers of other tabs have locks, too.
    let name = format!("opscope-worker-{}", js_sys::Math::random());
    let message = Object::new();
    let named = Reflect::set(&message, &"lock".into(), &name.as_str().into());
    let granted = Closure::once_into_js(move || {
        // If it cannot be sent, the page does not wait for the lock.
        drop(named.and_then(|_| scope.post_message(&message)));
        // The lock is held until this promise is settled. It never is, and must not be collected before.
        let end = Promise::new(&mut |_, _| {});
        std::mem::forget(end.clone());
        end
    });
    if let Ok(released) = request_lock(&name, &granted) {
        spawn_local(async { drop(JsFuture::from(released).await) });
    }
}
