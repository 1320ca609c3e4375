//! The search in the list of packages: names of packages at once, everything else by the worker. Calls `navigation`.

use super::navigation::select;
use super::request::{Arrival, pending, send_query};
use super::{DockTab, Effect, Pane, Shared, State, Tab};
use views::{EntryKey, PackageKey, SearchView, Take, query};

/// Shorter texts are searched for in the names of packages only: they are in nearly every name.
const SHORTEST: usize = 2;

/// Takes the text of the search field.
pub(super) fn searched(state: &mut State, effects: &mut Vec<Effect>, text: String) {
    state.search = text;
    state.opens_first_hit = false;
    ask(state, effects);
}

/// Asks for the entries, APIs and images with the text, also after a change of the inputs. Earlier results stay until
/// the answer arrives. Only one question is under way: in a large catalog the answer may take longer than typing the
/// next letter.
pub(super) fn ask(state: &mut State, effects: &mut Vec<Effect>) {
    let text = state.search.trim();
    if text.chars().count() < SHORTEST {
        state.found = None;
    } else if !state.overview.catalogs.is_empty() && !is_awaited(state) {
        send_query(state, effects, query::Search { text: text.to_owned() });
    }
}

impl Take<query::Search> for Arrival<'_> {
    /// Takes the results for a text, or asks again if another one was typed meanwhile.
    fn take(&mut self, query: query::Search, view: SearchView) {
        let Self { state, effects, .. } = self;
        if state.search.trim() != query.text {
            return ask(state, effects);
        }
        let first = view.groups.first().and_then(|group| group.hits.first()).cloned();
        state.found = Some(Shared::new(view));
        if let Some(hit) = first.filter(|_| std::mem::take(&mut state.opens_first_hit)) {
            follow(state, effects, hit.package, hit.entry);
        }
    }
}

/// Whether results will arrive.
fn is_awaited(state: &State) -> bool {
    pending::<query::Search>(state).next().is_some()
}

/// Opens the first result, as soon as there are results for the text: they may be there already and not yet be drawn.
pub(super) fn open_first(state: &mut State, effects: &mut Vec<Effect>) {
    let groups = state.found.iter().filter(|_| !is_awaited(state)).flat_map(|found| &found.groups);
    match groups.flat_map(|group| &group.hits).next().cloned() {
        Some(hit) => follow(state, effects, hit.package, hit.entry),
        None => state.opens_first_hit = true,
    }
}

/// Selects a result in the view of its package that shows entries.
pub(super) fn follow(state: &mut State, effects: &mut Vec<Effect>, package: PackageKey, entry: EntryKey) {
    state.tab = if state.tab == Tab::Table { Tab::Table } else { Tab::Graph };
    state.pane = Pane::Package;
    state.layout.dock = DockTab::Details;
    select(state, effects, package, Some(entry));
}
