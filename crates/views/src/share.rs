//! What a session begins with or ends in: a link that contains all of it, a file, an example.

use serde::{Deserialize, Serialize};

/// The maximum length of a link in characters, with the address of the page. Windows starts a browser with a command line of
/// at most 32,767 characters, which is the lowest limit among browsers and the places where people paste links (a comment on
/// GitHub may have 65,536, a message in Slack 40,000).
pub const LONGEST_LINK: u32 = 32_000;

/// The content of a link: what the fragment of the page's address says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkContent {
    /// A whole session: the number of the format, a dot, and the compressed session in base64url.
    Session(String),
    /// The text of a catalog or of manifests, in base64url or percent-encoded.
    Text(String),
    /// The texts of a catalog before and after a change, written like that of [`LinkContent::Text`].
    Change { before: String, after: String },
}

/// A session, ready to be shared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareView {
    /// The content of the link, as [`LinkContent::Session`] takes it; `None` when it would be too long.
    pub link: Option<String>,
    /// The same with no more of the catalogs than the simulation looks at; `None` if that is not wanted, or says something else.
    pub scene: Option<String>,
    /// The length that the link has, or would have, in characters.
    pub length: u32,
    /// A `blob:` URL of the file, valid until the next one is made.
    pub file: String,
    /// The size of the file in bytes.
    pub bytes: u32,
}

/// Why a link or file could not be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShareFault {
    /// It is damaged, or not a session.
    Garbled,
    /// Its format is unknown to this version.
    Unknown {
        /// The number of the format, as written.
        format: String,
    },
    /// There is no such example.
    NoExample {
        /// Its name in the address.
        slug: String,
    },
    /// It is too large when decompressed.
    TooLarge {
        /// The limit in bytes.
        most: u32,
    },
}

// The gallery of examples.

/// Examples of one theme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleTheme {
    pub title: String,
    /// In display order.
    pub examples: Vec<ExampleRow>,
}

/// An example in the gallery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleRow {
    /// Its name; unique.
    pub slug: String,
    pub title: String,
    /// What the example shows, a sentence or two; names are in backticks.
    pub says: String,
    /// What to look at on the page once it is open; names are in backticks.
    pub look_at: String,
}

/// An example whose catalogs were loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedExample {
    pub slug: String,
    pub cluster: String,
    pub package: String,
    /// Whether it is a change to a catalog, which the comparison shows.
    pub is_change: bool,
}
