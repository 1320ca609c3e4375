//! The palette: asks the worker for results, and follows the one that is picked. Calls `commands`, `explore`,
//! `navigation` and `source`.

use super::commands::commands;
use super::navigation::{select, select_catalog};
use super::palette::{Palette, PaletteAction, PaletteItem, PalettePurpose};
use super::request::{Arrival, pending_now, send_query};
use super::{Dialog, Direction, Effect, ExploreAction, Pane, Shared, State, Tab};
use super::{explore, source};
use views::{FileTarget, SearchScope, SearchTarget, SearchView, Subject, Take, query};

/// How many more results of a kind are listed at a time.
const STEP: usize = 50;

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: PaletteAction) {
    match action {
        PaletteAction::Opened(PalettePurpose::Path) if state.selection.entry.is_none() => {}
        PaletteAction::Opened(purpose) => {
            state.palette = Palette { purpose, ..Palette::default() };
            state.dialog = Some(Dialog::Palette);
            ask(state, effects);
        }
        PaletteAction::Typed(text) => {
            let Palette { purpose, found, .. } = std::mem::take(&mut state.palette);
            state.palette = Palette { purpose, text, found, ..Palette::default() };
            ask(state, effects);
        }
        PaletteAction::Stepped(direction) => {
            let last = (state.palette.items().count() + commands(state).len()).saturating_sub(1);
            let active = state.palette.active;
            state.palette.active = match direction {
                Direction::Earlier => active.checked_sub(1).unwrap_or(last),
                Direction::Later if active >= last => 0,
                Direction::Later => active + 1,
            };
        }
        PaletteAction::Entered if is_awaited(state) => state.palette.picks_first = true,
        PaletteAction::Entered => pick(state, effects, state.palette.active),
        PaletteAction::Picked(item) => pick(state, effects, item),
    }
}

/// Asks for the results, also after a change of the inputs. Only one question is under way: in a large catalog the
/// answer may take longer than typing the next letter.
pub(super) fn ask(state: &mut State, effects: &mut Vec<Effect>) {
    let is_open = state.dialog == Some(Dialog::Palette) && !state.overview.catalogs.is_empty();
    if is_open && !is_awaited(state) {
        send_query(state, effects, wanted(state));
    }
}

/// The question that the palette asks now.
fn wanted(state: &State) -> query::Search {
    let scope = match (state.palette.purpose, &state.selection.package, &state.selection.entry) {
        (PalettePurpose::Path, Some(package), Some(entry)) => {
            SearchScope::Entries { package: package.clone(), channel: entry.channel.clone() }
        }
        _ => SearchScope::All,
    };
    query::Search { text: state.palette.text.trim().to_owned(), scope, more: state.palette.more }
}

/// Whether results will arrive that are of the current inputs: older ones are dropped.
fn is_awaited(state: &State) -> bool {
    pending_now::<query::Search>(state).next().is_some()
}

impl Take<query::Search> for Arrival<'_> {
    /// Takes the results, or asks again if others are wanted meanwhile.
    fn take(&mut self, query: query::Search, view: SearchView) {
        let Self { state, effects, .. } = self;
        if wanted(state) != query {
            return ask(state, effects);
        }
        state.palette.found = Some(Shared::new(view));
        if std::mem::take(&mut state.palette.picks_first) {
            pick(state, effects, 0);
        }
    }
}

/// Follows a result, or asks for more of a kind.
fn pick(state: &mut State, effects: &mut Vec<Effect>, item: usize) {
    if state.dialog != Some(Dialog::Palette) {
        return;
    }
    let palette = state.palette.clone();
    match palette.items().nth(item) {
        None => {}
        Some(PaletteItem::More(kind, listed)) => {
            state.palette.more = Some((kind, (listed + STEP) as u32));
            state.palette.active = item;
            ask(state, effects);
        }
        Some(PaletteItem::Hit(hit)) => {
            let target = hit.target.clone();
            state.dialog = None;
            follow(state, effects, target);
        }
    }
}

fn follow(state: &mut State, effects: &mut Vec<Effect>, target: SearchTarget) {
    state.pane = Pane::Package;
    // The view that shows entries stays, otherwise the graph is shown.
    let entries = if state.tab == Tab::Table { Tab::Table } else { Tab::Graph };
    match target {
        SearchTarget::Package(package) => {
            select(state, effects, package, None);
            effects.push(Effect::RevealPackage);
        }
        SearchTarget::Channel { package, channel } => {
            state.tab = entries;
            select(state, effects, package, None);
            explore::handle(state, effects, ExploreAction::SubjectSelected(Subject::Channel { channel }));
            effects.push(Effect::RevealPackage);
        }
        SearchTarget::Entry { entry, .. } if state.palette.purpose == PalettePurpose::Path => {
            state.tab = entries;
            explore::handle(state, effects, ExploreAction::PathTo(entry));
        }
        SearchTarget::Entry { package, entry } => {
            state.tab = entries;
            select(state, effects, package, Some(entry));
            effects.push(Effect::RevealPackage);
        }
        SearchTarget::File(file) => {
            state.tab = Tab::Source;
            source::follow(state, effects, file, FileTarget::Anywhere);
        }
        SearchTarget::Catalog(catalog) => select_catalog(state, effects, catalog),
    }
}
