//! How InstallPlans are approved.

use serde::{Deserialize, Serialize};

/// `spec.installPlanApproval` of a Subscription.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Approval {
    /// InstallPlans are executed at once.
    #[default]
    Automatic,
    /// InstallPlans wait for approval. One such Subscription makes all InstallPlans of the namespace wait.
    Manual,
}

impl Approval {
    /// As in manifests.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Automatic => "Automatic",
            Self::Manual => "Manual",
        }
    }
}
