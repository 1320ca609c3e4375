//! What is pressed on the board, a change that is tried before it is made, and the board of a package that nobody
//! subscribed to. Calls `authoring`, `cluster` and `run`.

use super::request::{Arrival, notify, send_cluster_query, send_query};
use super::run::{self, awaits_result};
use super::{
    Action, Effect, FormRow, NoticeKind, Shared, SimulationAction, State, Tab, WhyNot, authoring, cluster, shown_plan,
};
use serde::{Deserialize, Serialize};
use views::{
    BoardLane, EntryKey, ExtensionField, ExtensionForm, FormChange, FormPlace, InputEdit, NewSubscriptionView,
    OutcomeView, PackageKey, PackageRow, Revision, Runtime, SimulationView, SubscriptionField, SubscriptionForm, Take,
    TriedChange, query,
};

/// A change that can be tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// What it does, in words; names are in backticks.
    pub what: String,
    pub change: TriedChange,
    /// What is to be done after it, likewise.
    pub later: Option<String>,
}

/// A change that is tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    pub trial: Trial,
    /// What OLM does after it, or why it cannot be made; absent until the worker has answered.
    pub result: Option<Result<Shared<SimulationView>, String>>,
}

impl Tried {
    /// What a link has of it: edits of catalogs name files of this worker.
    pub(super) fn portable(&self) -> Option<Trial> {
        let is_here = matches!(self.trial.change, TriedChange::Edit(InputEdit::Catalog { .. }));
        (!is_here).then(|| self.trial.clone())
    }
}

/// A part of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardPart {
    /// Whose board it is.
    pub of: BoardOf,
    /// The name of the lane.
    pub lane: String,
    /// The CSV, if it is a version.
    pub csv: Option<String>,
}

/// What a board is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoardOf {
    /// The Subscriptions of a namespace.
    Namespace,
    /// A ClusterExtension.
    Extension,
}

/// The channels of the selected package, while there is no cluster.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channels {
    /// What was asked for.
    asked: Option<(Revision, PackageKey, Option<EntryKey>, Runtime)>,
    /// The answer that was taken last.
    pub view: Option<Shared<NewSubscriptionView>>,
}

/// Asks for the channels of the selected package, if they are to be shown and are not known.
pub(super) fn ask_channels(state: &mut State, effects: &mut Vec<Effect>) {
    let is_shown = state.tab == Tab::Simulate && state.simulation.is_empty(state.runtime);
    let package = state.selection.package.clone().filter(|_| is_shown && state.simulation.is_form_read);
    let asked = package.map(|package| (state.revision, package, state.selection.entry.clone(), state.runtime));
    let channels = &mut state.simulation.channels;
    if asked.is_none() || asked == channels.asked {
        return;
    }
    channels.asked.clone_from(&asked);
    if let Some((_, package, entry, runtime)) = asked {
        send_query(state, effects, query::NewSubscription { package, entry, runtime });
    }
}

impl State {
    /// The channels of the selected package, where there is no cluster.
    #[must_use]
    pub fn shown_channels(&self) -> Option<&NewSubscriptionView> {
        let view = self.simulation.channels.view.as_deref().filter(|_| self.simulation.is_empty(self.runtime));
        view.filter(|view| self.selection.package.as_ref() == Some(&view.package))
    }
}

impl Take<query::NewSubscription> for Arrival<'_> {
    fn take(&mut self, _: query::NewSubscription, view: Option<NewSubscriptionView>) {
        self.state.simulation.channels.view = view.map(Shared::new);
    }
}

/// Something that can be done with the part of a board that is pressed.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardChoice {
    pub label: String,
    pub action: Action,
}

impl BoardChoice {
    /// Whether it asks why OLM does or does not choose a version.
    #[must_use]
    pub fn asks_why(&self) -> bool {
        matches!(self.action, Action::Simulation(SimulationAction::WhyNotOf { .. }))
    }
}

/// What is pressed on a board of the simulation, with what can be done with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pressed {
    pub part: BoardPart,
    /// The row of the form that the lane is drawn from; none if OLM adds it.
    pub row: Option<FormRow>,
    /// What can be done with a version.
    pub choices: Vec<BoardChoice>,
    /// Why OLM does or does not choose it, if that was asked.
    pub why: Option<WhyNot>,
}

