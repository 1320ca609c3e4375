//! What a cluster has and wants, and what OLM does about it.

use crate::Place;
use serde::{Deserialize, Serialize};

/// Subscriptions with what is installed for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterForm {
    /// In the order of the form.
    pub subscriptions: Vec<SubscriptionForm>,
}

/// A Subscription as the form has it. Empty texts mean that the field is not set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubscriptionForm {
    /// `metadata.name`; empty takes the package's name.
    pub name: String,
    /// `spec.name`
    pub package: String,
    /// `spec.channel`
    pub channel: String,
    /// The name of the CatalogSource; its namespace follows from the loaded catalog of that name.
    pub catalog: String,
    /// `spec.startingCSV`
    pub starting_csv: String,
    /// `spec.installPlanApproval`
    pub approval: Approval,
    /// The CSV that is installed for it; empty for a new Subscription.
    pub installed: String,
}

/// `spec.installPlanApproval`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Approval {
    /// Plans are carried out at once.
    #[default]
    Automatic,
    /// Plans wait for an approval; one such Subscription makes all plans of the namespace wait.
    Manual,
}

/// What OLM does, hop by hop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SimulationView {
    /// Distinct courses of events; more than one when OLM's own answer depends on chance. The first is the default.
    pub outcomes: Vec<OutcomeView>,
    /// Whether there may be further outcomes that were not computed.
    pub bounded: bool,
    /// What to know beforehand, a sentence each: catalogs that OLM would not serve, requirements that were not
    /// evaluated, form fields that name nothing.
    pub notices: Vec<String>,
}

/// One course of events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OutcomeView {
    /// Resolutions of the namespace, one after the other, until nothing changes or nothing can be chosen.
    pub steps: Vec<StepView>,
    /// Where each Subscription ends.
    pub subscriptions: Vec<SubscriptionView>,
}

/// A Subscription and what becomes of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubscriptionView {
    /// Its name.
    pub name: String,
    /// Its package.
    pub package: String,
    /// The CSVs that it goes through, the installed one first if there is one.
    pub hops: Vec<String>,
    /// The verdict, a short sentence: `installs etcd.v1.2.1`, `stays at etcd.v1.0.0`, `nothing can be chosen`.
    pub verdict: String,
}

/// One resolution and what its InstallPlan changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepView {
    /// New bundles, by name, channel and catalog.
    pub selected: Vec<SelectedView>,
    /// Subscriptions that OLM generates for dependencies, a line each.
    pub generated: Vec<String>,
    /// `subscription -> currentCSV`, sorted.
    pub updated: Vec<String>,
    /// Whether there is an InstallPlan: nothing is applied without.
    pub plan_created: bool,
    /// Whether the plan waits for an approval.
    pub waits_for_approval: bool,
    /// Why nothing could be chosen.
    pub conflict: Option<ConflictView>,
}

/// A chosen bundle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelectedView {
    /// The bundle.
    pub csv: CsvRef,
    /// Its version.
    pub version: Option<String>,
    /// The CSV that it replaces.
    pub replaces: Option<String>,
    /// Why it is there.
    pub because: Vec<ReasonView>,
    /// Candidates that were preferred and refused, in the order they were tried.
    pub refused: Vec<RefusalView>,
}

/// A bundle of a channel of a catalog.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CsvRef {
    /// The bundle's name.
    pub name: String,
    /// Its package.
    pub package: String,
    /// The channel.
    pub channel: String,
    /// The CatalogSource.
    pub catalog: String,
    /// The CatalogSource's namespace.
    pub catalog_namespace: String,
}

/// One rule that speaks in an explanation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReasonView {
    /// A sentence; names are in backticks.
    pub text: String,
    /// Where in the catalogs it comes from.
    pub place: Option<Place>,
}

/// A candidate that was tried before the chosen one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefusalView {
    /// The candidate's name.
    pub name: String,
    /// The rules that refuse it.
    pub because: Vec<ReasonView>,
}

/// Why nothing could be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConflictView {
    /// Who says no.
    pub kind: ConflictKind,
    /// OLM's own message, to the letter.
    pub message: String,
    /// Of rules that clash, a minimal set: none can be left out. Else what stands in the way.
    pub rules: Vec<ReasonView>,
}

/// Who says no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConflictKind {
    /// The rules contradict each other (`ConstraintsNotSatisfiable`).
    Clash,
    /// OLM refuses to resolve the namespace (`ErrorPreventedResolution`).
    Refused,
    /// Opscope cannot tell what OLM would do.
    Unknown,
}
