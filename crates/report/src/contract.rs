//! Types of JSON whose fields a contract with other programs names, where they differ from the views.

use serde::Serialize;
use views::{FindingView, Level, Severity};

/// The answer of `opscope validate`.
#[derive(Serialize)]
pub struct Validated {
    /// Whether everything was read, and `opm` would accept every catalog.
    pub valid: bool,
    /// The files of which nothing or only a part was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    pub packages: u32,
    pub findings: Vec<Finding>,
}

/// A finding with the path of its file as the user can open it.
#[derive(Serialize)]
pub struct Finding {
    rule: String,
    severity: &'static str,
    message: String,
    help: Option<String>,
    /// The line that `opm validate` prints, if it does.
    opm: Option<String>,
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
            file,
            line: view.place.line,
            column: view.place.column,
            entry: view.entry.map(|entry| entry.name),
            rule: view.rule,
            message: view.message,
            help: view.help,
            opm: view.opm,
            opm_since: view.opm_since,
            package: view.package,
        }
    }
}

/// What becomes of an installed version with a Subscription to a channel that lists it before the change, and with
/// ClusterExtensions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedRow {
    pub channel: String,
    pub installed: String,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedSubscription {
    pub rule: Option<String>,
    pub level: Option<Level>,
    pub old: SubscriptionPath,
    pub new: SubscriptionPath,
}

/// The updates of a Subscription in one of the states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComparedExtension {
    pub all: ExtensionPath,
    pub channel: ExtensionPath,
}

/// The updates of an extension in one of the states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExtensionPath {
    pub next: Option<String>,
    pub hops: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
