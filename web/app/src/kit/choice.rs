//! A row of options of which one is on.

use yew::prelude::*;

/// Radio buttons that look like a switch.
pub(crate) fn choice<T: Copy + PartialEq + 'static>(
    label: &'static str,
    options: &[(T, &'static str)],
    on: T,
    chosen: &Callback<T>,
) -> Html {
    let options = options.iter().map(|&(value, name)| {
        let onclick = chosen.reform(move |_: MouseEvent| value);
        html! { <button type="button" aria-pressed={(value == on).to_string()} {onclick}>{ name }</button> }
    });
    html! { <div class="choice" role="group" aria-label={label}>{ for options }</div> }
}
