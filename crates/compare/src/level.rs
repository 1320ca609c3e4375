//! How bad a difference is for clusters.

/// A level; the worst one is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Its name in files and arguments.
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
