//! The real course of events on a cluster, object by object.

use serde::{Deserialize, Serialize};

/// What the operators do in the namespace, until nothing happens by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimelineView {
    /// What happened from one plan to the next.
    pub groups: Vec<EventGroup>,
    /// Why nothing more happens, a sentence each; names are in backticks.
    pub ends: Vec<String>,
    /// Whether somebody has to approve a plan for it to go on.
    pub waits: bool,
}

/// A resolution that led to a plan, and all that follows from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventGroup {
    /// What the plan installs; names are in backticks.
    pub title: String,
    /// In the order in which they happen.
    pub events: Vec<EventView>,
}

/// One thing that happens to an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventView {
    /// The kind of the object.
    pub object: ObjectKind,
    /// Its name; empty for the namespace.
    pub name: String,
    /// What happens to it; names are in backticks.
    pub text: String,
    /// What OLM writes about it; empty when that is nothing.
    pub detail: String,
    /// How it is meant.
    pub status: EventStatus,
}

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ObjectKind {
    /// The namespace as a whole.
    Namespace,
    /// A CatalogSource.
    CatalogSource,
    /// A Subscription.
    Subscription,
    /// An InstallPlan.
    InstallPlan,
    /// A ClusterServiceVersion.
    Csv,
}

/// How an event is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventStatus {
    /// A matter of course.
    Normal,
    /// Somebody has to do something.
    Waiting,
    /// A failure that passes by itself.
    Transient,
    /// A failure.
    Failed,
}
