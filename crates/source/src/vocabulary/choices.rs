//! Values that are one word of a few: how bad something is, who decides, what is there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `spec.installPlanApproval` of a Subscription.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
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

// How bad a difference is for clusters.

/// A level; the worst one is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
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

// Which states of a comparison have something.

/// Which states of a comparison have something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Presence {
    /// Both, or nothing is compared.
    #[default]
    Both,
    /// Only the state before: the change removed it.
    Before,
    /// Only the state after: the change added it.
    After,
}

impl Presence {
    /// Of something that the states have or do not have.
    #[must_use]
    pub const fn of(before: bool, after: bool) -> Self {
        match (before, after) {
            (true, false) => Self::Before,
            (false, true) => Self::After,
            _ => Self::Both,
        }
    }
}

// What a catalog shows of a bundle for OLM v1, in one word.

/// What a catalog shows of a bundle for OLM v1. It is never called ready: the catalog does not show the objects on the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadinessVerdict {
    /// OLM v1 refuses the bundle, with its default feature gates.
    Refused,
    /// Nothing is refused in what the catalog shows, but it does not show the ClusterServiceVersion.
    CannotBeKnown,
    /// The catalog shows nothing that OLM v1 refuses.
    NothingFound,
}

// Which versions of OLM decide.

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

// How bad a finding is.

/// How bad a finding is; the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize)]
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

/// By what the bundles of a package become channels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BundleRules {
    Mode(BundleMode),
    /// By a catalog template, which is named by its file in `catalog-templates/`, and the `release-config.yaml` of the bundles
    /// that it does not list.
    Template(String),
}

impl BundleRules {
    /// What they are, in a few words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Mode(mode) => format!("the rules of {} mode", mode.name()),
            Self::Template(template) => format!("the catalog template {template}"),
        }
    }
}

/// The rules of `opm index add` by which bundles become channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BundleMode {
    /// Follows `replaces` and `skips` of the CSVs from the head of each channel down.
    Replaces,
    /// Each bundle replaces the one with the next lower version.
    Semver,
    /// As [`Semver`](Self::Semver), and each bundle skips those with lower patch versions.
    SemverSkippatch,
}

impl BundleMode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Replaces, Self::Semver, Self::SemverSkippatch];

    /// The name, as `opm index add --mode` has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Replaces => "replaces",
            Self::Semver => "semver",
            Self::SemverSkippatch => "semver-skippatch",
        }
    }
}
