//! A comparison as JSON.

use super::mirror::{self, Mirror};
use crate::places::Inputs;
use catalog::{BundleName, ChannelName};
use compare::words::fix_text;
use compare::{ChannelState, Edit, Level, Path, Row, Rule, UpdatedBy, VerifiedFix, shortened};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;
use views::{ClusterComparisonView, OpenShiftView};
use workbench::comparison::words::following;
use workbench::comparison::{Compared, Comparison, Finding, NotComparable};

/// The limit on hops of a row in JSON.
const HOPS: usize = 40;

/// The limit on edits of a cause in JSON.
const EDITS: usize = 40;

/// The first updates of a path, listed while they are written: all of them together may be many.
struct Hops<'c>(&'c Path);

impl Serialize for Hops<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.names().take(HOPS).map(BundleName::as_str))
    }
}

/// How many updates are not listed.
fn more(path: &Path) -> Option<usize> {
    path.len.checked_sub(HOPS).filter(|more| *more > 0)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report<'c> {
    /// The number of rows and changes of each level.
    summary: BTreeMap<&'static str, usize>,
    /// What the differences mean, by package and the worst first; those under OLM v0 before those under OLM v1.
    findings: Vec<FindingReport<'c>>,
    /// For how many groups of findings causes and fixes were not searched to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsearched: Option<usize>,
    packages: Vec<PackageReport<'c>>,
    not_comparable: Vec<NotComparableReport<'c>>,
    /// How many packages change only because `opm` rejects one of the catalogs; they have no findings.
    #[serde(skip_serializing_if = "Option::is_none")]
    following: Option<String>,
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
    /// The same for all rows of a group: those of the first one.
    #[serde(flatten)]
    group: Shared,
}

/// Why rows with the same rule and end came out so, and what helps.
#[derive(Serialize)]
struct GroupReport {
    cause: Vec<EditReport>,
    #[serde(rename = "moreCauses", skip_serializing_if = "Option::is_none")]
    more: Option<usize>,
    fixes: Vec<String>,
}

#[derive(Clone)]
struct Shared(Rc<GroupReport>);

impl Serialize for Shared {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// The next update, and the version that the updates end at; or the error.
#[derive(Serialize)]
struct EndReport<'c> {
    next: Option<&'c str>,
    end: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Cow<'c, str>>,
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
    old: OutcomeReport<'c>,
    new: OutcomeReport<'c>,
}

#[derive(Serialize)]
struct OutcomeReport<'c> {
    state: &'static str,
    hops: Hops<'c>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<usize>,
    #[serde(rename = "loop")]
    repeats: bool,
    /// Whether there are more hops.
    cap: bool,
    end: &'c str,
    error: Option<Cow<'c, str>>,
}

/// What OLM v1 makes of a version: with an extension that names no channels, and with one that names the channel of the row.
#[derive(Serialize)]
struct ExtensionReport<'c> {
    all: ExtensionPathReport<'c>,
    channel: ExtensionPathReport<'c>,
}

#[derive(Serialize)]
struct ExtensionPathReport<'c> {
    next: Option<&'c str>,
    hops: Hops<'c>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Cow<'c, str>>,
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
    let not_comparable = comparison.not_comparable.iter().map(|NotComparable { side, package, reason, .. }| {
        NotComparableReport { side, package: package.as_deref(), reason }
    });
    // What only the new state has is no row.
    let packages = comparison.packages.iter().filter(|found| comparison.states(found)[0].is_some());
    let findings = comparison
        .packages
        .iter()
        .filter(|found| !found.follows)
        .flat_map(|found| findings(inputs, comparison, found))
        .collect();
    Report {
        summary: summary(comparison),
        findings,
        unsearched: Some(comparison.unsearched()).filter(|groups| *groups > 0),
        packages: packages.map(|found| package(inputs, comparison, found)).collect(),
        not_comparable: not_comparable.collect(),
        following: following(comparison),
        cluster: cluster.map(cluster_report),
        mirror: mirror.map(Mirror::json),
    }
}

