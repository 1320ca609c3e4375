//! A visit as something to pass on: a link that holds all of it, or a file.

use serde::{Deserialize, Serialize};

/// What a link, page and all, may have in characters. Windows hands an address to a browser in a command line of at most
/// 32,767 characters, which is the tightest bound among browsers and the places where people paste links (a comment on
/// GitHub takes 65,536, a message in Slack 40,000).
pub const LONGEST_LINK: u32 = 32_000;

/// What came with an address, as its fragment has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arrival {
    /// A whole visit: the number of the format, a point, and the rest in base64url.
    Visit(String),
    /// The text of a catalog or of manifests, in base64url or percent-encoded.
    Text(String),
}

/// A visit to pass on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareView {
    /// What [`Arrival::Visit`] takes; absent when it is longer than any link may be.
    pub link: Option<String>,
    /// The length that it has, or would have, in characters.
    pub length: u32,
    /// The address of the file within this browser; good until the next one is made.
    pub file: String,
    /// The size of the file in bytes.
    pub bytes: u32,
}

/// Why nothing could be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShareFault {
    /// It is damaged, or was never one.
    Garbled,
    /// It is in a format that this version does not know.
    Unknown {
        /// The number of the format, as written.
        format: String,
    },
    /// There is no such example.
    NoExample {
        /// Its name, as the address has it.
        slug: String,
    },
    /// It unfolds to more than is taken.
    TooLarge {
        /// At most so many bytes are.
        most: u32,
    },
}
