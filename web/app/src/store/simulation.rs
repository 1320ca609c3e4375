//! The input of a simulation, manifests and the form as a view of them, and its result. Calls `authoring`,
//! `navigation`, `navigation_update`, `run` and `tried`.

use super::action::{NavigationAction, SimulationAction};
use super::history::History;
use super::navigation::{resolve, select};
use super::run::{self, ask_events, ask_why_not, ask_why_not_again, run};
use super::select::last_plan;
use super::tried::{self, BoardPart, Channels, Trial, Tried};
use super::{Effect, NamedSelection, Selection, Shared, State, authoring, navigation_update, outcome, shown_plan};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use views::{
    ClusterForm, CsvRef, EntryKey, ExtensionForm, FormChange, MigrationView, NamespacesView, OutcomeView, PackageKey,
    Runtime, SelectedView, SimulationView, SubscriptionForm, TextEdit, TimelineView, WhyNotView,
};

/// The inputs of the simulation and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    /// How the cluster was given.
    pub mode: Mode,
    pub manifests: Rc<str>,
    /// Whether the text of the manifests is shown.
    pub is_text_shown: bool,
    /// The manifests as a form, with the changes that are being made.
    pub cluster: ClusterForm,
    /// Changes of the form that the manifests do not say yet, in their order: the worker is asked to make the first
    /// one.
    pub changes: Vec<FormChange>,
    /// Whether the form was read since the manifests were changed otherwise.
    pub is_form_read: bool,
    /// The button of an entry that the user clicked before the form was read.
    pub deferred: Option<EntryUse>,
    /// The namespace of the manifests that was chosen; the first if empty.
    pub namespace: String,
    /// Whether manifests were typed that were not sent to the worker.
    pub typed: bool,
    /// Whether manifests were opened since the last result: the page then shows the package that needs attention.
    pub is_new: bool,
    /// Whether that package is still to be selected: the user has selected nothing meanwhile.
    pub selects_worst: bool,
    /// The result.
    pub view: Option<Shared<SimulationView>>,
    /// The index of the outcome that is shown.
    pub outcome: usize,
    /// How many of the waiting InstallPlans were approved.
    pub approved: usize,
    /// How many plans are completed at the point of the outcome that is shown; limited by
    /// [`shown_plan`].
    pub plan: usize,
    /// Whether the playback runs.
    pub playing: bool,
    /// Whether all events are shown instead of hops.
    pub every_event: bool,
    /// The events of the shown outcome, once they were requested.
    pub timeline: Option<Shared<TimelineView>>,
    /// What becomes of the Subscriptions of all namespaces, if there are several.
    pub namespaces: Option<Shared<NamespacesView>>,
    /// What becomes of its Subscriptions under OLM v1, if that was chosen.
    pub migration: Option<Shared<MigrationView>>,
    /// Why OLM does or does not choose the entry that the user asked about.
    pub why_not: Option<WhyNot>,
    /// Who the user is, once that was chosen.
    pub chosen_audience: Option<Audience>,
    /// What is pressed on the board.
    pub pressed: Option<BoardPart>,
    /// A change that is tried.
    pub tried: Option<Tried>,
    /// What is asked once there is a result, because the link or the last visit shows it: why OLM does or does not
    /// choose what is pressed, and what a change would do.
    pub resumes: (bool, Option<Trial>),
    /// The channels of the selected package, while there is no cluster.
    pub channels: Channels,
    /// The inputs before each change, and those that were undone.
    pub history: History,
}

impl Default for Simulation {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            manifests: "".into(),
            is_text_shown: false,
            cluster: ClusterForm::default(),
            changes: Vec::new(),
            is_form_read: true,
            deferred: None,
            namespace: String::new(),
            typed: false,
            is_new: false,
            selects_worst: false,
            view: None,
            outcome: 0,
            approved: 0,
            plan: 0,
            playing: false,
            every_event: false,
            timeline: None,
            namespaces: None,
            migration: None,
            why_not: None,
            chosen_audience: None,
            pressed: None,
            tried: None,
            resumes: (false, None),
            channels: Channels::default(),
            history: History::default(),
        }
    }
}

/// A row of the form, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormRow {
    Subscription(usize),
    Extension(usize),
}

/// What the form says of an entry once a button of that entry was clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryUse {
    /// The `startingCSV` of a Subscription.
    StartingCsv,
    InstalledCsv,
    WantedVersion,
    InstalledBundle,
}

