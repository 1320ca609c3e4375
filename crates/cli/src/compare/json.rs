//! A comparison as JSON.

use super::mirror::{self, Mirror};
use crate::places::Inputs;
use catalog::{BundleName, ChannelName};
use compare::{ChannelState, Edit, ExtensionCase, ExtensionFate, ExtensionRow, Fate, Level, Row};
use serde::Serialize;
use std::collections::BTreeMap;
use views::{ClusterComparisonView, OpenShiftView};
use workbench::comparison::markdown::level_name;
use workbench::comparison::words::fix_text;
use workbench::comparison::{Compared, Comparison, ExtensionFinding, Finding, NotComparable};

/// The limit on hops of a fate in JSON.
const HOPS: usize = 40;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report<'c> {
    /// The number of rows and changes of each level.
    summary: BTreeMap<&'static str, usize>,
    /// What the differences mean, by package and the worst first; those under OLM v0 before those under OLM v1.
    findings: Vec<FindingReport<'c>>,
    packages: Vec<PackageReport<'c>>,
    not_comparable: Vec<NotComparableReport<'c>>,
    /// With `--cluster` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<ClusterReport<'c>>,
    /// With `--image-set` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    mirror: Option<mirror::Report<'c>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ClusterReport<'c> {
    subscriptions: Vec<SubscriptionReport<'c>>,
    failures: Vec<FailureReport<'c>>,
    openshift: Option<&'c OpenShiftView>,
    notices: &'c [String],
}

#[derive(Serialize)]
struct SubscriptionReport<'c> {
    namespace: &'c str,
    name: &'c str,
    installed: Option<&'c str>,
    /// What OLM does in each state.
    old: &'c str,
    new: &'c str,
    rule: &'c str,
    level: &'static str,
    dependencies: &'c [String],
}

#[derive(Serialize)]
struct FailureReport<'c> {
    namespace: &'c str,
    /// OLM's error in each state.
    old: Option<&'c str>,
    new: Option<&'c str>,
    causes: &'c [String],
}

#[derive(Serialize)]
struct PackageReport<'c> {
    package: &'c str,
    rows: Vec<RowReport<'c>>,
    changes: Vec<ChangeReport<'c>>,
}

/// A rule that applies to an installed version under one version of OLM.
#[derive(Serialize)]
struct FindingReport<'c> {
    id: &'static str,
    level: &'static str,
    runtime: &'static str,
    package: &'c str,
    /// Absent for an extension that names no channels.
    channel: Option<&'c str>,
    installed: &'c str,
    old: EndReport<'c>,
    new: EndReport<'c>,
    cause: Vec<EditReport>,
    fixes: Vec<String>,
}

/// The next update, and the version that the updates end at; or the error.
#[derive(Serialize)]
struct EndReport<'c> {
    next: Option<&'c str>,
    end: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct RowReport<'c> {
    channel: &'c str,
    installed: &'c str,
    /// With the runtime `v0` or `both`.
    #[serde(flatten)]
    v0: Option<SubscriptionRowReport<'c>>,
    /// With the runtime `v1` or `both`, and where the old state has the bundle.
    #[serde(rename = "v1_old", skip_serializing_if = "Option::is_none")]
    v1_old: Option<ExtensionReport<'c>>,
    #[serde(rename = "v1_new", skip_serializing_if = "Option::is_none")]
    v1_new: Option<ExtensionReport<'c>>,
    /// The worst rule about OLM v1.
    #[serde(rename = "v1_rule", skip_serializing_if = "Option::is_none")]
    v1_rule: Option<&'static str>,
    #[serde(rename = "v1_level", skip_serializing_if = "Option::is_none")]
    v1_level: Option<&'static str>,
}

#[derive(Serialize)]
struct SubscriptionRowReport<'c> {
    rule: Option<&'static str>,
    level: Option<&'static str>,
    old: FateReport<'c>,
    new: FateReport<'c>,
}

#[derive(Serialize)]
struct FateReport<'c> {
    state: &'static str,
    hops: Vec<&'c str>,
    #[serde(rename = "loop")]
    repeats: bool,
    /// Whether there are more hops.
    cap: bool,
    end: &'c str,
    error: Option<&'c str>,
}

