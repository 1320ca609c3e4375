//! Handles what the user does to the arrangement of the regions. Calls `selected_source`.

use super::{Effect, LayoutAction, State, Tab, selected_source};

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: LayoutAction) {
    match action {
        LayoutAction::BoundaryMoved { boundary, size } => {
            match size {
                Some(size) => state.layout.sizes.insert(boundary, size),
                None => state.layout.sizes.remove(&boundary),
            };
            effects.push(Effect::ApplySizes(state.layout.sizes.clone()));
        }
        LayoutAction::SplitSwitched { on } => {
            state.layout.split = on;
            if on && !state.shows_both() {
                state.tab = Tab::Graph;
            }
            if on {
                selected_source::chosen(state, effects);
            }
        }
    }
}
