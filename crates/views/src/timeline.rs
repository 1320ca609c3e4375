//! The events on a cluster, object by object.

use serde::{Deserialize, Serialize};

/// What the operators of OLM do in the namespace, until nothing more happens on its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimelineView {
    pub groups: Vec<EventGroup>,
    /// Why nothing more happens, a clause each; names are in backticks.
    pub ends: Vec<String>,
    /// Whether it continues when an InstallPlan is approved.
    pub waits: bool,
}

/// A resolution that leads to an InstallPlan, and all events that follow from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventGroup {
    /// The CSVs that the InstallPlan installs; names are in backticks.
    pub title: String,
    /// The events in their order.
    pub events: Vec<EventView>,
}

/// An event, about one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventView {
    pub object: ObjectKind,
    /// Its name; empty for the namespace.
    pub name: String,
    /// What happens to it; names are in backticks.
    pub text: String,
    /// OLM's own message about it; may be empty.
    pub detail: String,
    /// Whether it needs attention.
    pub status: EventStatus,
}

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ObjectKind {
    Namespace,
    CatalogSource,
    Subscription,
    InstallPlan,
    Csv,
}

/// Whether an event needs attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventStatus {
    /// It needs no attention.
    Normal,
    /// Somebody must do something.
    Waiting,
    /// A failure that resolves on its own.
    Transient,
    Failed,
}
