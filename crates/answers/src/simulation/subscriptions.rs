//! What becomes of each Subscription: its updates, a verdict in a sentence, and why it does not move on.

mod way_on;

use super::behind::Behind;
use super::run::never_met;
use super::scenario::{Failure, Scenario};
use super::timeline::PlanFailure;
use super::wording::{Wording, describe_loop, listed};
use catalog::predicate::PackageName;
use catalog::{BundleName, Channel};
use cluster::{Approval, CatalogKey, SubscriptionSpec};
use resolver::{Outcome, heads, stuck, unowned_csvs};
use session::Workbench;
use simulate::{CsvFailure, Step, Timeline};
use std::collections::BTreeMap;
use views::{CsvHop, EntryKey, InputEdit, PackageKey, SubscriptionStatus, SubscriptionView, after_approvals};
use way_on::way_on;

/// The verdict when the resolver gave up.
const UNKNOWN: &str = "Opscope cannot tell what OLM does next";

/// Where each Subscription of the namespace ends. `failure` says why the last step has no answer, `plan_failures`
/// which InstallPlans fail, `is_served` whether a cluster
/// would serve all catalogs of the namespace, and `explained` how many that are held back get a reason.
pub(super) fn views(
    workbench: &Workbench,
    scenario: &Scenario,
    timeline: &Timeline,
    failure: &Failure,
    plan_failures: &[PlanFailure],
    is_served: bool,
    explained: usize,
) -> Vec<SubscriptionView> {
    let here =
        scenario.cluster.subscriptions.iter().filter(|subscription| subscription.namespace == scenario.namespace);
    let mut behind = behind(workbench, scenario, timeline, explained);
    let never = never_met(workbench, scenario, timeline);
    let views = here.map(|subscription| {
        let spec = &subscription.spec;
        let course = Course::new(scenario, subscription, timeline);
        let status = course.status(timeline, is_served, is_cut_off(timeline));
        let mut behind = behind.remove(&*spec.name).unwrap_or_default();
        if !course.moves.is_empty() {
            // Fixes of the Subscription were verified for the cluster after all steps, and would change the one before.
            let is_valid = |edit: &InputEdit| matches!(edit, InputEdit::Catalog { .. });
            behind.fixes.iter_mut().for_each(|fix| fix.edit = fix.edit.take().filter(is_valid));
        }
        let (package_key, end) = course.target(workbench, scenario, timeline);
        let package = package_key.as_ref().and_then(|key| crate::package(workbench, key)).map(|(_, package)| package);
        let way_on = package.filter(|_| status.ends_at_head()).and_then(|package| way_on(&course, package, timeline));
        let unknown = course.before.and_then(|installed| scenario.unknown_csv(installed));
        if unknown.is_some() {
            behind = Behind::default();
        }
        let never = never.as_ref().filter(|(name, _)| course.moves.iter().any(|(_, csv)| csv == name));
        let status = match (unknown.is_some(), never) {
            (true, _) => SubscriptionStatus::Unknown,
            (false, Some(_)) => SubscriptionStatus::Fails,
            (false, None) => status,
        };
        let (status, short) = scenario
            .deciding_status(subscription, status)
            .unwrap_or_else(|| (status, course.short(status, course.approvals(timeline))));
        SubscriptionView {
            name: spec.name.to_string(),
            package: spec.package.to_string(),
            catalog: spec.catalog.as_ref().map(|key| key.name.to_string()).unwrap_or_default(),
            installed: course.installed.map(ToString::to_string),
            hops: course.hops(),
            plan_failure: plan_failures.iter().find_map(|failure| failure.consequence(&course.moves)),
            behind: behind.kept,
            refused: behind.refused,
            repairs: behind.repairs,
            fixes: behind.fixes,
            funnel: behind.funnel,
            verdict: match (unknown, verdict(&course, timeline, failure)) {
                (Some(message), _) => format!("is not judged: {message}"),
                (None, verdict) if is_served => match never {
                    Some((name, obstacle)) => format!("{verdict}, but {name} {}", obstacle.short()),
                    None => verdict,
                },
                (None, verdict) => format!("is not resolved, because a catalog is not served; otherwise it {verdict}"),
            },
            approvals: u32::try_from(course.approvals(timeline)).unwrap_or(u32::MAX),
            status,
            short,
            package_key,
            end,
            way_on,
        }
    });
    views.collect()
}

