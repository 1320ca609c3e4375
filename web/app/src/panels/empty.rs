//! The start page, shown until a catalog is loaded.

use super::catalogs::add_buttons;
use crate::store::{Action, CatalogsAction, WorkerAction};
use yew::prelude::*;

/// Gallery slugs of the examples that answer common questions, with the question.
const FEATURED: [(&str, &str); 4] = [
    ("stuck-at-a-stranded-entry", "Why is there no update?"),
    ("two-conflicts", "Why “constraints not satisfiable”?"),
    ("manual-approval", "Why does the InstallPlan wait?"),
    ("higher-priority", "Which catalog wins?"),
];

fn featured((slug, question): &(&'static str, &'static str), send: &Callback<Action>) -> Html {
    let slug = *slug;
    let onclick = send.reform(move |_: MouseEvent| Action::Catalogs(CatalogsAction::ExampleOpened(slug.to_owned())));
    html! { <button type="button" class="link" data-testid="featured" data-name={slug} {onclick}>{ *question }</button> }
}

/// The start page. `cluster` is true if manifests are loaded already.
pub(crate) fn empty(cluster: bool, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let example = send.reform(|_: MouseEvent| Action::Catalogs(CatalogsAction::ExampleChosen));
    let examples = send.reform(|_: MouseEvent| Action::Catalogs(CatalogsAction::ExamplesAsked));
    let wake = send.reform(|_: FocusEvent| Action::Worker(WorkerAction::Needed));
    html! {
        <section class="empty" data-testid="empty" onfocusin={wake}>
            <h2>{ "See what OLM will do with a catalog, before a cluster does it" }</h2>
            <p>{ "Drop file-based catalogs anywhere on this page: files or folders, one or several. Each one becomes a CatalogSource. You can also drop manifests from " }<code>{ "kubectl" }</code>{ " and " }<code>{ ".opscope" }</code>{ " files." }</p>
            <div class="drop">
                <p><b>{ "Drop catalogs here" }</b>{ ", paste YAML or JSON with " }<kbd>{ "Ctrl V" }</kbd>{ ", or choose" }</p>
                { add_buttons(send, picked) }
            </div>
            <p>{ "No catalog at hand? " }<button type="button" class="primary" data-testid="example" onclick={example}>{ "Open example" }</button>
                { " or " }<button type="button" data-testid="empty-examples" onclick={examples}>{ "Browse examples" }</button></p>
            <p class="asked">{ "Common questions: " }{ for FEATURED.iter().map(|row| featured(row, send)) }</p>
            if cluster { <p class="remark">{ "Your cluster manifests are kept. Add the catalogs that its CatalogSources serve." }</p> }
            <ul class="teach">
                <li><b>{ "Channels" }</b>{ " as update graphs: which entry updates to which through " }<code>{ "replaces" }</code>{ ", " }<code>{ "skips" }</code>{ " and " }<code>{ "skipRange" }</code>{ ", and which versions no update reaches." }</li>
                <li><b>{ "Findings" }</b>{ " with line and column: what " }<code>{ "opm" }</code>{ " rejects, and what it accepts but you probably didn’t intend." }</li>
                <li><b>{ "Simulation" }</b>{ ": which bundles OLM installs for your Subscriptions, hop by hop, or which rules conflict." }</li>
                <li><b>{ "Source" }</b>{ " with an editor: results follow as you type." }</li>
            </ul>
            <p class="mute">{ "Everything runs in this tab. Your catalogs are never sent anywhere." }</p>
        </section>
    }
}
