//! How bad a difference is for clusters.

use serde::{Deserialize, Serialize};

/// A level; the worst one is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Somebody is better off than before.
    Good,
    /// Nobody is harmed.
    Neutral,
    /// Somebody may be harmed.
    Risky,
    /// Somebody is harmed.
    Breaking,
}

impl Level {
    /// All levels, the worst first.
    pub const ALL: [Self; 4] = [Self::Breaking, Self::Risky, Self::Neutral, Self::Good];

    /// The name in files and arguments.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Neutral => "neutral",
            Self::Risky => "risky",
            Self::Breaking => "breaking",
        }
    }
}
