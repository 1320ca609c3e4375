//! The rows of the form, Subscriptions and ClusterExtensions, and what they have in common. Calls `run`.

use super::request::notify;
use super::run::{forget_undo, reset_progress, run};
use super::{Effect, FormRow, FormStatus, Mode, NoticeKind, Selection, Simulation, State};
use views::{ClusterForm, EntryKey, Overview, PackageKey, PackageRow};

pub(super) trait Row: Clone + Default + PartialEq {
    /// All rows of its kind.
    fn all(form: &mut ClusterForm) -> &mut Vec<Self>;
    /// The row whose package is being edited: its present state, and its state before the edit.
    fn edited(simulation: &mut Simulation) -> &mut Option<(Self, Self)>;
    fn at(index: usize) -> FormRow;
    fn package(&self) -> &str;
    /// A row of a package of the catalog that it was selected in.
    fn of_package(state: &State, key: &PackageKey) -> Self;
    /// The row without what its package does not have, and without what belongs to the package before.
    fn settled(&self, overview: &Overview) -> Self;
    /// What is said of the row at an index when it is removed.
    fn removed(form: &ClusterForm, index: usize) -> NoticeKind;
}

/// Adds a row of the selected package, or an empty one if there is one of that package already.
pub(super) fn add<R: Row>(state: &mut State, effects: &mut Vec<Effect>) {
    state.show_simulation();
    let rows = R::all(&mut state.simulation.cluster);
    let index = rows.len();
    let key = state.selection.package.as_ref().filter(|key| rows.iter().all(|row| row.package() != key.package));
    let new = key.cloned().map(|key| R::of_package(state, &key)).unwrap_or_default();
    R::all(&mut state.simulation.cluster).push(new);
    state.simulation.added = Some(R::at(index));
    changed(state, effects);
}

/// Changes a row. While a package is typed, the other fields stay as they are; see [`leave_package`].
pub(super) fn edit<R: Row>(state: &mut State, effects: &mut Vec<Effect>, index: usize, change: impl FnOnce(&mut R)) {
    if let Some(row) = R::all(&mut state.simulation.cluster).get_mut(index) {
        let former = row.clone();
        change(row);
        let now = row.clone();
        if now.package() != former.package() {
            let edited = R::edited(&mut state.simulation);
            let before = edited.take().filter(|(typed, _)| *typed == former).map_or(former, |(_, before)| before);
            *edited = Some((now, before));
        }
    }
    changed(state, effects);
}

/// Handles that the user left the package field. If it names another loaded package now, this clears the fields that
/// belong to the package before. A name that no loaded package has may be a typing error and clears nothing.
pub(super) fn leave_package<R: Row>(state: &mut State, effects: &mut Vec<Effect>, index: usize) {
    let State { simulation, overview, .. } = state;
    let Some(typed) = R::all(&mut simulation.cluster).get(index).cloned() else { return };
    let edited = R::edited(simulation);
    let Some((_, before)) = edited.clone().filter(|(now, _)| *now == typed) else { return };
    if [typed.package(), before.package()].into_iter().any(|name| rows(overview, name).next().is_none()) {
        return;
    }
    *edited = None;
    let (settled, package) = (typed.settled(overview), before.package().to_owned());
    if settled == typed || package == typed.package() {
        return;
    }
    let mut form = simulation.cluster.clone();
    R::all(&mut form)[index] = settled;
    R::all(&mut simulation.cluster)[index] = before;
    simulation.form_status = FormStatus::Ahead;
    simulation.replace_form(form);
    changed(state, effects);
    notify(state, NoticeKind::FieldsEmptied { package });
}

pub(super) fn remove<R: Row>(state: &mut State, effects: &mut Vec<Effect>, index: usize) {
    let mut form = state.simulation.cluster.clone();
    if index < R::all(&mut form).len() {
        let notice = R::removed(&form, index);
        R::all(&mut form).remove(index);
        state.simulation.replace_form(form);
        changed(state, effects);
        notify(state, notice);
    }
}

/// Changes the row of the package of the selected entry, which is added if there is none.
pub(super) fn use_entry<R: Row>(
    state: &mut State,
    effects: &mut Vec<Effect>,
    change: impl FnOnce(&mut R, R, EntryKey),
) {
    if let Selection { package: Some(key), entry: Some(entry), .. } = state.selection.clone() {
        state.show_simulation();
        state.simulation.mode = Mode::Form;
        let new = R::of_package(state, &key);
        let rows = R::all(&mut state.simulation.cluster);
        let index = rows.iter().position(|row| row.package() == key.package).unwrap_or_else(|| {
            rows.push(new.clone());
            rows.len() - 1
        });
        change(&mut rows[index], new, entry);
    }
    changed(state, effects);
}

/// Handles a change of the form: drops older offers to undo, and runs the simulation once the manifests say the same.
pub(super) fn changed(state: &mut State, effects: &mut Vec<Effect>) {
    forget_undo(state);
    state.simulation.form_status = FormStatus::Ahead;
    let form = &mut state.simulation.cluster;
    if state.simulation.manifests.is_empty() && !form.subscriptions.is_empty() {
        // OLM resolves nothing in a namespace without an OperatorGroup.
        form.target_namespaces.get_or_insert_default();
    }
    reset_progress(state);
    run(state, effects);
}

/// The rows of the packages with a name, one of each catalog that has it.
pub(super) fn rows<'a>(overview: &'a Overview, package: &'a str) -> impl Iterator<Item = &'a PackageRow> {
    overview.packages.iter().filter(move |row| row.key.package == package)
}
