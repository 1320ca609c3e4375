//! One document, and how much of it is built.

use crate::Node;
use crate::findings::Findings;

/// The first document of a chunk.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) node: Node,
    /// The byte at which it ends; whatever follows in the chunk is never read.
    pub(crate) end: usize,
    /// Findings about keys that occur twice and about scalars that are not read as written.
    pub(crate) diagnostics: Findings,
    /// Starts of unopened values of properties that certainly have the shape of their type; ascending.
    pub(crate) fitting: Vec<u32>,
}

/// Which parts of a document are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// All but the property values that nobody reads.
    WhatIsRead,
    /// As [`WhatIsRead`](Self::WhatIsRead), without the fast paths for values that nobody reads and for simple lines.
    #[cfg(test)]
    WhatIsReadSlowly,
    /// Everything.
    All,
}

impl Open {
    /// Whether what is simple is read without tokens.
    pub(super) const fn has_fast_paths(self) -> bool {
        match self {
            Self::WhatIsRead | Self::All => true,
            #[cfg(test)]
            Self::WhatIsReadSlowly => false,
        }
    }
}
