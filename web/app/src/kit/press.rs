//! What a control does when it is pressed.

use std::cell::Cell;
use yew::prelude::*;

/// Sends an action on each press.
pub(crate) fn press<A: Clone + 'static>(send: &Callback<A>, action: A) -> Callback<MouseEvent> {
    send.reform(move |_: MouseEvent| action.clone())
}

/// Milliseconds and CSS pixels within which a click counts as one more of the same.
const AGAIN: (f64, i32) = (2_000.0, 24);

/// The same for a button whose place another one takes at once: a second click at the same place is none on that one.
pub(crate) fn press_once<A: Clone + 'static>(send: &Callback<A>, action: A) -> Callback<MouseEvent> {
    thread_local! {
        static LAST: Cell<(f64, i32, i32)> = const { Cell::new((f64::MIN, 0, 0)) };
    }
    let send = send.clone();
    Callback::from(move |event: MouseEvent| {
        let (time, x, y) = (event.time_stamp(), event.client_x(), event.client_y());
        let (before, at_x, at_y) = LAST.get();
        let is_near = (x - at_x).abs().max((y - at_y).abs()) < AGAIN.1;
        // A click by the keyboard has no number.
        if event.detail() == 0 || time - before > AGAIN.0 || !is_near {
            LAST.set((time, x, y));
            send.emit(action.clone());
        }
    })
}