/// How the cluster was given that a simulation starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// On the board, operator by operator.
    #[default]
    Form,
    /// As manifests.
    Manifests,
}

/// Who the user is: it decides what is shown first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// An admin, who can change the cluster.
    Runs,
    /// A publisher, who can change the catalog.
    Publishes,
}

/// Why OLM does or does not choose an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyNot {
    pub package: PackageKey,
    pub entry: EntryKey,
    /// The answer.
    pub view: Shared<WhyNotView>,
}

impl Simulation {
    #[must_use]
    pub fn shown_outcome(&self) -> Option<&OutcomeView> {
        self.view.as_ref()?.outcomes.get(self.outcome)
    }

    /// Who the user is: until it is chosen, somebody who has manifests runs a cluster.
    #[must_use]
    pub fn audience(&self) -> Audience {
        let given = if self.mode == Mode::Manifests { Audience::Runs } else { Audience::Publishes };
        self.chosen_audience.unwrap_or(given)
    }

    /// Whether there is a cluster: manifests, or rows of the form that they do not say yet.
    #[must_use]
    pub fn has_cluster(&self) -> bool {
        !self.cluster.is_empty() || !self.manifests.trim().is_empty()
    }

    /// Whether there is nothing to simulate under these versions of OLM. Without OLM v1 the form has no
    /// ClusterExtensions.
    #[must_use]
    pub fn is_empty(&self, runtime: Runtime) -> bool {
        match self.mode {
            Mode::Form if !self.is_form_read => self.manifests.trim().is_empty(),
            Mode::Form if runtime.has_v1() => self.cluster.is_empty(),
            Mode::Form => self.cluster.subscriptions.is_empty(),
            Mode::Manifests => self.manifests.trim().is_empty(),
        }
    }

    /// What a row of the form is called.
    pub(crate) fn cluster_title(&self, row: FormRow) -> Option<&str> {
        match row {
            FormRow::Subscription(at) => self.cluster.subscriptions.get(at).map(SubscriptionForm::title),
            FormRow::Extension(at) => self.cluster.extensions.get(at).map(ExtensionForm::title),
        }
    }

    /// Replaces the manifests.
    pub(crate) fn replace_manifests(&mut self, text: &str) {
        self.reset_progress();
        self.mode = Mode::Manifests;
        self.set_manifests(with_unix_line_ends(text));
        self.namespace.clear();
    }

    /// Sets the manifests. The form follows once the worker has read it in them.
    pub(crate) fn set_manifests(&mut self, text: String) {
        let is_empty = text.trim().is_empty();
        self.manifests = text.into();
        self.changes.clear();
        self.is_form_read = is_empty;
        if is_empty {
            (self.cluster, self.mode) = (ClusterForm::default(), Mode::Form);
        }
    }

    /// Edits the manifests.
    pub(crate) fn edit_manifests(&mut self, splices: &[TextEdit]) {
        self.reset_progress();
        self.set_manifests(self.with_edits(splices));
    }

    /// The manifests after edits, or as they are if those are of another text.
    pub(crate) fn with_edits(&self, splices: &[TextEdit]) -> String {
        TextEdit::applied(splices, &self.manifests).unwrap_or_else(|| self.manifests.to_string())
    }

    /// Resets approvals and playback: another cluster has other InstallPlans.
    pub(crate) fn reset_progress(&mut self) {
        (self.approved, self.plan, self.playing) = (0, 0, false);
    }
}

