//! Types of JSON whose fields a contract with other programs names, where they differ from the views.

use schemars::JsonSchema;
use serde::Serialize;
use views::{ExplainedMessage, FindingView, Level, NamespaceState, Severity};

/// The answer of `opscope validate`.
#[derive(JsonSchema, Serialize)]
pub struct Validated {
    /// Whether everything was read, and `opm` would accept every catalog.
    pub valid: bool,
    /// The files of which nothing or only a part was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    pub packages: u32,
    pub judge: Judge,
    pub findings: Vec<Finding>,
}

/// Whose `opm` judges catalogs.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Judge {
    /// The release of `opm`, such as `v1.48.0`; null for the newest one.
    pub opm: Option<String>,
    /// The version of OpenShift that has this `opm`, if one is known that the catalogs are served on.
    pub openshift: Option<String>,
}

/// A finding with the path of its file as the user can open it.
#[derive(JsonSchema, Serialize)]
pub struct Finding {
    rule: String,
    /// The same for all findings that are one thing to the maintainer, also of catalogs for other versions of OpenShift.
    group: String,
    severity: &'static str,
    message: String,
    help: Option<String>,
    /// The line that `opm validate` prints, if it does.
    opm: Option<String>,
    /// Whether `opm validate` prints it only after what it stops at was corrected.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    opm_next: bool,
    /// The first release of `opm` that prints it, where older ones accept the catalog.
    opm_since: Option<String>,
    file: String,
    line: u32,
    column: u32,
    package: Option<String>,
    entry: Option<String>,
}

impl Finding {
    /// The finding in this file.
    #[must_use]
    pub fn of(view: FindingView, file: String) -> Self {
        Self {
            severity: Severity::as_str(view.severity),
            group: group(&view),
            file,
            line: view.place.line,
            column: view.place.column,
            entry: view.entry.map(|entry| entry.name),
            rule: view.rule,
            message: view.message,
            help: view.help,
            opm: view.opm,
            opm_next: view.opm_next,
            opm_since: view.opm_since,
            package: view.package,
        }
    }
}

/// What tells the findings that are one thing to the maintainer of a catalog from others: the rule and the package, and what is
/// said unless that is a habit.
#[must_use]
pub fn group(view: &FindingView) -> String {
    group_of(&view.rule, view.package.as_deref(), (!view.is_habit).then_some(&*view.message))
}

/// The name of a group of a rule, about this, which says this.
#[must_use]
pub fn group_of(rule: &str, about: Option<&str>, said: Option<&str>) -> String {
    let said = said.map(|text| format!("{:08x}", crc32fast::hash(text.as_bytes())));
    [Some(rule), about, said.as_deref()].into_iter().flatten().collect::<Vec<_>>().join("/")
}

/// What becomes of an installed version with a Subscription to a channel that lists it before the change, and with
/// ClusterExtensions.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ComparedRow {
    pub channel: String,
    pub installed: String,
    /// The group that has it: the same for all versions, in all channels, to which the same happens. Absent where nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// With the runtime `v0` or `both`.
    #[serde(flatten)]
    pub v0: Option<ComparedSubscription>,
    /// With the runtime `v1` or `both`, and where the old state has the bundle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub v1_old: Option<ComparedExtension>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub v1_new: Option<ComparedExtension>,
    /// The worst rule about OLM v1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub v1_rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub v1_level: Option<Level>,
}

/// The part of a row that is about OLM v0.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ComparedSubscription {
    pub rule: Option<String>,
    pub level: Option<Level>,
    pub old: SubscriptionPath,
    pub new: SubscriptionPath,
}

/// The updates of a Subscription in one of the states.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct SubscriptionPath {
    /// `pkg-gone`, `chan-gone`, `graph-broken` or `ok`.
    pub state: &'static str,
    /// The first of the CSVs that are installed one after the other.
    pub hops: Vec<String>,
    /// How many are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<usize>,
    #[serde(rename = "loop")]
    pub repeats: bool,
    /// Whether there are more hops.
    pub cap: bool,
    /// Where they end.
    pub end: String,
    pub error: Option<String>,
}

/// What OLM v1 makes of a version: with an extension that names no channels, and with one that names the channel of the row.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ComparedExtension {
    pub all: ExtensionPath,
    pub channel: ExtensionPath,
}

/// The updates of an extension in one of the states.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ExtensionPath {
    pub next: Option<String>,
    pub hops: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The answer of `opscope cluster` without a name. Manifests have Subscriptions, ClusterExtensions, or both.
