//! Handles actions about the selection and its views, and follows links. Calls `explore`, `navigation`, `run`, `set`
//! and `source`.

use super::action::{ExploreAction, NavigationAction};
use super::navigation::{resolve, select, select_catalog, select_found, show_tab};
use super::request::{Arrival, notify};
use super::{
    Direction, Effect, NamedSelection, NoticeKind, Pane, Route, State, Tab, explore, ranked_packages, run, set, source,
};
use views::{FileKey, FileTarget, PackageKey, Place, Subject, SymbolView, Take, query};

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: NavigationAction) {
    if shows_catalog(&action) {
        state.sets.shown = None;
    }
    if !matches!(action, NavigationAction::PaneChosen(_)) {
        // What the user selects while manifests are simulated stays selected when the result arrives.
        state.simulation.selects_worst = false;
    }
    match action {
        NavigationAction::PackageSelected(key) => {
            state.pane = Pane::Package;
            select(state, effects, key, None);
        }
        NavigationAction::CatalogSelected(catalog) => {
            state.pane = Pane::Package;
            show_tab(state, effects, Tab::Graph);
            select_catalog(state, effects, catalog);
        }
        NavigationAction::ProblemsShown(key) => {
            state.pane = Pane::Package;
            state.tab = Tab::Findings;
            select(state, effects, key, None);
            effects.push(Effect::RevealPackage);
        }
        NavigationAction::PackageStepped(direction) => {
            if let Some(key) = neighbour(state, direction) {
                select(state, effects, key, None);
                effects.push(Effect::RevealPackage);
            }
        }
        NavigationAction::EntrySelected(entry) => explore::entry_selected(state, effects, entry),
        NavigationAction::EntryLeft if std::mem::take(&mut state.is_presenting) => {}
        NavigationAction::EntryLeft => explore::close(state, effects),
        NavigationAction::PlaceFollowed(place) => follow(state, effects, place),
        NavigationAction::FindingFollowed(package, entry, place) => {
            if let Some(key) = package.filter(|key| state.overview.packages.iter().any(|row| row.key == *key)) {
                select(state, effects, key, entry);
            }
            follow(state, effects, place);
        }
        NavigationAction::RepairsAsked(package, channel) => {
            show_details(state);
            select(state, effects, package, None);
            explore::handle(state, effects, ExploreAction::SubjectSelected(Subject::Channel { channel }));
        }
        NavigationAction::BundleFollowed { catalog, package, entry } => {
            let selection = NamedSelection { catalog, package: Some(package), entry: Some(entry) };
            if let Some(found) = resolve(&state.overview, &selection) {
                state.tab = if state.tab == Tab::Table { Tab::Table } else { Tab::Graph };
                state.pane = Pane::Package;
                select_found(state, effects, found);
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
        NavigationAction::RouteFollowed(route) => follow_route(state, effects, route),
        NavigationAction::PaneChosen(Pane::Entry) => show_details(state),
        NavigationAction::PaneChosen(pane) => state.pane = pane,
    }
}

/// Shows the details of the selection. The simulation has them beside it only on a very wide screen.
fn show_details(state: &mut State) {
    state.pane = Pane::Entry;
    if state.tab == Tab::Simulate {
        state.tab = Tab::Graph;
    }
}

/// Whether an action shows a catalog or a package, in the place of a set if one is shown.
const fn shows_catalog(action: &NavigationAction) -> bool {
    matches!(
        action,
        NavigationAction::PackageSelected(_)
            | NavigationAction::CatalogSelected(_)
            | NavigationAction::ProblemsShown(_)
            | NavigationAction::BundleFollowed { .. }
    )
}

/// Shows what a route names. While the catalogs of the last visit are being restored, or those of `opscope open` are
/// coming, it is selected as soon as it is there.
fn follow_route(state: &mut State, effects: &mut Vec<Effect>, route: Route) {
    let (selection, tab) = match route {
        Route::Set { shows_plan } => return set::follow(state, effects, shows_plan),
        Route::Catalog { selection, tab } => (selection, tab),
    };
    state.sets.shown = None;
    match resolve(&state.overview, &selection) {
        Some(found) => {
            state.pane = Pane::Package;
            state.tab = tab;
            select_found(state, effects, found);
            show_tab(state, effects, state.tab);
        }
        None if state.overview.catalogs.is_empty() && (state.worker.kept || state.follow.is_some()) => {
            state.pending_selection = Some(selection);
            state.tab = tab;
        }
        None => notify(state, NoticeKind::NotOpen { catalog: selection.catalog, package: selection.package }),
    }
}

/// Shows a place of a file or of the manifests.
fn follow(state: &mut State, effects: &mut Vec<Effect>, Place { file, start, end, .. }: Place) {
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

fn neighbour(state: &State, direction: Direction) -> Option<PackageKey> {
    let found = ranked_packages(&state.overview, state.runtime);
    let at = found.iter().position(|(_, row)| Some(&row.key) == state.selection.package.as_ref());
    let next = match (at, direction) {
        (None, _) => 0,
        (Some(at), Direction::Earlier) => at.checked_sub(1)?,
        (Some(at), Direction::Later) => at + 1,
    };
    found.get(next).map(|(_, row)| row.key.clone())
}
