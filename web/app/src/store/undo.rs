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
            Self::CatalogEdited { undo, .. } => Some(Action::Simulation(SimulationAction::FixUndone(undo.clone()))),
            kind => kind.undo().cloned().map(|undo| Action::Session(SessionAction::CatalogsRestored(undo))),
        }
    }
}

/// Hides the notices of changes, and of what could not be opened, because something else is opened. Undo stays
/// available.
pub(super) fn hide_passing(state: &mut State) {
    let is_failure = |kind: &NoticeKind| {
        matches!(kind, NoticeKind::Refused { .. } | NoticeKind::NotUnpacked { .. } | NoticeKind::NotWritten { .. })
    };
    let keeps = |kind: &NoticeKind| kind.undo_action().is_some() || (kind.stays() && !is_failure(kind));
    state.notices.retain(|notice| keeps(&notice.kind));
    state.notices.iter_mut().filter(|notice| !notice.kind.stays()).for_each(|notice| notice.read = true);
}
