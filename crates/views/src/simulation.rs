//! The result of a simulation, and the events on a cluster.

use crate::{
    BoardView, EntryKey, ExtensionView, FailureView, FixView, FormFault, FunnelView, ManifestsView, NamespaceState,
    PackageKey, Place, ReasonView, RefusalView, RepairsView, Severity, stages_in_words,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What OLM does with a cluster, step by step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SimulationView {
    /// The distinct outcomes; several when OLM's choice is random. The first is the default order.
    pub outcomes: Vec<OutcomeView>,
    /// Whether there may be further outcomes, beyond the limit.
    pub bounded: bool,
    /// The catalogs that a cluster would not serve, so that OLM would resolve nothing. The outcomes are what would happen if
    /// they were served.
    pub blocked: Option<BlockedView>,
    /// Notices about the input, a sentence each: catalogs that are not used, names that no catalog has.
    pub notices: Vec<String>,
    /// How the outcomes differ; empty when there is only one.
    pub differences: Vec<DifferenceView>,
    /// The result of reading the manifests; only with the first namespace, if several are simulated.
    pub manifests: Option<ManifestsView>,
    /// What OLM v1 does with the ClusterExtensions, by name.
    pub extensions: Vec<ExtensionView>,
    /// What is wrong with fields of the form.
    pub faults: Vec<FormFault>,
    /// The namespace as it stands; absent without a namespace. Where that is in the middle of something, the outcomes begin once
    /// that has ended.
    pub state: Option<Box<NamespaceState>>,
}

/// What becomes of an operator after a change, where that is something else than without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriedRow {
    /// The Subscription or the ClusterExtension; empty for the namespace as a whole.
    pub name: String,
    /// What becomes of it, to be read after its name; names are in backticks.
    pub verdict: String,
    /// How bad it is; absent if nothing is wrong.
    pub severity: Option<Severity>,
}

impl SimulationView {
    /// What is different after a change, of which this is the result; in the default outcomes.
    #[must_use]
    pub fn changes_since(&self, before: &Self) -> Vec<TriedRow> {
        let of = |view: &Self| {
            let row = |row: &SubscriptionView| TriedRow {
                name: row.name.clone(),
                verdict: row.after(0).0,
                severity: row.status.severity(),
            };
            let extension = |row: &ExtensionView| TriedRow {
                name: row.name.clone(),
                verdict: row.verdict.clone(),
                severity: row.status.severity(),
            };
            let stands = view.state.as_ref().filter(|state| state.is_before_resolution());
            let stands = stands.map(|state| TriedRow {
                name: String::new(),
                verdict: state.now.sentence.clone(),
                severity: state.now.verdict.severity(),
            });
            let outcome = view.outcomes.first().into_iter().flat_map(|outcome| &outcome.subscriptions).map(row);
            stands.into_iter().chain(outcome).chain(view.extensions.iter().map(extension)).collect::<Vec<TriedRow>>()
        };
        let (before, after) = (of(before), of(self));
        let gone = before.iter().filter(|old| !after.iter().any(|new| new.name == old.name)).map(|old| TriedRow {
            verdict: match old.name.is_empty() {
                true => format!("No longer so: {}", old.verdict),
                false => "is not there any more".to_owned(),
            },
            severity: Some(Severity::Hint),
            ..old.clone()
        });
        let mut rows: Vec<TriedRow> = after.iter().filter(|new| !before.contains(new)).cloned().collect();
        // The worst first, and what is well last.
        rows.sort_by_key(|row| (row.severity.is_none(), row.severity));
        rows.extend(gone);
        rows
    }
}

/// Why OLM does not resolve the namespace: it uses catalogs that are not served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedView {
    /// The catalogs.
    pub sources: Vec<UnservedView>,
    /// OLM's own message.
    pub message: String,
}

/// A catalog that a cluster does not serve, because `opm` rejects it or its CatalogSource does not answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnservedView {
    /// The CatalogSource's name.
    pub name: String,
    pub namespace: String,
    /// The connection state of the CatalogSource, if it does not answer. There is no error of `opm` then.
    pub state: String,
    /// The number of errors of `opm`.
    pub errors: u32,
    /// The message of the first error that `opm` reports; names are in backticks.
    pub message: String,
    /// The line that `opm` prints for it.
    pub opm: String,
    /// The place of the error, or of the CatalogSource.
    pub place: Option<Place>,
}

