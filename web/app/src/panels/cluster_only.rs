//! The page while cluster manifests are loaded but no catalog is: which catalogs the simulation needs, and how to get
//! them.

use super::catalogs::add_buttons;
use super::messages::said;
use super::namespace_state::namespace_states;
use crate::kit::{button, command_if_any, prose};
use crate::store::{Action, ClusterAction, State};
use views::{BoundSource, ManifestFinding, ManifestsView, NamespaceState, Severity, Verdict};
use yew::prelude::*;

/// The page. `picked` receives the files of a file input.
pub(super) fn cluster_only(state: &State, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let states = state.simulation.namespaces.iter().flat_map(|all| &all.states);
    let states: Vec<&NamespaceState> = states.filter(|state| decides(state)).collect();
    let read = state.simulation.view.as_ref().and_then(|view| view.manifests.as_ref());
    let has_answer = !states.is_empty() || read.is_some_and(|read| !read.messages.messages.is_empty());
    let title = match has_answer {
        true => "Your cluster as it stands",
        false => "Your cluster is here. Now add its catalogs.",
    };
    html! {
        <section class="empty" data-testid="cluster-only">
            <h2>{ title }</h2>
            { namespace_states(states.iter().copied(), send) }
            { for read.map(|read| said(&read.messages, states.is_empty(), send)) }
            if has_answer { <h3>{ "To see what follows, add the catalogs of the cluster" }</h3> }
            <p>
                { "OLM chooses from the catalogs that the CatalogSources serve. Opscope needs their content to show \
                  what OLM does." }
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
    matches!(state.deciding().0, Verdict::Waits | Verdict::Passes | Verdict::Stuck)
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