/// What OLM v1 makes of a version: with an extension that names no channels, and with one that names the channel of the row.
#[derive(Serialize)]
struct ExtensionReport<'c> {
    all: ExtensionFateReport<'c>,
    channel: ExtensionFateReport<'c>,
}

#[derive(Serialize)]
struct ExtensionFateReport<'c> {
    next: Option<&'c str>,
    hops: Vec<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct EditReport {
    message: String,
    /// `path:line`, in the new state if the edit is there.
    place: Option<String>,
}

#[derive(Serialize)]
struct ChangeReport<'c> {
    rule: &'static str,
    level: &'static str,
    message: &'c str,
    place: Option<String>,
}

#[derive(Serialize)]
struct NotComparableReport<'c> {
    side: &'static str,
    package: Option<&'c str>,
    reason: &'c str,
}

pub(super) fn report<'c>(
    inputs: &Inputs,
    comparison: &'c Comparison<'_>,
    cluster: Option<&'c ClusterComparisonView>,
    mirror: Option<Mirror<'c>>,
) -> Report<'c> {
    let not_comparable = comparison.not_comparable.iter().map(|NotComparable { side, package, reason }| {
        NotComparableReport { side, package: package.as_deref(), reason }
    });
    // What only the new state has is no row.
    let packages = comparison.packages.iter().filter(|found| found.old.is_some());
    Report {
        summary: summary(comparison),
        findings: comparison.packages.iter().flat_map(|found| findings(inputs, comparison, found)).collect(),
        packages: packages.map(|found| package(inputs, comparison, found)).collect(),
        not_comparable: not_comparable.collect(),
        cluster: cluster.map(cluster_report),
        mirror: mirror.map(Mirror::json),
    }
}

/// The number of rows and changes of each level, also of those that nothing has.
fn summary(comparison: &Comparison<'_>) -> BTreeMap<&'static str, usize> {
    let levels = comparison.levels();
    let all = [Level::Breaking, Level::Risky, Level::Neutral, Level::Good];
    all.map(|level| (level.as_str(), levels.get(&level).copied().unwrap_or_default())).into()
}

fn cluster_report(cluster: &ClusterComparisonView) -> ClusterReport<'_> {
    let subscriptions = cluster.subscriptions.iter().map(|row| SubscriptionReport {
        namespace: &row.namespace,
        name: &row.name,
        installed: row.installed.as_deref(),
        old: &row.before,
        new: &row.after,
        rule: &row.rule,
        level: level_name(row.level),
        dependencies: &row.dependencies,
    });
    let failures = cluster.failures.iter().map(|row| FailureReport {
        namespace: &row.namespace,
        old: row.before.as_deref(),
        new: row.after.as_deref(),
        causes: &row.causes,
    });
    ClusterReport {
        subscriptions: subscriptions.collect(),
        failures: failures.collect(),
        openshift: cluster.openshift.as_ref(),
        notices: &cluster.notices,
    }
}

fn findings<'c>(inputs: &Inputs, comparison: &Comparison<'_>, found: &'c Compared<'_>) -> Vec<FindingReport<'c>> {
    let mut causes = comparison.causes(found);
    let package = found.found.package.as_str();
    let edits = |cause: Option<Vec<Edit>>| {
        cause.iter().flatten().map(|edit| edit_report(inputs, comparison, found, edit)).collect()
    };
    let mut all = Vec::new();
    for Finding { group, level, fixes, .. } in comparison.findings(found) {
        all.extend(group.rows.iter().map(|row| FindingReport {
            id: group.rule.id(),
            level: level.as_str(),
            runtime: "v0",
            package,
            channel: Some(row.channel.as_str()),
            installed: row.installed.as_str(),
            old: end_report(row, &row.old),
            new: end_report(row, &row.new),
            cause: edits(causes.as_mut().map(|causes| causes.of(row))),
            fixes: fixes.iter().map(fix_text).collect(),
        }));
    }
    for ExtensionFinding { group, level, fixes, .. } in comparison.extension_findings(found) {
        all.extend(group.rows.iter().map(|row| FindingReport {
            id: group.rule.rule().id,
            level: level.as_str(),
            runtime: "v1",
            package,
            channel: group.channel.map(ChannelName::as_str),
            installed: row.installed.as_str(),
            old: extension_end_report(row, &row.case(group.channel).old),
            new: extension_end_report(row, &row.case(group.channel).new),
            cause: edits(causes.as_mut().map(|causes| causes.of_extension(row, group.channel))),
            fixes: fixes.iter().map(fix_text).collect(),
        }));
    }
    all
}

