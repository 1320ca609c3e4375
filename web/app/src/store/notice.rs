//! Notices to the user.

use super::Undo;
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

/// What a notice reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// The worker died and was started again.
    Restarted {
        /// Its error message.
        reason: String,
    },
    /// The worker died again while it restored the catalogs, and was started without them.
    StartedEmpty {
        /// Its error message.
        reason: String,
    },
    /// The worker ended before it was ready, and was started again.
    NotStarted {
        /// Its error message.
        reason: String,
    },
    /// The worker does not start.
    Gone {
        /// Its error message.
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
    /// No definition of the name at the cursor was found.
    NoDefinition,
    /// Opened or pasted text contained manifests, which replaced others.
    ManifestsFound,
    /// A must-gather was opened.
    Gathered {
        /// The name of its folder.
        name: String,
        /// The objects of OLM in it.
        objects: u32,
        /// Copied CSVs, which were left out.
        copied: u32,
        /// Other files, which were not read.
        others: u32,
    },
    /// An archive or a folder of images was opened.
    Unpacked(ArchiveView),
    /// An archive or a folder of images cannot be read.
    NotUnpacked {
        /// The name of the file or folder.
        name: String,
        /// Why, and what to do.
        reason: String,
    },
    /// Nothing was written into a catalog.
    NotWritten {
        /// Why.
        reason: String,
    },
    /// An ImageSetConfiguration was opened, and no catalog that it could filter.
    ImageSetWaits,
    ManifestsCleared,
    /// The address names a catalog or a package that is not open.
    NotOpen {
        catalog: String,
        /// The package; absent if the address is about the catalog as a whole.
        package: Option<String>,
    },
    Copied,
    /// The browser did not permit to copy.
    CopyBlocked,
    /// A file was downloaded.
    Saved {
        name: String,
    },
    /// There is nothing to download.
    NotSaved {
        /// Why.
        reason: String,
    },
    /// A comment that disables findings was copied.
    CommentCopied {
        comment: String,
    },
    /// The form was changed by a fix.
    FormChanged {
        /// What was done.
        what: String,
    },
    /// The package of a Subscription was changed, and the fields that belonged to the one before were cleared.
    FieldsEmptied {
        /// The package before.
        package: String,
    },
    /// A catalog was changed by a fix, or a bundle was added to it.
    CatalogEdited {
        undo: FileUndo,
    },
    /// Such a change was undone.
    EditUndone {
        redo: FileUndo,
    },
    SubscriptionRemoved {
        package: String,
    },
    ExtensionRemoved {
        /// Its name; empty if it had no package.
        name: String,
    },
    CatalogRemoved {
        name: String,
        undo: Undo,
    },
    Cleared {
        undo: Undo,
    },
    /// An example, a link or a file replaced the user's own catalogs and cluster.
    Replaced {
        undo: Undo,
    },
    /// A link or a session file could not be opened.
    NotOpened {
        /// Why.
        fault: ShareFault,
    },
    /// An opened catalog has packages that another one has, too.
    PackagesShared {
        new: (CatalogId, String),
        /// The other one.
        known: (CatalogId, String),
        packages: u32,
    },
    /// A newer version of the page is ready.
    NewVersionReady,
    /// `opscope open` tells no more of its files.
    FollowEnded {
        /// Why.
        reason: String,
    },
    /// A file that the user edited changed on the disk, too.
    Contradicted {
        file: FileKey,
        path: String,
    },
}

impl NoticeKind {
    /// Whether it stays visible until it is dismissed: it reports a failure or waits for a decision.
    #[must_use]
    pub const fn stays(&self) -> bool {
        match self {
            Self::Restarted { .. }
            | Self::StartedEmpty { .. }
            | Self::NotStarted { .. }
            | Self::Gone { .. }
            | Self::NotRestored
            | Self::NotStored { .. }
            | Self::Refused { .. }
            | Self::NotAnswered { .. }
            | Self::NotOpened { .. }
            | Self::NotOpen { .. }
            | Self::PackagesShared { .. }
            | Self::Gathered { .. }
            | Self::Unpacked(_)
            | Self::NotUnpacked { .. }
            | Self::CopyBlocked
            | Self::NotSaved { .. }
            | Self::NotWritten { .. }
            | Self::NewVersionReady
            | Self::FollowEnded { .. }
            | Self::Contradicted { .. } => true,
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
            | Self::FieldsEmptied { .. }
            | Self::SubscriptionRemoved { .. }
            | Self::ExtensionRemoved { .. }
            | Self::CatalogRemoved { .. }
            | Self::Cleared { .. }
            | Self::Replaced { .. } => false,
        }
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
