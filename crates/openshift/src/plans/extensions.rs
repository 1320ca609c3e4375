//! The ClusterExtensions of OLM v1 on a way through versions of OpenShift.
//!
//! The rule is that of openshift/cluster-olm-operator `pkg/controller/incompatible_operator_controller.go`: an installed bundle whose
//! `olm.maxOpenShiftVersion` is not above the version of the cluster keeps it from the next minor version. What OLM v1 does by itself on
//! a version, and what it does with another `version` of the extension, is followed to its end.

use super::explain::unknown;
use super::model::next_after;
use super::plan::{Blocker, Plan, Plans, Rest, Station, Step};
use super::{Reason, Stop};
use crate::gate::{BlockReason, UpgradeBlocker};
use catalog::predicate::MaxOpenShift;
use catalog::{Bundle, BundleName};
use cluster::{ClusterExtension, InstalledBundle, NotUpgradeable};
use extension::{CatalogState, Reconciliation, Refusal, Resolved, VersionRelease, timeline_with_refusals};
use source::OpenShift;
use std::cmp::Reverse;
use views::{PlanAction, PlanCost, PlanObstacle};

/// The ClusterOperator of OLM v1.
pub(crate) const OPERATOR_V1: &str = "olm";

/// A ClusterExtension with the catalogs on the way.
pub struct ExtensionOnWay<'c> {
    pub extension: &'c ClusterExtension,
    /// The catalogs that it sees on each version of the way; none where they are not loaded.
    pub catalogs: Vec<Vec<CatalogState<'c>>>,
    /// What OLM v1 refuses in a bundle that it chooses on a version, by its index.
    pub refusals: &'c dyn Fn(&ClusterExtension, usize, &Resolved) -> Vec<Refusal>,
}

