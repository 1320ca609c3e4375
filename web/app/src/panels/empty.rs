//! The start page, shown until a catalog is loaded.

use super::catalogs::add_buttons;
use super::close_dialog;
use super::conflict::said;
use super::result::namespace_states;
use crate::dom;
use crate::kit::{Glyph, Modal, button, command, command_if_any, press, prose};
use crate::parts::sign_of;
use crate::store::{Action, CatalogsAction, ClusterAction, Dialog, PageAction, Shared, State, Theme, WorkerAction};
use views::{BoundSource, ExampleRow, ExampleTheme, ManifestFinding, ManifestsView, NamespaceState, Severity, Verdict};
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
    (None, "higher-priority", "Which catalog wins?", "Two catalogs offer the same API"),
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
                <img src={if theme == Theme::Dark { dark } else { light }} alt={PICTURE} width="620" height="224" />
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

// The examples: a dialog to choose one, and the note about the open one.

pub(super) fn examples_dialog(state: &State, send: &Callback<Action>) -> Html {
    html! {
        <Gallery themes={state.examples.clone()} shown={state.example.clone()} replaces={state.has_own()}
            send={send.clone()} />
    }
}

/// What the open example shows, and what to look at; nothing if none is open.
pub(super) fn open_example_note(state: &State) -> Html {
    let mut rows = state.examples.iter().flat_map(|theme| &theme.examples);
    let Some(row) = rows.find(|row| state.example.as_ref() == Some(&row.slug)) else { return Html::default() };
    html! { <details class="example-note" data-testid="example-note">
        <summary>{ "Example: " }{ &row.title }</summary>
        <p>{ prose(&row.says) }</p><p>{ prose(&row.look_at) }</p>
    </details> }
}

#[derive(Clone, PartialEq, Properties)]
struct Props {
    themes: Shared<Vec<ExampleTheme>>,
    /// The open example.
    shown: Option<String>,
    /// Whether opening an example replaces something of the user's own.
    replaces: bool,
    send: Callback<Action>,
}

/// The examples by theme, each with a sentence on what it shows. The search field ends with the dialog.
#[component]
fn Gallery(props: &Props) -> Html {
    let text = use_state(String::new);
    let oninput = Callback::from({
        let text = text.clone();
        move |event: InputEvent| text.set(dom::input_text(&event))
    });
    let theme = |theme: &ExampleTheme| {
        let rows: Vec<Html> =
            theme.examples.iter().filter(|row| is_found(row, &text)).map(|row| example(row, props)).collect();
        (!rows.is_empty()).then(|| {
            html! {
                <section key={theme.title.clone()}>
                    <h3>{ &theme.title }</h3>
                    <ul class="gallery">{ for rows }</ul>
                </section>
            }
        })
    };
    let themes: Vec<Html> = props.themes.iter().filter_map(theme).collect();
    let own = if props.replaces { "It replaces what is open. You can undo this." } else { "" };
    html! {
        <Modal title="Examples" testid="examples-dialog" on_close={close_dialog(&props.send)}>
            <p class="mute">{ "Small catalogs with a cluster. Each example shows one behaviour of OLM. " }{ own }</p>
            <input type="search" class="wide" placeholder="Search examples" aria-label="Search examples"
                data-testid="examples-search" value={(*text).clone()} {oninput} />
            if themes.is_empty() && !text.is_empty() {
                <p class="mute waiting" role="status">{ "No example has these words." }</p>
            }
            // One child, however many there are: Yew matches children from the last one, and would replace the field.
            <>{ for themes }</>
        </Modal>
    }
}

/// Whether an example has every word of a text.
fn is_found(row: &ExampleRow, text: &str) -> bool {
    let all = [&*row.slug, &*row.title, &*row.says, &*row.look_at].join(" ").to_lowercase();
    text.to_lowercase().split_whitespace().all(|word| all.contains(word))
}

fn example(row: &ExampleRow, props: &Props) -> Html {
    let onclick = press(&props.send, CatalogsAction::ExampleOpened(row.slug.clone()));
    let current = (props.shown.as_ref() == Some(&row.slug)).then_some("true");
    html! {
        <li key={row.slug.clone()}>
            <button type="button" class="example" data-testid="example-row" data-name={row.slug.clone()}
                aria-current={current} {onclick}>
                <b>{ &row.title }</b><span>{ prose(&row.says) }</span>
            </button>
        </li>
    }
}

// The page while cluster manifests are loaded but no catalog is: which catalogs the simulation needs, and how to get
// them.

