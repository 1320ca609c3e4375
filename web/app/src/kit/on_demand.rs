//! The placeholder of a panel whose code is not loaded yet.

use yew::prelude::*;

/// That a part could not be loaded, and what to do.
pub(crate) const NOT_LOADED: (&str, &str) =
    ("A part of Opscope could not be loaded.", "Check the connection to the server of this page, and try again.");

/// Properties of [`OnDemand`].
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// Whether the code could not be loaded.
    pub(crate) has_failed: bool,
    /// Called when it is shown first, and when the user tries again.
    pub(crate) on_needed: Callback<()>,
}

/// The placeholder of a panel: empty while its code is loaded, and a message if that failed.
#[component]
pub(crate) fn OnDemand(props: &Props) -> Html {
    let needed = props.on_needed.clone();
    use_effect_with((), move |()| needed.emit(()));
    let again = props.on_needed.reform(|_: MouseEvent| ());
    let (title, advice) = NOT_LOADED;
    html! {
        <div class="on-demand" role="status" aria-busy={(!props.has_failed).to_string()}>
            if props.has_failed {
                <p><b>{ title }</b>{ " " }{ advice }</p>
                <button type="button" data-testid="load-again" onclick={again}>{ "Try again" }</button>
            }
        </div>
    }
}