impl State {
    /// The row of the form whose lane, or a version of it, is pressed.
    #[must_use]
    pub fn pressed_row(&self) -> Option<FormRow> {
        let part = self.simulation.pressed.as_ref()?;
        let form = &self.simulation.cluster;
        match part.of {
            BoardOf::Namespace => {
                form.subscriptions.iter().position(|row| row.title() == part.lane).map(FormRow::Subscription)
            }
            BoardOf::Extension => {
                form.extensions.iter().position(|row| row.title() == part.lane).map(FormRow::Extension)
            }
        }
    }

    /// What is pressed on a board of the simulation, with what can be done with it.
    #[must_use]
    pub fn pressed(&self) -> Option<Pressed> {
        let part = self.simulation.pressed.clone().filter(|_| self.simulation.is_form_read)?;
        let row = self.pressed_row();
        let choices = row.zip(part.csv.as_deref()).map(|(row, csv)| self.choices(row, csv)).unwrap_or_default();
        Some(Pressed { part, row, choices, why: self.explained().cloned() })
    }

    /// Why OLM does or does not choose the version that is pressed, if that was asked.
    #[must_use]
    pub fn explained(&self) -> Option<&WhyNot> {
        let csv = self.simulation.pressed.as_ref()?.csv.as_ref()?;
        self.simulation.why_not.as_ref().filter(|answer| answer.entry.name == *csv)
    }

    /// What can be done with a version of the board of a row.
    fn choices(&self, row: FormRow, csv: &str) -> Vec<BoardChoice> {
        let form = &self.simulation.cluster;
        let version = |package: &str| csv.strip_prefix(&format!("{package}.v")).unwrap_or(csv).to_owned();
        let set = |label: String, what: String, at: FormPlace, text: &str| {
            let change = TriedChange::Form(vec![FormChange::Set { at, text: text.to_owned() }]);
            BoardChoice {
                label,
                action: Action::Simulation(SimulationAction::ChangeTried(Trial { what, change, later: None })),
            }
        };
        let mut choices = Vec::new();
        match row {
            FormRow::Subscription(index) => {
                let (row, at) = (&form.subscriptions[index], |field| FormPlace::Subscription(index as u32, field));
                let (name, version) = (row.title(), version(&row.package));
                if row.installed != csv {
                    let what = format!("`{csv}` is installed for `{name}`");
                    let place = at(SubscriptionField::Installed);
                    choices.push(set(format!("Set {version} as installed"), what, place, csv));
                }
                if row.installed.is_empty() && row.starting_csv != csv {
                    let what = format!("`{name}` starts at `{csv}`");
                    let place = at(SubscriptionField::StartingCsv);
                    choices.push(set(format!("Start at {version} (startingCSV)"), what, place, csv));
                }
                let catalog = |id| self.catalog(id).map_or("", |catalog| &*catalog.name);
                let mut rows = self.overview.packages.iter().filter(|found| found.key.package == row.package);
                let here = rows.find(|found| row.catalog.is_empty() || catalog(found.key.catalog) == row.catalog);
                choices.extend(here.map(|found| why(found, &row.channel, csv)));
            }
            FormRow::Extension(index) => {
                let (row, at) = (&form.extensions[index], |field| FormPlace::Extension(index as u32, field));
                let (name, version) = (row.title(), version(&row.package));
                if row.installed != csv {
                    let what = format!("`{csv}` is installed by `{name}`");
                    let place = at(ExtensionField::Installed);
                    choices.push(set(format!("Set {version} as installed"), what, place, csv));
                }
                if row.version != version {
                    let what = format!("`{name}` asks for version `{version}`");
                    let place = at(ExtensionField::Version);
                    choices.push(set(format!("Ask for version {version}"), what, place, &version));
                }
            }
        }
        choices
    }
}

/// Why OLM does or does not choose an entry.
fn why(found: &PackageRow, channel: &str, csv: &str) -> BoardChoice {
    let channel = match channel {
        "" => found.default_channel.clone(),
        channel => Some(channel.to_owned()),
    };
    let (package, entry) = (found.key.clone(), EntryKey { channel, name: csv.to_owned() });
    BoardChoice {
        label: "Why, or why not?".to_owned(),
        action: Action::Simulation(SimulationAction::WhyNotOf { package, entry }),
    }
}

/// Asks again what a link or the last visit shows beside the result.
pub(super) fn resume(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.simulation.is_form_read {
        return;
    }
    let (asks_why, tried) = std::mem::take(&mut state.simulation.resumes);
    let choices = state.pressed().filter(|_| asks_why).map(|pressed| pressed.choices).unwrap_or_default();
    for choice in choices {
        if let Action::Simulation(SimulationAction::WhyNotOf { package, entry }) = choice.action {
            run::ask_why_not(state, effects, package, entry);
        }
    }
    if let Some(trial) = tried {
        begin(state, effects, trial);
    }
}

