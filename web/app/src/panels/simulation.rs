//! The simulation: its result, and beside it what is pressed, what helps, and what it begins with.

use super::board::choices_of;
use super::empty::open_example_note;
use super::header::splitter;
use super::result::{SimulationResult, extension_helps, helps, is_hypothetical};
use super::subscriptions::{add_operator, rows};
use crate::kit::{NearNames, button, command_if_any, on_input, on_select, option, press, prose_marking, select};
use crate::parts::{place_link, severity};
use crate::store::{Action, Boundary, CatalogsAction, ClusterAction, Mode, Pressed, Shared, Simulation, State, Tab};
use views::{
    BoundSource, CatalogRow, ClusterForm, GraphView, ManifestFinding, ManifestsView, Overview, Runtime, Severity,
    SkippedView, first_and_more,
};
use yew::prelude::*;

/// The result, and what it begins with.
pub(crate) fn simulation(state: &State, send: &Callback<Action>) -> Html {
    let simulation = &state.simulation;
    let (manifests, cluster) = ("".into(), ClusterForm::default());
    let result = Simulation { manifests, cluster, ..simulation.clone() };
    html! {
        <section key={state.simulation_key} id="simulation" class="simulation" aria-label="Simulation" tabindex="-1">
            <h2 class="unseen">{ "Simulation" }</h2>
            { splitter(state, Boundary::Simulation, send) }
            <div class="result">
                if state.tab == Tab::Simulate { { open_example_note(state) } }
                <SimulationResult simulation={result} ready={!simulation.is_empty(state.runtime)}
                    has_v1={state.runtime.has_v1()} channels={state.shown_channels().cloned()}
                    pressed={state.simulation.pressed.clone()} send={send.clone()} />
            </div>
            <Cluster simulation={simulation.clone()} overview={state.overview.clone()} graph={state.graph.clone()}
                runtime={state.runtime} pressed={state.pressed()} send={send.clone()} />
        </section>
    }
}

/// What the cluster is drawn from.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub(super) simulation: Simulation,
    pub(super) overview: Shared<Overview>,
    /// The graph of the selected package; its entries are suggested as installed ones.
    pub(super) graph: Option<Shared<GraphView>>,
    pub(super) runtime: Runtime,
    /// What is pressed on a board.
    pub(super) pressed: Option<Pressed>,
    pub(super) send: Callback<Action>,
}

/// What is pressed on the board, what helps, and what the simulation begins with.
#[component]
fn Cluster(props: &Props) -> Html {
    let Props { simulation, runtime, send, .. } = props;
    let view = simulation.view.as_ref().filter(|_| !simulation.is_empty(*runtime));
    let outcome = simulation.shown_outcome().filter(|_| view.is_some_and(|view| !is_hypothetical(view, simulation)));
    let of_v1 = view.filter(|_| runtime.has_v1() || simulation.mode == Mode::Manifests);
    // The form before stays in sight until the manifests are read, but nothing is typed in it.
    let is_behind = !simulation.is_form_read;
    html! {
        <div class="cluster" data-testid="cluster" aria-label="Cluster" role="group" tabindex="-1">
            <div class={classes!("form", is_behind.then_some("outdated"))}
                aria-busy={is_behind.then_some("true")} inert={is_behind}>
                { for props.pressed.iter().filter(|pressed| pressed.row.is_none() || pressed.part.csv.is_some())
                    .map(|pressed| choices_of(pressed, simulation, send)) }
                { rows(props) }
            </div>
            <div>
                { for outcome.map(|outcome| helps(outcome, simulation, send)) }
                { for of_v1.map(|view| extension_helps(&view.extensions, simulation, send)) }
            </div>
            <div class={classes!("begin", is_behind.then_some("outdated"))} inert={is_behind}>
                { add_operator(props) }
            </div>
            { manifests(props) }
        </div>
    }
}

// The manifests of the cluster: the text field, the objects found in it and its findings.

