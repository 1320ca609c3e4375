//! The start page, shown until a catalog is loaded.

use super::catalogs::add_buttons;
use crate::kit::{command, press};
use crate::store::{Action, CatalogsAction, Dialog, PageAction, Theme, WorkerAction};
use yew::prelude::*;

/// Gallery slugs of the examples that answer common questions, with the question.
const FEATURED: [(&str, &str); 5] = [
    ("stuck-at-a-stranded-entry", "Why is there no update?"),
    ("two-hops-deadlock", "Why “constraints not satisfiable”?"),
    ("manual-approval", "Why does the InstallPlan wait?"),
    ("addition-strands-four", "Can a release leave clusters stuck?"),
    ("higher-priority", "Which catalog wins?"),
];

fn featured((slug, question): &(&'static str, &'static str), send: &Callback<Action>) -> Html {
    let onclick = press(send, Action::Catalogs(CatalogsAction::ExampleOpened((*slug).to_owned())));
    html! {
        <button type="button" class="link" data-testid="featured" data-name={*slug} {onclick}>{ *question }</button>
    }
}

/// Prints everything that OLM's choices depend on.
const CLUSTER_COMMAND: &str = "kubectl get -A -o yaml catalogsources,subscriptions,csv,operatorgroups,installplans";
/// Prints the catalog in an image.
const CATALOG_COMMAND: &str = "opm render IMAGE -o yaml > catalog.yaml";

/// The drawings of the example, light and dark. `cargo xtask shots` exports them from the app.
const PICTURES: [&str; 2] = ["drawing-light.svg", "drawing-dark.svg"];
/// What they show.
const PICTURE: &str = "The update graph of a package: in channel stable, 1.0.0 updates to 1.1.0, then to 1.2.1, then \
    to the head 2.0.0, and 1.2.0 is skipped; in channel fast, the skipRange of the head 2.1.0 covers five versions.";

/// The start page.
pub(crate) fn empty(theme: Theme, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let wake = send.reform(|_: FocusEvent| Action::Worker(WorkerAction::Needed));
    html! {
        <section class="empty" data-testid="empty" onfocusin={wake}>
            <h2>{ "See what OLM will do with a catalog, before a cluster does it" }</h2>
            <div class="starts">{ review(send, picked) }{ stuck(send) }{ learn(send) }</div>
            { picture(theme, send) }
            <p class="mute">{ "Everything runs in this tab. Your catalogs are never sent anywhere." }</p>
        </section>
    }
}

/// A real drawing, which opens what it shows.
fn picture(theme: Theme, send: &Callback<Action>) -> Html {
    let [light, dark] = PICTURES;
    let onclick = press(send, Action::Catalogs(CatalogsAction::ExampleChosen));
    html! {
        <button type="button" class="picture" data-testid="picture" {onclick}>
            <picture>
                if theme == Theme::System { <source media="(prefers-color-scheme: dark)" srcset={dark} /> }
                <img src={if theme == Theme::Dark { dark } else { light }} alt={PICTURE} width="744" height="440" />
            </picture>
            <span>
                <b>{ "See every update at a glance" }</b>
                <span>
                    { "Arrows lead from each version to its update. Dashed versions are skipped. A bracket is a \
                      skipRange: that of 2.1.0 covers five versions that fast does not list, so OLM installs none of \
                      them from fast." }
                </span>
                <span class="open">{ "Open this example" }</span>
            </span>
        </button>
    }
}

fn review(send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    html! {
        <section class="drop">
            <h3>{ "Review a catalog" }</h3>
            <p>
                { "Drop file-based catalogs anywhere on this page: files, folders, saved images, archives, or a \
                  repository of bundles. See each package’s channels as update graphs, what " }
                <code>{ "opm" }</code>{ " rejects, and which versions a " }<code>{ "skipRange" }</code>
                { " leaves out or leaves stuck." }
            </p>
            <p>{ "Drop two versions of a catalog to see what the change does to clusters that have the older one." }</p>
            <p>{ "Going to another version of OpenShift? Drop a folder with a catalog for each version." }</p>
            { add_buttons(send, picked) }
            <p class="mute">{ "Or paste YAML or JSON with " }<kbd>{ "Ctrl V" }</kbd>{ "." }</p>
        </section>
    }
}

fn stuck(send: &Callback<Action>) -> Html {
    let paste = press(send, Action::Page(PageAction::DialogOpened(Dialog::Paste)));
    html! {
        <section>
            <h3>{ "My Subscription is stuck" }</h3>
            <ol>
                <li>
                    { "Print what OLM works with, and paste or drop the output:" }
                    { command(CLUSTER_COMMAND, &send.reform(super::copy)) }{ "On OpenShift add " }
                    <code>{ ",clusterversion" }</code>{ ". Or drop the folder of a must-gather." }
                </li>
                <li>
                    { "Do the same with the catalog of the CatalogSource:" }
                    { command(CATALOG_COMMAND, &send.reform(super::copy)) }
                </li>
            </ol>
            <p>{ "See which bundles OLM picks, hop by hop, or which rules conflict and how to fix that." }</p>
            <p><button type="button" data-testid="empty-paste" onclick={paste}>{ "Paste manifests…" }</button></p>
        </section>
    }
}

fn learn(send: &Callback<Action>) -> Html {
    let example = press(send, Action::Catalogs(CatalogsAction::ExampleChosen));
    let examples = press(send, Action::Catalogs(CatalogsAction::ExamplesAsked));
    html! {
        <section>
            <h3>{ "Learn by example" }</h3>
            <p>{ "Small catalogs with a cluster, each for one behaviour of OLM." }</p>
            <p class="actions">
                <button type="button" class="primary" data-testid="example" onclick={example}>
                    { "Open example" }
                </button>
                <button type="button" data-testid="empty-examples" onclick={examples}>{ "Browse examples" }</button>
            </p>
            <p>{ "Common questions:" }</p>
            <ul class="asked">{ for FEATURED.iter().map(|row| html! { <li>{ featured(row, send) }</li> }) }</ul>
        </section>
    }
}
