//! What was read of an archive or image, and the messages between the worker and the unpacker.

use serde::{Deserialize, Serialize};

/// What was used of an archive or of a folder of images.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveView {
    /// The name of the file or folder.
    pub name: String,
    /// What is in it: the files of an archive, or those of each image.
    pub parts: Vec<ArchivePart>,
    /// Images that are not read, each with its name and the reason.
    pub passed_over: Vec<(String, String)>,
}

/// The files of an archive or of one of its images.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivePart {
    /// What they are and where they come from, in words.
    pub sentence: String,
    /// The layers of the image, the lowest first: the digest or the path of each, and what was used of it.
    pub layers: Vec<(String, String)>,
}

/// What the unpacker is asked for; the files come beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unpack {
    /// The name of the file or folder.
    pub name: String,
    /// The paths of the files of a folder; empty for a single file.
    pub paths: Vec<String>,
}

/// What the unpacker says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromUnpacker {
    /// It goes on.
    Read {
        /// How many bytes it has read so far: more than the files have if they have to be decompressed twice.
        bytes: f64,
    },
    /// It has ended. The files come beside this.
    Done(Unpacked),
    /// It cannot read the archive.
    Refused {
        /// Why, and what to do.
        reason: String,
    },
    /// The folder has no images.
    NoImages,
}

/// The contents of an archive or of a folder of images.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unpacked {
    /// What was used.
    pub view: ArchiveView,
    /// What each part of the view became, in the same order.
    pub roots: Vec<UnpackedRoot>,
}

/// Files that become a catalog, or a must-gather.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnpackedRoot {
    /// The name of the catalog.
    pub name: String,
    /// The path of each file, and why it cannot be read. One that can be read has bytes beside this.
    pub files: Vec<(String, Option<String>)>,
    /// How many other files were left out, if it is a must-gather.
    pub others: Option<u32>,
}
