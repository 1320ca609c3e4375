//! Selecting packages, entries and views. Calls `compare`, `explore`, `findings` and `selected_source`.

use super::{Effect, Explore, Findings, NamedSelection, Selection, Shared, State, Tab};
use super::{compare, explore, findings, selected_source};
use views::{EntryKey, Overview, PackageKey};

/// Shows a view of the package, and requests what it needs.
pub(super) fn show_tab(state: &mut State, effects: &mut Vec<Effect>, tab: Tab) {
    state.tab = tab;
    compare::tab_shown(state);
    match tab {
        Tab::Findings => findings::ask(state, effects),
        Tab::Reach => explore::show_reach(state, effects),
        Tab::Compare => compare::ask(state, effects),
        Tab::Graph | Tab::Source | Tab::Table => {}
    }
    if state.shows(Tab::Source) {
        selected_source::chosen(state, effects);
    }
}

/// Selects a package, and an entry if one is given, and requests what is shown of them.
pub(super) fn select(state: &mut State, effects: &mut Vec<Effect>, key: PackageKey, entry: Option<EntryKey>) {
    let other = state.selection.package.as_ref() != Some(&key);
    state.selection = Selection { package: Some(key), entry };
    state.pending_selection = None;
    if other {
        state.explore = Explore::default();
        compare::package_selected(state);
        state.graph = None;
        // The filters were about the other package. Its findings stay until the answer: the list does not flicker.
        state.findings = Findings { view: std::mem::take(&mut state.findings.view), ..Findings::default() };
    }
    state.entry = None;
    ask_package(state, effects);
    if other && state.shows(Tab::Source) {
        selected_source::open(state, effects);
    }
}

/// Requests again everything that is shown of the selected package.
pub(super) fn ask_package(state: &mut State, effects: &mut Vec<Effect>) {
    explore::ask_graph(state, effects);
    explore::ask_entry(state, effects);
    explore::ask_again(state, effects);
    compare::ask(state, effects);
    if state.tab == Tab::Findings {
        findings::ask(state, effects);
    }
}

/// Removes the selection and everything shown of it.
pub(super) fn deselect(state: &mut State) {
    state.selection = Selection::default();
    state.explore = Explore::default();
    state.graph = None;
    state.entry = None;
    state.findings.view = Shared::default();
}

/// The loaded package with the name of the selection, preferably of its catalog.
pub(super) fn resolve(overview: &Overview, selection: &NamedSelection) -> Option<PackageKey> {
    let named = |id| overview.catalogs.iter().any(|row| row.id == id && row.name == selection.catalog);
    let of_name = || overview.packages.iter().filter(|row| row.key.package == selection.package);
    of_name().find(|row| named(row.key.catalog)).or_else(|| of_name().next()).map(|row| row.key.clone())
}
