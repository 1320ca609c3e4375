//! Selecting packages and entries, and following links. Calls `compare`, `explore`, `findings`, `search`, `source`,
//! `selected_source` and `run`.

use super::action::{Direction, NavigationAction};
use super::request::Arrival;
use super::state::NamedSelection;
use super::{Effect, Explore, Findings, Pane, Selection, Shared, State, Tab, found_packages};
use super::{compare, explore, findings, run, search, selected_source, source};
use views::{EntryKey, FileKey, FileTarget, Overview, PackageKey, Place, SymbolView, Take, query};

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: NavigationAction) {
    match action {
        NavigationAction::PackageSelected(key) => {
            state.pane = Pane::Package;
            select(state, effects, key, None);
        }
        NavigationAction::PackageStepped(direction) => {
            if let Some(key) = neighbour(state, direction) {
                select(state, effects, key, None);
                effects.push(Effect::RevealPackage);
            }
        }
        NavigationAction::EntrySelected(entry) => explore::entry_selected(state, effects, entry),
        NavigationAction::EntryLeft => explore::close(state, effects),
        NavigationAction::PlaceFollowed(place) => follow(state, effects, place),
        NavigationAction::FindingFollowed(finding) => {
            if let Some(package) = finding.package.clone() {
                let key = PackageKey { catalog: finding.catalog, package };
                if state.overview.packages.iter().any(|row| row.key == key) {
                    select(state, effects, key, finding.entry.clone());
                }
            }
            follow(state, effects, finding.place);
        }
        NavigationAction::BundleFollowed { catalog, package, entry } => {
            let selection = NamedSelection { catalog, package, entry: Some(entry) };
            if let Some(key) = resolve(&state.overview, &selection) {
                state.tab = if state.tab == Tab::Table { Tab::Table } else { Tab::Graph };
                state.pane = Pane::Package;
                select(state, effects, key, selection.entry);
            }
        }
        NavigationAction::SymbolShown => {
            let Some(symbol) = state.source.symbol.clone() else { return };
            if let Some(package) = symbol.package.clone() {
                state.tab = Tab::Graph;
                state.pane = Pane::Package;
                select(state, effects, package, symbol.entry.clone());
            }
        }
        NavigationAction::TabChosen(tab) => {
            state.pane = Pane::Package;
            show_tab(state, effects, tab);
        }
        NavigationAction::RouteFollowed(route) => super::route::follow(state, effects, &route),
        NavigationAction::PaneChosen(pane) => state.show(pane),
        NavigationAction::Searched(text) => search::searched(state, effects, text),
        NavigationAction::FirstHitAsked => search::open_first(state, effects),
        NavigationAction::HitFollowed { package, entry } => search::follow(state, effects, package, entry),
        NavigationAction::PackagesFiltered(filter) => state.package_filter = filter,
    }
}

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
        // The filters were about the other package.
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

/// Shows a place of a file or of the manifests.
pub(super) fn follow(state: &mut State, effects: &mut Vec<Effect>, Place { file, start, end, .. }: Place) {
    if file == FileKey::MANIFESTS {
        return run::reveal(state, effects, start, end);
    }
    state.tab = Tab::Source;
    state.pane = Pane::Package;
    source::follow(state, effects, file, FileTarget::Bytes { start, end });
}

impl Take<query::Symbol> for Arrival<'_> {
    fn take(&mut self, query: query::Symbol, view: Option<SymbolView>) {
        if let Some(place) = source::take_symbol(self.state, self.id, query.file, view) {
            follow(self.state, self.effects, place);
        }
    }
}

/// The loaded package with the name of the selection, preferably of its catalog.
pub(super) fn resolve(overview: &Overview, selection: &NamedSelection) -> Option<PackageKey> {
    let named = |id| overview.catalogs.iter().any(|row| row.id == id && row.name == selection.catalog);
    let of_name = || overview.packages.iter().filter(|row| row.key.package == selection.package);
    of_name().find(|row| named(row.key.catalog)).or_else(|| of_name().next()).map(|row| row.key.clone())
}

fn neighbour(state: &State, direction: Direction) -> Option<PackageKey> {
    let found = found_packages(&state.overview, &state.search, state.package_filter);
    let at = found.iter().position(|row| Some(&row.key) == state.selection.package.as_ref());
    let next = match (at, direction) {
        (None, _) => 0,
        (Some(at), Direction::Earlier) => at.checked_sub(1)?,
        (Some(at), Direction::Later) => at + 1,
    };
    found.get(next).map(|row| row.key.clone())
}
