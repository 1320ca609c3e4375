//! Catalogs that a cluster would not serve, before what would happen otherwise.

use crate::kit::prose;
use crate::parts::place_link;
use crate::store::Action;
use views::{BlockedView, UnservedView};
use yew::prelude::*;

/// What really happens, then `courses`, labelled as what would happen.
pub(super) fn unserved(view: &BlockedView, courses: Html, send: &Callback<Action>) -> Html {
    html! { <>
        <div class="finding error" data-testid="unserved">
            <p class="message"><b>{ "OLM resolves nothing in this namespace." }</b>{ " It sees " }
                { if view.sources.len() == 1 { "a catalog that is not served, and that blocks all Subscriptions, also those to other catalogs:" } else { "catalogs that are not served, and each blocks all Subscriptions, also those to other catalogs:" } }</p>
            <ul class="reasons">{ for view.sources.iter().map(|source| source_line(source, send)) }</ul>
            <details><summary>{ "what the cluster prints" }</summary><pre>{ &view.message }</pre></details>
        </div>
        <details class="as-if" open=true data-testid="as-if-served">
            <summary>{ if view.sources.len() == 1 { "As if it were served all the same" } else { "As if they were served all the same" } }</summary>
            { courses }
        </details>
    </> }
}

fn source_line(source: &UnservedView, send: &Callback<Action>) -> Html {
    if !source.state.is_empty() {
        let text = format!(
            "CatalogSource `{}` in `{}` does not answer: its connection is in state `{}`. Mend its pod, or delete it",
            source.name, source.namespace, source.state
        );
        return html! { <li>{ prose(&text) }{ " " }{ for source.place.map(|place| place_link(None, place, send)) }</li> };
    }
    let more = match source.errors {
        0 | 1 => String::new(),
        2 => ". There is 1 more error".to_owned(),
        many => format!(". There are {} more errors", many - 1),
    };
    html! { <li>{ prose(&format!("opm rejects `{}`: {}", source.name, source.message)) }{ " " }{ for source.place.map(|place| place_link(None, place, send)) }{ " It prints " }<code>{ &source.opm }</code>{ more }</li> }
}