impl UnservedView {
    /// Why it is not served; names are in backticks.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { name, namespace, state, message, opm, .. } = self;
        if !state.is_empty() {
            return format!(
                "CatalogSource `{name}` in `{namespace}` is not connected: its connection state is `{state}`. Fix its pod, or delete the CatalogSource"
            );
        }
        let more = match self.errors {
            0 | 1 => String::new(),
            2 => ". There is 1 more error".to_owned(),
            many => format!(". There are {} more errors", many - 1),
        };
        format!("opm rejects `{name}`: {message}. It prints `{opm}`{more}")
    }
}

/// A difference between the outcomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferenceView {
    /// The name of a Subscription, or words for bundles that belong to none.
    pub subject: String,
    /// Its result in each outcome; names are in backticks.
    pub cells: Vec<String>,
}

/// One of the courses that OLM may take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OutcomeView {
    /// The resolutions of the namespace, one after the other, until nothing changes or there is no solution.
    pub steps: Vec<StepView>,
    pub subscriptions: Vec<SubscriptionView>,
    /// The CSVs that never run, because they do not fit the OperatorGroup of the namespace.
    pub csv_failures: Vec<CsvFailureView>,
    /// The same as lanes and columns.
    pub board: BoardView,
    /// The condition under which it happens, a clause; empty when there is only one outcome or no simple condition.
    pub when: String,
}

/// A CSV that OLM keeps in phase `Failed`, because it does not fit the OperatorGroup of its namespace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CsvFailureView {
    pub csv: String,
    pub namespace: String,
    /// `status.reason`
    pub reason: String,
    /// `status.message`
    pub message: String,
    /// The number of completed steps from which on it is there; 0 if it is there now.
    pub since: u32,
    /// The CSV that it should replace, whose operator still runs.
    pub still_runs: Option<String>,
    /// What helps. Empty if OLM cannot resolve the namespace any more: then its failure has the fixes.
    pub fixes: Vec<FixView>,
}

impl CsvFailureView {
    /// Why it does not run, as a sentence; names are in backticks.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { csv, reason, message, since, still_runs, .. } = self;
        let runs = if *since == 0 { "does not run" } else { "never runs" };
        let old = still_runs.as_ref().map(|old| format!("; `{old}` still runs")).unwrap_or_default();
        format!("CSV `{csv}` {runs}: `{reason}`: `{message}`{old}")
    }
}

/// A Subscription and its result.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct SubscriptionView {
    pub name: String,
    pub package: String,
    /// The CatalogSource that it names; empty when it names none.
    pub catalog: String,
    /// The CSV that is installed for it.
    pub installed: Option<String>,
    /// The CSVs that are installed one after the other, beginning with the one that is installed now.
    pub hops: Vec<CsvHop>,
    /// The error of the first InstallPlan for it that fails, as a clause; `None` if all succeed. The verdict and the hops do not
    /// take it into account.
    pub plan_failure: Option<String>,
    /// Why it ends below the head of its channel; `None` if it does not.
    pub behind: Option<KeptView>,
    /// The better candidates that the last resolution refused, if it ends below the head.
    pub refused: Vec<RefusalView>,
    /// What helps the channel of a Subscription that is stuck.
    pub repairs: Option<RepairsView>,
    /// What helps only this Subscription, if it is stuck; each one was simulated.
    pub fixes: Vec<FixView>,
    /// Where it loses its candidates, if it ends below the head and no better candidate was refused.
    pub funnel: Option<FunnelView>,
    /// The verdict, a short sentence: `installs etcd.v1.2.1`, `stays at etcd.v1.0.0`, `is not installed: OLM finds no solution`.
    pub verdict: String,
    /// How many InstallPlans have to be approved for that.
    pub approvals: u32,
    /// The verdict as a value.
    pub status: SubscriptionStatus,
    /// The verdict in a few words, with versions instead of names: `etcd → 1.2.1`, `etcd blocked`.
    pub short: String,
    /// The package in the catalog that it follows; `None` if no loaded catalog has it.
    pub package_key: Option<PackageKey>,
    /// The entry of that package where it ends; `None` if it ends with nothing, or no channel lists its CSV.
    pub end: Option<EntryKey>,
    /// How it comes to a newer channel; `None` if its channel is the default one, if users of it miss no newer one or can still change
    /// to it from the head, unless that is the default one, and if it does not end at the head of its channel.
    pub way_on: Option<WayOn>,
}

