//! Selecting packages, entries and views. Calls `compare`, `explore`, `findings` and `source`.

use super::{Effect, Explore, Findings, Shared, State, Tab, compare, explore, findings, source};
use views::{CatalogId, EntryKey, Overview, PackageKey};

/// Shows a view of the package, and requests what it needs.
pub(super) fn show_tab(state: &mut State, effects: &mut Vec<Effect>, tab: Tab) {
    state.tab = tab;
    compare::tab_shown(state);
    match tab {
        Tab::Findings => findings::ask_shown(state, effects),
        Tab::Graph => {
            findings::ask_shown(state, effects);
            explore::ask_repairs(state, effects);
        }
        Tab::Reach => explore::show_reach(state, effects),
        Tab::Compare => compare::ask(state, effects),
        Tab::Simulate | Tab::Source | Tab::Table => {}
    }
    if state.shows(Tab::Source) {
        source::chosen(state, effects);
    }
}

/// Selects a package, and an entry if one is given, and requests what is shown of them.
pub(super) fn select(state: &mut State, effects: &mut Vec<Effect>, key: PackageKey, entry: Option<EntryKey>) {
    let other = state.selection.package.as_ref() != Some(&key);
    state.selection = Selection { whole: None, package: Some(key), entry };
    state.pending_selection = None;
    if other {
        state.explore = Explore::default();
        compare::package_selected(state);
        // Until its own graph arrives, the one before stays in sight.
        state.former_graph = state.graph.take().or(state.former_graph.take());
        // The filters were about the other package. Its findings stay until the answer: the list does not flicker.
        state.findings = Findings { view: std::mem::take(&mut state.findings.view), ..Findings::default() };
    }
    state.entry = None;
    ask_package(state, effects);
    if other && state.shows(Tab::Source) {
        source::open_selected(state, effects);
    }
}

/// Selects a catalog as a whole, and requests what is shown of it.
pub(super) fn select_catalog(state: &mut State, effects: &mut Vec<Effect>, catalog: CatalogId) {
    if state.selection.whole != Some(catalog) {
        deselect(state);
        compare::package_selected(state);
        state.findings = Findings::default();
        state.selection.whole = Some(catalog);
    }
    state.pending_selection = None;
    if matches!(state.tab, Tab::Reach | Tab::Table) {
        state.tab = Tab::Graph;
    }
    ask_package(state, effects);
    if state.shows(Tab::Source) {
        source::open_selected(state, effects);
    }
}

/// Selects a catalog as a whole or, if it has a single package, that package.
pub(super) fn select_whole(state: &mut State, effects: &mut Vec<Effect>, catalog: CatalogId) {
    let package = single_package(&state.overview, catalog).cloned();
    select_found(state, effects, Selection { whole: Some(catalog), package, entry: None });
}

/// The only package of a catalog.
pub(super) fn single_package(overview: &Overview, catalog: CatalogId) -> Option<&PackageKey> {
    let mut packages = overview.packages.iter().filter(|row| row.key.catalog == catalog);
    packages.next().filter(|_| packages.next().is_none()).map(|row| &row.key)
}

pub(super) fn select_found(state: &mut State, effects: &mut Vec<Effect>, found: Selection) {
    match (found.package, found.whole) {
        (Some(package), _) => select(state, effects, package, found.entry),
        (None, Some(catalog)) => select_catalog(state, effects, catalog),
        (None, None) => {}
    }
    effects.push(Effect::RevealPackage);
}

/// Requests again everything that is shown of the selection.
pub(super) fn ask_package(state: &mut State, effects: &mut Vec<Effect>) {
    explore::ask_graph(state, effects);
    explore::ask_entry(state, effects);
    explore::ask_again(state, effects);
    explore::ask_repairs(state, effects);
    compare::ask(state, effects);
    findings::ask_shown(state, effects);
}

/// Removes the selection and everything shown of it.
pub(super) fn deselect(state: &mut State) {
    state.selection = Selection::default();
    state.explore = Explore::default();
    state.graph = None;
    state.former_graph = None;
    state.entry = None;
    state.findings.view = Shared::default();
}

/// What is loaded of a selection: the package of this name, preferably of its catalog, or the catalog.
pub(super) fn resolve(overview: &Overview, selection: &NamedSelection) -> Option<Selection> {
    let catalog = overview.catalogs.iter().find(|row| row.name == selection.catalog).map(|row| row.id);
    let Some(package) = &selection.package else {
        return catalog.map(|catalog| Selection { whole: Some(catalog), ..Selection::default() });
    };
    let of_name = || overview.packages.iter().filter(|row| row.key.package == *package);
    let row = of_name().find(|row| Some(row.key.catalog) == catalog).or_else(|| of_name().next())?;
    Some(Selection { whole: None, package: Some(row.key.clone()), entry: selection.entry.clone() })
}

// What is selected.

/// What is selected: a catalog as a whole, or a package, or an entry of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub whole: Option<CatalogId>,
    pub package: Option<PackageKey>,
    pub entry: Option<EntryKey>,
}

impl Selection {
    /// The catalog that is selected, or has the selected package.
    #[must_use]
    pub fn catalog(&self) -> Option<CatalogId> {
        self.whole.or_else(|| Some(self.package.as_ref()?.catalog))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedSelection {
    pub catalog: String,
    /// The package's name; absent if the catalog is selected as a whole.
    pub package: Option<String>,
    pub entry: Option<EntryKey>,
}
