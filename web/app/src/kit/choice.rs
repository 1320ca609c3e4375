//! A row of options, one of which is selected.

use super::press;
use yew::prelude::*;

/// Radio buttons styled as a segmented control.
pub(crate) fn choice<T: Copy + PartialEq + 'static>(
    label: &'static str,
    options: &[(T, &'static str)],
    on: T,
    chosen: &Callback<T>,
) -> Html {
    let options = options.iter().map(|&(value, name)| {
        let onclick = press(chosen, value);
        html! { <button type="button" aria-pressed={(value == on).to_string()} {onclick}>{ name }</button> }
    });
    html! { <div class="choice" role="group" aria-label={label}>{ for options }</div> }
}
