//! The connection to the worker: sends requests, receives messages, and notices when it ended. The reducer interprets
//! messages.

use crate::dom;
use gloo_events::EventListener;
use gloo_timers::callback::{Interval, Timeout};
use js_sys::{Array, Object, Promise, Reflect, Uint8Array};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use views::{FromWorker, Request};
use wasm_bindgen::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{ErrorEvent, File, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

/// What the page receives from a worker.
#[derive(Debug)]
pub(crate) enum WorkerMessage {
    /// A message. A text may come beside it, as UTF-8 bytes.
    Sent(Box<FromWorker>, Option<Uint8Array>),
    /// It panicked, could not be loaded, was ended by the browser, or sent something that is no message.
    Died(String),
}

/// Half of the milliseconds in which a worker has to send its first message, before anything of it is fetched. In
/// halves: when the page itself was busy for long, the message may be behind the timer.
const HALF_START: u32 = 2_500;

/// A running worker. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Client {
    worker: Worker,
    _listeners: [EventListener; 3],
    _watched: Rc<RefCell<Watched>>,
}

/// How the page notices that a worker ended without an event.
#[derive(Debug)]
enum Watched {
    /// It has sent nothing yet, and ends if it does not within a time.
    Starting { _timer: Interval },
    /// It runs; the watch is absent if the browser has no locks.
    Running { _watch: Option<Watch> },
}

impl Client {
    /// Starts a worker from the script that the document names.
    pub(crate) fn start(on_message: &Callback<WorkerMessage>) -> Result<Self, String> {
        // Named by an element because its name changes with its content.
        let script = dom::meta("opscope-worker").ok_or("the document does not name its worker")?;
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&script, &options).map_err(|error| dom::error_text(&error))?;
        let watch = Rc::new(RefCell::new(Watched::Starting { _timer: await_start(on_message) }));
        let (messages, watched) = (on_message.clone(), Rc::clone(&watch));
        let errors = on_message.clone();
        let garbled = on_message.clone();
        let _listeners = [
            EventListener::new(&worker, "message", move |event| {
                let Some(event) = event.dyn_ref::<MessageEvent>() else { return };
                let lock = field(&event.data(), "lock");
                let is_starting = matches!(*watched.borrow(), Watched::Starting { .. });
                if is_starting || !lock.is_undefined() {
                    let _watch = lock.as_string().map(|lock| watch_for_end(&lock, &messages));
                    *watched.borrow_mut() = Watched::Running { _watch };
                }
                if lock.is_undefined() {
                    // To read a large message and to draw what it changes are two tasks: the browser gets a turn
                    // between them. A message of a worker that is gone by then says nothing.
                    let (message, messages, watched) =
                        (decode(&event.data()), messages.clone(), Rc::downgrade(&watched));
                    Timeout::new(0, move || {
                        if watched.upgrade().is_some() {
                            messages.emit(message);
                        }
                    })
                    .forget();
                }
            }),
            EventListener::new(&worker, "error", move |event| {
                let reason = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).filter(|text| !text.is_empty());
                errors.emit(WorkerMessage::Died(reason.unwrap_or_else(|| "its script could not be loaded".to_owned())));
            }),
            EventListener::new(&worker, "messageerror", move |_| {
                garbled.emit(WorkerMessage::Died("a message could not be read".to_owned()));
            }),
        ];
        Ok(Self { worker, _listeners, _watched: watch })
    }

    /// Sends a request with the files that belong to it.
    pub(crate) fn send(&self, request: &Request, files: &[File]) -> Result<(), String> {
        let envelope = Object::new();
        let request = serde_wasm_bindgen::to_value(request).map_err(|error| error.to_string())?;
        let files: Array = files.iter().collect();
        set(&envelope, "request", &request)
            .and_then(|()| set(&envelope, "files", &files))
            .and_then(|()| self.worker.post_message(&envelope))
            .map_err(|error| dom::error_text(&error))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

/// Waits for the first message of a worker.
fn await_start(on_message: &Callback<WorkerMessage>) -> Interval {
    let ended = on_message.clone();
    let mut is_late = false;
    Interval::new(HALF_START, move || {
        if is_late {
            ended.emit(WorkerMessage::Died("it ended when it started, or sends nothing".to_owned()));
        }
        is_late = true;
    })
}

/// Waits for the lock that the worker holds until it ends.
fn watch_for_end(lock: &str, on_message: &Callback<WorkerMessage>) -> Watch {
    let ended = on_message.clone();
    Watch::start(lock, move || ended.emit(WorkerMessage::Died("it ended without a message".to_owned())))
}

fn decode(data: &JsValue) -> WorkerMessage {
    match field(data, "panic").as_string() {
        Some(reason) => WorkerMessage::Died(reason),
        None => match serde_wasm_bindgen::from_value(field(data, "message")) {
            Ok(message) => WorkerMessage::Sent(Box::new(message), field(data, "bytes").dyn_into().ok()),
            Err(error) => WorkerMessage::Died(format!("it said something unknown: {error}")),
        },
    }
}

fn field(data: &JsValue, name: &str) -> JsValue {
    Reflect::get(data, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

fn set(object: &Object, key: &str, value: &JsValue) -> Result<(), JsValue> {
    Reflect::set(object, &JsValue::from_str(key), value).map(drop)
}

// Notices that a worker ended. A browser may end one without an event, when memory is short or at a call of `close`.
//
// The worker holds a lock as long as it runs (`web/boot.js`), and the page waits for this lock. No timer
// could distinguish a worker that ended from one that computes.

#[wasm_bindgen]
extern "C" {
    /// The Web Locks API; web-sys has it for unstable builds only.
    #[wasm_bindgen(catch, js_namespace = ["navigator", "locks"], js_name = request)]
    fn request_lock(name: &str, granted: &JsValue) -> Result<Promise, JsValue>;
}

/// Waits for the end of a worker, until it is dropped.
#[derive(Debug)]
struct Watch {
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
