//! What the worker sends without a request.

use crate::{AnyAnswer, IconRow, Overview, RequestId, Revision};
use serde::{Deserialize, Serialize};

/// What the worker sends without a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// It takes requests.
    Ready,
    /// A command goes on.
    Progress {
        /// What is being done.
        stage: Stage,
        /// Bytes that are done.
        done: u32,
        /// Bytes in all.
        total: u32,
    },
    /// What can be used already while a command goes on. It is not validated yet; queries about it are answered.
    Partial {
        revision: Revision,
        /// Catalogs and packages so far.
        overview: Overview,
    },
    /// What a comparison has found so far, while its reply takes longer.
    SoFar {
        id: RequestId,
        /// The answer so far.
        answer: Box<AnyAnswer>,
    },
    /// Icons of packages, some at a time.
    Icons(#[serde(with = "crate::packed")] Vec<IconRow>),
    /// The browser's store could not keep or give back the catalogs; the worker goes on without it.
    NotStored { reason: String },
}

/// What takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Reading archives.
    Unpacking,
    /// Getting the bytes of files.
    Fetching,
    Reading,
    /// Judging what was read; takes a moment at the end of `Reading`.
    Judging,
}