impl Plans {
    /// Adds the plans of extensions, as far as their catalogs are known, and what ClusterOperators report.
    pub fn add_olm_v1(&mut self, way: &[OpenShift], extensions: &[ExtensionOnWay<'_>], reported: &[NotUpgradeable]) {
        for extension in extensions {
            if extension.catalogs.iter().any(|catalogs| !catalogs.is_empty()) {
                self.plans.push(extension.plan(way));
                self.is_planned = true;
            }
        }
        let of_v1 = self.plans.iter().filter(|plan| plan.is_extension);
        let stops = of_v1.filter_map(|plan| Some((plan, plan.reason.as_ref()?.stop.as_ref()?)));
        let stops = stops.map(|(plan, stop)| Blocker {
            openshift: stop.openshift,
            blocker: UpgradeBlocker {
                namespace: plan.namespace.clone(),
                csv: stop.csv.clone(),
                reason: stop.reason.clone(),
                is_from_catalog: true,
            },
            is_freestanding: false,
            extension: Some(plan.subscription.clone()),
        });
        let stops: Vec<Blocker> = stops.collect();
        self.blocked.extend(stops);
        let Some(first) = way.first().filter(|_| way.len() > 1) else { return };
        for one in reported {
            let is_v1 = &*one.operator == OPERATOR_V1;
            let acts = |plan: &Plan| {
                plan.is_extension == is_v1
                    && plan.steps.iter().any(|step| step.openshift == *first && step.what != PlanAction::OpenShift)
            };
            let blocks = |one: &Blocker| one.extension.is_some() == is_v1 && one.openshift == *first;
            // What is done on this version, or stops there, is what it is about. Otherwise it is all that is known.
            let is_explained = self.plans.iter().any(acts) || self.blocked.iter().any(blocks);
            self.reported.push((one.clone(), is_explained));
        }
    }

    /// What OLM v1 says on a version of OpenShift that extensions keep the cluster on; nothing if none does.
    pub(crate) fn gate_message_v1(&self, version: OpenShift) -> Option<String> {
        let here = self.blocked.iter().filter(|one| one.openshift == version);
        let named = here.filter_map(|one| Some((one.extension.as_ref()?, &one.blocker.csv)));
        let mut named: Vec<String> =
            named.map(|(extension, csv)| format!("bundle \"{csv}\" for ClusterExtension \"{extension}\"")).collect();
        named.sort();
        let next = next_after(version);
        (!named.is_empty()).then(|| {
            format!(
                "Found ClusterExtensions that require upgrades prior to upgrading cluster to version {}.{}: {}",
                next.major(),
                next.minor(),
                named.join(",")
            )
        })
    }
}

impl ExtensionOnWay<'_> {
    fn plan(&self, way: &[OpenShift]) -> Plan {
        let mut now = self.extension.clone();
        // What rolls out is what its next version is decided from.
        now.installed = now.rolling_out.last().and_then(|last| last.bundle.clone()).or(now.installed);
        let installed = now.installed.as_ref().map(|installed| installed.name.clone());
        let mut plan = Plan {
            namespace: (&*now.namespace).into(),
            subscription: now.name.as_str().into(),
            is_extension: true,
            package: now.package.clone(),
            channel: None,
            installed,
            cost: None,
            steps: Vec::new(),
            stations: Vec::new(),
            reason: None,
            waiting: None,
            rest: None,
        };
        let mut cost = PlanCost::default();
        for (at, version) in way.iter().enumerate() {
            cost.hops += self.follow(&mut now, at, *version, &mut plan);
            if let Some(next) = way.get(at + 1) {
                let block =
                    now.installed.as_ref().map_or(Ok(None), |installed| self.block_of(&installed.name, *version));
                let block = match block {
                    Ok(block) => now.installed.clone().zip(block),
                    Err(reason) => {
                        plan.make_unknown(reason);
                        return plan;
                    }
                };
                if let Some((installed, block)) = block {
                    let Some((changed, end)) = self.version_for(&now, at, *version) else {
                        plan.reason = Some(self.stopped(&installed, block, *version, at));
                        return plan;
                    };
                    let because = format!("`{}` {}", installed.name, block.sentence());
                    let what = PlanAction::SetVersion;
                    plan.steps.push(step(*version, what, [&now.version, &changed], Some(because)));
                    plan.steps.push(step(
                        *version,
                        PlanAction::Update,
                        [installed.name.as_str(), end.name.as_str()],
                        None,
                    ));
                    (now.version, now.installed) = (changed, Some(end));
                    (cost.manual, cost.hops) = (cost.manual + 1, cost.hops + 1);
                }
                plan.steps.push(step(*version, PlanAction::OpenShift, [&version.to_string(), &next.to_string()], None));
            }
            plan.stations.push(Station {
                openshift: *version,
                csv: now.installed.as_ref().map(|installed| installed.name.clone()),
                pending: None,
                channel: None,
                frozen: None,
            });
        }
        plan.cost = Some(cost);
        plan.rest = self.rest(&now, way.len() - 1);
        plan
    }

    /// Follows what OLM v1 does by itself on a version. Returns the number of updates.
    fn follow(&self, now: &mut ClusterExtension, at: usize, version: OpenShift, plan: &mut Plan) -> u32 {
        let before = plan.steps.len();
        for one in self.line(now, at) {
            let name = |bundle: &Option<InstalledBundle>| {
                bundle.as_ref().map(|bundle| bundle.name.to_string()).unwrap_or_default()
            };
            let (from, to) = (name(&now.installed), name(&one.installed));
            if from != to {
                plan.steps.push(step(version, PlanAction::Update, [&from, &to], None));
            }
            now.installed = one.installed;
        }
        (plan.steps.len() - before) as u32
    }

    fn line(&self, extension: &ClusterExtension, at: usize) -> Vec<Reconciliation> {
        let catalogs = &self.catalogs[at];
        if catalogs.is_empty() {
            return Vec::new();
        }
        let refusals = |resolved: &Resolved| (self.refusals)(extension, at, resolved);
        timeline_with_refusals(extension, std::slice::from_ref(catalogs), &refusals)
    }

