//! Catalogs for several versions of OpenShift: the matrix, plans of an update, and what is to be written into them.

use super::request::{Arrival, command, notify, send_cluster_query, send_query};
use super::{Effect, NamedSelection, NamedSides, NoticeKind, Pane, Shared, State, Tab};
use views::{
    AuthoringInput, Command, EntryKey, OpenShift, PlanGoal, PlanQuery, PlansView, SetId, SetView, Take, WrittenView,
    query,
};

/// The set that is shown, if one is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sets {
    /// The set in the place of catalogs and packages.
    pub shown: Option<SetId>,
    /// What is known of it.
    pub view: Option<Shared<SetView>>,
    /// Whether the plan is shown rather than the matrix.
    pub shows_plan: bool,
    /// The package whose findings are shown.
    pub package: Option<String>,
    pub query: PlanQuery,
    /// The plans, or why there are none.
    pub plans: Option<Result<Shared<PlansView>, String>>,
}

/// What is to be written into the catalogs of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    pub set: SetId,
    pub input: AuthoringInput,
    /// What would change, once that is known.
    pub view: Option<Shared<WrittenView>>,
}

/// Actions about sets.
#[derive(Clone, Debug, PartialEq)]
pub enum SetAction {
    /// A set is to be shown.
    Shown(SetId),
    /// The catalogs are to be shown again.
    Left,
    /// The plan, or the matrix, is to be shown.
    PlanChosen(bool),
    /// A package was chosen, or is not to be shown any more.
    PackageChosen(String),
    /// A package is to be compared in two members.
    PairOpened { package: String, from: OpenShift, to: OpenShift },
    /// A package is to be compared in the two states of a member.
    StatesOpened { package: String, version: OpenShift },
    /// The set that is shown is to be compared with this one.
    BaselineChosen(SetId),
    /// An installed version is to be shown in the graph of a member.
    EntryOpened { package: String, entry: EntryKey, version: OpenShift },
    /// What plans are asked for was changed.
    QueryChanged(PlanQuery),
    /// The plans are to be copied as Markdown.
    ReportCopied,
    /// A set is not needed any more.
    Removed(SetId),
}

/// The goals that can be chosen, with their texts.
pub const GOALS: [(PlanGoal, &str); 3] = [
    (PlanGoal::Listed, "every installed version is still in its channel"),
    (PlanGoal::Head, "every operator is at the head of its channel"),
    (PlanGoal::Resolves, "OLM resolves every namespace"),
];

// Handles actions about catalogs for several versions of OpenShift, and asks for their matrix and plans.

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: SetAction) {
    match action {
        SetAction::Shown(set) => show_set(state, effects, set),
        SetAction::Left => state.sets.shown = None,
        SetAction::PlanChosen(shows_plan) => {
            state.sets.shows_plan = shows_plan;
            ask_plan(state, effects);
        }
        SetAction::PackageChosen(name) => {
            let is_shown = state.sets.package.as_ref() == Some(&name);
            state.sets.package = Some(name).filter(|_| !is_shown);
        }
        SetAction::PairOpened { package, from, to } => {
            open(
                state,
                effects,
                vec![from, to],
                NamedSelection { catalog: to.to_string(), package: Some(package), entry: None },
            );
            state.tab = Tab::Compare;
            // Other members may be open, too.
            let (before, after) = (from.to_string(), to.to_string());
            state.compare.chosen = Some(NamedSides { before, before_opened: false, after, after_opened: false });
        }
        SetAction::StatesOpened { package, version } => {
            let Some(before) = state.sets.view.as_ref().and_then(|view| view.before) else { return };
            let (former, now) = (format!("{version}-before"), version.to_string());
            open_of(state, effects, before, vec![version], &former);
            let selection = NamedSelection { catalog: now.clone(), package: Some(package), entry: None };
            open(state, effects, vec![version], selection);
            state.tab = Tab::Compare;
            let (before, after) = (former, now);
            state.compare.chosen = Some(NamedSides { before, before_opened: false, after, after_opened: false });
        }
        SetAction::BaselineChosen(set) => {
            command(state, effects, Command::SetBaselineSet { set, baseline: true });
        }
        SetAction::EntryOpened { package, entry, version } => {
            let selection = NamedSelection { catalog: version.to_string(), package: Some(package), entry: Some(entry) };
            let rows = state.simulation.namespaces.iter().flat_map(|all| &all.rows);
            let of_package = rows.filter(|row| Some(&row.package) == selection.package.as_ref());
            if let Some(namespace) = of_package.map(|row| row.namespace.clone()).next() {
                state.simulation.namespace = namespace;
            }
            open(state, effects, vec![version], selection);
            state.tab = Tab::Graph;
        }
        SetAction::QueryChanged(query) => {
            state.sets.query = query;
            ask_plan(state, effects);
        }
        SetAction::ReportCopied => {
            let query = state.sets.query.clone();
            send_cluster_query(state, effects, query::PlanReport { query });
        }
        SetAction::Removed(set) => {
            command(state, effects, Command::RemoveSet { set });
            state.sets = Sets::default();
        }
    }
}

