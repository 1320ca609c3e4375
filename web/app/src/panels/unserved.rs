//! Catalogs that the cluster cannot serve, followed by what OLM would do if it could.

use crate::kit::prose;
use crate::parts::place_link;
use crate::store::Action;
use views::{BlockedView, UnservedView};
use yew::prelude::*;

/// The reason why OLM resolves nothing, then `outcomes`, labelled as hypothetical.
pub(super) fn unserved(view: &BlockedView, outcomes: Html, send: &Callback<Action>) -> Html {
    html! { <>
        <div class="finding error" data-testid="unserved">
            <p class="message"><b>{ "OLM cannot resolve anything in this namespace." }</b>{ " It sees " }
                { if view.sources.len() == 1 { "a catalog that cannot be served. It blocks all Subscriptions, even those to other catalogs:" } else { "catalogs that cannot be served. Each of them blocks all Subscriptions, even those to other catalogs:" } }</p>
            <ul class="reasons">{ for view.sources.iter().map(|source| source_line(source, send)) }</ul>
            <details><summary>{ "What the cluster reports" }</summary><pre>{ &view.message }</pre></details>
        </div>
        <details class="as-if" open=true data-testid="as-if-served">
            <summary>{ if view.sources.len() == 1 { "What OLM would do if it were served" } else { "What OLM would do if they were served" } }</summary>
            { outcomes }
        </details>
    </> }
}

fn source_line(source: &UnservedView, send: &Callback<Action>) -> Html {
    if !source.state.is_empty() {
        let text = format!(
            "CatalogSource `{}` in `{}` is not connected: its connection state is `{}`. Fix its pod, or delete the CatalogSource",
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
