//! What becomes of a Subscription in an outcome: its CSVs and its status. Hops, verdicts and short texts all come from here.

use super::scenario::Scenario;
use catalog::predicate::PackageName;
use catalog::{BundleName, Channel};
use cluster::{Approval, CatalogKey, SubscriptionSpec};
use resolver::{Outcome, heads};
use session::Workbench;
use simulate::{CsvFailure, Step, Timeline};
use views::{CsvHop, EntryKey, PackageKey, SubscriptionStatus};

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
            Some(_) if self.installed.is_none() && self.updates() == 1 => SubscriptionStatus::Installs,
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

/// The number of approvals as the end of a sentence.
pub(super) fn after_approvals(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " after 1 approval".to_owned(),
        more => format!(" after {more} approvals"),
    }
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
