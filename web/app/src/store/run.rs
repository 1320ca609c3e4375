//! Requests of the form and of the simulation with details about its result, and the result. Calls `explore` and
//! `navigation`.

use super::navigation::select;
use super::request::{Arrival, command, pending, send_cluster_query};
use super::state::renew;
use super::{Effect, NoticeKind, Shared, State, WhyNot, compare, explore, outcome, tried, utf16_offset};
use views::{
    Command, EntryKey, MigrationView, NamespacesView, OlmV1Release, OpmVersion, OutcomeView, PackageKey, Runtime,
    SimulationView, Take, TimelineView, WhyNotView, query,
};

/// Requests the simulation, if there is a cluster, and what a shown comparison does to the cluster. If the form was
/// changed, requests the edits of the manifests instead; once they are made, this is called again.
pub(super) fn run(state: &mut State, effects: &mut Vec<Effect>) {
    // What was tried was about another input.
    state.simulation.tried = None;
    let namespace = state.simulation.namespace.clone();
    if let Some(change) = state.simulation.changes.first().cloned() {
        return send_cluster_query(state, effects, query::FormEdits { namespace, change });
    }
    if !state.simulation.is_form_read {
        send_cluster_query(state, effects, query::Form { namespace: namespace.clone() });
    }
    compare::ask_cluster(state, effects);
    if state.simulation.has_cluster() {
        send_cluster_query(state, effects, query::Simulate { namespace });
        ask_events(state, effects);
        ask_migration(state, effects);
        ask_why_not_again(state, effects);
    }
}

/// Shows another namespace of the cluster, and its package that needs most attention.
pub(super) fn choose_namespace(state: &mut State, effects: &mut Vec<Effect>, namespace: String) {
    let simulation = &mut state.simulation;
    simulation.namespace = namespace;
    simulation.is_form_read = false;
    (simulation.is_new, simulation.selects_worst) = (true, true);
    reset_progress(state);
    run(state, effects);
}

/// Takes other versions of OLM: what is shown is about them.
pub(super) fn choose_runtime(state: &mut State, effects: &mut Vec<Effect>, runtime: Runtime) {
    state.runtime = runtime;
    compare::ask(state, effects);
    explore::runtime_chosen(state, effects);
    ask_migration(state, effects);
}

/// Lets another release of `opm` judge catalogs. A worker that is not ready gets this before them (`worker::ready`).
pub(super) fn choose_opm(state: &mut State, effects: &mut Vec<Effect>, opm: OpmVersion) {
    if std::mem::replace(&mut state.opm, opm) != opm && state.worker.ready {
        command(state, effects, Command::JudgeAs { opm });
    }
}

/// Answers as another release of OLM v1. A worker that is not ready gets this before the catalogs, too.
pub(super) fn choose_olm_v1(state: &mut State, effects: &mut Vec<Effect>, olm_v1: Option<OlmV1Release>) {
    if std::mem::replace(&mut state.olm_v1, olm_v1) != olm_v1 && state.worker.ready {
        command(state, effects, Command::AnswerAs { olm_v1 });
    }
}

/// Requests what becomes of the Subscriptions under OLM v1, if that was chosen.
fn ask_migration(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.runtime.has_v1() {
        state.simulation.migration = None;
    } else if state.simulation.has_cluster() {
        send_cluster_query(state, effects, query::Migration {});
    }
}

/// Sends the worker the manifests that were typed, and saves them.
pub(super) fn flush(state: &mut State, effects: &mut Vec<Effect>) {
    if std::mem::take(&mut state.simulation.typed) {
        effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
        forget_undo(state);
        run(state, effects);
    }
}

/// Whether a result of other inputs than those of the shown one is expected.
pub(super) fn awaits_result(state: &State) -> bool {
    !state.simulation.changes.is_empty() || pending::<query::Simulate>(state).next().is_some()
}

impl Take<query::Simulate> for Arrival<'_> {
    fn take(&mut self, _: query::Simulate, view: SimulationView) {
        if self.state.simulation.outcome >= view.outcomes.len() {
            self.state.simulation.outcome = 0;
        }
        let is_of_v1 = view.outcomes.is_empty() && !view.extensions.is_empty();
        if self.state.simulation.is_new && is_of_v1 && !self.state.runtime.has_v1() {
            choose_runtime(self.state, self.effects, Runtime::V1);
        }
        let namespaces = view.manifests.as_ref().map_or(0, |manifests| manifests.namespaces.len());
        show(self.state, self.effects, view);
        // Without catalogs only the namespaces as they stand are known, also those without Subscriptions.
        match self.state.overview.catalogs.is_empty() || namespaces > 1 {
            true => send_cluster_query(self.state, self.effects, query::Namespaces {}),
            false => self.state.simulation.namespaces = None,
        }
    }
}

impl Take<query::Namespaces> for Arrival<'_> {
    fn take(&mut self, _: query::Namespaces, view: NamespacesView) {
        let shown = self.state.simulation.view.as_ref().and_then(|view| view.manifests.as_ref());
        let worst = view.rows.first().map(|row| row.namespace.clone());
        let is_other = worst.as_ref().is_some_and(|worst| shown.is_some_and(|shown| shown.namespace != *worst));
        renew(&mut self.state.simulation.namespaces, Some(view));
        if std::mem::take(&mut self.state.simulation.is_new) {
            let selects = self.state.simulation.selects_worst;
            match worst.filter(|_| is_other && selects) {
                Some(worst) => choose_namespace(self.state, self.effects, worst),
                None => select_worst(self.state, self.effects),
            }
        }
    }
}

