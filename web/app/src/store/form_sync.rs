//! Keeps the form and the manifests in sync: switching to one converts from the other. Calls `run`.

use super::request::{Arrival, notify, send_query};
use super::run::{awaits_result, forget_undo, reset_progress, run};
use super::simulation::SyncedCluster;
use super::{Effect, Mode, NoticeKind, State};
use views::{ClusterForm, Take, query};

/// Switches to the form or the manifests. Where the worker has to convert first, they are shown once it has.
pub(super) fn switch_to(state: &mut State, effects: &mut Vec<Effect>, to: Mode) {
    let asked = awaits_result(state);
    let simulation = &mut state.simulation;
    simulation.switching_to_form = false;
    if simulation.mode == to {
        return;
    }
    match to {
        Mode::Form if asked => simulation.switching_to_form = true,
        Mode::Form => to_form(state),
        Mode::Manifests if simulation.in_sync().is_some() => simulation.mode = Mode::Manifests,
        Mode::Manifests if simulation.cluster.is_empty() => {
            simulation.mode = Mode::Manifests;
            reset_progress(state);
        }
        Mode::Manifests => {
            let form = simulation.cluster.clone();
            send_query(state, effects, query::Export { form });
        }
    }
}

/// Switches to the form, filled from what the worker read in the manifests.
pub(super) fn to_form(state: &mut State) {
    let simulation = &mut state.simulation;
    simulation.switching_to_form = false;
    simulation.mode = Mode::Form;
    if simulation.synced.as_ref().is_some_and(|synced| synced.matches_manifests(simulation)) {
        simulation.reset_form();
        return;
    }
    let read = simulation.view.as_ref().and_then(|view| view.manifests.as_ref());
    if simulation.manifests.trim().is_empty() {
        // If the manifests were cleared, the cluster has no Subscriptions. If they were never used, the form is kept.
        if simulation.synced.take().is_some() {
            simulation.cluster = ClusterForm::default();
        }
        reset_progress(state);
    } else if let Some(read) = read {
        let beyond = read.beyond.clone();
        simulation.cluster = read.form.clone();
        simulation.mark_in_sync(beyond);
    }
}

impl Take<query::Export> for Arrival<'_> {
    /// Takes the form as manifests: switches to them, and copies them if that was requested.
    fn take(&mut self, _: query::Export, text: String) {
        let Self { state, effects, .. } = self;
        let copies = std::mem::take(&mut state.simulation.copy_when_exported);
        let simulation = &mut state.simulation;
        let lost = !simulation.manifests.trim().is_empty();
        let form = simulation.cluster.clone();
        simulation.rewrite_manifests(&text);
        let text = simulation.manifests.clone();
        simulation.synced =
            Some(SyncedCluster { form, text: text.clone(), namespace: String::new(), beyond: String::new() });
        effects.push(Effect::SaveManifests(text.clone()));
        forget_undo(state);
        if copies {
            effects.push(Effect::Copy(text));
            notify(state, NoticeKind::Exported);
        } else if lost {
            notify(state, NoticeKind::Rewritten);
        }
        run(state, effects);
    }
}
