//! The start page, shown until a catalog is loaded.

use super::catalogs::add_buttons;
use crate::kit::{Glyph, command, press};
use crate::parts::sign_of;
use crate::store::{Action, CatalogsAction, Dialog, PageAction, Theme, WorkerAction};
use views::Severity;
use yew::prelude::*;

/// An example that answers a common question.
type Featured = (Option<Severity>, &'static str, &'static str, &'static str);

/// How bad it is, the gallery slug, the question and what the example is about.
const FEATURED: [Featured; 5] = [
    (
        Some(Severity::Warning),
        "stuck-at-a-stranded-entry",
        "Why is there no update?",
        "A Subscription stays below the head, and OLM reports nothing",
    ),
    (
        Some(Severity::Error),
        "two-hops-deadlock",
        "Why “constraints not satisfiable”?",
        "A dependency two updates away stops two operators",
    ),
    (Some(Severity::Hint), "manual-approval", "Why does the InstallPlan wait?", "A Subscription wants approval"),
    (
        Some(Severity::Error),
        STRANDING,
        "Can a release leave clusters stuck?",
        "A new head skips the old one and strands four versions",
    ),
    (None, "higher-priority", "Which catalog wins?", "Two catalogs offer the same package"),
];

/// The example of the picture.
const STRANDING: &str = "addition-strands-four";

fn featured((severity, slug, question, about): &Featured, send: &Callback<Action>) -> Html {
    let onclick = press(send, Action::Catalogs(CatalogsAction::ExampleOpened((*slug).to_owned())));
    html! {
        <button type="button" class="example" data-testid="featured" data-name={*slug} {onclick}>
            { sign_of(*severity) }<b>{ *question }</b><span>{ *about }</span>
        </button>
    }
}

/// Prints everything that OLM's choices depend on.
const CLUSTER_COMMAND: &str = "kubectl get -A -o yaml catalogsources,subscriptions,csv,operatorgroups,installplans";
/// Prints the catalog in an image.
const CATALOG_COMMAND: &str = "opm render IMAGE -o yaml > catalog.yaml";

/// The drawings of the example, light and dark. `cargo xtask shots` exports them from the app.
const PICTURES: [&str; 2] = ["drawing-light.svg", "drawing-dark.svg"];
/// What they show.
const PICTURE: &str = "The update graph of a channel: the head 0.3.0 replaces 0.2.3 and skips it, so that OLM ignores \
    the skips of 0.2.3, and 0.1.1, 0.2.0, 0.2.1 and 0.2.2 are stuck.";

/// The start page.
pub(crate) fn empty(theme: Theme, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let wake = send.reform(|_: FocusEvent| Action::Worker(WorkerAction::Needed));
    html! {
        <section class="empty" data-testid="empty" onfocusin={wake}>
            <div>
                <h2>{ "See what OLM will do with a catalog, before a cluster does it" }</h2>
                <p class="lead">
                    { "Which installed versions update, which get stuck, and the line in the catalog that decides." }
                </p>
            </div>
            <div class="first">{ review(send, picked) }{ picture(theme, send) }</div>
            <div class="starts">{ compare() }{ stuck(send) }{ plan() }</div>
            { learn(send) }
            <p class="mute promise">{ "Everything is read in this tab. Your catalogs are never sent anywhere." }</p>
        </section>
    }
}

/// A real drawing, which opens what it shows.
fn picture(theme: Theme, send: &Callback<Action>) -> Html {
    let [light, dark] = PICTURES;
    let onclick = press(send, Action::Catalogs(CatalogsAction::ExampleOpened(STRANDING.to_owned())));
    html! {
        <button type="button" class="picture" data-testid="picture" {onclick}>
            <picture>
                if theme == Theme::System { <source media="(prefers-color-scheme: dark)" srcset={dark} /> }
                <img src={if theme == Theme::Dark { dark } else { light }} alt={PICTURE} width="676" height="268" />
            </picture>
            <span class="mute">
                { "clusterpulse of the community catalog: opm accepts it, and four versions never update again." }
            </span>
        </button>
    }
}

fn review(send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    html! {
        <section class="drop">
            { Glyph::Folder.html() }
            <h3>{ "Drop a catalog anywhere" }</h3>
            <p class="mute">{ "Folder, file, saved image, archive or repository of bundles" }</p>
            { add_buttons(send, picked) }
            <p class="mute">{ "or paste YAML or JSON with " }<kbd>{ "Ctrl V" }</kbd></p>
        </section>
    }
}

fn compare() -> Html {
    html! {
        <section>
            <h3>{ "Compare two states" }</h3>
            <p>{ "Drop a catalog twice, before and after: see whom the change strands." }</p>
        </section>
    }
}

fn stuck(send: &Callback<Action>) -> Html {
    let paste = press(send, Action::Page(PageAction::DialogOpened(Dialog::Paste)));
    html! {
        <section>
            <h3>{ "Explain a cluster" }</h3>
            <p>
                { "Drop a must-gather, or paste manifests or a message of OLM: see why nothing is installed. " }
                <button type="button" class="link" data-testid="empty-paste" onclick={paste}>
                    { "Paste manifests" }
                </button>
            </p>
            <details>
                <summary>{ "Commands that print them" }</summary>
                { command(CLUSTER_COMMAND, &send.reform(super::copy)) }
                { command(CATALOG_COMMAND, &send.reform(super::copy)) }
            </details>
        </section>
    }
}

fn plan() -> Html {
    html! {
        <section>
            <h3>{ "Plan an OpenShift update" }</h3>
            <p>{ "Drop a folder with a catalog for each version, such as " }<code>{ "v4.18" }</code>{ " and " }
                <code>{ "v4.19" }</code>{ ". Add " }<code>{ ",clusterversion" }</code>{ " to the command." }</p>
        </section>
    }
}

fn learn(send: &Callback<Action>) -> Html {
    let example = press(send, Action::Catalogs(CatalogsAction::ExampleChosen));
    let examples = press(send, Action::Catalogs(CatalogsAction::ExamplesAsked));
    html! {
        <section class="learn">
            <h3>{ "Learn by example" }</h3>
            <p>
                <button type="button" data-testid="example" onclick={example}>{ "Open example" }</button>
                <button type="button" data-testid="empty-examples" onclick={examples}>{ "All examples" }</button>
            </p>
            <ul>{ for FEATURED.iter().map(|row| html! { <li>{ featured(row, send) }</li> }) }</ul>
        </section>
    }
}
