//! What is pressed on the board, a change that is tried before it is made, and the board of a package that nobody
//! subscribed to. Calls `authoring`, `cluster` and `run`.

use super::request::{Arrival, notify, send_cluster_query, send_query};
use super::run::awaits_result;
use super::{Action, Effect, NoticeKind, Shared, SimulationAction, State, Tab, authoring, cluster};
use views::{
    CsvRef, EntryKey, ExtensionField, ExtensionForm, FormChange, FormPlace, NewSubscriptionView, PackageKey,
    PackageRow, Revision, SimulationView, SubscriptionField, SubscriptionForm, Take, TriedChange, query,
};

/// The most channels that are offered.
const CHANNELS: usize = 8;

/// A change that is tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// What it does, in words; names are in backticks.
    pub what: String,
    pub change: TriedChange,
    /// What OLM does after it, or why it cannot be made; absent until the worker has answered.
    pub result: Option<Result<Shared<SimulationView>, String>>,
}

/// A part of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPart {
    /// Whose board it is.
    pub of: BoardOf,
    /// The name of the lane.
    pub lane: String,
    /// The CSV, if it is a version.
    pub csv: Option<String>,
}

/// What a board is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    asked: Option<(Revision, PackageKey, Option<EntryKey>)>,
    /// The answer that was taken last.
    pub view: Option<Shared<NewSubscriptionView>>,
}

/// Asks for the channels of the selected package, if they are to be shown and are not known.
pub(super) fn ask_channels(state: &mut State, effects: &mut Vec<Effect>) {
    let is_shown = state.tab == Tab::Simulate && state.runtime.has_v0() && state.simulation.is_empty(state.runtime);
    let package = state.selection.package.clone().filter(|_| is_shown && state.simulation.is_form_read);
    let asked = package.map(|package| (state.revision, package, state.selection.entry.clone()));
    let channels = &mut state.simulation.channels;
    if asked.is_none() || asked == channels.asked {
        return;
    }
    channels.asked.clone_from(&asked);
    if let Some((_, package, entry)) = asked {
        send_query(state, effects, query::NewSubscription { package, entry });
    }
}

