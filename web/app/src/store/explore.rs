//! What was asked about a package: something that is not an entry, a way between two versions, the table of reach.

use super::action::ExploreAction;
use super::request::query;
use super::{Effect, Pane, Selection, Shared, State, Tab, as_text};
use super::{ReachFilter, ReachTable};
use views::{EntryKey, PackageKey, PathView, Query, ReachView, Subject, SubjectView};

/// What is asked about the selected package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explore {
    /// What is selected instead of an entry.
    pub subject: Option<Subject>,
    /// All about it, once it is known.
    pub about: Option<Shared<SubjectView>>,
    /// The entry that is pointed at or has the focus.
    pub pointed: Option<EntryKey>,
    /// The entry that the moment of the simulation is about, to be brought into view.
    pub followed: Option<EntryKey>,
    /// The version that a way is to begin with: the next entry that is selected is where it ends.
    pub from: Option<String>,
    /// The way that is shown.
    pub way: Option<Way>,
    /// The table of reach, as far as it is known.
    pub reach: Option<Shared<ReachTable>>,
    /// Which part of it is shown.
    pub filter: ReachFilter,
}

/// A way from an installed version to an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The name of what is installed.
    pub from: String,
    /// Where it is to come.
    pub to: EntryKey,
    /// The answer, once it is known.
    pub view: Option<Shared<PathView>>,
    /// Which of its ways is drawn.
    pub route: Route,
    /// It was asked for in the table of reach.
    pub of_table: bool,
}

/// One of the ways of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Route {
    /// What OLM does.
    #[default]
    Olm,
    /// The fewest hops along the fields.
    Shortest,
    /// Through other channels.
    AcrossChannels,
}

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: ExploreAction) {
    match action {
        ExploreAction::SubjectSelected(subject) => {
            state.selection.entry = None;
            state.entry = None;
            state.explore.about = None;
            state.explore.way = None;
            state.explore.subject = Some(subject);
            ask_subject(state, effects);
        }
        ExploreAction::Pointed(entry) => state.explore.pointed = entry,
        ExploreAction::WayBegun => {
            state.explore.from = state.selection.entry.as_ref().map(|entry| entry.name.clone());
            state.explore.way = None;
        }
        ExploreAction::WayTo(to) => match state.selection.entry.as_ref().map(|entry| entry.name.clone()) {
            Some(from) => begin(state, effects, from, to, false),
            None => select_entry(state, effects, Some(to)),
        },
        ExploreAction::CellChosen { from, to } => {
            state.tab = Tab::Graph;
            state.pane = Pane::Package;
            begin(state, effects, from, to, true);
        }
        ExploreAction::HopFollowed(entry) => select_entry(state, effects, Some(entry)),
        ExploreAction::RouteChosen(route) => {
            if let Some(way) = &mut state.explore.way {
                way.route = route;
            }
        }
        ExploreAction::WayLeft => leave_way(state, effects),
        ExploreAction::Filtered(filter) => state.explore.filter = filter,
        ExploreAction::Copied { markdown } => {
            if let Some(table) = &state.explore.reach {
                effects.push(Effect::Copy(as_text(table, &state.explore.filter, markdown).into()));
            }
        }
        ExploreAction::GraphTextAsked { format, purpose } => {
            if let Some(package) = state.selection.package.clone() {
                state.graph_text = Some((query(state, effects, Query::GraphText { package, format }), purpose));
            }
        }
    }
}

/// Selects an entry or none, and asks for what is shown of it.
fn select_entry(state: &mut State, effects: &mut Vec<Effect>, entry: Option<EntryKey>) {
    state.explore.about = None;
    if entry.is_some() {
        state.explore.subject = None;
    }
    state.selection.entry = entry;
    state.entry = None;
    ask_entry(state, effects);
    ask_subject(state, effects);
}

/// Asks for everything about the selected entry.
pub(super) fn ask_entry(state: &mut State, effects: &mut Vec<Effect>) {
    let Selection { package: Some(package), entry: Some(entry) } = state.selection.clone() else { return };
    query(state, effects, Query::Entry { package, entry });
}