/// Whether a Subscription of the namespace ends below the head of its channel.
pub(super) fn any_behind(scenario: &Scenario, timeline: &Timeline) -> bool {
    let mut here = scenario.cluster.subscriptions.iter().filter(|one| one.namespace == scenario.namespace);
    here.any(|subscription| {
        let course = Course::new(scenario, subscription, timeline);
        let status = course.status(timeline, true, is_cut_off(timeline));
        let is_unknown = course.before.is_some_and(|installed| scenario.unknown_csv(installed).is_some());
        let decided = scenario.deciding_status(subscription, status);
        !is_unknown && decided.map_or(status, |(decided, _)| decided) == SubscriptionStatus::Behind
    })
}

/// Why Subscriptions end below the heads of their channels, by their names.
fn behind(
    workbench: &Workbench,
    scenario: &Scenario,
    timeline: &Timeline,
    explained: usize,
) -> BTreeMap<String, Behind> {
    let Some(last) = timeline.last_resolution() else { return BTreeMap::new() };
    let wording = Wording::new(workbench, scenario, &last.problem);
    Behind::all(&wording, last, &stuck(&last.problem, &last.outcome), explained)
}

/// The verdict on a Subscription after all steps.
fn verdict(course: &Course<'_>, timeline: &Timeline, failure: &Failure) -> String {
    let spec = course.spec;
    if let Some(round) = timeline.cycling_csvs().get(&spec.name) {
        return describe_loop(round);
    }
    let approved = after_approvals(course.approvals(timeline));
    let failure = timeline.steps.last().and_then(|step| reason(spec, step, failure));
    let last = timeline.last_resolution().filter(|_| course.end.is_none());
    let unowned = last.map(|step| unowned_csvs(&step.problem, spec)).unwrap_or_default();
    if let Some(text) = course.end.and_then(|end| never_runs(course, end, timeline, &approved)) {
        return text;
    }
    match (course.end, failure.as_deref(), course.updates()) {
        (None, failure, _) if !unowned.is_empty() => {
            let csvs = listed(unowned.iter().map(ToString::to_string), "and");
            let stays = if unowned.len() == 1 { "which stays" } else { "which stay" };
            let failure = failure.map(|failure| format!(": {failure}")).unwrap_or_default();
            format!("does not own {csvs}, {stays} installed{failure}")
        }
        (None, Some(UNKNOWN), _) => format!("is not installed; {UNKNOWN}"),
        (None, Some(failure), _) => format!("is not installed: {failure}"),
        (None, None, _) => match &spec.installed_csv {
            Some(gone) => format!("has nothing installed: {gone} was deleted, and OLM does not reinstall it"),
            None => "installs nothing".to_owned(),
        },
        (Some(end), Some(UNKNOWN), 0) => format!("has {end}; {UNKNOWN}"),
        (Some(end), Some(failure), 0) => format!("stays at {end}, because {failure}"),
        (Some(end), Some(failure), _) => format!("updates to {end}{approved}, then {failure}"),
        (Some(end), None, 0) => format!("stays at {end}"),
        (Some(end), None, _) if is_cut_off(timeline) => {
            let count = timeline.steps.len();
            format!("updates to {end} in {count} {} and continues", if count == 1 { "step" } else { "steps" })
        }
        (Some(end), None, 1) if course.installed.is_none() => format!("installs {end}{approved}"),
        (Some(end), None, _) => format!("ends at {end}{approved}"),
    }
}

/// The verdict on a Subscription that ends with a CSV that never runs: it does not fit the OperatorGroup, or waits for one that
/// does not.
fn never_runs(course: &Course<'_>, end: &BundleName, timeline: &Timeline, approved: &str) -> Option<String> {
    let last = timeline.last_resolution()?;
    let lead = match (course.updates(), course.installed) {
        (0, _) => format!("has {end}"),
        (_, None) => format!("installs {end}{approved}"),
        (_, Some(_)) => format!("updates to {end}{approved}"),
    };
    let frozen = if last.error.is_some() { ", and the namespace is not resolved any more" } else { "" };
    if let Some(CsvFailure { reason, still_runs, .. }) = failure(timeline, end) {
        let old = still_runs.as_ref().map(|old| format!("; {old} still runs{frozen}")).unwrap_or_default();
        let runs = if course.updates() == 0 { "does not run" } else { "never runs" };
        return Some(format!("{lead}, which {runs} ({reason}){old}"));
    }
    let (_, old) = last.waiting.iter().find(|(csv, _)| csv == end)?;
    let reason = failure(timeline, old).map(|failure| failure.reason.as_str()).unwrap_or_default();
    Some(format!("{lead}, which waits for {old}: that fails with {reason}{frozen}"))
}