#[derive(JsonSchema, Serialize)]
pub struct Resolutions {
    #[serde(flatten)]
    pub first: Option<Resolved>,
    /// Each namespace with Subscriptions as it stands, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub namespaces: Vec<NamespaceState>,
    /// What follows in those that are in the middle of something, once that has ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Resolved>,
    /// What the objects say themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reported: Vec<ExplainedMessage>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<ResolvedExtension>,
}

/// The resolutions of a namespace.
#[derive(JsonSchema, Serialize)]
pub struct Resolved {
    /// Of the first namespace with Subscriptions.
    pub namespace: String,
    pub outcomes: Vec<ResolvedOutcome>,
    /// Whether there may be more outcomes, or more steps in one of them, beyond the limits.
    pub bounded: bool,
    /// OLM's error, as long as a catalog of the namespace is not served.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<String>,
    /// The catalogs that a cluster does not serve. The outcomes are what would happen if they were served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_served: Vec<NotServed>,
    /// What was assumed, and what the answer leaves out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// Reports on the other namespaces, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Resolved>,
}

impl Resolved {
    /// The answer of the first namespace, with those of the others, and all catalogs that are not served.
    #[must_use]
    pub fn first_of(all: Vec<Self>) -> Option<Self> {
        let mut all = all.into_iter();
        let mut first = all.next()?;
        for mut other in all {
            first.not_served.append(&mut other.not_served);
            first.others.push(other);
        }
        first.not_served.sort_by(|one, other| (&one.namespace, &one.name).cmp(&(&other.namespace, &other.name)));
        first.not_served.dedup_by(|one, other| one.namespace == other.namespace && one.name == other.name);
        Some(first)
    }
}

/// A catalog that a cluster does not serve.
#[derive(JsonSchema, Serialize)]
pub struct NotServed {
    pub name: String,
    pub namespace: String,
    /// The first line that `opm validate` prints, if it rejects the catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opm: Option<String>,
    /// The connection state of the CatalogSource, if it does not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
}

/// One of the courses that OLM may take.
#[derive(JsonSchema, Serialize)]
pub struct ResolvedOutcome {
    /// The steps of a loop are repeated up to the requested number of steps.
    pub steps: Vec<ResolvedStep>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goes_round: Option<Loop>,
    /// The CSVs that never run in the end, because they do not fit the OperatorGroup of the namespace.
    pub failures: Vec<CsvFailure>,
}

/// A CSV that never runs.
#[derive(JsonSchema, Serialize)]
pub struct CsvFailure {
    pub csv: String,
    pub namespace: String,
    pub reason: String,
    pub message: String,
}

/// The steps that repeat in an endless loop, counted from 1.
#[derive(JsonSchema, Serialize)]
pub struct Loop {
    pub from: usize,
    pub to: usize,
}

/// One resolution, and what its InstallPlan changes.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedStep {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub selected: Vec<SelectedBundle>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub generated_subscriptions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub updated_subscriptions: Vec<String>,
    pub install_plan_created: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A bundle that OLM chooses.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectedBundle {
    pub name: String,
    pub package: String,
    pub channel: String,
    pub catalog: String,
    pub catalog_namespace: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// The answer for an extension as JSON.
#[derive(PartialEq, Eq, JsonSchema, Serialize)]
pub struct ResolvedExtension {
    pub extension: String,
    /// Why the API server rejects the extension, so that nothing is created or changed. The other fields are the answer of OLM
    /// v1 if it accepted it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<String>,
    /// The revision that rolls out. Until it has, OLM v1 resolves nothing; the other fields are its answer after that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolls_out: Option<RollsOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub catalog: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Why nobody can tell what OLM v1 does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// The texts of what OLM v1 refuses when it applies the bundle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refusals: Vec<String>,
    /// The other bundles of the package.
    pub dropped: Vec<DroppedBundle>,
    /// The catalogs that were not looked at, or do not have the package.
    pub skipped: Vec<SkippedCatalog>,
}

/// A revision of an extension that rolls out.
#[derive(PartialEq, Eq, JsonSchema, Serialize)]
pub struct RollsOut {
    /// The name of the ClusterObjectSet.
    pub revision: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
    /// Whether it does not go on by itself.
    pub stuck: bool,
    /// The objects that are not as it needs them, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unavailable: Vec<String>,
}

/// A bundle that OLM v1 did not take.
#[derive(PartialEq, Eq, JsonSchema, Serialize)]
pub struct DroppedBundle {
    pub catalog: String,
    pub bundle: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    pub because: String,
}

/// A catalog that does not count.
#[derive(PartialEq, Eq, JsonSchema, Serialize)]
pub struct SkippedCatalog {
    pub catalog: String,
    pub because: String,
}