/// Leaves the path, back to the table of reach if it was asked for there.
fn leave_way(state: &mut State, effects: &mut Vec<Effect>) {
    let of_table = state.explore.way.take().is_some_and(|way| way.of_table);
    state.explore.from = None;
    if of_table {
        state.tab = Tab::Reach;
        state.pane = Pane::Package;
        show_reach(state, effects);
    }
}

/// Asks for a way, and selects where it ends.
fn begin(state: &mut State, effects: &mut Vec<Effect>, from: String, to: EntryKey, of_table: bool) {
    state.explore.subject = None;
    state.explore.from = None;
    state.explore.way = Some(Way { from, to: to.clone(), view: None, route: Route::Olm, of_table });
    ask_way(state, effects);
    select_entry(state, effects, Some(to));
}

/// An entry was selected: the end of a way that was begun, or the entry alone.
pub(super) fn entry_selected(state: &mut State, effects: &mut Vec<Effect>, to: EntryKey) {
    match state.explore.from.take() {
        Some(from) => begin(state, effects, from, to, false),
        None => {
            state.explore.way = None;
            select_entry(state, effects, Some(to));
        }
    }
}

/// Leaves the innermost of what is shown: the way, then the selection.
pub(super) fn left(state: &mut State, effects: &mut Vec<Effect>) {
    if state.explore.way.is_some() || state.explore.from.is_some() {
        leave_way(state, effects);
    } else {
        state.explore.subject = None;
        select_entry(state, effects, None);
    }
}

/// Asks again for all that is shown, after a change.
pub(super) fn ask_again(state: &mut State, effects: &mut Vec<Effect>) {
    ask_subject(state, effects);
    ask_way(state, effects);
    if state.tab == Tab::Reach {
        ask_reach(state, effects);
    } else {
        state.explore.reach = None;
    }
}

/// What is told about while no entry is selected: the package, if nothing else is.
pub(super) fn shown_subject(state: &State) -> Option<Subject> {
    let is_free = state.selection.entry.is_none() && state.explore.way.is_none();
    is_free.then(|| state.explore.subject.clone().unwrap_or(Subject::Package))
}

/// Asks for all about what no entry is.
fn ask_subject(state: &mut State, effects: &mut Vec<Effect>) {
    if let (Some(package), Some(subject)) = (state.selection.package.clone(), shown_subject(state)) {
        query(state, effects, Query::Subject { package, subject });
    }
}

fn ask_way(state: &mut State, effects: &mut Vec<Effect>) {
    if let (Some(package), Some(way)) = (state.selection.package.clone(), state.explore.way.as_ref()) {
        let (from, to) = (way.from.clone(), way.to.clone());
        query(state, effects, Query::Path { package, from, to });
    }
}

/// Asks for the first part of the table.
fn ask_reach(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(package) = state.selection.package.clone() {
        query(state, effects, Query::Reach { package, first: 0 });
    }
}

/// The table is looked at: asks for what is missing of it.
pub(super) fn show_reach(state: &mut State, effects: &mut Vec<Effect>) {
    let come = state.explore.reach.as_deref().map(|table| (table.columns.len() as u32, table.total));
    match (come, state.selection.package.clone()) {
        (Some((come, total)), Some(package)) if come < total => {
            query(state, effects, Query::Reach { package, first: come });
        }
        (None, _) => ask_reach(state, effects),
        _ => {}
    }
}

/// Takes a part of the table, and asks for the next one.
pub(super) fn take_reach(
    state: &mut State,
    effects: &mut Vec<Effect>,
    package: PackageKey,
    first: u32,
    view: Option<ReachView>,
) {
    let known = state.explore.reach.as_deref().filter(|_| first > 0);
    let mut table = known.cloned().unwrap_or_default();
    let Some(view) = view.filter(|_| table.columns.len() == first as usize) else { return };
    if first == 0 {
        table.rows = view.rows;
    }
    table.columns.extend(view.columns);
    table.total = view.total;
    table.omitted = view.omitted;
    let next = table.columns.len() as u32;
    let more = next > first && next < table.total;
    state.explore.reach = Some(Shared::new(table));
    if more && state.tab == Tab::Reach {
        query(state, effects, Query::Reach { package, first: next });
    }
}
