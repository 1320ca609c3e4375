//! Why OLM does not come to an entry that somebody points at.

use crate::ReasonView;
use serde::{Deserialize, Serialize};

/// What becomes of an entry in one outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhyNotView {
    /// The answers of everyone who chooses in this package, each in the order of the steps; none when nobody does.
    pub rows: Vec<WhyNotRow>,
    /// Whether there are more rows.
    pub bounded: bool,
}

/// What one chooser says of the entry in one step, or in several one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhyNotRow {
    /// Who chooses: a Subscription, or a requirement of a chosen bundle; names are in backticks.
    pub who: String,
    /// The steps, in words: `step 1`, `from step 2 on`.
    pub when: String,
    /// What comes of it.
    pub status: EntryStatus,
    /// Why; names are in backticks.
    pub reason: ReasonView,
    /// The rules that refused it, if it was tried.
    pub because: Vec<ReasonView>,
}

/// What comes of an entry when somebody chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryStatus {
    Chosen,
    /// It is a candidate and something else is chosen.
    PassedOver,
    /// It is no candidate.
    Excluded,
    /// It is not known.
    Unknown,
}