/// Why there is no next step, as a clause.
fn reason(spec: &cluster::SubscriptionSpec, step: &Step, failure: &Failure) -> Option<String> {
    step.error.as_ref()?;
    Some(match &step.outcome {
        Outcome::Unsolvable(_) => blocked(spec, step, failure).unwrap_or_else(|| "OLM finds no solution".to_owned()),
        Outcome::GaveUp(_) => UNKNOWN.to_owned(),
        Outcome::Resolved(_) | Outcome::Prevented(_) => "OLM stops with an error".to_owned(),
    })
}

/// The Subscriptions in conflict, if this one is not among them. OLM then resolves nothing for the whole namespace.
fn blocked(spec: &cluster::SubscriptionSpec, step: &Step, failure: &Failure) -> Option<String> {
    let conflicts = &failure.conflicts.as_ref()?.as_ref().ok()?.conflicts;
    let anchors = conflicts.iter().flat_map(|conflict| conflict.anchors(&step.problem));
    let others: Vec<&cluster::SubscriptionSpec> = anchors.filter_map(|id| step.problem.subscription(id)).collect();
    if conflicts.is_empty() || others.iter().any(|other| other.name == spec.name) {
        return None;
    }
    let names: Vec<String> = others.iter().map(|other| format!("`{}`", other.name)).collect();
    Some(match names.as_slice() {
        [] => "OLM finds no solution, because of what is installed".to_owned(),
        names => format!("OLM finds no solution, because of {}", listed(names.iter().cloned(), "and")),
    })
}

/// Whether the simulation ended only because of the limit on steps.
pub(super) fn is_cut_off(Timeline { steps, cycle_start, idle }: &Timeline) -> bool {
    cycle_start.is_none() && idle.is_none() && steps.last().is_some_and(|step| step.install_plan_created)
}

// What becomes of a Subscription in an outcome: its CSVs and its status. Hops, verdicts and short texts all come from
// here.

/// What a Subscription is where OLM goes on by itself.
pub(super) const IN_PROGRESS: &str = "is in progress";

/// The CSVs of a Subscription, one after the other.
pub(super) struct Course<'t> {
    /// The Subscription before the first step.
    pub(super) spec: &'t SubscriptionSpec,
    /// The CSV that is installed now.
    pub(super) installed: Option<&'t BundleName>,
    /// The CSV that is installed before the first step: another one if an InstallPlan of the cluster waits for approval.
    pub(super) before: Option<&'t BundleName>,
    /// Each CSV that a step installs for it, with the index of the step.
    pub(super) moves: Vec<(usize, &'t BundleName)>,
    /// The CSV after the last step.
    pub(super) end: Option<&'t BundleName>,
}

impl<'t> Course<'t> {
    pub(super) fn new(scenario: &'t Scenario, subscription: &'t cluster::Subscription, timeline: &'t Timeline) -> Self {
        let spec = &subscription.spec;
        let before = scenario.cluster.installed(subscription).name();
        let installed = match &scenario.until_approved {
            Some(installed) => installed.get(&spec.name),
            None => before,
        };
        let (mut end, mut moves) = (before, Vec::new());
        for (at, step) in timeline.steps.iter().enumerate() {
            let after = step.installed.get(&spec.name);
            moves.extend(after.filter(|csv| Some(*csv) != end).map(|csv| (at, csv)));
            end = after;
        }
        Self { spec, installed, before, moves, end }
    }

    /// The CSVs that it has, in order, with the one that is installed before the first step.
    pub(super) fn hops(&self) -> Vec<CsvHop> {
        let moves = self.moves.iter().map(|(at, csv)| (u32::try_from(at + 1).unwrap_or(u32::MAX), *csv));
        let csvs = self.before.map(|csv| (0, csv)).into_iter().chain(moves);
        let label = |csv| label(&self.spec.package, csv).to_owned();
        csvs.map(|(since, csv)| CsvHop { csv: csv.to_string(), label: label(csv), since }).collect()
    }

    /// The number of its updates and installations, with that of an InstallPlan of the cluster that waits for approval.
    pub(super) fn updates(&self) -> usize {
        self.moves.len() + self.pending()
    }

