//! What OLM does about what a cluster has and wants.

use crate::{FailureView, FixView, FunnelView, ManifestsView, Place, ReasonView, RefusalView};
use serde::{Deserialize, Serialize};

/// What OLM does, hop by hop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SimulationView {
    /// Distinct courses of events; more than one when OLM's own answer depends on chance. The first is the default.
    pub outcomes: Vec<OutcomeView>,
    /// Whether there may be further outcomes that were not computed.
    pub bounded: bool,
    /// Catalogs that a cluster would not serve: OLM resolves nothing then, and the outcomes are what would happen if
    /// they were served all the same.
    pub blocked: Option<BlockedView>,
    /// What to know beforehand, a sentence each: catalogs that OLM would not serve, requirements that were not
    /// evaluated, form fields that name nothing.
    pub notices: Vec<String>,
    /// Where outcomes differ; nothing when there is only one.
    pub differences: Vec<DifferenceView>,
    /// What was read of the manifests, if that is what it started from.
    pub manifests: Option<ManifestsView>,
}

/// A namespace that OLM does not resolve because it sees catalogs that are not served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedView {
    /// The catalogs.
    pub sources: Vec<UnservedView>,
    /// OLM's own message.
    pub message: String,
}

/// A catalog that `opm` rejects, so that a cluster does not serve it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnservedView {
    /// The CatalogSource's name.
    pub name: String,
    /// Its namespace.
    pub namespace: String,
    /// The state of the connection to it, if that is why; what `opm` says does not matter then.
    pub state: String,
    /// How many findings stand for an error of `opm`.
    pub errors: u32,
    /// What is wrong first, in the order in which `opm` goes through a catalog; names are in backticks.
    pub message: String,
    /// What `opm` prints for it.
    pub opm: String,
    /// Where that is.
    pub place: Option<Place>,
}

/// Something that is not the same in all outcomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferenceView {
    /// What: a Subscription's name, or words for what belongs to none.
    pub subject: String,
    /// What becomes of it, one text for each outcome; names are in backticks.
    pub cells: Vec<String>,
}

/// One course of events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OutcomeView {
    /// Resolutions of the namespace, one after the other, until nothing changes or nothing can be chosen.
    pub steps: Vec<StepView>,
    /// Where each Subscription ends.
    pub subscriptions: Vec<SubscriptionView>,
    /// What chance has to do for it, a sentence; empty when there is only one outcome or no simple condition.
    pub when: String,
}

/// A Subscription and what becomes of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubscriptionView {
    /// Its name.
    pub name: String,
    /// Its package.
    pub package: String,
    /// The CatalogSource that it names; empty when it names none.
    pub catalog: String,
    /// The CSV that is installed for it.
    pub installed: Option<String>,
    /// The CSVs that it goes through, the installed one first if there is one.
    pub hops: Vec<String>,
    /// Better candidates that were refused, if it could not move in the last step that is told.
    pub refused: Vec<RefusalView>,
    /// Why it stays where it is although its channel has something newer; empty when that is not so.
    pub stuck: String,
    /// What was tried and moves it then.
    pub fixes: Vec<FixView>,
    /// Why there is nothing newer for it, if it could not move in the last step that is told.
    pub funnel: Option<FunnelView>,
    /// The verdict, a short sentence: `installs etcd.v1.2.1`, `stays at etcd.v1.0.0`, `is not installed: nothing can be chosen`.
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
    pub failure: Option<FailureView>,
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
    /// Why it is there: the way to it from what was asked for.
    pub because: Vec<ReasonView>,
    /// Candidates that were preferred and refused, best first.
    pub refused: Vec<RefusalView>,
    /// So many further ones were refused and are not explained.
    pub unexplained: u32,
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
