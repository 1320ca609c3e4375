//! Notices: what the user should know, and how to undo what they tell of.

use super::action::{Action, ClusterAction, SessionAction, SimulationAction};
use super::{Undo, WayBack};
use views::ShareFault;

/// Something that the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Counts notices of the session.
    pub number: u32,
    /// What.
    pub kind: NoticeKind,
    /// It was in sight for long enough, and is kept for what it can take back.
    pub read: bool,
}

/// What the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// The worker died and was started again.
    Restarted {
        /// What it said.
        reason: String,
    },
    /// The worker died while loading what was kept, and was started without.
    StartedEmpty {
        /// What it said.
        reason: String,
    },
    /// The worker does not start.
    Gone {
        /// What it said.
        reason: String,
    },
    /// The user stopped a long request.
    Stopped,
    /// The user cancelled loading.
    Cancelled,
    /// The user cancelled loading what was kept from the last visit.
    NotRestored,
    /// The browser does not keep the catalogs.
    NotStored {
        /// Why.
        reason: String,
    },
    /// A drop or a pick could not be read.
    Refused {
        /// Why.
        reason: String,
    },
    /// The worker did not answer a request as it should.
    NotAnswered {
        /// Why.
        reason: String,
    },
    /// What stands at the cursor is defined nowhere else.
    NoDefinition,
    /// Manifests were found in what was opened or pasted, and took the place of others.
    ManifestsFound,
    /// The form was put into the field of the manifests, and copied.
    Exported,
    /// The form was put into the field of the manifests, in the place of others.
    Rewritten,
    /// A comment that switches findings off was put on the clipboard.
    CommentCopied {
        /// The comment.
        comment: String,
    },
    /// The form was changed by a fix.
    FormChanged {
        /// What was done.
        what: String,
    },
    /// A Subscription's package became another one, and what belonged to the one before was taken out.
    FieldsEmptied {
        /// The package before.
        package: String,
    },
    /// A catalog was changed by a fix.
    CatalogEdited {
        /// What was done.
        what: String,
        /// How to take it back.
        back: WayBack,
    },
    /// A Subscription was removed.
    SubscriptionRemoved {
        /// Its package.
        package: String,
    },
    /// A catalog was taken out.
    CatalogRemoved {
        /// Its name.
        name: String,
        /// How to bring it back.
        undo: Undo,
    },
    /// Everything was cleared.
    Cleared {
        /// How to bring it back.
        undo: Undo,
    },
    /// An example, a link or a file replaced the user's own catalogs and cluster.
    Replaced {
        /// How to bring it back.
        undo: Undo,
    },
    /// A link or a session file could not be opened.
    NotOpened {
        /// Why.
        fault: ShareFault,
    },
    /// A newer version of the page is ready.
    Renewed,
}

impl NoticeKind {
    /// Whether it tells of what went wrong, or waits for a decision: it stays in sight until it is dismissed.
    #[must_use]
    pub const fn stays(&self) -> bool {
        match self {
            Self::Restarted { .. }
            | Self::StartedEmpty { .. }
            | Self::Gone { .. }
            | Self::NotRestored
            | Self::NotStored { .. }
            | Self::Refused { .. }
            | Self::NotAnswered { .. }
            | Self::NotOpened { .. }
            | Self::Renewed => true,
            Self::Stopped
            | Self::Cancelled
            | Self::NoDefinition
            | Self::ManifestsFound
            | Self::Exported
            | Self::Rewritten
            | Self::CommentCopied { .. }
            | Self::FormChanged { .. }
            | Self::CatalogEdited { .. }
            | Self::FieldsEmptied { .. }
            | Self::SubscriptionRemoved { .. }
            | Self::CatalogRemoved { .. }
            | Self::Cleared { .. }
            | Self::Replaced { .. } => false,
        }
    }

    /// How the change is taken back that this tells of, if it is one of the catalogs.
    #[must_use]
    pub const fn undo(&self) -> Option<&Undo> {
        match self {
            Self::CatalogRemoved { undo, .. } | Self::Cleared { undo } | Self::Replaced { undo } => Some(undo),
            _ => None,
        }
    }

    /// What takes the change back that this tells of, if it can be.
    #[must_use]
    pub fn taken_back(&self) -> Option<Action> {
        match self {
            Self::ManifestsFound
            | Self::Exported
            | Self::Rewritten
            | Self::FormChanged { .. }
            | Self::FieldsEmptied { .. } => Some(Action::Cluster(ClusterAction::InputRestored)),
            Self::CatalogEdited { back, .. } => Some(Action::Simulation(SimulationAction::TextRestored(back.clone()))),
            Self::SubscriptionRemoved { .. } => Some(Action::Cluster(ClusterAction::SubscriptionRestored)),
            kind => kind.undo().cloned().map(|undo| Action::Session(SessionAction::CatalogsRestored(undo))),
        }
    }
}
