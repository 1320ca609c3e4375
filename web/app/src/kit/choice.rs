//! Options of which one is chosen: as a row of buttons, or as a list that opens.

use super::{on_select, option, press};
use yew::prelude::*;

/// Radio buttons styled as a segmented control.
pub(crate) fn choice<T: Copy + PartialEq + 'static, A: Clone + 'static, B: Into<A>>(
    label: &'static str,
    options: &[(T, &'static str)],
    on: T,
    send: &Callback<A>,
    action: impl Fn(T) -> B,
) -> Html {
    let options = options.iter().map(|&(value, name)| {
        let onclick = press(send, action(value));
        html! { <button type="button" aria-pressed={(value == on).to_string()} {onclick}>{ name }</button> }
    });
    html! { <div class="choice" role="group" aria-label={label}>{ for options }</div> }
}

/// A `select` of options, each a value and a text. `action` gets the value of the chosen one.
pub(crate) fn select<A: 'static, B: Into<A>>(
    testid: impl Into<AttrValue>,
    options: impl IntoIterator<Item = (String, String)>,
    on: &str,
    send: &Callback<A>,
    action: impl Fn(String) -> Option<B> + 'static,
) -> Html {
    let options = options.into_iter().map(|(value, text)| {
        let is_chosen = value == on;
        option(value, is_chosen, &text)
    });
    html! { <select data-testid={testid.into()} onchange={on_select(send, action)}>{ for options }</select> }
}
