//! The inputs of a simulation, a form of Subscriptions or manifests, and its result.

use super::Shared;
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use views::{
    ClusterForm, ClusterInput, EntryKey, ExtensionForm, MigrationView, OutcomeView, PackageKey, RequestId, Runtime,
    SimulationView, SubscriptionForm, TextSplice, TimelineView, WhyNotView,
};

/// The inputs of the simulation and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    /// Whether the form or the manifests are simulated. Both are kept.
    pub mode: Mode,
    /// The Subscriptions and ClusterExtensions of the form.
    pub cluster: ClusterForm,
    /// The text of the manifests.
    pub manifests: Rc<str>,
    /// The namespace of the manifests that was chosen; the first if empty.
    pub namespace: String,
    /// Whether manifests were typed that were not sent to the worker.
    pub typed: bool,
    /// Whether the simulation was run. Then every change runs it again.
    pub ran: bool,
    /// Whether manifests were opened since the last result: the page then shows the package that needs attention.
    pub is_new: bool,
    /// The result.
    pub view: Option<Shared<SimulationView>>,
    /// The request whose outcomes arrive one after the other; `view` then has the first one alone.
    pub searching: Option<RequestId>,
    /// The outcomes after those of `view` that have arrived so far.
    pub found: Vec<Shared<OutcomeView>>,
    /// The index of the outcome that is shown. An outcome has the same index while others are looked for and
    /// afterwards.
    pub outcome: usize,
    /// How many of the waiting InstallPlans were approved.
    pub approved: usize,
    /// How many steps are completed at the point of the outcome that is shown; limited by
    /// [`shown_step`](super::shown_step).
    pub step: usize,
    /// Whether the playback runs.
    pub playing: bool,
    /// Whether all events are shown instead of hops.
    pub every_event: bool,
    /// The events of the shown outcome, once they were requested.
    pub timeline: Option<Shared<TimelineView>>,
    /// What becomes of its Subscriptions under OLM v1, if that was chosen.
    pub migration: Option<Shared<MigrationView>>,
    /// Why OLM does or does not choose the entry that the user asked about.
    pub why_not: Option<WhyNot>,
    /// The form and the manifests when they were last in sync.
    pub synced: Option<SyncedCluster>,
    /// Whether to switch to the form when the worker has read the manifests.
    pub switching_to_form: bool,
    /// Whether to copy the form to the clipboard when the worker has written it as manifests.
    pub copy_when_exported: bool,
    /// The inputs before the last replacement, for undo.
    pub replaced: Option<ReplacedInput>,
    /// The Subscription that was removed last, and its index, for undo.
    pub removed: Option<(usize, SubscriptionForm)>,
    /// A Subscription whose package is being edited: its present state, and its state before the edit.
    pub package_edit: Option<(SubscriptionForm, SubscriptionForm)>,
    /// The same of a ClusterExtension.
    pub extension_package_edit: Option<(ExtensionForm, ExtensionForm)>,
}

impl Default for Simulation {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            cluster: ClusterForm::default(),
            manifests: "".into(),
            namespace: String::new(),
            typed: false,
            ran: false,
            is_new: false,
            view: None,
            searching: None,
            found: Vec::new(),
            outcome: 0,
            approved: 0,
            step: 0,
            playing: false,
            every_event: false,
            timeline: None,
            migration: None,
            why_not: None,
            synced: None,
            switching_to_form: false,
            copy_when_exported: false,
            replaced: None,
            removed: None,
            package_edit: None,
            extension_package_edit: None,
        }
    }
}

/// What a simulation starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// The form.
    #[default]
    Form,
    /// Manifests.
    Manifests,
}

/// The form and the manifests when they last described the same cluster, as far as the form has fields for it.
#[derive(Clone, Debug, PartialEq)]
pub struct SyncedCluster {
    /// The form.
    pub form: ClusterForm,
    /// The manifests.
    pub text: Rc<str>,
    /// The namespace of the manifests that was chosen.
    pub namespace: String,
    /// What the manifests contain beyond the form, in a few words; empty if nothing.
    pub beyond: String,
}