/// Shows a set: with a cluster what an update of OpenShift means for it.
pub(super) fn show_set(state: &mut State, effects: &mut Vec<Effect>, set: SetId) {
    if state.sets.shown != Some(set) {
        let shows_plan = state.simulation.has_cluster();
        state.sets = Sets { shown: Some(set), shows_plan, ..Sets::default() };
    }
    state.pane = Pane::Package;
    renew(state, effects, set);
}

/// Asks again for the set that is shown. What is shown stays until the answer comes.
fn renew(state: &mut State, effects: &mut Vec<Effect>, set: SetId) {
    send_query(state, effects, query::Set { set });
    ask_plan(state, effects);
}

/// Shows the set that was shown last, or else the first one.
pub(super) fn follow(state: &mut State, effects: &mut Vec<Effect>, shows_plan: bool) {
    let is_there = |set: &SetId| state.overview.sets.iter().any(|row| row.id == *set);
    match state.sets.view.as_ref().map(|view| view.id).filter(is_there) {
        known @ Some(_) => state.sets.shown = known,
        None => match state.overview.sets.iter().find(|row| !row.is_baseline) {
            Some(first) => show_set(state, effects, first.id),
            None => return,
        },
    }
    state.pane = Pane::Package;
    state.sets.shows_plan = shows_plan;
    ask_plan(state, effects);
}

/// Asks for the plans, if they are shown.
fn ask_plan(state: &mut State, effects: &mut Vec<Effect>) {
    if state.sets.shown.is_some() && state.sets.shows_plan {
        let query = state.sets.query.clone();
        send_cluster_query(state, effects, query::Plan { query });
    }
}

/// Shows a set that is still read, if nothing else is open, and renews it when more of its members are read.
pub(super) fn preview_taken(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(last) = state.overview.sets.iter().rfind(|row| !row.is_baseline) else { return };
    let (id, is_alone) = (last.id, state.overview.catalogs.is_empty() && state.overview.sets.len() == 1);
    let is_known =
        state.sets.view.as_ref().is_some_and(|view| view.id == id && view.versions().eq(last.versions.iter().copied()));
    match state.sets.shown == Some(id) {
        true if !is_known => renew(state, effects, id),
        false if is_alone => show_set(state, effects, id),
        _ => {}
    }
}

/// Leaves a set that is gone, and asks again for one that changed, or that it is compared with.
pub(super) fn overview_taken(state: &mut State, effects: &mut Vec<Effect>, changed: &[SetId]) {
    let is_there = |set: &SetId| state.overview.sets.iter().any(|row| row.id == *set);
    if state.sets.shown.is_some_and(|set| !is_there(&set)) {
        state.sets = Sets::default();
    }
    let first = state.overview.sets.iter().find(|row| !row.is_baseline).map(|row| row.id);
    match (state.sets.shown, first) {
        // Nothing else would be there to lead to it.
        (None, Some(first)) if state.overview.catalogs.is_empty() => show_set(state, effects, first),
        (Some(shown), _) if !changed.is_empty() => renew(state, effects, shown),
        _ => ask_plan(state, effects),
    }
}

/// Opens members as catalogs, those that are not open yet, and selects something in one of them.
fn open(state: &mut State, effects: &mut Vec<Effect>, versions: Vec<OpenShift>, selection: NamedSelection) {
    let Some(set) = state.sets.shown.take() else { return };
    let versions: Vec<OpenShift> =
        versions.into_iter().filter(|version| !is_open(state, &version.to_string())).collect();
    state.pending_selection = Some(selection);
    state.pane = Pane::Package;
    command(state, effects, Command::OpenMembers { set, versions });
}

/// Opens members of a set unless a catalog with this name is open.
fn open_of(state: &mut State, effects: &mut Vec<Effect>, set: SetId, versions: Vec<OpenShift>, name: &str) {
    if !is_open(state, name) {
        command(state, effects, Command::OpenMembers { set, versions });
    }
}

fn is_open(state: &State, name: &str) -> bool {
    state.overview.catalogs.iter().chain(&state.overview.baselines).any(|row| row.name == name)
}

impl Take<query::Set> for Arrival<'_> {
    fn take(&mut self, query: query::Set, view: SetView) {
        if self.state.sets.shown == Some(query.set) {
            self.state.sets.view = Some(Shared::new(view));
        }
    }
}

impl Take<query::Plan> for Arrival<'_> {
    fn take(&mut self, _: query::Plan, plans: Result<PlansView, String>) {
        self.state.sets.plans = Some(plans.map(Shared::new));
    }
}

impl Take<query::PlanReport> for Arrival<'_> {
    fn take(&mut self, _: query::PlanReport, report: Result<String, String>) {
        match report {
            Ok(text) => {
                self.effects.push(Effect::Copy(text.into()));
                notify(self.state, NoticeKind::Copied);
            }
            Err(reason) => notify(self.state, NoticeKind::NotAnswered { reason }),
        }
    }
}
