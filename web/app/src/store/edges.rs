//! Editing in the drawing: the edges of entries. Calls `authoring`.

use super::request::{Arrival, send_query};
use super::{Effect, Shared, State, authoring};
use views::{AuthoringInput, EdgeEffectView, EdgeGesture, PackageKey, Take, Target, query};

/// The editing mode of the drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edges {
    /// Whether entries can be dragged to each other.
    pub editing: bool,
    /// A change that is not made yet, with its package.
    pub(super) held: Option<(PackageKey, EdgeGesture)>,
    /// What it does, once that is known.
    pub effect: Option<Shared<EdgeEffectView>>,
}

/// Actions about the editing mode.
#[derive(Clone, Debug, PartialEq)]
pub enum EdgeAction {
    Switched,
    /// A change is held, or none any more.
    Held(Option<EdgeGesture>),
    /// The change that is held is to be made.
    Made,
}

impl State {
    /// The change of the selected package that is held in the editing mode.
    #[must_use]
    pub fn held_edge(&self) -> Option<&EdgeGesture> {
        let held = self.edges.held.as_ref().filter(|(key, _)| self.selection.package.as_ref() == Some(key));
        held.map(|(_, edit)| edit)
    }
}

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: EdgeAction) {
    match action {
        EdgeAction::Switched => state.edges = Edges { editing: !state.edges.editing, ..Edges::default() },
        EdgeAction::Held(edit) => {
            if state.held_edge() == edit.as_ref() {
                return;
            }
            state.edges.effect = None;
            state.edges.held = state.selection.package.clone().zip(edit);
            if let Some((package, edit)) = state.edges.held.clone() {
                send_query(state, effects, query::EdgeEffect { package, edit });
            }
        }
        EdgeAction::Made => {
            let Some(edit) = state.held_edge().cloned() else { return };
            let Some((PackageKey { catalog, package }, _)) = state.edges.held.take() else { return };
            state.edges.effect = None;
            authoring::write(state, effects, Target::Catalog(catalog), AuthoringInput::Edge { package, edit });
        }
    }
}

impl Take<query::EdgeEffect> for Arrival<'_> {
    fn take(&mut self, query: query::EdgeEffect, view: Option<EdgeEffectView>) {
        let edges = &mut self.state.edges;
        let is_held = edges.held.as_ref().is_some_and(|(key, edit)| *key == query.package && *edit == query.edit);
        if is_held && view.is_none() {
            // The catalog has no such entry, as of one that the drawing of a comparison shows.
            edges.held = None;
        } else if is_held {
            edges.effect = view.map(Shared::new);
        }
    }
}