    /// 1 if an InstallPlan of the cluster that waits for approval moves it, else 0.
    fn pending(&self) -> usize {
        usize::from(self.installed != self.before)
    }

    /// The number of InstallPlans that a user has to approve until its last move.
    pub(super) fn approvals(&self, timeline: &Timeline) -> usize {
        let until = self.moves.last().map_or(0, |(at, _)| at + 1);
        let is_manual = |step: &&Step| step.install_plan_created && step.approval == Approval::Manual;
        self.pending() + timeline.steps[..until].iter().filter(is_manual).count()
    }

    /// Its status at the end. `is_cut_off` says whether there would be more steps.
    pub(super) fn status(&self, timeline: &Timeline, is_served: bool, is_cut_off: bool) -> SubscriptionStatus {
        let Some(last) = timeline.steps.last() else { return SubscriptionStatus::Unknown };
        let is_unknown = matches!(last.outcome, Outcome::GaveUp(_));
        let is_at_head =
            || self.end.is_some_and(|csv| heads(&last.problem, self.spec).iter().any(|head| head.name == *csv));
        match self.end {
            _ if !is_served => SubscriptionStatus::Blocked,
            _ if timeline.cycling_csvs().contains_key(&self.spec.name) => SubscriptionStatus::Loops,
            _ if is_cut_off => SubscriptionStatus::Updates,
            _ if is_unknown => SubscriptionStatus::Unknown,
            Some(csv) if failure(timeline, csv).is_some() || waits(timeline, csv) => SubscriptionStatus::Fails,
            _ if last.error.is_some() => SubscriptionStatus::Blocked,
            None => SubscriptionStatus::NotInstalled,
            Some(_) if !is_at_head() => SubscriptionStatus::Behind,
            Some(_) if self.updates() == 0 => SubscriptionStatus::AtHead,
            Some(_) if self.approvals(timeline) > 0 => SubscriptionStatus::Waits,
            Some(_) if self.installed.is_none() => SubscriptionStatus::Installs,
            Some(_) => SubscriptionStatus::Updates,
        }
    }

    /// The status in a few words.
    pub(super) fn short(&self, status: SubscriptionStatus, approvals: usize) -> String {
        let name = &self.spec.name;
        let version = self.end.map(|csv| label(&self.spec.package, csv)).unwrap_or_default();
        let approved = after_approvals(approvals);
        match status {
            SubscriptionStatus::Installs | SubscriptionStatus::Updates | SubscriptionStatus::Waits => {
                format!("{name} → {version}{approved}")
            }
            SubscriptionStatus::AtHead => format!("{name} is up to date"),
            SubscriptionStatus::Behind if self.updates() == 0 => format!("{name} stays at {version}"),
            SubscriptionStatus::Behind => format!("{name} stops at {version}{approved}"),
            SubscriptionStatus::Fails => format!("{name} fails at {version}{approved}"),
            SubscriptionStatus::Passes => format!("{name} {IN_PROGRESS}"),
            SubscriptionStatus::Blocked => format!("{name} blocked"),
            SubscriptionStatus::Loops => format!("{name} loops"),
            SubscriptionStatus::NotInstalled => format!("{name} not installed"),
            SubscriptionStatus::Unknown => format!("{name} unknown"),
        }
    }

    /// The package in the catalog that it follows, and the entry where it ends.
    pub(super) fn target(
        &self,
        workbench: &Workbench,
        scenario: &Scenario,
        timeline: &Timeline,
    ) -> (Option<PackageKey>, Option<EntryKey>) {
        let name = self.spec.package.as_str();
        let follows = |key: &CatalogKey| self.spec.catalog.as_ref().is_none_or(|own| own == key);
        let catalogs = scenario.bound.iter().filter(|(key, _)| follows(key)).map(|(_, id)| *id);
        let found = catalogs.filter_map(|id| Some((id, workbench.catalog(id)?.analysis.catalog.package(name)?)));
        let Some((catalog, package)) = found.min_by_key(|(id, _)| *id) else { return (None, None) };
        let selected = timeline.steps.iter().rev().flat_map(|step| &step.selected);
        let mut selected = selected.filter(|bundle| bundle.package == self.spec.package);
        let default = package.default_channel.as_ref().map(|channel| channel.value.as_str());
        let own = self.spec.channel.as_ref().map(|channel| channel.as_str());
        let entry = self.end.and_then(|csv| {
            let taken = selected.find(|bundle| bundle.name == *csv).map(|bundle| bundle.channel.as_str());
            let lists = |channel: &&Channel| channel.entry(csv.as_str()).is_some();
            let rank = |channel: &&Channel| {
                let name = channel.name.value.as_str();
                (Some(name) != own, Some(name) != taken, Some(name) != default)
            };
            let channel = package.channels.iter().filter(lists).min_by_key(rank)?;
            Some(EntryKey { channel: Some(channel.name.value.to_string()), name: csv.to_string() })
        });
        (Some(PackageKey { catalog, package: name.to_owned() }), entry)
    }
}

