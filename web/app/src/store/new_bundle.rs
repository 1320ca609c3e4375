//! Trying a new bundle on an open catalog.

use super::NamedSides;
use super::request::{command, notify};
use super::{Dialog, Effect, NamedSelection, NewBundle, NewBundleAction, NoticeKind, Pane, Shared, State, Tab};
use std::collections::BTreeSet;
use views::{CatalogId, Command, NewBundleView, Trial, TrialEntry};

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: NewBundleAction) {
    let Some(new) = &mut state.new_bundle else { return };
    match action {
        NewBundleAction::CatalogChosen(catalog) => new.choose(catalog),
        NewBundleAction::ChannelSwitched(channel) => {
            if !new.channels.remove(&channel) {
                new.channels.insert(channel);
            }
        }
        NewBundleAction::Tried(entries) => {
            let Some(catalog) = new.chosen().map(|row| row.catalog) else { return };
            let number = new.view.number;
            state.dialog = None;
            command(state, effects, Command::TryBundle(Trial { number, catalog, entries }));
        }
    }
}

/// Takes a bundle directory whose package an open catalog has.
pub(super) fn opened(state: &mut State, view: NewBundleView) {
    let mut new = NewBundle { view: Shared::new(view), catalog: 0, channels: BTreeSet::new() };
    new.choose(0);
    state.new_bundle = Some(new);
    state.dialog = Some(Dialog::NewBundle);
}

/// Takes the answer: selects the package of the bundle, and compares the catalog with what was opened.
pub(super) fn tried(state: &mut State, tried: Result<CatalogId, String>) {
    let catalog = match tried {
        Ok(catalog) => catalog,
        Err(reason) => return notify(state, NoticeKind::NotTried { reason }),
    };
    let name = state.catalog(catalog).map(|row| row.name.clone()).unwrap_or_default();
    // The overview that comes with the answer selects it.
    state.pending_selection = state.new_bundle.as_ref().map(|new| NamedSelection {
        catalog: name.clone(),
        package: Some(new.view.package.clone()),
        entry: None,
    });
    let sides = NamedSides { before: name.clone(), before_opened: true, after: name, after_opened: false };
    state.compare.chosen = Some(sides);
    state.tab = Tab::Compare;
    state.pane = Pane::Package;
}

/// The names in a text, which are apart from each other by commas or blanks.
fn names(text: &str) -> Vec<String> {
    text.split([',', ' ', '\n', '\t']).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// An entry of the form.
#[must_use]
pub fn entry(channel: &str, replaces: &str, skips: &str, skip_range: &str) -> TrialEntry {
    TrialEntry {
        channel: channel.to_owned(),
        replaces: replaces.trim().to_owned(),
        skips: names(skips),
        skip_range: skip_range.trim().to_owned(),
    }
}