/// The page. `picked` receives the files of a file input.
pub(super) fn cluster_only(state: &State, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let states = state.simulation.namespaces.iter().flat_map(|all| &all.states);
    let states: Vec<&NamespaceState> = states.filter(|state| decides(state)).collect();
    let read = state.simulation.view.as_ref().and_then(|view| view.manifests.as_ref());
    let has_extensions = state.simulation.view.as_ref().is_some_and(|view| !view.extensions.is_empty());
    let is_of_v1 = has_extensions && read.is_some_and(|read| read.sources.is_empty());
    let has_answer = !states.is_empty() || read.is_some_and(|read| !read.messages.messages.is_empty());
    let worst = states.first().map(|state| state.now.verdict);
    let title = match worst {
        Some(Verdict::Stuck) => "Your cluster is stuck",
        Some(Verdict::Waits) => "Your cluster waits for you",
        Some(Verdict::Passes) => "OLM continues on its own",
        Some(Verdict::Acts | Verdict::Unknown) | None if has_answer => "Your cluster as it stands",
        Some(Verdict::Acts | Verdict::Unknown) | None => "Your cluster is here. Now add its catalogs.",
    };
    html! {
        <section class="empty" data-testid="cluster-only">
            <h2>{ title }</h2>
            { namespace_states(states.iter().copied(), send) }
            { for read.map(|read| said(&read.messages, states.is_empty(), send)) }
            if has_answer { <h3>{ "To see what follows, add the catalogs of the cluster" }</h3> }
            <p>
                { match is_of_v1 {
                    true => "OLM v1 chooses from the catalogs that the ClusterCatalogs serve. Opscope needs these \
                             (kubectl get clustercatalogs -o yaml) and their content to show what OLM does.",
                    false => "OLM chooses from the catalogs that the CatalogSources serve. Opscope needs their \
                              content to show what OLM does.",
                } }
            </p>
            { for read.map(|read| contents(read, send)) }
            <section class="drop">
                <p><b>{ "Drop the catalogs here" }</b>{ ": files, folders or saved images, one or several. \
                    A folder with a catalog for each version of OpenShift shows how to get to a later version." }</p>
                { add_buttons(send, picked) }
            </section>
            <p class="actions">
                { button("cluster-only-clear", "Clear manifests", send, ClusterAction::ManifestsCleared) }
            </p>
        </section>
    }
}

/// Whether there is something to say without catalogs.
fn decides(state: &NamespaceState) -> bool {
    matches!(state.now.verdict, Verdict::Waits | Verdict::Passes | Verdict::Stuck)
}

/// What was read, what is wrong with it, and the catalogs that are missing.
fn contents(read: &ManifestsView, send: &Callback<Action>) -> Html {
    let summary = if read.summary.is_empty() { "nothing that OLM’s resolver uses" } else { &read.summary };
    // A message is no YAML.
    let is_message = read.summary.is_empty() && !read.messages.messages.is_empty();
    let errors = read.findings.iter().filter(|row| row.severity == Severity::Error && !is_message);
    html! {
        <>
            <p class="mute" data-testid="cluster-only-read">{ "Read: " }{ summary }</p>
            { for errors.map(error) }
            if !(read.sources.is_empty() && read.cluster_catalogs.is_empty()) {
                <p>{ "To save each catalog as a file, run:" }</p>
                <ul class="needed">
                    { for read.sources.iter().chain(&read.cluster_catalogs).map(|source| needed(source, send)) }
                </ul>
            }
        </>
    }
}

fn error(row: &ManifestFinding) -> Html {
    html! { <p class="finding error">{ format!("Line {}: ", row.place.line) }{ prose(&row.message) }</p> }
}

fn needed(source: &BoundSource, send: &Callback<Action>) -> Html {
    html! {
        <li data-testid="needed-catalog">
            <code>
                { match &*source.namespace {
                    "" => source.name.clone(),
                    namespace => format!("{namespace}/{}", source.name),
                } }
            </code>
            { command_if_any(&source.command, &send.reform(super::copy)) }
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_found_by_words_in_any_order() {
        let row = ExampleRow {
            slug: "held-back".to_owned(),
            title: "A new Subscription blocks an update".to_owned(),
            says: "`app` requires an API.".to_owned(),
            look_at: "Look at the graph.".to_owned(),
        };
        for text in ["", "blocks subscription", "HELD", "api graph "] {
            assert!(is_found(&row, text), "{text}");
        }
        assert!(!is_found(&row, "blocks channel"));
    }
}
