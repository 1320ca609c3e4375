//! The state as the last visit left it.

use super::simulation::with_unix_line_ends;
use super::{Compare, Draft, Findings, NamedSelection, Rules, Simulation, State, WorkerState};

impl State {
    /// The initial state of the page.
    #[must_use]
    pub fn new(draft: Draft) -> Self {
        let worker = WorkerState { restore: true, kept: draft.catalogs, ..WorkerState::default() };
        let rules = Rules { off: draft.rules_off.clone(), ..Rules::default() };
        let mut state = Self {
            worker,
            rules,
            theme: draft.theme,
            runtime: draft.runtime,
            layout: draft.layout.clone(),
            single_keys_off: draft.single_keys_off,
            ..Self::default()
        };
        state.restore_draft(draft, "");
        state
    }

    /// Restores a session from a draft and manifests, except for the user's preferences: colours, layout, keys and
    /// rules. The worker restores the catalogs.
    pub(crate) fn restore_draft(&mut self, draft: Draft, manifests: &str) {
        let beyond = draft.beyond;
        self.pending_selection =
            draft.package.map(|package| NamedSelection { catalog: draft.catalog, package, entry: draft.entry });
        self.findings = Findings { everything: draft.everything, text: draft.findings_text, ..Findings::default() };
        self.simulation = Simulation {
            mode: draft.mode,
            cluster: draft.cluster,
            manifests: with_unix_line_ends(manifests).into(),
            namespace: draft.namespace,
            ran: draft.ran,
            outcome: draft.outcome,
            approved: draft.approved,
            every_event: draft.every_event,
            ..Simulation::default()
        };
        beyond.into_iter().for_each(|beyond| self.simulation.mark_in_sync(beyond));
        // Another key replaces the elements, whose scroll positions were of the other session.
        self.simulation_key += 1;
        self.example = draft.example;
        self.compare = Compare::of(draft.compared, draft.levels);
        self.search = draft.search;
        self.tab = draft.tab;
    }

    /// Adds the manifests of the last visit.
    #[must_use]
    pub fn with_manifests(mut self, text: &str) -> Self {
        self.simulation.manifests = text.into();
        if let Some(synced) = self.simulation.synced.take() {
            self.simulation.mark_in_sync(synced.beyond);
        }
        self
    }
}
