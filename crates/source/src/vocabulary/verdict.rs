//! Whether a namespace of a cluster goes on by itself, in one word.

use serde::{Deserialize, Serialize};

/// Whether a namespace goes on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// OLM does the next step by itself, or there is none.
    Acts,
    /// Somebody has to approve, to decide, or to change an object.
    Waits,
    /// A transition that ends by itself.
    Passes,
    /// Nothing that OLM does ends it.
    Stuck,
    /// An object that decides is not in the input.
    Unknown,
}

impl Verdict {
    /// The verdict as words in front of its reason.
    #[must_use]
    pub const fn as_words(self) -> &'static str {
        match self {
            Self::Acts => "acts by itself",
            Self::Waits => "waits for a person",
            Self::Passes => "passes by itself",
            Self::Stuck => "stuck",
            Self::Unknown => "unknown",
        }
    }

    /// How much attention it needs, from 0, the most.
    #[must_use]
    pub const fn attention(self) -> usize {
        match self {
            Self::Stuck => 0,
            Self::Waits => 1,
            Self::Unknown => 2,
            Self::Passes => 3,
            Self::Acts => 4,
        }
    }
}
