//! Opens the Source tab at the selection.

use super::editor::Selected;
use super::{Effect, State, Tab, source};
use views::{FileTarget, Place};

/// Handles that the Source tab was chosen: shows the place of the selection, unless the tab was shown since it was
/// selected.
pub(super) fn chosen(state: &mut State, effects: &mut Vec<Effect>) {
    if state.source.is_used() && state.source.shown_for(&Selected::of(state)) {
        return;
    }
    let waits = match (&state.selection.entry, &state.explore.subject) {
        (Some(_), _) => state.entry.is_none(),
        (None, Some(_)) => state.explore.about.is_none(),
        (None, None) => false,
    };
    state.source.waits_for_selection = waits;
    if !waits {
        open(state, effects);
    }
}

/// Handles the answer about the selection, which the Source tab may wait for.
pub(super) fn answered(state: &mut State, effects: &mut Vec<Effect>) {
    if std::mem::take(&mut state.source.waits_for_selection) && state.shows(Tab::Source) {
        open(state, effects);
    }
}

/// Opens the source at the place of the selection, else at the declaration of its package, else the first file.
pub(super) fn open(state: &mut State, effects: &mut Vec<Effect>) {
    let first = || state.overview.catalogs.first()?.files.first().map(|row| row.file);
    let (file, target) = match selected_place(state).or_else(|| package_place(state)) {
        Some(Place { file, start, end, .. }) => (file, FileTarget::Bytes { start, end }),
        None => match first() {
            Some(file) => (file, FileTarget::Anywhere),
            None => return,
        },
    };
    source::show(state, effects, file, target);
}

fn selected_place(state: &State) -> Option<Place> {
    let entry = state.entry.as_ref().filter(|_| state.selection.entry.is_some());
    let of_entry = entry.and_then(|entry| entry.entry_place.or(entry.bundle_place));
    let subject = state.explore.about.as_ref().filter(|_| state.explore.subject.is_some());
    of_entry.or_else(|| Some(subject?.excerpt.as_ref()?.place))
}

fn package_place(state: &State) -> Option<Place> {
    let selected = state.selection.package.as_ref();
    state.overview.packages.iter().find(|row| Some(&row.key) == selected)?.place
}