/// The command whose output the field expects.
const HINT: &str = "kubectl get -A -o yaml catalogsources,subscriptions,csv,operatorgroups,installplans";
/// The same with the objects of OLM v1. These have a command of their own: where a cluster does not have their kinds,
/// it fails, and the output of the other one stays.
const HINT_V1: &str = "kubectl get -A -o yaml catalogsources,subscriptions,csv,operatorgroups,installplans; echo ---; \
    kubectl get -o yaml clusterextensions.olm.operatorframework.io,clustercatalogs.olm.operatorframework.io";
/// The largest number of names in a list.
const NAMES: usize = 12;

/// The objects that were read, and the text field.
fn manifests(props: &Props) -> Html {
    let Simulation { manifests: text, changes, view, is_text_shown, mode, .. } = &props.simulation;
    // What is made on the board needs no report.
    let is_reported = *mode == Mode::Manifests || *is_text_shown;
    let oninput = on_input(&props.send, ClusterAction::ManifestsTyped);
    let hint = if props.runtime.has_v1() { HINT_V1 } else { HINT };
    let read = view.as_ref().and_then(|view| view.manifests.as_ref());
    let read = read.filter(|_| is_reported && !text.trim().is_empty());
    let show = press(&props.send, ClusterAction::TextShown(!is_text_shown));
    html! {
        <div class="manifests">
            <button type="button" class="fold-button" aria-expanded={is_text_shown.to_string()} onclick={show}
                data-testid="manifests-shown">
                { "Manifests" }
            </button>
            if *is_text_shown {
                <label class="mute" for="manifests">
                    { "Paste or drop the output of: " }
                    <code>{ for hint.split_inclusive(',').map(|word| html! { <>{ word }<wbr /></> }) }</code>
                </label>
                <textarea id="manifests" data-testid="manifests" wrap="off" spellcheck="false" autocomplete="off"
                    autocapitalize="off" readonly={!changes.is_empty()}
                    placeholder={format!("# {hint}\napiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\n…")}
                    value={AttrValue::from(text.clone())} {oninput} />
                if !text.is_empty() {
                    <p class="actions">
                        { button("manifests-clear", "Clear manifests", &props.send, ClusterAction::ManifestsCleared) }
                    </p>
                }
            }
            if let Some(read) = read { { summary(read, props) } }
        </div>
    }
}

fn summary(view: &ManifestsView, props: &Props) -> Html {
    let namespaces = view.namespaces.iter().map(|name| (name.clone(), name.clone()));
    let chosen = |name| Some(ClusterAction::NamespaceChosen(name));
    let broken = view.findings.iter().any(|row| row.severity == Severity::Error);
    let said = match &*view.summary {
        "" if broken => "nothing",
        "" => "OLM's resolver uses none of these objects",
        summary => summary,
    };
    html! {
        <>
            <p class="mute" role="status" data-testid="manifests-read">
                { "Read: " }{ said }
                if props.simulation.typed { { " (reading again…)" } }
            </p>
            { for view.findings.iter().map(|row| finding(row, &props.send)) }
            if view.namespaces.len() > 1 {
                <label class="field">
                    { "Namespace" }
                    { select("manifests-namespace", namespaces, &view.namespace, &props.send, chosen) }
                </label>
            }
            if props.overview.catalogs.is_empty() && !view.sources.is_empty() {
                <p class="remark" data-testid="manifests-no-catalog">
                    { "No catalog is loaded, so there is nothing to simulate yet." }
                </p>
            }
            { for view.sources.iter().filter(|source| source.catalog.is_none()).map(|source| unbound(source, props)) }
            if props.runtime.has_v1() { { for view.cluster_catalogs.iter().map(|catalog| unbound(catalog, props)) } }
            if !view.skipped.is_empty() { { skipped(&view.skipped) } }
        </>
    }
}