impl SyncedCluster {
    /// Whether the manifests contain more than the form. They are empty if the browser did not store them.
    fn has_more_than_form(&self) -> bool {
        !self.beyond.is_empty() && !self.text.trim().is_empty()
    }

    /// Whether the manifests of a simulation are still these.
    pub(crate) fn matches_manifests(&self, simulation: &Simulation) -> bool {
        self.text == simulation.manifests && self.namespace == simulation.namespace
    }
}

/// Why OLM does or does not choose an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyNot {
    /// The package of the entry.
    pub package: PackageKey,
    /// The entry.
    pub entry: EntryKey,
    /// The answer.
    pub view: Shared<WhyNotView>,
}

/// The inputs of a simulation before they were replaced.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplacedInput {
    /// The mode.
    pub mode: Mode,
    /// The form.
    pub cluster: ClusterForm,
    /// The manifests.
    pub manifests: Rc<str>,
    /// The chosen namespace.
    pub namespace: String,
    /// `outcome`, `approved` and `step` of the simulation.
    pub at: (usize, usize, usize),
}

impl Simulation {
    /// The outcomes, with those that have arrived while others are looked for.
    pub fn outcomes(&self) -> impl Iterator<Item = &OutcomeView> {
        let view = self.view.iter().flat_map(|view| &view.outcomes);
        view.chain(self.found.iter().map(|outcome| &**outcome))
    }

    /// The outcome that is shown.
    #[must_use]
    pub fn shown_outcome(&self) -> Option<&OutcomeView> {
        self.outcomes().nth(self.outcome)
    }

    /// Whether there is a cluster: Subscriptions or ClusterExtensions in the form, or manifests.
    #[must_use]
    pub fn has_cluster(&self) -> bool {
        !self.cluster.is_empty() || !self.manifests.trim().is_empty()
    }

    /// The manifests that are simulated, with the namespace that was chosen in them; `None` if the form is.
    fn simulated_manifests(&self) -> Option<(&str, &str)> {
        match self.mode {
            Mode::Manifests => Some((&self.manifests, &self.namespace)),
            // As long as the form is not changed, the manifests are simulated, because they may contain more.
            Mode::Form => {
                let synced = self.synced.as_ref()?;
                let is_same = synced.form == self.cluster && synced.has_more_than_form();
                is_same.then_some((&synced.text, &synced.namespace))
            }
        }
    }

    /// The cluster to simulate.
    #[must_use]
    pub fn input(&self) -> ClusterInput {
        match self.simulated_manifests() {
            Some((text, _)) => ClusterInput::Manifests(text.to_owned()),
            None => ClusterInput::Form(self.cluster.clone()),
        }
    }

    /// The namespace to simulate; empty for the first one with Subscriptions.
    #[must_use]
    pub fn simulated_namespace(&self) -> String {
        self.simulated_manifests().map(|(_, namespace)| namespace.to_owned()).unwrap_or_default()
    }

    /// Whether there is nothing to simulate under these versions of OLM. Without OLM v1 the form has no
    /// ClusterExtensions.
    #[must_use]
    pub fn is_empty(&self, runtime: Runtime) -> bool {
        match self.mode {
            Mode::Form if runtime.has_v1() => self.cluster.is_empty(),
            Mode::Form => self.cluster.subscriptions.is_empty(),
            Mode::Manifests => self.manifests.trim().is_empty(),
        }
    }

    /// The form and the manifests, if they are in sync now.
    #[must_use]
    pub(crate) fn in_sync(&self) -> Option<&SyncedCluster> {
        self.synced.as_ref().filter(|synced| synced.form == self.cluster && synced.matches_manifests(self))
    }

    /// Records that the form and the manifests are in sync, except for `beyond`.
    pub(crate) fn mark_in_sync(&mut self, beyond: String) {
        let (form, text) = (self.cluster.clone(), self.manifests.clone());
        self.synced = Some(SyncedCluster { form, text, namespace: self.namespace.clone(), beyond });
    }

    /// Resets the form to its content when it was last in sync with the manifests.
    pub(crate) fn reset_form(&mut self) {
        if let Some(synced) = &self.synced {
            self.cluster = synced.form.clone();
        }
    }

