//! What the page shows before there is a catalog.

use super::catalogs::add_buttons;
use crate::store::Action;
use yew::prelude::*;

/// Ready examples that answer what is asked most, by their names in the gallery, in the words of those who ask.
const FEATURED: [(&str, &str); 4] = [
    ("stuck-at-a-stranded-entry", "why is there no update?"),
    ("two-conflicts", "why “constraints not satisfiable”?"),
    ("manual-approval", "why does the plan wait?"),
    ("higher-priority", "which catalog wins?"),
];

fn featured((slug, question): &(&'static str, &'static str), send: &Callback<Action>) -> Html {
    let slug = *slug;
    let onclick = send.reform(move |_: MouseEvent| Action::ExampleOpened(slug.to_owned()));
    html! { <button type="button" class="link" data-testid="featured" data-name={slug} {onclick}>{ *question }</button> }
}

/// What can be done here, and how to begin. `cluster` if there are manifests already.
pub(crate) fn empty(cluster: bool, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let example = send.reform(|_: MouseEvent| Action::ExampleChosen);
    let examples = send.reform(|_: MouseEvent| Action::ExamplesAsked);
    let wake = send.reform(|_: FocusEvent| Action::WorkerNeeded);
    html! {
        <section class="empty" data-testid="empty" onfocusin={wake}>
            <h2>{ "See what OLM will do with a catalog, before a cluster does it" }</h2>
            <p>{ "Drop file-based catalogs anywhere on this page: files or folders, several at once; each becomes a CatalogSource. Manifests that " }<code>{ "kubectl" }</code>{ " printed and " }<code>{ ".opscope" }</code>{ " files can be dropped, too." }</p>
            <div class="drop">
                <p><b>{ "Drop it here" }</b>{ ", paste YAML or JSON with " }<kbd>{ "Ctrl V" }</kbd>{ ", or pick" }</p>
                { add_buttons(send, picked) }
            </div>
            <p>{ "No catalog at hand? " }<button type="button" class="primary" data-testid="example" onclick={example}>{ "Open the example" }</button>
                { " or " }<button type="button" data-testid="empty-examples" onclick={examples}>{ "choose what OLM is to be seen doing" }</button></p>
            <p class="asked">{ "Asked again and again: " }{ for FEATURED.iter().map(|row| featured(row, send)) }</p>
            if cluster { <p class="remark">{ "The manifests of your cluster are kept; add the catalogs that its CatalogSources serve." }</p> }
            <ul class="teach">
                <li><b>{ "Channels" }</b>{ " as a drawing: which entry updates to which by " }<code>{ "replaces" }</code>{ ", " }<code>{ "skips" }</code>{ " and " }<code>{ "skipRange" }</code>{ ", and which versions nobody can reach." }</li>
                <li><b>{ "Findings" }</b>{ " with line and column: what " }<code>{ "opm" }</code>{ " rejects, and what it accepts although it is hardly meant." }</li>
                <li><b>{ "Simulation" }</b>{ ": Subscriptions in, the chosen bundles out, hop by hop, or the rules that clash." }</li>
                <li><b>{ "Source" }</b>{ " to edit; everything is evaluated again while you type." }</li>
            </ul>
            <p class="mute">{ "Everything is computed in this tab. No catalog is sent anywhere." }</p>
        </section>
    }
}
