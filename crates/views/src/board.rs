//! The course of a namespace as a board: a lane for each operator, a column for each InstallPlan.

use crate::{Place, SubscriptionStatus};
use serde::{Deserialize, Serialize};

/// What OLM does in a namespace, operator by operator and plan by plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardView {
    /// The columns behind that of the cluster as it stands.
    pub plans: Vec<PlanColumn>,
    /// The operators: first those that need most attention, what OLM adds below what needs it.
    pub lanes: Vec<BoardLane>,
    /// What bundles require of others.
    pub links: Vec<BoardLink>,
}

/// An InstallPlan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanColumn {
    /// OLM approves it by itself.
    Automatic,
    /// It waits until somebody approves it.
    Manual,
    /// There is none: the resolution that would lead to it fails.
    Fails,
}

/// An operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardLane {
    /// The Subscription.
    pub name: String,
    pub package: String,
    /// The channel that it follows; empty for any.
    pub channel: String,
    /// The CatalogSource that it names; empty for any.
    pub catalog: String,
    /// The bundle that needs it, if OLM adds it.
    pub added_for: Option<String>,
    /// What becomes of it; absent for one that OLM adds.
    pub status: Option<SubscriptionStatus>,
    /// Its versions, by column.
    pub marks: Vec<BoardMark>,
}

/// A version in a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardMark {
    pub csv: String,
    /// The version in the name, or else the name.
    pub label: String,
    /// 0 for the cluster as it stands, else the number of the plan that installs it. What is not reached is behind the last one.
    pub column: u32,
    pub kind: MarkKind,
    /// Whether it is the head of the channel.
    pub is_head: bool,
}

/// What a version is to a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// It runs now.
    Installed,
    /// A plan installs it.
    Next,
    /// A plan installs it, and it never runs.
    NeverRuns,
    /// A plan would have to install it, and there is none.
    NotChosen,
    /// No update leads there.
    NotReached,
}

/// What a bundle requires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardLink {
    /// The lane and the CSV that require it.
    pub from: (u32, String),
    /// The lane and the CSV that meet it, or the lane of the package whose bundles do not.
    pub to: Option<(u32, String)>,
    /// What is required, in a few words.
    pub label: String,
    pub is_met: bool,
    /// The requirement in the text of a catalog.
    pub place: Option<Place>,
}

impl BoardLane {
    /// The mark of a CSV.
    #[must_use]
    pub fn mark(&self, csv: &str) -> Option<&BoardMark> {
        self.marks.iter().find(|mark| mark.csv == csv)
    }
}
