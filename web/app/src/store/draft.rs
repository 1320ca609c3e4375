//! What the page itself keeps between visits. Catalogs are kept by the worker.

use super::{Mode, State, Tab, Theme};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use views::{ClusterForm, EntryKey};

/// Small choices, by name: keys of catalogs do not outlive a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft {
    /// The colour scheme.
    pub theme: Theme,
    /// The view of the package.
    pub tab: Tab,
    /// The text that packages are searched for.
    pub search: String,
    /// The text that findings are filtered by.
    pub findings_text: String,
    /// Findings of all packages rather than the selected one.
    pub everything: bool,
    /// The ids of rules that are switched off.
    pub rules_off: BTreeSet<String>,
    /// The name of the selected package's catalog.
    pub catalog: String,
    /// The selected package.
    pub package: Option<String>,
    /// The selected entry.
    pub entry: Option<EntryKey>,
    /// Whether the form counts or the manifests, which are kept apart: they can be large.
    pub mode: Mode,
    /// The Subscriptions of the form.
    pub cluster: ClusterForm,
    /// The namespace of the manifests.
    pub namespace: String,
    /// Form and manifests say the same, but for what the manifests say beyond.
    pub beyond: Option<String>,
    /// The example that is shown as it was opened.
    pub example: Option<String>,
    /// The simulation has all the room.
    pub roomy: bool,
    /// Whether they were run.
    pub ran: bool,
    /// Whether the worker keeps catalogs.
    pub catalogs: bool,
    /// The outcome shown, an index.
    pub outcome: usize,
    /// So many plans that wait for an approval were approved.
    pub approved: usize,
    /// Every event is shown rather than hops alone.
    pub every_event: bool,
    /// Single keys are no shortcuts.
    pub keyless: bool,
}

impl Draft {
    /// The draft of a state.
    #[must_use]
    pub fn of(state: &State) -> Self {
        let selected = state.selection.package.as_ref();
        let known = selected.and_then(|key| state.catalog(key.catalog)).map(|row| row.name.clone());
        // Before the catalogs are back there is only what the last visit left.
        let waiting = state.wanted.as_ref().filter(|_| selected.is_none());
        Self {
            theme: state.theme,
            tab: state.tab,
            search: state.search.clone(),
            findings_text: state.findings.text.clone(),
            everything: state.findings.everything,
            rules_off: state.rules.off.clone(),
            catalog: known.or_else(|| waiting.map(|w| w.catalog.clone())).unwrap_or_default(),
            package: selected.map(|key| key.package.clone()).or_else(|| waiting.map(|w| w.package.clone())),
            entry: state.selection.entry.clone().or_else(|| waiting.and_then(|w| w.entry.clone())),
            mode: state.simulation.mode,
            cluster: state.simulation.cluster.clone(),
            namespace: state.simulation.namespace.clone(),
            beyond: state.simulation.paired().map(|pair| pair.beyond.clone()),
            example: state.example.clone(),
            roomy: state.roomy,
            ran: state.simulation.ran,
            catalogs: !state.overview.catalogs.is_empty() || state.worker.kept,
            outcome: state.simulation.outcome,
            approved: state.simulation.approved,
            every_event: state.simulation.every_event,
            keyless: state.keyless,
        }
    }
}
