//! Following the verdict of a Subscription. Calls `navigation`.

use super::navigation::select;
use super::{Effect, State, outcome};
use views::OutcomeView;

/// Shows the package of a Subscription, the entry where it ends, and the explanation in the simulation.
pub(super) fn follow(state: &mut State, effects: &mut Vec<Effect>, name: &str) {
    let row = outcome(state).and_then(|outcome| outcome.subscriptions.iter().find(|row| row.name == name)).cloned();
    let Some(row) = row else { return };
    state.show_simulation();
    if let Some(key) = row.package_key {
        select(state, effects, key, row.end);
    }
    effects.push(Effect::RevealVerdict(row.name));
}

/// Selects the package of the Subscription that needs most attention, if no Subscription is to the selected package.
/// The simulation has begun from a cluster that the page did not know before.
pub(super) fn select_worst(state: &mut State, effects: &mut Vec<Effect>) {
    let rows = outcome(state).map(|outcome: &OutcomeView| outcome.subscriptions.as_slice()).unwrap_or_default();
    let worst = rows.iter().filter(|row| row.package_key.is_some()).min_by_key(|row| row.status.attention());
    let key = worst.and_then(|row| row.package_key.clone());
    if let Some(key) = key.filter(|key| state.selection.package.as_ref() != Some(key)) {
        select(state, effects, key, None);
        effects.push(Effect::RevealPackage);
    }
}
