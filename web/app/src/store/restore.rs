//! From the state to what is stored of it, and back at the next visit.

use super::simulation::with_unix_line_ends;
use super::{Compare, Draft, Findings, FormStatus, Mode, NamedSelection, Rules, Simulation, State, WorkerState};
use views::{ClusterForm, OpmVersion};

impl Draft {
    #[must_use]
    pub fn of(state: &State) -> Self {
        let selected = state.selection.package.as_ref();
        let known = state.selection.catalog().and_then(|id| state.catalog(id)).map(|row| row.name.clone());
        // Until the catalogs are restored, the selection is the one of the last visit.
        let waiting = state.pending_selection.as_ref().filter(|_| known.is_none());
        Self {
            theme: state.theme,
            tab: state.tab,
            findings_text: state.findings.text.clone(),
            everything: state.findings.everything,
            rules_off: state.rules.off.clone(),
            catalog: known.or_else(|| waiting.map(|w| w.catalog.clone())).unwrap_or_default(),
            package: selected.map(|key| key.package.clone()).or_else(|| waiting.and_then(|w| w.package.clone())),
            entry: state.selection.entry.clone().or_else(|| waiting.and_then(|w| w.entry.clone())),
            mode: state.simulation.mode,
            cluster: match state.simulation.form_status {
                FormStatus::Ahead => state.simulation.cluster.clone(),
                FormStatus::InSync | FormStatus::Behind => ClusterForm::default(),
            },
            namespace: state.simulation.namespace.clone(),
            beyond: None,
            example: state.example.clone(),
            layout: state.layout.clone(),
            catalogs: !state.overview.catalogs.is_empty() || state.worker.kept,
            compared: state.compare.chosen.clone(),
            levels: state.compare.levels.clone(),
            runtime: state.runtime,
            opm: Some(state.opm).filter(|opm| *opm != OpmVersion::NEWEST),
            olm_v1: state.olm_v1,
            outcome: state.simulation.outcome,
            approved: state.simulation.approved,
            every_event: state.simulation.every_event,
            single_keys_off: state.single_keys_off,
        }
    }
}

impl State {
    /// The initial state of the page.
    #[must_use]
    pub fn new(draft: Draft) -> Self {
        Self::restored(draft, "")
    }

    /// The state at the beginning of another visit, with the manifests of the last one.
    #[must_use]
    pub fn restored(draft: Draft, manifests: &str) -> Self {
        let worker = WorkerState { restore: true, kept: draft.catalogs, ..WorkerState::default() };
        let rules = Rules { off: draft.rules_off.clone(), ..Rules::default() };
        let mut state = Self {
            worker,
            rules,
            theme: draft.theme,
            runtime: draft.runtime,
            opm: draft.opm.unwrap_or_default(),
            olm_v1: draft.olm_v1,
            layout: draft.layout.clone(),
            single_keys_off: draft.single_keys_off,
            ..Self::default()
        };
        state.restore_draft(draft, manifests);
        state
    }

    /// Restores a session from a draft and manifests, except for the user's preferences: colours, layout, keys and
    /// rules. The worker restores the catalogs.
    pub(crate) fn restore_draft(&mut self, draft: Draft, manifests: &str) {
        // An older version stored the form beside the manifests, and simulated it unless these said the same.
        let has_form = !draft.cluster.is_empty()
            && (manifests.trim().is_empty() || (draft.mode == Mode::Form && draft.beyond.is_none()));
        let is_selected = !draft.catalog.is_empty() || draft.package.is_some();
        let selection = NamedSelection { catalog: draft.catalog, package: draft.package, entry: draft.entry };
        self.pending_selection = Some(selection).filter(|_| is_selected);
        self.findings = Findings { everything: draft.everything, text: draft.findings_text, ..Findings::default() };
        self.simulation = Simulation {
            mode: draft.mode,
            namespace: draft.namespace,
            outcome: draft.outcome,
            approved: draft.approved,
            every_event: draft.every_event,
            ..Simulation::default()
        };
        self.simulation.set_manifests(with_unix_line_ends(manifests));
        if has_form {
            self.simulation.cluster = draft.cluster;
            self.simulation.form_status = FormStatus::Ahead;
        }
        // Another key replaces the elements, whose scroll positions were of the other session.
        self.simulation_key += 1;
        self.example = draft.example;
        self.compare = Compare::of(draft.compared, draft.levels);
        self.tab = draft.tab;
    }
}