    /// The bundles of its package on a version, in the order of the catalogs.
    fn bundles(&self, at: usize) -> impl Iterator<Item = &Bundle> {
        let packages =
            self.catalogs[at].iter().filter_map(|state| state.content?.package(self.extension.package.as_str()));
        packages.flat_map(|package| &package.bundles)
    }

    /// Why a bundle keeps the cluster on a version: OLM v1 keeps the properties of the catalog.
    ///
    /// # Errors
    /// When no catalog has the bundle, so that nobody knows.
    fn block_of(&self, name: &BundleName, version: OpenShift) -> Result<Option<BlockReason>, Reason> {
        let mut all = (0..self.catalogs.len()).flat_map(|at| self.bundles(at));
        let bundle = all.find(|bundle| bundle.name.value == *name).ok_or_else(|| {
            unknown(format!(
                "No catalog has `{name}`, which is installed, so its `olm.maxOpenShiftVersion` is not known."
            ))
        })?;
        let max = MaxOpenShift::of(bundle.properties.iter().map(|property| &property.value));
        Ok(BlockReason::of(&max, &next_after(version)))
    }

    /// A `version` with which OLM v1 ends at a bundle that does not keep the cluster on a version, and that bundle: the highest, or
    /// none at all, if that alone leads there.
    fn version_for(
        &self,
        now: &ClusterExtension,
        at: usize,
        openshift: OpenShift,
    ) -> Option<(Box<str>, InstalledBundle)> {
        let fits = |name: &BundleName| self.block_of(name, openshift) == Ok(None);
        let mut versions: Vec<VersionRelease> = (self.bundles(at))
            .filter(|bundle| fits(&bundle.name.value))
            .filter_map(|bundle| VersionRelease::of(bundle, now.olm).ok())
            .collect();
        versions.sort_by_key(|version| Reverse(version.clone()));
        let versions = versions.into_iter().map(|version| Box::from(version.version.to_string())).chain(["".into()]);
        versions.into_iter().find_map(|version: Box<str>| {
            let changed = ClusterExtension { version: version.clone(), ..now.clone() };
            let last = self.line(&changed, at).pop()?;
            let end = last.installed.filter(|_| last.resolution.outcome.is_ok() && last.refusals.is_empty())?;
            fits(&end.name).then_some((version, end))
        })
    }

    fn stopped(&self, installed: &InstalledBundle, block: BlockReason, version: OpenShift, at: usize) -> Reason {
        let why = if self.catalogs[at].is_empty() {
            format!("the catalog for OpenShift {version} is not loaded")
        } else {
            format!("no `version` leads to a bundle in the catalogs of {version} that supports a later one")
        };
        let obstacle = match block {
            BlockReason::MaxVersion(_) => PlanObstacle::Blocked,
            BlockReason::Invalid(_) => PlanObstacle::InvalidMax,
        };
        let sentence = format!("`{}` {}, and {why}.", installed.name, block.sentence());
        let stop = Some(Stop { openshift: version, csv: installed.name.clone(), reason: block });
        Reason { obstacle, sentence, lifts: Vec::new(), stop }
    }

    /// Where it is in the end, if that is known: at the highest version, or below it because the resolution fails.
    fn rest(&self, now: &ClusterExtension, at: usize) -> Option<Rest> {
        let installed = &now.installed.as_ref()?.name;
        let last = self.line(now, at).pop()?;
        let version = |bundle: &&Bundle| VersionRelease::of(bundle, now.olm).ok();
        let head = &self.bundles(at).max_by_key(version)?.name.value;
        match last.resolution.outcome {
            _ if head == installed => Some(Rest::Head),
            Err(_) => Some(Rest::Stuck { at: installed.clone(), head: head.clone() }),
            Ok(_) => None,
        }
    }
}

fn step(openshift: OpenShift, what: PlanAction, [from, to]: [&str; 2], because: Option<String>) -> Step {
    let (from, to) = (from.to_owned(), to.to_owned());
    Step { openshift, what, from, to, channel: None, hangs: false, install_plan: None, because }
}