/// Why a CSV does not run in the end, if it does not fit the OperatorGroup.
pub(super) fn failure<'t>(timeline: &'t Timeline, csv: &BundleName) -> Option<&'t CsvFailure> {
    timeline.last_resolution()?.csv_failures.iter().find(|failure| failure.csv == *csv)
}

/// Whether a CSV waits in the end for one that does not fit the OperatorGroup.
fn waits(timeline: &Timeline, csv: &BundleName) -> bool {
    timeline.last_resolution().is_some_and(|step| step.waiting.iter().any(|(waiting, _)| waiting == csv))
}

/// The version in a CSV's name, such as `1.2.0` of `etcd.v1.2.0`, else the name.
pub(super) fn label<'c>(package: &PackageName, csv: &'c BundleName) -> &'c str {
    let name = csv.as_str();
    let version = name.split_once(".v").map(|(_, rest)| rest);
    let version = version.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let rest = version.or_else(|| Some(name.strip_prefix(package.as_str())?.trim_start_matches(['.', '-'])));
    rest.filter(|rest| !rest.is_empty()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::label;
    use crate::testing::{form, with_form};
    use session::testing::{example, workbench};
    use views::{SubscriptionForm, SubscriptionStatus, SubscriptionView};

    fn first(workbench: &session::Workbench) -> SubscriptionView {
        crate::simulate(workbench, "").outcomes[0].subscriptions[0].clone()
    }

    fn csvs(view: &SubscriptionView) -> Vec<&str> {
        view.hops.iter().map(|hop| hop.csv.as_str()).collect()
    }

    /// A CSV of another namespace: the manifests have CSVs, so one that they lack was deleted.
    const OTHER: &str = "---\nkind: ClusterServiceVersion\nmetadata: {name: packageserver, namespace: olm}\n";

    #[test]
    fn a_deleted_csv_is_not_installed() {
        for (slug, hops, verdict) in [
            ("deleted-without-starting-csv", vec!["store.v3.0.0"], "installs store.v3.0.0"),
            ("after-the-csv-was-deleted", vec!["store.v1.0.0", "store.v2.0.0", "store.v3.0.0"], "ends at store.v3.0.0"),
        ] {
            let workbench = example(slug);
            let view = first(&workbench);
            assert_eq!((view.installed.as_deref(), csvs(&view), view.verdict.as_str()), (None, hops, verdict));
            let form = crate::form(&workbench, "");
            assert_eq!(form.subscriptions[0].installed, "", "the form does not bring it back either");
        }
    }

    #[test]
    fn a_subscription_without_a_source_asks_all_catalogs() {
        let catalogs = [
            ("first", "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0"),
            ("second", "package p c\nchannel p c p.v2.0.0\nbundle p 2.0.0"),
        ];
        let text = "kind: CatalogSource\nmetadata: {name: first, namespace: olm}\n---\nkind: CatalogSource\nmetadata: {name: second, namespace: olm}\nspec: {priority: 5}\n---\nkind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p, channel: c}\n";
        let view = first(&workbench(&catalogs).with_cluster(text));
        // OLM takes the channel of both catalogs for one with two heads.
        assert_eq!(view.verdict, "is not installed: OLM stops with an error");
    }

    #[test]
    fn a_deleted_csv_is_not_reinstalled() {
        let catalog = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let spec = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n---\nkind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p, source: c, sourceNamespace: olm}\nstatus: {currentCSV: p.v1.0.0, installedCSV: p.v1.0.0}\n";
        let view = first(&workbench(&[("c", catalog)]).with_cluster(&format!("{spec}{OTHER}")));
        assert_eq!(view.verdict, "has nothing installed: p.v1.0.0 was deleted, and OLM does not reinstall it");
        assert_eq!((view.status, view.short.as_str()), (SubscriptionStatus::NotInstalled, "s not installed"));
    }

    /// OLM creates no InstallPlan for the deleted CSV alone, but installs it with the plan for another Subscription.
    #[test]
    fn a_deleted_csv_is_reinstalled_with_another_update() {
        let catalog =
            "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";
        let text = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n---\nkind: Subscription\nmetadata: {name: p, namespace: ns}\nspec: {name: p, source: c, sourceNamespace: olm}\nstatus: {currentCSV: p.v1.0.0, installedCSV: p.v1.0.0}\n---\nkind: Subscription\nmetadata: {name: q, namespace: ns}\nspec: {name: q, source: c, sourceNamespace: olm}\n";
        let view = first(&workbench(&[("c", catalog)]).with_cluster(&format!("{text}{OTHER}")));
        assert_eq!((view.verdict.as_str(), csvs(&view)), ("installs p.v1.0.0", vec!["p.v1.0.0"]));
        assert_eq!((view.status, view.short.as_str()), (SubscriptionStatus::Installs, "p → 1.0.0"));
        let end = view.end.map(|end| (end.channel, end.name));
        assert_eq!(end, Some((Some("c".to_owned()), "p.v1.0.0".to_owned())));
    }

    #[test]
    fn a_csv_without_a_subscription_stays() {
        let catalog = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        let text = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n---\nkind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p, source: c, sourceNamespace: olm}\n---\nkind: ClusterServiceVersion\nmetadata: {name: p.v1.0.0, namespace: ns, annotations: {operatorframework.io/properties: '{\"properties\":[{\"type\":\"olm.package\",\"value\":{\"packageName\":\"p\",\"version\":\"1.0.0\"}}]}'}}\nspec: {version: 1.0.0}\nstatus: {phase: Succeeded}\n";
        let view = first(&workbench(&[("c", catalog)]).with_cluster(text));
        assert_eq!(view.verdict, "does not own p.v1.0.0, which stays installed: OLM finds no solution");
        assert_eq!((view.status, view.short.as_str()), (SubscriptionStatus::Blocked, "s blocked"));
    }

    #[test]
    fn the_status_says_where_a_subscription_ends() {
        let chain = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let gap = "package p c\nchannel p c p.v3.0.0\nchannel p d p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let held = format!("{chain}\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0 requires p <3.0.0");
        let rejected = "package p c\nchannel p c p.v1.0.0\nchannel p d p.v2.0.0\nbundle p 1.0.0";
        let check = |catalog: &str, packages: &[(&str, &str)], expected: (SubscriptionStatus, &str)| {
            let row = |(package, installed): &(&str, &str)| SubscriptionForm {
                package: (*package).to_owned(),
                installed: (*installed).to_owned(),
                channel: "c".to_owned(),
                ..SubscriptionForm::default()
            };
            let rows: Vec<_> = packages.iter().map(row).collect();
            let view = first(&with_form(workbench(&[("c", catalog)]), &form(&rows)));
            assert_eq!((view.status, view.short.as_str()), expected);
        };
        check(chain, &[("p", "")], (SubscriptionStatus::Installs, "p → 3.0.0"));
        check(chain, &[("p", "p.v1.0.0")], (SubscriptionStatus::Updates, "p → 3.0.0"));
        check(chain, &[("p", "p.v3.0.0")], (SubscriptionStatus::AtHead, "p is up to date"));
        check(gap, &[("p", "p.v1.0.0")], (SubscriptionStatus::Behind, "p stays at 1.0.0"));
        check(&held, &[("p", "p.v1.0.0"), ("q", "")], (SubscriptionStatus::Behind, "p stops at 2.0.0"));
        check(chain, &[("p", ""), ("gone", "")], (SubscriptionStatus::Blocked, "p blocked"));
        check(rejected, &[("p", "")], (SubscriptionStatus::Blocked, "p blocked"));
    }

    #[test]
    fn a_csv_is_labelled_with_its_version() {
        let check = |package: &str, name: &str, short: &str| assert_eq!(label(&package.into(), &name.into()), short);
        check("infinispan", "infinispan-operator.v2.5.10", "2.5.10");
        check("etcd", "etcd.v1.0.0-rc.v2", "1.0.0-rc.v2");
        check("a.very", "a.very-old", "old");
        check("etcd", "etcd", "etcd");
        check("etcd", "other", "other");
    }
}
