//! What controls send when they are pressed, or get another value.

use crate::dom;
use std::cell::Cell;
use yew::prelude::*;

/// Sends an action on each press.
pub(crate) fn press<A: Clone + 'static>(send: &Callback<A>, action: impl Into<A>) -> Callback<MouseEvent> {
    let action = action.into();
    send.reform(move |_: MouseEvent| action.clone())
}

/// Milliseconds and CSS pixels within which a click counts as one more of the same.
const AGAIN: (f64, i32) = (2_000.0, 24);

/// The same for a button whose place another one takes at once: a second click at the same place is none on that one.
pub(crate) fn press_once<A: Clone + 'static>(send: &Callback<A>, action: impl Into<A>) -> Callback<MouseEvent> {
    thread_local! {
        static LAST: Cell<(f64, i32, i32)> = const { Cell::new((f64::MIN, 0, 0)) };
    }
    let (send, action) = (send.clone(), action.into());
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

/// Sends the action that an event means.
pub(crate) fn on<E: 'static, A: 'static, B: Into<A>>(
    send: &Callback<A>,
    action: impl Fn(E) -> B + 'static,
) -> Callback<E> {
    send.reform(move |event| action(event).into())
}

/// Sends the action that a new text of a text field means.
pub(crate) fn on_input<A: 'static, B: Into<A>>(
    send: &Callback<A>,
    action: impl Fn(String) -> B + 'static,
) -> Callback<InputEvent> {
    on(send, move |event: InputEvent| action(dom::input_text(&event)))
}

/// Sends the action that the value of the chosen option of a `select` means, if it means one.
pub(crate) fn on_select<A: 'static, B: Into<A>>(
    send: &Callback<A>,
    action: impl Fn(String) -> Option<B> + 'static,
) -> Callback<Event> {
    let send = send.clone();
    Callback::from(move |event: Event| {
        if let Some(action) = action(dom::select_text(&event)) {
            send.emit(action.into());
        }
    })
}

/// Sends the action that a form means, if it means one, by the texts of its named fields.
pub(crate) fn on_submit<A: 'static, B: Into<A>>(
    send: &Callback<A>,
    action: impl Fn(&dyn Fn(&str) -> String) -> Option<B> + 'static,
) -> Callback<SubmitEvent> {
    let send = send.clone();
    Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(action) = action(&|name| dom::form_text(&event, name)) {
            send.emit(action.into());
        }
    })
}

/// A button that sends an action and says by its text alone what that does.
pub(crate) fn button<A: Clone + 'static>(
    testid: &'static str,
    text: impl Into<AttrValue>,
    send: &Callback<A>,
    action: impl Into<A>,
) -> Html {
    html! { <button type="button" data-testid={testid} onclick={press(send, action)}>{ text.into() }</button> }
}