/// How a Subscription comes to a channel with a higher head than its own.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct WayOn {
    /// The newer channel: the default one if updates lead there, else the newest one to which they lead; if they lead to none,
    /// the default one if it is newer, else the newest one.
    pub channel: String,
    /// The version of its head.
    pub version: String,
    /// The last version of the Subscription's updates from which there is a way; `None` if there is none from any of them.
    pub from: Option<String>,
    /// Whether that version is installed now.
    pub is_now: bool,
    /// The version after it, to which the Subscription is updated and from which there is no way any more; `None` if the updates end
    /// before.
    pub past: Option<String>,
    /// The channels to switch to, one after the other.
    pub stages: Vec<WayStage>,
    /// Whether OLM updates past a version at which the channel is to be changed, because approval is Automatic.
    pub needs_manual: bool,
}

/// A channel on the way to a newer one.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct WayStage {
    pub channel: String,
    /// The version with which the Subscription leaves it, or where it ends.
    pub until: String,
    /// The number of updates.
    pub updates: u32,
}

impl WayOn {
    /// Whether the updates of the Subscription end at a version from which there is no way.
    #[must_use]
    pub const fn is_lost(&self) -> bool {
        self.from.is_none() || self.past.is_some()
    }

    /// What to do, and until when.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { channel, version, from, is_now, past, stages, .. } = self;
        let Some(from) = from else {
            return format!("no update leads from here to `{channel}`, which has {version}");
        };
        let channels = stages_in_words(stages.iter().map(|stage| (stage.channel.as_str(), stage.until.clone())));
        let manual = if self.needs_manual { ", with approval Manual" } else { "" };
        match past {
            None => format!("to come to {version}{manual}, switch to {channels}"),
            Some(past) => {
                let (when, next) = match is_now {
                    true => ("now, at", "The next update"),
                    false => ("at", "The update after it"),
                };
                format!(
                    "to come to {version} of `{channel}`, switch {when} {from}{manual}: to {channels}. {next}, to {past}, has no way there."
                )
            }
        }
    }
}

/// The number of approvals as the end of a sentence.
#[must_use]
pub fn after_approvals(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " after 1 approval".to_owned(),
        more => format!(" after {more} approvals"),
    }
}

impl SubscriptionView {
    /// The verdict and its status once so many InstallPlans are approved. Beside the name of its package a bundle is named by
    /// its version.
    #[must_use]
    pub fn after(&self, approved: usize) -> (String, SubscriptionStatus) {
        let all = self.approvals as usize;
        let left = all.saturating_sub(approved);
        let status = match self.status {
            SubscriptionStatus::Waits if left == 0 && all > 0 && self.installed.is_none() => {
                SubscriptionStatus::Installs
            }
            SubscriptionStatus::Waits if left == 0 && all > 0 => SubscriptionStatus::Updates,
            status => status,
        };
        let mut verdict = match all {
            0 => self.verdict.clone(),
            _ => self.verdict.replacen(&after_approvals(all), &after_approvals(left), 1),
        };
        if self.name == self.package {
            let names = self.hops.iter().map(|hop| (hop.csv.clone(), &*hop.label));
            for (name, label) in names.chain([(format!("{}.v", self.package), "")]) {
                verdict = verdict.replace(&name, label);
            }
        }
        (verdict, status)
    }
}

/// A CSV that a Subscription has for a time.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct CsvHop {
    pub csv: String,
    /// Its name in short: the version in it, if there is one.
    pub label: String,
    /// The number of completed steps from which on it is installed; 0 if it is installed now.
    pub since: u32,
}

/// What becomes of a Subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionStatus {
    /// OLM installs the operator, and it ends at the head of its channel.
    Installs,
    /// OLM updates the operator up to the head of its channel.
    Updates,
    /// OLM installs or updates the operator up to the head of its channel once a user approves InstallPlans; or somebody has to
    /// act as it stands.
    Waits,
    /// The head of its channel is installed already.
    AtHead,
    /// It ends below the head of its channel, or the channel does not exist, and OLM reports no error.
    Behind,
    /// It ends with a CSV that never runs: it does not fit the OperatorGroup, or waits for one that does not.
    Fails,
    /// It is being installed or updated as it stands.
    Passes,
    /// OLM changes nothing more: there is no solution, a catalog is not served, or something is stuck as it stands.
    Blocked,
    /// It is updated in an endless loop.
    Loops,
    /// It ends without a CSV, and OLM reports no error.
    NotInstalled,
    /// Opscope cannot tell what OLM does.
    Unknown,
}

