//! The simulation: what it begins with, as a form or as manifests, and its result.

use super::dock::splitter;
use super::examples::open_example_note;
use super::extension_forms::extension_forms;
use super::manifests::manifests;
use super::result::SimulationResult;
use super::subscriptions::subscriptions;
use super::verdicts::severity_of;
use crate::kit::{choice, press};
use crate::parts::sign_of;
use crate::store::{
    Action, Boundary, ClusterAction, FormStatus, Mode, Shared, Simulation, SimulationAction, State, Tab,
};
use views::{ClusterForm, GraphView, Overview, Runtime, SubscriptionView};
use yew::prelude::*;

/// The form or the manifests, and the result.
pub(crate) fn simulation(state: &State, send: &Callback<Action>) -> Html {
    let simulation = &state.simulation;
    let (manifests, cluster) = ("".into(), ClusterForm::default());
    let result = Simulation { manifests, cluster, ..simulation.clone() };
    html! {
        <section key={state.simulation_key} id="simulation" class="simulation" aria-label="Simulation" tabindex="-1">
            <h2 class="unseen">{ "Simulation" }</h2>
            { splitter(state, Boundary::Simulation, send) }
            <Cluster simulation={simulation.clone()} overview={state.overview.clone()} graph={state.graph.clone()}
                runtime={state.runtime} send={send.clone()} />
            <div class="result">
            if state.tab == Tab::Simulate { { open_example_note(state) } }
            <SimulationResult simulation={result} ready={!simulation.is_empty(state.runtime)}
                has_v1={state.runtime.has_v1()} send={send.clone()} />
            </div>
        </section>
    }
}

/// The Subscriptions of the manifests, each with what becomes of it and with what it has installed.
fn chosen_rows(simulation: &Simulation, send: &Callback<Action>) -> Html {
    let rows = simulation.shown_outcome().map(|outcome| &outcome.subscriptions[..]).unwrap_or_default();
    let item = |row: &SubscriptionView| {
        let onclick = press(send, SimulationAction::VerdictFollowed(row.name.clone()));
        let installed = row.hops.first().filter(|hop| hop.since == 0).map_or("new", |hop| hop.label.as_str());
        let title = format!("{} {}", row.name, row.verdict);
        html! { <li key={row.name.clone()}><button type="button" {title} {onclick}>
            { sign_of(severity_of(row.status)) }<span class="name">{ &row.name }</span>
            <small class="mono">{ installed.to_owned() }</small>
        </button></li> }
    };
    html! { if !rows.is_empty() {
        <ul class="chosen-rows" aria-label="Subscriptions">{ for rows.iter().map(item) }</ul>
    } }
}

/// What the cluster is drawn from.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub(super) simulation: Simulation,
    pub(super) overview: Shared<Overview>,
    /// The graph of the selected package; its entries are suggested as installed ones.
    pub(super) graph: Option<Shared<GraphView>>,
    pub(super) runtime: Runtime,
    pub(super) send: Callback<Action>,
}

/// The cluster with the switch between form and manifests.
#[component]
fn Cluster(props: &Props) -> Html {
    let Props { simulation, runtime, send, .. } = props;
    let modes = [(Mode::Form, "Form"), (Mode::Manifests, "Manifests")];
    let is_behind = simulation.form_status == FormStatus::Behind;
    html! {
        <div class="cluster" data-testid="cluster" tabindex="-1">
            <div class="bar">
                <h3>{ "Cluster" }</h3>
                <span class="grow"></span>
                { choice("Start from", &modes, simulation.mode, send, ClusterAction::ModeChosen) }
            </div>
            if simulation.mode == Mode::Manifests {
                { chosen_rows(simulation, send) }
                { manifests(props) }
            } else {
                // The form before stays in sight until the manifests are read, but nothing is typed in it.
                <div key="form" class={is_behind.then_some("outdated")} aria-busy={is_behind.then_some("true")}
                    inert={is_behind}>
                    { subscriptions(props) }
                    if runtime.has_v1() { { extension_forms(props) } }
                </div>
            }
        </div>
    }
}
