//! The simulation region: its starting point (form or manifests) and its result.

use super::{Manifests, SimulationResult, Subscriptions};
use crate::kit::choice;
use crate::store::{Action, ClusterAction, Mode, State, shown_step};
use yew::prelude::*;

/// The form or the manifests on the left, the result on the right.
pub(crate) fn simulation(state: &State, send: &Callback<Action>) -> Html {
    let simulation = &state.simulation;
    let modes = [(Mode::Form, "Form"), (Mode::Manifests, "Manifests")];
    html! {
        <section key={state.simulation_key} class="simulation" aria-label="Simulation">
            <div class="cluster" data-testid="cluster" tabindex="-1">
                <h2 class="unseen">{ "Simulation" }</h2>
                <div class="bar"><h3>{ "Cluster" }</h3><span class="grow"></span>
                    { choice("Start from", &modes, simulation.mode, &send.reform(|it| Action::Cluster(ClusterAction::ModeChosen(it)))) }</div>
                { match simulation.mode {
                    Mode::Form => html! {
                        <Subscriptions cluster={simulation.cluster.clone()} synced={simulation.synced.clone()} overview={state.overview.clone()} graph={state.graph.clone()} send={send.clone()} />
                    },
                    Mode::Manifests => html! {
                        <Manifests text={simulation.manifests.clone()} typed={simulation.typed} view={simulation.view.clone()}
                            overview={state.overview.clone()} send={send.clone()} />
                    },
                } }
            </div>
            <SimulationResult view={simulation.view.clone()} mode={simulation.mode} outcome={simulation.outcome} approved={simulation.approved}
                step={shown_step(simulation)} playing={simulation.playing} every={simulation.every_event} timeline={simulation.timeline.clone()} ready={!simulation.is_empty()} expanded={state.expanded} send={send.clone()} />
        </section>
    }
}