/// Subscribes to a channel of the selected package. `installed` is the CSV that the cluster has; it may be empty.
pub(super) fn subscribe(state: &mut State, effects: &mut Vec<Effect>, channel: String, installed: String) {
    let Some(view) = state.shown_channels() else { return };
    let package = view.package.clone();
    let catalog = state.catalog(package.catalog).map(|row| row.name.clone()).unwrap_or_default();
    let what = match &*installed {
        "" if channel.is_empty() => format!("added `{}`", package.package),
        "" => format!("follows `{channel}` of `{}`", package.package),
        csv => format!("follows `{channel}` with `{csv}` installed"),
    };
    let added = if state.runtime.has_v0() {
        let package = package.package;
        let row = SubscriptionForm { package, channel, catalog, installed, ..SubscriptionForm::default() };
        FormChange::AddSubscription(Box::new(row))
    } else {
        let row = cluster::extension(state, &package);
        FormChange::AddExtension(Box::new(ExtensionForm { channels: channel, installed, ..row }))
    };
    cluster::change(state, effects, vec![added]);
    notify(state, NoticeKind::FormChanged { what });
}

/// Makes what is installed at the point that is shown what the cluster has, so that the next change begins there. An
/// InstallPlan that the cluster has would still wait there, so that nothing is done with one.
pub(super) fn start_from_here(state: &mut State, effects: &mut Vec<Effect>) {
    let plan = shown_plan(&state.simulation);
    let is_known = |outcome: &&OutcomeView| plan > 0 && outcome.board.pending == 0 && !awaits_result(state);
    let Some(outcome) = state.simulation.shown_outcome().filter(is_known) else { return };
    let rows = &state.simulation.cluster.subscriptions;
    let reached = |lane: &BoardLane| {
        let mark = lane.marks.iter().rfind(|mark| mark.column as usize <= plan && mark.is_reached())?;
        let installed = mark.csv.clone();
        Some(match rows.iter().position(|row| row.title() == lane.name) {
            Some(at) => {
                let at = FormPlace::Subscription(at as u32, SubscriptionField::Installed);
                FormChange::Set { at, text: installed }
            }
            // OLM has added it.
            None => {
                let (package, channel, catalog) = (lane.package.clone(), lane.channel.clone(), lane.catalog.clone());
                let row = SubscriptionForm { package, channel, catalog, installed, ..SubscriptionForm::default() };
                FormChange::AddSubscription(Box::new(row))
            }
        })
    };
    let changes: Vec<FormChange> = outcome.board.lanes.iter().filter_map(reached).collect();
    let what = format!("the cluster has what plan {plan} installs");
    state.simulation.history.end_field();
    cluster::change(state, effects, changes);
    state.simulation.history.end_field();
    notify(state, NoticeKind::FormChanged { what });
}

/// Asks what a change would do. Nothing is changed.
pub(super) fn begin(state: &mut State, effects: &mut Vec<Effect>, trial: Trial) {
    // Its places are those of the texts that the result is about.
    if awaits_result(state) {
        return;
    }
    let change = trial.change.clone();
    state.simulation.tried = Some(Tried { trial, result: None });
    let namespace = state.simulation.namespace.clone();
    send_cluster_query(state, effects, query::Try { namespace, change });
}

/// Makes the change that is tried.
pub(super) fn keep(state: &mut State, effects: &mut Vec<Effect>) {
    if awaits_result(state) {
        return;
    }
    let Some(Tried { trial: Trial { what, change, later }, .. }) = state.simulation.tried.take() else { return };
    let what = later.map_or(what, |later| format!("the first step; now {later}"));
    match change {
        TriedChange::Edit(edit) => authoring::apply_fix(state, effects, what, edit),
        TriedChange::Form(changes) => {
            state.simulation.history.end_field();
            cluster::change(state, effects, changes);
            state.simulation.history.end_field();
            notify(state, NoticeKind::FormChanged { what });
        }
    }
    // The fields of a row stay open for the next change.
    let stays = state.pressed_row().is_some();
    state.simulation.pressed.take_if(|part| !stays || part.csv.is_some());
}

impl Take<query::Try> for Arrival<'_> {
    fn take(&mut self, query: query::Try, answer: Result<Box<SimulationView>, String>) {
        if let Some(tried) = self.state.simulation.tried.as_mut().filter(|tried| tried.trial.change == query.change) {
            tried.result = Some(answer.map(|view| Shared::new(*view)));
        }
    }
}