fn end_report<'c>(row: &'c Row, fate: &'c Fate) -> EndReport<'c> {
    let error = fate.error.as_deref().map(str::to_owned);
    let end = error.is_none().then(|| fate.end(&row.installed).as_str());
    EndReport { next: fate.next().map(BundleName::as_str), end, error }
}

fn extension_end_report<'c>(row: &'c ExtensionRow, fate: &'c ExtensionFate) -> EndReport<'c> {
    let error = fate.error.as_ref().map(ToString::to_string);
    let end = error.is_none().then(|| fate.end(&row.installed).as_str());
    EndReport { next: fate.next().map(BundleName::as_str), end, error }
}

fn package<'c>(inputs: &Inputs, comparison: &Comparison<'_>, found: &'c Compared<'_>) -> PackageReport<'c> {
    let rows = found.found.rows.iter().map(|row| {
        let v0 = || SubscriptionRowReport {
            rule: row.rule.map(compare::RowRule::id),
            level: comparison.level(found, row).map(Level::as_str),
            old: fate_report(row, &row.old),
            new: fate_report(row, &row.new),
        };
        let is_its = |other: &&ExtensionRow| (&other.channel, &other.installed) == (&row.channel, &row.installed);
        let extension = found.extensions.iter().find(is_its);
        let v1 = |state: fn(&ExtensionCase) -> &ExtensionFate| {
            let [all, channel] = extension.map(|row| [&row.all, &row.one])?.map(|case| extension_report(state(case)));
            Some(ExtensionReport { all, channel })
        };
        let v1_rule = extension.and_then(ExtensionRow::rule);
        RowReport {
            channel: row.channel.as_str(),
            installed: row.installed.as_str(),
            v0: comparison.runtime.has_v0().then(v0),
            v1_old: v1(|case| &case.old),
            v1_new: v1(|case| &case.new),
            v1_rule: v1_rule.map(|rule| rule.rule().id),
            v1_level: v1_rule.and_then(|rule| comparison.extension_level(rule)).map(Level::as_str),
        }
    });
    let changes = comparison.changes(found).into_iter().map(|(level, change)| ChangeReport {
        rule: change.rule.id(),
        level: level.as_str(),
        message: &change.message,
        place: comparison.place(found, &change.edit).map(|place| inputs.shown(place)),
    });
    PackageReport { package: found.found.package.as_str(), rows: rows.collect(), changes: changes.collect() }
}

fn extension_report(fate: &ExtensionFate) -> ExtensionFateReport<'_> {
    ExtensionFateReport {
        next: fate.next().map(BundleName::as_str),
        hops: fate.hops.iter().take(HOPS).map(|hop| hop.to.as_str()).collect(),
        error: fate.first_error().map(ToString::to_string),
    }
}

fn edit_report(inputs: &Inputs, comparison: &Comparison<'_>, found: &Compared<'_>, edit: &Edit) -> EditReport {
    let (message, place) = comparison.cause(found, edit);
    EditReport { message, place: place.map(|place| inputs.shown(place)) }
}

fn fate_report<'c>(row: &'c Row, fate: &'c Fate) -> FateReport<'c> {
    FateReport {
        state: match fate.state {
            ChannelState::PackageGone => "pkg-gone",
            ChannelState::ChannelGone => "chan-gone",
            ChannelState::Broken => "graph-broken",
            ChannelState::Served { .. } => "ok",
        },
        hops: fate.hops.iter().take(HOPS).map(|hop| hop.to.as_str()).collect(),
        repeats: fate.repeats && fate.hops.len() <= HOPS,
        cap: fate.hops.len() > HOPS,
        end: fate.end(&row.installed).as_str(),
        error: fate.error.as_deref(),
    }
}
