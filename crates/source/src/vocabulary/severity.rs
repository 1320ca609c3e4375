//! How bad a finding is.

use serde::{Deserialize, Serialize};

/// How bad a finding is; the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// `opm` rejects the catalog, or OLM cannot use it.
    Error,
    /// `opm` accepts it, but it is very likely a mistake.
    Warning,
    /// Worth knowing.
    Hint,
}

impl Severity {
    /// All severities, the worst first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Hint];

    /// `error`, `warning` or `hint`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Hint => "hint",
        }
    }
}
