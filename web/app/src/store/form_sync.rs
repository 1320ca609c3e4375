//! Keeps the form and the manifests in sync: switching to one converts from the other. Calls `run`.

use super::request::{notify, query};
use super::run::{begin_again, forget_undo, is_asked, run};
use super::simulation::Pair;
use super::{Effect, Mode, NoticeKind, State};
use views::{ClusterForm, Query};

/// Switches to the form or the manifests. Where the worker has to convert first, they are shown once it has.
pub(super) fn switch_to(state: &mut State, effects: &mut Vec<Effect>, to: Mode) {
    let asked = is_asked(state);
    let simulation = &mut state.simulation;
    simulation.turning = false;
    if simulation.mode == to {
        return;
    }
    match to {
        Mode::Form if asked => simulation.turning = true,
        Mode::Form => to_form(state),
        Mode::Manifests if simulation.paired().is_some() => simulation.mode = Mode::Manifests,
        Mode::Manifests if simulation.cluster.subscriptions.is_empty() => {
            simulation.mode = Mode::Manifests;
            begin_again(state);
        }
        Mode::Manifests => {
            let form = simulation.cluster.clone();
            query(state, effects, Query::Export { form });
        }
    }
}

/// Switches to the form, filled from what the worker read in the manifests.
pub(super) fn to_form(state: &mut State) {
    let simulation = &mut state.simulation;
    simulation.turning = false;
    simulation.mode = Mode::Form;
    if simulation.pair.as_ref().is_some_and(|pair| pair.is_of(simulation)) {
        simulation.take_back();
        return;
    }
    let read = simulation.view.as_ref().and_then(|view| view.manifests.as_ref());
    if simulation.manifests.trim().is_empty() {
        // Manifests that were emptied are a cluster without Subscriptions; a field that was never used says nothing.
        if simulation.pair.take().is_some() {
            simulation.cluster = ClusterForm::default();
        }
        begin_again(state);
    } else if let Some(read) = read {
        let beyond = read.beyond.clone();
        simulation.cluster = read.form.clone();
        simulation.pair_up(beyond);
    }
}

/// Takes the form as manifests: to switch to them, and for the clipboard if that was asked for.
pub(super) fn exported(state: &mut State, effects: &mut Vec<Effect>, text: &str) {
    let copying = std::mem::take(&mut state.simulation.copying);
    let simulation = &mut state.simulation;
    let lost = !simulation.manifests.trim().is_empty();
    let form = simulation.cluster.clone();
    simulation.rewrite_manifests(text);
    let text = simulation.manifests.clone();
    simulation.pair = Some(Pair { form, text: text.clone(), namespace: String::new(), beyond: String::new() });
    effects.push(Effect::SaveManifests(text.clone()));
    forget_undo(state);
    if copying {
        effects.push(Effect::Copy(text));
        notify(state, NoticeKind::Exported);
    } else if lost {
        notify(state, NoticeKind::Rewritten);
    }
    run(state, effects);
}
