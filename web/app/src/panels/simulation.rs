//! The simulation: what it begins with, as a form or as manifests, and its result.

use super::dock::splitter;
use super::examples::open_example_note;
use super::verdicts::severity_of;
use super::{ExtensionForms, Manifests, SimulationResult, Subscriptions};
use crate::kit::{choice, press};
use crate::parts::sign_of;
use crate::store::{
    Action, Boundary, ClusterAction, FormStatus, Mode, SimulationAction, State, Tab, outcome, shown_step,
};
use views::SubscriptionView;
use yew::prelude::*;

/// The form or the manifests, and the result.
pub(crate) fn simulation(state: &State, send: &Callback<Action>) -> Html {
    let simulation = &state.simulation;
    let is_behind = simulation.form_status == FormStatus::Behind;
    let cluster = html! {
        <div class="cluster" data-testid="cluster" tabindex="-1">
            { cluster_bar(state, send) }
            if simulation.mode == Mode::Manifests { { subscriptions(state, send) } }
            { match simulation.mode {
                // The form before stays in sight until the manifests are read, but nothing is typed in it.
                Mode::Form => html! {
                    <div class={is_behind.then_some("outdated")} aria-busy={is_behind.then_some("true")}
                        inert={is_behind}>
                        <Subscriptions cluster={simulation.cluster.clone()} manifests={simulation.manifests.clone()}
                            status={simulation.form_status} view={simulation.view.clone()} added={simulation.added}
                            overview={state.overview.clone()} graph={state.graph.clone()}
                            has_v1={state.runtime.has_v1()} send={send.clone()} />
                        if state.runtime.has_v1() {
                            <ExtensionForms cluster={simulation.cluster.clone()} view={simulation.view.clone()}
                                added={simulation.added} overview={state.overview.clone()}
                                graph={state.graph.clone()} send={send.clone()} />
                        }
                    </div>
                },
                Mode::Manifests => html! {
                    <Manifests text={simulation.manifests.clone()} typed={simulation.typed}
                        status={simulation.form_status} view={simulation.view.clone()}
                        overview={state.overview.clone()} runtime={state.runtime} send={send.clone()} />
                },
            } }
        </div>
    };
    html! {
        <section key={state.simulation_key} id="simulation" class="simulation" aria-label="Simulation" tabindex="-1">
            <h2 class="unseen">{ "Simulation" }</h2>
            { splitter(state, Boundary::Simulation, send) }
            { cluster }
            <div class="result">
            if state.tab == Tab::Simulate { { open_example_note(state) } }
            <SimulationResult view={simulation.view.clone()} found={simulation.found.clone()}
                searching={simulation.searching.is_some()} mode={simulation.mode} outcome={simulation.outcome}
                approved={simulation.approved} step={shown_step(simulation)} playing={simulation.playing}
                every={simulation.every_event} timeline={simulation.timeline.clone()}
                namespaces={simulation.namespaces.clone()} migration={simulation.migration.clone()}
                ready={!simulation.is_empty(state.runtime)} has_v1={state.runtime.has_v1()} send={send.clone()} />
            </div>
        </section>
    }
}

/// The Subscriptions of the manifests, each with what becomes of it and with what it has installed.
fn subscriptions(state: &State, send: &Callback<Action>) -> Html {
    let rows = outcome(state).map(|outcome| &outcome.subscriptions[..]).unwrap_or_default();
    let item = |row: &SubscriptionView| {
        let onclick = press(send, Action::Simulation(SimulationAction::VerdictFollowed(row.name.clone())));
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

/// The title of the cluster, and the switch between form and manifests.
fn cluster_bar(state: &State, send: &Callback<Action>) -> Html {
    let modes = [(Mode::Form, "Form"), (Mode::Manifests, "Manifests")];
    let choose = send.reform(|mode| Action::Cluster(ClusterAction::ModeChosen(mode)));
    html! {
        <div class="bar">
            <h3>{ "Cluster" }</h3>
            <span class="grow"></span>
            { choice("Start from", &modes, state.simulation.mode, &choose) }
        </div>
    }
}