    /// Replaces the manifests. [`Simulation::restore_input`] undoes it.
    pub(crate) fn replace_manifests(&mut self, text: &str) {
        self.rewrite_manifests(text);
        self.reset_progress();
    }

    /// Replaces the manifests by others of the same cluster, which keeps approvals and the shown step.
    /// [`Simulation::restore_input`] undoes it.
    pub(crate) fn rewrite_manifests(&mut self, text: &str) {
        self.save_input();
        self.mode = Mode::Manifests;
        self.manifests = with_unix_line_ends(text).into();
        self.namespace.clear();
    }

    /// Replaces the form. [`Simulation::restore_input`] undoes it.
    pub(crate) fn replace_form(&mut self, form: ClusterForm) {
        self.save_input();
        self.reset_progress();
        self.mode = Mode::Form;
        self.cluster = form;
    }

    /// Edits the manifests. [`Simulation::restore_input`] undoes it.
    pub(crate) fn edit_manifests(&mut self, splices: &[TextSplice]) {
        self.save_input();
        self.reset_progress();
        let mut text = self.manifests.to_string();
        for TextSplice { start, end, text: new } in splices.iter().rev() {
            let range = *start as usize..*end as usize;
            if text.get(range.clone()).is_some() {
                text.replace_range(range, new);
            }
        }
        self.manifests = text.into();
    }

    fn save_input(&mut self) {
        self.replaced = Some(ReplacedInput {
            mode: self.mode,
            cluster: self.cluster.clone(),
            manifests: self.manifests.clone(),
            namespace: self.namespace.clone(),
            at: (self.outcome, self.approved, self.step),
        });
    }

    /// Resets approvals and playback: another cluster has other InstallPlans.
    pub(crate) fn reset_progress(&mut self) {
        (self.approved, self.step, self.playing) = (0, 0, false);
    }

    /// Restores the inputs before the last replacement.
    pub(crate) fn restore_input(&mut self) {
        if let Some(ReplacedInput { mode, cluster, manifests, namespace, at }) = self.replaced.take() {
            (self.mode, self.cluster, self.manifests, self.namespace) = (mode, cluster, manifests, namespace);
            (self.outcome, self.approved, self.step) = at;
            self.playing = false;
        }
    }

    /// The Subscription to a package. Adds one if there is none.
    pub(crate) fn subscription_to(&mut self, package: &str) -> &mut SubscriptionForm {
        let forms = &mut self.cluster.subscriptions;
        let index = forms.iter().position(|form| form.package == package).unwrap_or_else(|| {
            forms.push(SubscriptionForm { package: package.to_owned(), ..SubscriptionForm::default() });
            forms.len() - 1
        });
        &mut forms[index]
    }

    /// Removes a Subscription and returns its package. [`Simulation::restore`] undoes it.
    pub(crate) fn remove(&mut self, index: usize) -> Option<String> {
        if index >= self.cluster.subscriptions.len() {
            return None;
        }
        let form = self.cluster.subscriptions.remove(index);
        let package = form.package.clone();
        self.removed = Some((index, form));
        Some(package)
    }

    /// Restores the Subscription that was removed last.
    pub(crate) fn restore(&mut self) {
        if let Some((index, form)) = self.removed.take() {
            let index = index.min(self.cluster.subscriptions.len());
            self.cluster.subscriptions.insert(index, form);
        }
    }
}

/// The text with the line ends that a text area has: `\r\n` and `\r` become `\n`. Places in the manifests refer to this
/// text.
pub(super) fn with_unix_line_ends(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_subscription_comes_back_where_it_was() {
        let mut simulation = Simulation::default();
        for package in ["a", "b", "c"] {
            simulation.subscription_to(package);
        }
        assert_eq!(simulation.remove(1).as_deref(), Some("b"));
        assert_eq!(simulation.remove(7), None);
        simulation.restore();
        let packages: Vec<_> = simulation.cluster.subscriptions.iter().map(|form| form.package.as_str()).collect();
        assert_eq!(packages, ["a", "b", "c"]);
    }
}