impl SubscriptionStatus {
    /// How bad it is; `None` if nothing is wrong.
    #[must_use]
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Self::Installs | Self::Updates | Self::AtHead => None,
            Self::Waits | Self::Behind | Self::NotInstalled => Some(Severity::Warning),
            Self::Fails | Self::Blocked | Self::Loops => Some(Severity::Error),
            Self::Passes | Self::Unknown => Some(Severity::Hint),
        }
    }

    /// Whether OLM leaves it at the head of its channel.
    #[must_use]
    pub const fn ends_at_head(self) -> bool {
        matches!(self, Self::Installs | Self::Updates | Self::Waits | Self::AtHead)
    }

    /// How much attention it needs, from 0, the most, to 8.
    #[must_use]
    pub const fn attention(self) -> usize {
        match self {
            Self::Fails | Self::Blocked | Self::Loops => 0,
            Self::NotInstalled => 1,
            Self::Behind => 2,
            Self::Unknown => 3,
            Self::Waits => 4,
            Self::Passes => 5,
            Self::Installs => 6,
            Self::Updates => 7,
            Self::AtHead => 8,
        }
    }
}

/// What becomes of one Subscription, and of several, by [`SubscriptionStatus::attention`].
const FATES: [(&str, &str); 9] = [
    ("fails", "fail"),
    ("is not installed", "are not installed"),
    ("stays below the head", "stay below the head"),
    ("is not known", "are not known"),
    ("waits for approval", "wait for approval"),
    ("is in progress", "are in progress"),
    ("is installed", "are installed"),
    ("is updated", "are updated"),
    ("is up to date", "are up to date"),
];

/// What becomes of Subscriptions: how many have which fate, as `2` and `are updated`, first the fate that needs most attention.
#[must_use]
pub fn fates(statuses: &[SubscriptionStatus]) -> Vec<(usize, &'static str)> {
    let counted = FATES.iter().enumerate().filter_map(|(attention, (one, many))| {
        match statuses.iter().filter(|status| status.attention() == attention).count() {
            0 => None,
            1 => Some((1, *one)),
            count => Some((count, *many)),
        }
    });
    counted.collect()
}

/// What becomes of the Subscriptions of all namespaces, in the default order of OLM's choices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamespacesView {
    /// How many Subscriptions have which fate, in a sentence.
    pub sentence: String,
    /// One for each Subscription; none if there is a single namespace, or so many that they are not simulated.
    pub rows: Vec<NamespaceRow>,
    /// All namespaces with objects of OLM v0 as they stand, those first that need most attention.
    pub states: Vec<NamespaceState>,
}

/// A namespace with what decides about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamespaceDecision {
    pub namespace: String,
    /// How bad it is; absent if nothing is wrong.
    pub severity: Option<Severity>,
    /// The decision in a few words: `stuck`, `waits for you`, `2 are updated`.
    pub words: String,
    /// The reason, or what becomes of each Subscription; names may be in backticks.
    pub reason: String,
}

impl NamespacesView {
    /// The namespaces with what decides about each, those first that need most attention.
    #[must_use]
    pub fn decisions(&self) -> Vec<NamespaceDecision> {
        let mut names: Vec<&str> = self.rows.iter().map(|row| &*row.namespace).collect();
        names.extend(self.states.iter().filter(|state| state.has_lead()).map(|state| &*state.namespace));
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(*name));
        let mut decisions: Vec<NamespaceDecision> = names.into_iter().map(|name| self.decision(name)).collect();
        decisions.sort_by_key(|one| (one.severity.is_none(), one.severity));
        decisions
    }

    fn decision(&self, namespace: &str) -> NamespaceDecision {
        let rows: Vec<&NamespaceRow> = self.rows.iter().filter(|row| row.namespace == namespace).collect();
        let state = self.states.iter().find(|state| *state.namespace == *namespace);
        if let Some(state) = state.filter(|state| state.is_before_resolution() || rows.is_empty()) {
            let (severity, words) = (state.now.verdict.severity(), state.now.verdict.as_words().to_owned());
            return NamespaceDecision {
                namespace: namespace.to_owned(),
                severity,
                words,
                reason: state.now.sentence.clone(),
            };
        }
        let statuses: Vec<SubscriptionStatus> = rows.iter().map(|row| row.status).collect();
        let severities = statuses.iter().map(|status| status.severity());
        let fates: Vec<String> = fates(&statuses).iter().map(|(count, fate)| format!("{count} {fate}")).collect();
        let reason: Vec<&str> = rows.iter().map(|row| &*row.text).collect();
        NamespaceDecision {
            namespace: namespace.to_owned(),
            severity: severities.flatten().min(),
            words: fates.join(", "),
            reason: reason.join(", "),
        }
    }
}

