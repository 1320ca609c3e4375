//! Notices that a worker ended. A browser may end one without an event, when memory is short or at a call of `close`.
//!
//! The worker holds a lock as long as it runs (`web/boot.js`), and the page waits for this lock. No timer
//! could distinguish a worker that ended from one that computes.

use js_sys::Promise;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

#[wasm_bindgen]
extern "C" {
    /// The Web Locks API; web-sys has it for unstable builds only.
    #[wasm_bindgen(catch, js_namespace = ["navigator", "locks"], js_name = request)]
    fn request_lock(name: &str, granted: &JsValue) -> Result<Promise, JsValue>;
}

/// Waits for the end of a worker, until it is dropped.
#[derive(Debug)]
pub(super) struct Watch {
    is_over: Rc<Cell<bool>>,
}

impl Watch {
    /// Calls `ended` when nobody holds the lock any more.
    pub(super) fn start(lock: &str, ended: impl FnOnce() + 'static) -> Self {
        let is_over = Rc::new(Cell::new(false));
        let over = Rc::clone(&is_over);
        let granted = Closure::once_into_js(move || {
            if !over.get() {
                ended();
            }
        });
        if let Ok(released) = request_lock(lock, &granted) {
            spawn_local(async { drop(JsFuture::from(released).await) });
        }
        Self { is_over }
    }
}

impl Drop for Watch {
    /// The end of a worker that the page ends itself is no news.
    fn drop(&mut self) {
        self.is_over.set(true);
    }
}
