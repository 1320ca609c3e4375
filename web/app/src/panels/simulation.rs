//! The simulation region: its result, and what it begins with, as a form or as manifests.

use super::{ExtensionForms, Manifests, SimulationResult, Subscriptions};
use crate::kit::{choice, press};
use crate::store::{Action, ClusterAction, FormStatus, LayoutAction, Mode, State, outcome, shown_step};
use yew::prelude::*;

/// The verdict, the form or the manifests, which can be folded, and the steps.
pub(crate) fn simulation(state: &State, send: &Callback<Action>) -> Html {
    let simulation = &state.simulation;
    let is_behind = simulation.form_status == FormStatus::Behind;
    let folded = state.layout.cluster_folded && !simulation.is_empty(state.runtime);
    let cluster = html! {
        <div class="cluster" data-testid="cluster" tabindex="-1">
            { cluster_bar(state, folded, send) }
            { match simulation.mode {
                _ if folded => Html::default(),
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
        <section key={state.simulation_key} id="simulation" class="simulation" aria-label="Simulation">
            <h2 class="unseen">{ "Simulation" }</h2>
            <SimulationResult view={simulation.view.clone()} found={simulation.found.clone()}
                searching={simulation.searching.is_some()} mode={simulation.mode} outcome={simulation.outcome}
                approved={simulation.approved} step={shown_step(simulation)} playing={simulation.playing}
                every={simulation.every_event} timeline={simulation.timeline.clone()}
                namespaces={simulation.namespaces.clone()} migration={simulation.migration.clone()}
                ready={!simulation.is_empty(state.runtime)} {cluster} has_v1={state.runtime.has_v1()}
                send={send.clone()} />
        </section>
    }
}

/// The title of the cluster, which folds it, and the switch between form and manifests.
fn cluster_bar(state: &State, folded: bool, send: &Callback<Action>) -> Html {
    let modes = [(Mode::Form, "Form"), (Mode::Manifests, "Manifests")];
    let fold = press(send, Action::Layout(LayoutAction::ClusterFolded { folded: !folded }));
    let names = outcome(state).into_iter().flat_map(|outcome| &outcome.subscriptions).map(|row| row.name.as_str());
    let names = names.collect::<Vec<_>>().join(", ");
    let choose = send.reform(|mode| Action::Cluster(ClusterAction::ModeChosen(mode)));
    html! {
        <div class="bar">
            <h3>
                <button type="button" class="fold" aria-expanded={(!folded).to_string()} data-testid="cluster-fold"
                    onclick={fold}>
                    { "Cluster" }
                </button>
            </h3>
            if folded { <span class="mute names" title={names.clone()}>{ names }</span> }
            <span class="grow"></span>
            { choice("Start from", &modes, state.simulation.mode, &choose) }
        </div>
    }
}