/// The number of rows and changes of each level, also of those that nothing has.
fn summary(comparison: &Comparison<'_>) -> BTreeMap<&'static str, usize> {
    let levels = comparison.levels();
    Level::ALL.map(|level| (level.as_str(), levels.get(&level).copied().unwrap_or_default())).into()
}

fn cluster_report(cluster: &ClusterComparisonView) -> ClusterReport<'_> {
    let subscriptions = cluster.subscriptions.iter().map(|row| SubscriptionReport {
        namespace: &row.namespace,
        name: &row.name,
        installed: row.installed.as_deref(),
        old: &row.before,
        new: &row.after,
        rule: &row.rule,
        level: row.level.as_str(),
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

fn findings<'c>(inputs: &Inputs, comparison: &Comparison<'_>, found: &'c Compared) -> Vec<FindingReport<'c>> {
    let package = found.found.package.as_str();
    let group_report = |cause: &[Edit], fixes: &[VerifiedFix]| {
        let edits = cause.iter().take(EDITS).map(|edit| edit_report(inputs, comparison, found, edit));
        Shared(Rc::new(GroupReport {
            cause: edits.collect(),
            more: cause.len().checked_sub(EDITS).filter(|more| *more > 0),
            fixes: fixes.iter().map(fix_text).collect(),
        }))
    };
    let mut all = Vec::new();
    for Finding { group, level, explanation } in comparison.findings(found) {
        let report = group_report(&explanation.cause, &explanation.fixes);
        all.extend(group.rows.iter().map(|row| FindingReport {
            id: group.rule.id(),
            level: level.as_str(),
            runtime: if row.updated_by.is_v1() { "v1" } else { "v0" },
            package,
            channel: row.named_channel().map(ChannelName::as_str),
            installed: row.installed.as_str(),
            old: end_report(&row.installed, &row.old),
            new: end_report(&row.installed, &row.new),
            group: report.clone(),
        }));
    }
    all
}

fn end_report<'c>(installed: &'c BundleName, path: &'c Path) -> EndReport<'c> {
    let error = path.error_text().map(shortened);
    let end = error.is_none().then(|| path.end(installed).as_str());
    EndReport { next: path.answer().map(BundleName::as_str), end, error }
}

fn package<'c>(inputs: &Inputs, comparison: &Comparison<'_>, found: &'c Compared) -> PackageReport<'c> {
    let extensions: BTreeMap<_, &Row> = found.found.extensions().map(|row| (row.key(), row)).collect();
    let of_any: BTreeMap<_, &Row> = (found.found.extensions())
        .filter(|row| row.updated_by == UpdatedBy::Extension)
        .map(|row| (&row.installed, row))
        .collect();
    let extension = |row: &Row| {
        let all = of_any.get(&row.installed)?;
        Some([*all, *extensions.get(&(UpdatedBy::ExtensionOfChannel, &row.channel, &row.installed))?])
    };
    let rows = found.found.subscriptions().map(|row| {
        let v0 = || SubscriptionRowReport {
            rule: row.rule.map(Rule::id),
            level: comparison.level(found, row).map(Level::as_str),
            old: outcome_report(row, &row.old),
            new: outcome_report(row, &row.new),
        };
        let extension = extension(row);
        let v1 = |state: fn(&Row) -> &Path| {
            let [all, channel] = extension?.map(|row| extension_report(state(row)));
            Some(ExtensionReport { all, channel })
        };
        let worst =
            extension.and_then(|rows| rows.into_iter().filter(|row| row.rule.is_some()).min_by_key(|row| row.rule));
        RowReport {
            channel: row.channel.as_str(),
            installed: row.installed.as_str(),
            v0: comparison.runtime.has_v0().then(v0),
            v1_old: v1(|row| &row.old),
            v1_new: v1(|row| &row.new),
            v1_rule: worst.and_then(|row| row.rule).map(Rule::id),
            v1_level: worst.and_then(|row| comparison.level(found, row)).map(Level::as_str),
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

fn extension_report(path: &Path) -> ExtensionPathReport<'_> {
    ExtensionPathReport {
        next: path.answer().map(BundleName::as_str),
        hops: Hops(path),
        more: more(path),
        error: path.first_error().map(|error| shortened(&error.text)),
    }
}

fn edit_report(inputs: &Inputs, comparison: &Comparison<'_>, found: &Compared, edit: &Edit) -> EditReport {
    let (message, place) = comparison.cause(found, edit);
    EditReport { message, place: place.map(|place| inputs.shown(place)) }
}

fn outcome_report<'c>(row: &'c Row, path: &'c Path) -> OutcomeReport<'c> {
    OutcomeReport {
        state: match path.state {
            ChannelState::PackageGone => "pkg-gone",
            ChannelState::ChannelGone => "chan-gone",
            ChannelState::Broken => "graph-broken",
            ChannelState::Served { .. } => "ok",
        },
        hops: Hops(path),
        more: more(path),
        repeats: path.repeats && path.len <= HOPS,
        cap: path.len > HOPS,
        end: path.end(&row.installed).as_str(),
        error: path.error_text().map(shortened),
    }
}