impl State {
    /// The channels of the selected package, where there is no cluster.
    #[must_use]
    pub fn shown_channels(&self) -> Option<&NewSubscriptionView> {
        let view = self.simulation.channels.view.as_deref().filter(|_| self.simulation.is_empty(self.runtime));
        view.filter(|view| self.runtime.has_v0() && self.selection.package.as_ref() == Some(&view.package))
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

impl State {
    /// What is pressed on a board of the simulation, with what can be done with it.
    #[must_use]
    pub fn pressed(&self) -> Option<(BoardPart, Vec<BoardChoice>)> {
        let part = self.simulation.pressed.clone().filter(|_| self.simulation.is_form_read)?;
        let form = &self.simulation.cluster;
        let choices = match part.of {
            BoardOf::Namespace => {
                let at = form.subscriptions.iter().position(|row| row.title() == part.lane);
                at.map(|at| self.of_subscription(at as u32, &form.subscriptions[at], part.csv.as_deref()))
            }
            BoardOf::Extension => {
                let at = form.extensions.iter().position(|row| row.title() == part.lane);
                at.map(|at| self.of_extension(at as u32, &form.extensions[at], part.csv.as_deref()))
            }
        };
        Some((part, choices.unwrap_or_default()))
    }

    fn of_subscription(&self, at: u32, row: &SubscriptionForm, csv: Option<&str>) -> Vec<BoardChoice> {
        let set = |label: String, what: String, field: SubscriptionField, text: &str| {
            let change = FormChange::Set { at: FormPlace::Subscription(at, field), text: text.to_owned() };
            tries(label, what, change)
        };
        let name = row.title();
        let rows = || self.overview.packages.iter().filter(|found| found.key.package == row.package);
        let catalog = |id| self.catalog(id).map_or("", |catalog| &*catalog.name);
        let here = rows().find(|found| row.catalog.is_empty() || catalog(found.key.catalog) == row.catalog);
        let mut choices = Vec::new();
        if let Some(csv) = csv {
            let version = csv.strip_prefix(&format!("{}.v", row.package)).unwrap_or(csv);
            if row.installed != csv {
                let what = format!("`{csv}` is installed for `{name}`");
                choices.push(set(format!("Set {version} as installed"), what, SubscriptionField::Installed, csv));
            }
            if row.installed.is_empty() && row.starting_csv != csv {
                let (label, what) =
                    (format!("Start at {version} (startingCSV)"), format!("`{name}` starts at `{csv}`"));
                choices.push(set(label, what, SubscriptionField::StartingCsv, csv));
            }
            choices.extend(here.map(|found| why(found, catalog(found.key.catalog), &row.channel, csv)));
            return choices;
        }
        let channels = here.into_iter().flat_map(|found| &found.channels).filter(|channel| **channel != row.channel);
        choices.extend(channels.take(CHANNELS).map(|channel| {
            let what = format!("`{name}` follows `{channel}`");
            set(format!("Follow {channel}"), what, SubscriptionField::Channel, channel)
        }));
        let others = rows().map(|found| catalog(found.key.catalog)).filter(|other| *other != row.catalog);
        choices.extend(others.filter(|_| rows().count() > 1).map(|other| {
            let what = format!("`{name}` comes from `{other}`");
            set(format!("Take it from {other}"), what, SubscriptionField::Catalog, other)
        }));
        let (label, approval) = if row.approval.is_empty() {
            ("Set approval to Manual", "Manual")
        } else {
            ("Set approval to Automatic", "")
        };
        let what = format!("the approval of `{name}` is {}", label.rsplit(' ').next().unwrap_or_default());
        choices.push(set(label.to_owned(), what, SubscriptionField::Approval, approval));
        choices.push(tries("Take it out".to_owned(), format!("take `{name}` out"), FormChange::RemoveSubscription(at)));
        choices
    }

    fn of_extension(&self, at: u32, row: &ExtensionForm, csv: Option<&str>) -> Vec<BoardChoice> {
        let set = |label: String, what: String, field: ExtensionField, text: &str| {
            let change = FormChange::Set { at: FormPlace::Extension(at, field), text: text.to_owned() };
            tries(label, what, change)
        };
        let name = row.title();
        let here = self.overview.packages.iter().find(|found| found.key.package == row.package);
        let mut choices = Vec::new();
        if let Some(csv) = csv {
            let version = csv.strip_prefix(&format!("{}.v", row.package)).unwrap_or(csv);
            if row.installed != csv {
                let what = format!("`{csv}` is installed by `{name}`");
                choices.push(set(format!("Set {version} as installed"), what, ExtensionField::Installed, csv));
            }
            if row.version != version {
                let what = format!("`{name}` asks for version `{version}`");
                choices.push(set(format!("Ask for version {version}"), what, ExtensionField::Version, version));
            }
            return choices;
        }
        if !row.version.is_empty() {
            let what = format!("`{name}` takes any version");
            choices.push(set("Take any version".to_owned(), what, ExtensionField::Version, ""));
        }
        let channels = here.into_iter().flat_map(|found| &found.channels).filter(|channel| **channel != row.channels);
        choices.extend(channels.take(CHANNELS).map(|channel| {
            let what = format!("`{name}` follows `{channel}`");
            set(format!("Follow {channel}"), what, ExtensionField::Channels, channel)
        }));
        choices.push(tries("Take it out".to_owned(), format!("take `{name}` out"), FormChange::RemoveExtension(at)));
        choices
    }
}

fn tries(label: String, what: String, change: FormChange) -> BoardChoice {
    let change = TriedChange::Form(vec![change]);
    BoardChoice { label, action: Action::Simulation(SimulationAction::ChangeTried { what, change }) }
}

/// Why OLM does or does not choose an entry.
fn why(found: &PackageRow, catalog: &str, channel: &str, csv: &str) -> BoardChoice {
    let channel = match channel {
        "" => found.default_channel.clone().unwrap_or_default(),
        channel => channel.to_owned(),
    };
    let csv = CsvRef {
        name: csv.to_owned(),
        package: found.key.package.clone(),
        channel,
        catalog: catalog.to_owned(),
        ..CsvRef::default()
    };
    BoardChoice {
        label: "Why, or why not?".to_owned(),
        action: Action::Simulation(SimulationAction::WhyNotFollowed(csv)),
    }
}

/// Subscribes to a channel of the selected package. `installed` is the CSV that the cluster has; it may be empty.
pub(super) fn subscribe(state: &mut State, effects: &mut Vec<Effect>, channel: String, installed: String) {
    let Some(view) = state.shown_channels() else { return };
    let package = view.package.clone();
    let catalog = state.catalog(package.catalog).map(|row| row.name.clone()).unwrap_or_default();
    let row = SubscriptionForm { package: package.package, channel, catalog, installed, ..SubscriptionForm::default() };
    let what = match &*row.installed {
        "" => format!("subscribed to `{}` of `{}`", row.channel, row.package),
        csv => format!("subscribed to `{}` with `{csv}` installed", row.channel),
    };
    cluster::change(state, effects, vec![FormChange::AddSubscription(Box::new(row))]);
    notify(state, NoticeKind::FormChanged { what });
}

/// Asks what a change would do. Nothing is changed.
pub(super) fn begin(state: &mut State, effects: &mut Vec<Effect>, what: String, change: TriedChange) {
    // Its places are those of the texts that the result is about.
    if awaits_result(state) {
        return;
    }
    state.simulation.tried = Some(Tried { what, change: change.clone(), result: None });
    let namespace = state.simulation.namespace.clone();
    send_cluster_query(state, effects, query::Try { namespace, change });
}

/// Makes the change that is tried.
pub(super) fn keep(state: &mut State, effects: &mut Vec<Effect>) {
    if awaits_result(state) {
        return;
    }
    let Some(Tried { what, change, .. }) = state.simulation.tried.take() else { return };
    match change {
        TriedChange::Edit(edit) => authoring::apply_fix(state, effects, what, edit),
        TriedChange::Form(changes) => {
            state.simulation.history.end_field();
            cluster::change(state, effects, changes);
            state.simulation.history.end_field();
            notify(state, NoticeKind::FormChanged { what });
        }
    }
    state.simulation.pressed = None;
}

impl Take<query::Try> for Arrival<'_> {
    fn take(&mut self, query: query::Try, answer: Result<Box<SimulationView>, String>) {
        if let Some(tried) = self.state.simulation.tried.as_mut().filter(|tried| tried.change == query.change) {
            tried.result = Some(answer.map(|view| Shared::new(*view)));
        }
    }
}
