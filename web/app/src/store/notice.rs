//! Notices to the user, and the actions that undo the changes that they report.

use super::{Action, ClusterAction, SessionAction, SimulationAction, State, Undo};
use views::{ArchiveView, CatalogId, FileEdit, FileKey, Revision, ShareFault};

/// A notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its number, counted from 1.
    pub number: u32,
    /// What it reports.
    pub kind: NoticeKind,
    /// Whether it was visible long enough to be read. It is hidden then, and kept only for undo.
    pub read: bool,
}

/// What a notice reports, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// The worker died and was started again.
    Restarted { reason: String },
    /// The worker died again while it restored the catalogs, and was started without them.
    StartedEmpty { reason: String },
    /// The worker ended before it was ready, and was started again.
    NotStarted { reason: String },
    /// The worker does not start.
    Gone { reason: String },
    /// The user stopped a long request.
    Stopped,
    /// The user cancelled loading.
    Cancelled,
    /// The user cancelled loading what was kept from the last visit.
    NotRestored,
    /// The browser does not keep the catalogs.
    NotStored { reason: String },
    /// A drop or a pick could not be read.
    Refused { reason: String },
    /// The worker did not answer a request as it should.
    NotAnswered { reason: String },
    /// No definition of the name at the cursor was found.
    NoDefinition,
    /// Opened or pasted text contained manifests, which replaced others.
    ManifestsFound,
    /// A must-gather was opened: the name of its folder, and the numbers of objects of OLM, of copied CSVs, which were
    /// left out, and of other files, which were not read.
    Gathered { name: String, objects: u32, copied: u32, others: u32 },
    /// An archive or a folder of images was opened.
    Unpacked(ArchiveView),
    /// An archive or a folder of images cannot be read; the reason says what to do.
    NotUnpacked { name: String, reason: String },
    /// Nothing was written into a catalog.
    NotWritten { reason: String },
    /// An ImageSetConfiguration was opened, and no catalog that it could filter.
    ImageSetWaits,
    /// The manifests were removed.
    ManifestsCleared,
    /// The address names a catalog or, with a package, one that is not open.
    NotOpen { catalog: String, package: Option<String> },
    /// A text or a picture was copied.
    Copied,
    /// The browser did not permit to copy.
    CopyBlocked,
    /// A file was downloaded.
    Saved { name: String },
    /// There is nothing to download.
    NotSaved { reason: String },
    /// A comment that disables findings was copied.
    CommentCopied { comment: String },
    /// The form was changed by a fix.
    FormChanged { what: String },
    /// A catalog was changed by a fix, or a bundle was added to it.
    CatalogEdited { undo: FileUndo },
    /// Such a change was undone.
    EditUndone { redo: FileUndo },
    /// A catalog was removed.
    CatalogRemoved { name: String, undo: Undo },
    /// Everything was removed.
    Cleared { undo: Undo },
    /// An example, a link or a file replaced the user's own catalogs and cluster.
    Replaced { undo: Undo },
    /// A link or a session file could not be opened.
    NotOpened { fault: ShareFault },
    /// An opened catalog has packages that a known one has, too.
    PackagesShared { new: (CatalogId, String), known: (CatalogId, String), packages: u32 },
    /// A newer version of the page is ready.
    NewVersionReady,
    /// `opscope open` tells no more of its files.
    FollowEnded { reason: String },
    /// A file or folder that `opscope open` names is not there any more.
    RootGone { name: String },
    /// A file that the user edited changed on the disk, too.
    Contradicted { file: FileKey, path: String },
}

impl NoticeKind {
    /// Whether it stays visible until it is dismissed: it reports a failure or waits for a decision.
    #[must_use]
    pub const fn stays(&self) -> bool {
        !matches!(
            self,
            Self::Stopped
                | Self::Cancelled
                | Self::NoDefinition
                | Self::ImageSetWaits
                | Self::ManifestsFound
                | Self::ManifestsCleared
                | Self::Copied
                | Self::Saved { .. }
                | Self::CommentCopied { .. }
                | Self::FormChanged { .. }
                | Self::CatalogEdited { .. }
                | Self::EditUndone { .. }
                | Self::CatalogRemoved { .. }
                | Self::Cleared { .. }
                | Self::Replaced { .. }
        )
    }

    /// How to undo the reported edit of files.
    #[must_use]
    pub const fn edit_undo(&self) -> Option<&FileUndo> {
        match self {
            Self::CatalogEdited { undo } => Some(undo),
            _ => None,
        }
    }

    /// How to make the edit of files again that was undone.
    #[must_use]
    pub const fn edit_redo(&self) -> Option<&FileUndo> {
        match self {
            Self::EditUndone { redo } => Some(redo),
            _ => None,
        }
    }

    /// Either of them.
    pub(super) const fn file_undo_mut(&mut self) -> Option<&mut FileUndo> {
        match self {
            Self::CatalogEdited { undo } | Self::EditUndone { redo: undo } => Some(undo),
            _ => None,
        }
    }

    /// How to undo the reported change, if it is one that the worker undoes.
    #[must_use]
    pub const fn undo(&self) -> Option<&Undo> {
        match self {
            Self::CatalogRemoved { undo, .. } | Self::Cleared { undo } | Self::Replaced { undo } => Some(undo),
            _ => None,
        }
    }

    /// The action that undoes the reported change, if it can be undone.
    #[must_use]
    pub fn undo_action(&self) -> Option<Action> {
        match self {
            Self::ManifestsFound | Self::ManifestsCleared | Self::FormChanged { .. } => {
                Some(Action::Cluster(ClusterAction::InputRestored))
            }
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

/// How to undo a fix or a trial, which edited files, or to make it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileUndo {
    /// What was done.
    pub what: String,
    /// The edits that restore the files, as ranges of their texts at that revision.
    pub edits: Vec<FileEdit>,
    /// The revision after the change. At a later one the files may have changed.
    pub revision: Revision,
    /// The revision whose texts the edits restore.
    pub leads_to: Revision,
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
