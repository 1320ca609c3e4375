//! The actions that undo the changes that notices report.

use super::{Action, ClusterAction, NoticeKind, SessionAction, SimulationAction, State};

impl NoticeKind {
    /// The action that undoes the reported change, if it can be undone.
    #[must_use]
    pub fn undo_action(&self) -> Option<Action> {
        match self {
            Self::ManifestsFound
            | Self::ManifestsCleared
            | Self::FormChanged { .. }
            | Self::SubscriptionRemoved { .. }
            | Self::ExtensionRemoved { .. }
            | Self::FieldsEmptied { .. } => Some(Action::Cluster(ClusterAction::InputRestored)),
            Self::CatalogEdited { undo } => Some(Action::Simulation(SimulationAction::FixUndone(undo.clone()))),
            kind => kind.undo().cloned().map(|undo| Action::Session(SessionAction::CatalogsRestored(undo))),
        }
    }

    /// The action that makes a change again that was undone.
    #[must_use]
    pub fn redo_action(&self) -> Option<Action> {
        Some(Action::Simulation(SimulationAction::FixRedone(self.edit_redo()?.clone())))
    }

    /// Whether it is kept after it was read, because its change can be taken back.
    pub(super) fn is_kept(&self) -> bool {
        self.undo_action().is_some() || self.redo_action().is_some()
    }
}

/// Hides the notices of changes, and of what could not be opened, because something else is opened. Undo stays
/// available.
pub(super) fn hide_passing(state: &mut State) {
    let is_failure = |kind: &NoticeKind| {
        matches!(kind, NoticeKind::Refused { .. } | NoticeKind::NotUnpacked { .. } | NoticeKind::NotWritten { .. })
    };
    let keeps = |kind: &NoticeKind| kind.is_kept() || (kind.stays() && !is_failure(kind));
    state.notices.retain(|notice| keeps(&notice.kind));
    state.notices.iter_mut().filter(|notice| !notice.kind.stays()).for_each(|notice| notice.read = true);
}
