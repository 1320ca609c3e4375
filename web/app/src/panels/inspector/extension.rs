//! What OLM v1 does with an extension that has the entry installed.

use super::links::definition;
use crate::kit::prose;
use views::{EntryExtension, NextExtension};
use yew::prelude::*;

/// The section "OLM v1".
pub(super) fn extension(view: &EntryExtension) -> Html {
    let next = |row: &NextExtension| {
        let label =
            row.channel.as_ref().map_or_else(|| "no channels".to_owned(), |channel| format!("channel {channel}"));
        let v0 =
            row.v0.as_ref().map(|v0| html! { <small class="mute">{ " (OLM v0: " }<code>{ v0 }</code>{ ")" }</small> });
        html! { <><dt>{ label }</dt><dd><code>{ &row.text }</code>{ v0 }</dd></> }
    };
    html! { <section data-testid="entry-extension" aria-label="Next update under OLM v1">
        <dl class="pairs">{ for view.next.iter().map(next) }
            { for view.refusals.iter().map(|text| definition("refused", html! { <code>{ text }</code> })) }
        </dl>
        { for view.unknown.iter().map(|text| html! { <p class="mute">{ prose(text) }{ "." }</p> }) }
    </section> }
}
