//! Which versions of OLM decide.

use serde::{Deserialize, Serialize};

/// The versions of OLM that answers are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Runtime {
    /// OLM v0: Subscriptions.
    #[default]
    V0,
    /// OLM v1: ClusterExtensions.
    V1,
    Both,
}

impl Runtime {
    /// Whether OLM v0 is one of them.
    #[must_use]
    pub const fn has_v0(self) -> bool {
        matches!(self, Self::V0 | Self::Both)
    }

    /// Whether OLM v1 is one of them.
    #[must_use]
    pub const fn has_v1(self) -> bool {
        matches!(self, Self::V1 | Self::Both)
    }
}