impl Take<query::Timeline> for Arrival<'_> {
    fn take(&mut self, _: query::Timeline, view: TimelineView) {
        renew(&mut self.state.simulation.timeline, Some(view));
    }
}

impl Take<query::Migration> for Arrival<'_> {
    fn take(&mut self, _: query::Migration, view: MigrationView) {
        renew(&mut self.state.simulation.migration, Some(view));
    }
}

impl Take<query::WhyNot> for Arrival<'_> {
    fn take(&mut self, query::WhyNot { package, entry, .. }: query::WhyNot, view: WhyNotView) {
        self.state.simulation.why_not = Some(WhyNot { package, entry, view: Shared::new(view) });
    }
}

fn show(state: &mut State, effects: &mut Vec<Effect>, view: SimulationView) {
    match &mut state.simulation.view {
        Some(shown) => shown.renew(view),
        none => *none = Some(Shared::new(view)),
    }
    // Of several namespaces the one that needs most attention is found first.
    let simulation = &mut state.simulation;
    let read = simulation.view.as_ref().and_then(|view| view.manifests.as_ref());
    let is_chosen = !simulation.namespace.is_empty() || read.is_none_or(|read| read.namespaces.len() < 2);
    if is_chosen && std::mem::take(&mut simulation.is_new) {
        select_worst(state, effects);
    }
    tried::resume(state, effects);
}

/// Requests the events of the shown outcome, if the user chose to see them.
pub(super) fn ask_events(state: &mut State, effects: &mut Vec<Effect>) {
    let simulation = &state.simulation;
    if simulation.has_cluster() && simulation.every_event {
        // The events begin after the plan that the cluster has already.
        let pending = simulation.shown_outcome().map_or(0, |outcome| outcome.board.pending as usize);
        let (outcome, approved) = (number(simulation.outcome), number(simulation.approved.saturating_sub(pending)));
        let namespace = simulation.namespace.clone();
        send_cluster_query(state, effects, query::Timeline { namespace, outcome, approved });
    }
}

/// Requests why OLM does or does not choose an entry.
pub(super) fn ask_why_not(state: &mut State, effects: &mut Vec<Effect>, package: PackageKey, entry: EntryKey) {
    let (namespace, outcome) = (state.simulation.namespace.clone(), number(state.simulation.outcome));
    send_cluster_query(state, effects, query::WhyNot { namespace, outcome, package, entry });
}

/// Requests that answer again if one is shown, because it belongs to the simulation before.
pub(super) fn ask_why_not_again(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(WhyNot { package, entry, .. }) = state.simulation.why_not.clone() {
        ask_why_not(state, effects, package, entry);
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Resets the outcome, the approvals and the playback, for a cluster that has changed.
pub(super) fn reset_progress(state: &mut State) {
    state.simulation.reset_progress();
    state.simulation.outcome = 0;
}

/// Removes the offers to undo changes of the cluster, because it has changed since.
pub(super) fn forget_undo(state: &mut State) {
    let is_undo = |kind: &NoticeKind| {
        matches!(kind, NoticeKind::FormChanged { .. } | NoticeKind::ManifestsFound | NoticeKind::ManifestsCleared)
    };
    state.notices.retain(|notice| !is_undo(&notice.kind));
}

/// Scrolls to a range of bytes of the manifests.
pub(super) fn reveal(state: &mut State, effects: &mut Vec<Effect>, start: u32, end: u32) {
    state.show_simulation();
    state.simulation.is_text_shown = true;
    let text = &state.simulation.manifests;
    effects.push(Effect::RevealManifests { start: utf16_offset(text, start), end: utf16_offset(text, end) });
}

// Following the verdict of a Subscription.

/// Shows the package of a Subscription, the entry where it ends, and the explanation in the simulation.
pub(super) fn follow(state: &mut State, effects: &mut Vec<Effect>, name: &str) {
    let row = outcome(state).and_then(|outcome| outcome.subscriptions.iter().find(|row| row.name == name)).cloned();
    let Some(row) = row else { return };
    state.show_simulation();
    if let Some(key) = row.package_key {
        select(state, effects, key, row.end);
    }
    effects.push(Effect::RevealVerdict(row.name));
}

/// Selects the package of the Subscription that needs most attention, if no Subscription is to the selected package.
/// The simulation has begun from a cluster that the page did not know before.
fn select_worst(state: &mut State, effects: &mut Vec<Effect>) {
    if !std::mem::take(&mut state.simulation.selects_worst) {
        return;
    }
    let rows = outcome(state).map(|outcome: &OutcomeView| outcome.subscriptions.as_slice()).unwrap_or_default();
    let worst = rows.iter().filter(|row| row.package_key.is_some()).min_by_key(|row| row.status.attention());
    let key = worst.and_then(|row| row.package_key.clone());
    if let Some(key) = key.filter(|key| state.selection.package.as_ref() != Some(key)) {
        select(state, effects, key, None);
        effects.push(Effect::RevealPackage);
    }
}