fn finding(row: &ManifestFinding, send: &Callback<Action>) -> Html {
    let near = row.help.as_deref().and_then(|help| NearNames::of(&row.message, help, &[]));
    html! {
        <article class={classes!("finding", row.severity.as_str())} data-testid="manifest-finding">
            <p class="message">{ severity(row.severity) }{ " " }
                { prose_marking(&row.message, near.map(|near| (near.written, near.meant))) }</p>
            <p class="where">
                { place_link(None, row.place, send) }
                <span class="mute">{ format!("column {}", row.place.column) }</span>
            </p>
            if let Some(help) = &row.help {
                <p class="help"><b>{ "What to do: " }</b>
                    { prose_marking(help, near.map(|near| (near.meant, near.written))) }</p>
            }
        </article>
    }
}

/// A CatalogSource or ClusterCatalog without a catalog: the loaded catalog that it may be, a choice of others, and how
/// to get its own.
fn unbound(source: &BoundSource, props: &Props) -> Html {
    let rows = || props.overview.catalogs.iter();
    let first = source.candidates.first().and_then(|id| rows().find(|row| row.id == *id));
    let offer = |row: &CatalogRow| {
        let label = match &*source.namespace {
            "" => format!("Treat {} as ClusterCatalog {}", row.name, source.name),
            namespace => format!("Treat {} as {namespace}/{}", row.name, source.name),
        };
        html! { <p class="actions">{ button("manifests-bind", label, &props.send, assign(source, row)) }</p> }
    };
    let others: Vec<&CatalogRow> = rows().filter(|row| Some(row.id) != first.map(|first| first.id)).collect();
    let choices: Vec<(String, Action)> = others.iter().map(|row| (row.id.0.to_string(), assign(source, row))).collect();
    let onchange = on_select(&props.send, move |chosen| Some(choices.iter().find(|(id, _)| *id == chosen)?.1.clone()));
    html! {
        <section class="missing-catalog" data-testid="manifests-source">
            if source.namespace.is_empty() {
                <p>{ "ClusterCatalog " }<code>{ &source.name }</code>{ " has no catalog." }</p>
            } else {
                <p>
                    { "CatalogSource " }<code>{ &source.name }</code>{ " in " }<code>{ &source.namespace }</code>
                    { " has no catalog, so the simulation leaves it out." }
                </p>
            }
            { for first.map(offer) }
            if !others.is_empty() {
                <label class="field">
                    <span>{ if first.is_some() { "Another catalog" } else { "Catalog" } }</span>
                    <select {onchange}>
                        <option value="" selected=true>{ "none" }</option>
                        { for others.iter().map(|row| option(row.id.0.to_string(), false, &row.name)) }
                    </select>
                </label>
            }
            <p class="mute">{ "To get its catalog, run this command and drop the file here:" }</p>
            { command_if_any(&source.command, &props.send.reform(super::copy)) }
        </section>
    }
}

/// Gives a loaded catalog the name, namespace and priority of a CatalogSource, or the name of a ClusterCatalog.
fn assign(source: &BoundSource, catalog: &CatalogRow) -> Action {
    let (namespace, priority) = match source.namespace.is_empty() {
        true => (&catalog.namespace, catalog.priority),
        false => (&source.namespace, source.priority),
    };
    Action::Catalogs(CatalogsAction::SourceEdited {
        catalog: catalog.id,
        name: source.name.clone(),
        namespace: namespace.clone(),
        priority,
    })
}

fn skipped(rows: &[SkippedView]) -> Html {
    let count: usize = rows.iter().map(|row| row.names.len()).sum();
    let title = if count == 1 { "1 object ignored".to_owned() } else { format!("{count} objects ignored") };
    html! {
        <details data-testid="manifests-skipped">
            <summary>{ title }</summary>
            <dl class="pairs">{ for rows.iter().map(skipped_kind) }</dl>
        </details>
    }
}

fn skipped_kind(row: &SkippedView) -> Html {
    let kind = if row.kind.is_empty() { "no kind" } else { &row.kind };
    html! { <><dt>{ kind }</dt><dd class="mono">{ first_and_more(&row.names, NAMES) }</dd></> }
}
