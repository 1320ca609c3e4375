//! What a control does when it is pressed.

use yew::prelude::*;

/// Sends an action on each press.
pub(crate) fn press<A: Clone + 'static>(send: &Callback<A>, action: A) -> Callback<MouseEvent> {
    send.reform(move |_: MouseEvent| action.clone())
}