/// The text with the line ends that a text area has: `\r\n` and `\r` become `\n`. Places in the manifests refer to this
/// text.
pub(super) fn with_unix_line_ends(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

// A simulation and its outcomes.

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: SimulationAction) {
    let simulation = &mut state.simulation;
    match action {
        SimulationAction::Run => {
            simulation.reset_progress();
            run(state, effects);
        }
        SimulationAction::VerdictFollowed(name) => run::follow(state, effects, &name),
        SimulationAction::OutcomeChosen(index) => {
            simulation.outcome = index;
            simulation.reset_progress();
            ask_events(state, effects);
            ask_why_not_again(state, effects);
        }
        SimulationAction::PlanApproved => {
            simulation.approved += 1;
            ask_events(state, effects);
            approved(state, effects);
        }
        SimulationAction::PlanChosen(at) => choose(state, effects, at),
        SimulationAction::PlaybackSwitched { on } => play(state, effects, on),
        SimulationAction::PlaybackTicked => advance(state, effects),
        SimulationAction::EventsChosen { every } => {
            simulation.every_event = every;
            ask_events(state, effects);
        }
        SimulationAction::WhyNotAsked => ask_about_selection(state, effects),
        SimulationAction::WhyNotOf { package, entry } => ask_why_not(state, effects, package, entry),
        SimulationAction::WhyNotFollowed(CsvRef { name, package, channel, catalog, .. }) => {
            let entry = EntryKey { channel: Some(channel), name };
            navigation_update::handle(state, effects, NavigationAction::BundleFollowed { catalog, package, entry });
            ask_about_selection(state, effects);
        }
        SimulationAction::AudienceChosen(audience) => simulation.chosen_audience = Some(audience),
        SimulationAction::BoardPressed(part) => {
            simulation.pressed = (simulation.pressed.as_ref() != Some(&part)).then_some(part);
        }
        SimulationAction::Subscribed { channel, installed } => tried::subscribe(state, effects, channel, installed),
        SimulationAction::StartedFromHere => tried::start_from_here(state, effects),
        SimulationAction::ChangeTried(trial) => tried::begin(state, effects, trial),
        SimulationAction::TriedKept => tried::keep(state, effects),
        SimulationAction::TriedDropped => simulation.tried = None,
        SimulationAction::FixUndone(undo) => authoring::take_back(state, effects, undo, false),
        SimulationAction::FixRedone(redo) => authoring::take_back(state, effects, redo, true),
    }
}

/// Asks why OLM does or does not choose the selected entry.
fn ask_about_selection(state: &mut State, effects: &mut Vec<Effect>) {
    if let Selection { package: Some(package), entry: Some(entry), .. } = state.selection.clone() {
        ask_why_not(state, effects, package, entry);
    }
}

// Playback of an outcome: shows the cluster before the first step and after each completed one; the graph follows.

/// Shows the point after this number of completed plans, and stops the playback.
pub(super) fn choose(state: &mut State, effects: &mut Vec<Effect>, plan: usize) {
    state.simulation.playing = false;
    show(state, effects, plan);
}

/// Starts or stops the playback. At the end of the outcome it starts again from the beginning.
pub(super) fn play(state: &mut State, effects: &mut Vec<Effect>, on: bool) {
    state.simulation.playing = on;
    if on {
        if shown_plan(&state.simulation) == last_plan(&state.simulation) {
            show(state, effects, 0);
        }
        effects.push(Effect::AwaitPlaybackTick);
    }
}

/// Shows the next step, if the playback still runs.
fn advance(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.simulation.playing {
        return;
    }
    let (plan, last) = (shown_plan(&state.simulation) + 1, last_plan(&state.simulation));
    state.simulation.playing = plan < last;
    if plan <= last {
        show(state, effects, plan);
    }
    if state.simulation.playing {
        effects.push(Effect::AwaitPlaybackTick);
    }
}

/// Shows the point after the InstallPlan that was approved.
pub(super) fn approved(state: &mut State, effects: &mut Vec<Effect>) {
    let last = last_plan(&state.simulation);
    choose(state, effects, last);
}

/// Shows the point after `completed` plans, and scrolls the drawing to the entry that the last of them installed: one
/// of the selected package or, if it changes none there, of another package, which is selected.
fn show(state: &mut State, effects: &mut Vec<Effect>, completed: usize) {
    state.simulation.plan = completed;
    let Some(outcome) = outcome(state) else { return };
    let before = outcome.board.pending as usize + 1;
    let Some(step) = outcome.steps.get(completed.saturating_sub(before)) else { return };
    let key = state.selection.package.as_ref();
    let catalog = key.and_then(|key| state.catalog(key.catalog)).map(|row| row.name.as_str());
    let is_here = |row: &&SelectedView| {
        key.is_some_and(|key| key.package == row.csv.package) && catalog == Some(row.csv.catalog.as_str())
    };
    let Some(row) = step.selected.iter().find(is_here).or(step.selected.first()) else { return };
    let csv = row.csv.clone();
    let name = if completed == 0 { row.replaces.clone() } else { Some(csv.name) };
    let selection = NamedSelection { catalog: csv.catalog, package: Some(csv.package), entry: None };
    let Some(package) = resolve(&state.overview, &selection).and_then(|found| found.package) else { return };
    if state.selection.package.as_ref() != Some(&package) {
        select(state, effects, package, None);
    }
    state.explore.followed = name.map(|name| EntryKey { channel: Some(csv.channel), name });
}