/// What becomes of a Subscription of a namespace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamespaceRow {
    pub namespace: String,
    /// `spec.name`
    pub package: String,
    /// What becomes of it, in a few words with its name.
    pub text: String,
    /// The same as a status.
    pub status: SubscriptionStatus,
}

/// One resolution and what its InstallPlan changes.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct StepView {
    /// The new bundles, sorted by name, channel and catalog.
    pub selected: Vec<SelectedView>,
    /// The Subscriptions that OLM generates for dependencies, a line each.
    pub generated: Vec<String>,
    /// `subscription -> currentCSV`, sorted.
    pub updated: Vec<String>,
    /// The Subscriptions that keep a CSV below the head of their channel, by name.
    pub kept: Vec<KeptView>,
    /// Whether OLM creates an InstallPlan. Without one nothing is installed.
    pub plan_created: bool,
    /// Whether the InstallPlan waits for approval.
    pub waits_for_approval: bool,
    /// Why there is no solution.
    pub failure: Option<FailureView>,
}

/// A Subscription that keeps a CSV below the head of its channel.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct KeptView {
    pub subscription: String,
    pub csv: String,
    /// Why it keeps it, a sentence.
    pub because: ReasonView,
    /// The best candidate that it does not get; without candidates the head.
    pub better: CsvRef,
}

/// A selected bundle.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct SelectedView {
    /// The bundle.
    pub csv: CsvRef,
    pub version: Option<String>,
    pub replaces: Option<String>,
    /// Why it is selected: the choices that lead to it.
    pub because: Vec<ReasonView>,
    /// The better candidates that were refused, best first.
    pub refused: Vec<RefusalView>,
    /// The number of further refused candidates, which are not explained.
    pub unexplained: u32,
}

/// A bundle of a channel of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
pub struct CsvRef {
    /// The bundle's name.
    pub name: String,
    pub package: String,
    pub channel: String,
    /// The CatalogSource.
    pub catalog: String,
    /// The CatalogSource's namespace.
    pub catalog_namespace: String,
}

// The events on a cluster, object by object.

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
#[serde(rename_all = "snake_case")]
pub enum ObjectKind {
    Namespace,
    CatalogSource,
    Subscription,
    InstallPlan,
    Csv,
}

/// Whether an event needs attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventStatus {
    /// It needs no attention.
    Normal,
    /// Somebody must do something.
    Waiting,
    /// A failure that resolves on its own.
    Transient,
    Failed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_have_one_decision_each_and_the_worst_comes_first() {
        let row = |namespace: &str, text: &str, status: SubscriptionStatus| NamespaceRow {
            namespace: namespace.to_owned(),
            package: text.to_owned(),
            text: text.to_owned(),
            status,
        };
        let rows = vec![
            row("tea", "kettle → 2.0.0", SubscriptionStatus::Updates),
            row("tea", "cup → 1.1.0", SubscriptionStatus::Updates),
            row("pantry", "cache blocked", SubscriptionStatus::Blocked),
        ];
        let view = NamespacesView { rows, ..NamespacesView::default() };
        let said: Vec<String> = view
            .decisions()
            .into_iter()
            .map(|one| format!("{:?} {} {}: {}", one.severity, one.namespace, one.words, one.reason))
            .collect();
        let expected =
            ["Some(Error) pantry fails: cache blocked", "None tea 2 are updated: kettle → 2.0.0, cup → 1.1.0"];
        assert_eq!(said.iter().map(|line| line.replace("1 fails", "fails")).collect::<Vec<_>>(), expected);
    }
}
