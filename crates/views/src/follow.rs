//! The files that `opscope open` names, as the page follows them: the program says what they are, and then what changed.

use serde::{Deserialize, Serialize};

/// What `opscope open` tells the page: all files at first, then those that changed. On the way, as JSON, it stands before the
/// contents of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowedFiles {
    /// Counts changes; the page names it when it asks for the next ones.
    pub version: u32,
    /// The roots that are only compared with the others.
    pub baselines: Vec<String>,
    /// The roots that are given as the manifests of a cluster.
    pub manifests: Vec<String>,
    /// The roots that are not on the disk now. The page keeps the files that it got before.
    pub gone: Vec<String>,
    /// Whether edits may be saved to the files.
    pub is_writable: bool,
    /// In the order of their contents.
    pub files: Vec<FollowedFile>,
}

/// A file on the disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowedFile {
    /// The name of what the user named: the catalog it belongs to.
    pub root: String,
    /// The path below the root; its name if the root is a file.
    pub path: String,
    pub state: FileState,
}

/// What there is of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileState {
    /// The number of its bytes.
    Read(u32),
    /// Nothing, and why.
    Unread(String),
    /// It is no longer there.
    Gone,
}

impl FollowedFiles {
    /// An answer begins with the length of this value in bytes, big-endian, in as many bytes as this says; then come the value
    /// and the contents of the files.
    pub const LENGTH: usize = size_of::<u32>();
}

/// A file whose edits are to be saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFile {
    /// The name of what the user named.
    pub root: String,
    /// The path below it.
    pub path: String,
    /// The text that the disk has to have still.
    pub before: String,
    /// The text that it is to have.
    pub after: String,
}
