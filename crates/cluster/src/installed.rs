//! What Subscriptions have installed, as far as manifests tell.
//!
//! OLM compares `status.installedCSV` with the ClusterServiceVersions of the namespace: one that does not exist is not installed
//! (operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`, `getSubscriptionVariables`).
//! Manifests without any ClusterServiceVersion are taken for incomplete, because every cluster has that of OLM itself.

use catalog::BundleName;
use source::name_list;

use crate::cluster::Cluster;
use crate::objects::{Csv, InstallPlan, InstalledCsv, Subscription};
use crate::status::{Condition, ConditionStatus, ConditionType, PlanPhase, SubscriptionState};
use std::sync::Arc;

/// What a Subscription has installed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Installed<'c> {
    /// Its status names no CSV.
    Nothing,
    /// This CSV, which its status names.
    Csv(&'c Csv),
    /// This CSV, which its status names. The manifests have none, so it is made of what the name and the catalogs tell.
    Assumed(&'c Csv),
    /// Nothing for OLM: its status names this CSV, and the manifests have others but not this one.
    Gone(&'c BundleName),
}

impl<'c> Installed<'c> {
    /// The CSV, if one is installed.
    #[must_use]
    pub const fn csv(self) -> Option<&'c Csv> {
        match self {
            Self::Csv(csv) | Self::Assumed(csv) => Some(csv),
            Self::Nothing | Self::Gone(_) => None,
        }
    }

    /// The name of the CSV, if one is installed.
    #[must_use]
    pub fn name(self) -> Option<&'c BundleName> {
        self.csv().map(|csv| &csv.installed.name)
    }
}

impl Cluster {
    /// What a Subscription has installed.
    #[must_use]
    pub fn installed<'c>(&'c self, subscription: &'c Subscription) -> Installed<'c> {
        let Some(name) = &subscription.spec.installed_csv else { return Installed::Nothing };
        let mut here = self.csvs.iter().filter(|csv| csv.namespace == subscription.namespace);
        match here.find(|csv| csv.installed.name == *name) {
            Some(csv) if csv.is_assumed => Installed::Assumed(csv),
            Some(csv) => Installed::Csv(csv),
            None => Installed::Gone(name),
        }
    }

    /// What the user should know about how the manifests tell what is installed, a sentence each.
    #[must_use]
    pub fn installed_notices(&self) -> Vec<String> {
        let assumed = self.csvs.iter().filter(|csv| csv.is_assumed);
        if !self.csvs.is_empty() && assumed.clone().count() == self.csvs.len() {
            let text = "the manifests have no ClusterServiceVersion, so what `status.installedCSV` of a Subscription names \
                        counts as installed";
            return vec![text.to_owned()];
        }
        let assumed: Vec<String> = assumed.map(|csv| format!("{}/{}", csv.namespace, csv.installed.name)).collect();
        let counts =
            |names: String| format!("the input ends early, so {names} of `status.installedCSV` counts as installed");
        let assumed = (!assumed.is_empty()).then(|| counts(name_list(assumed.iter().map(String::as_str))));
        let gone = self.subscriptions.iter().filter_map(|one| match self.installed(one) {
            Installed::Gone(name) => Some(format!("{}/{name}", one.namespace)),
            Installed::Nothing | Installed::Csv(_) | Installed::Assumed(_) => None,
        });
        let gone: Vec<String> = gone.collect();
        let names = name_list(gone.iter().map(String::as_str));
        let text = format!(
            "`status.installedCSV` of a Subscription names {names}, which is not among the ClusterServiceVersions of the \
             manifests, so OLM takes it for not installed"
        );
        assumed.into_iter().chain(Some(text).filter(|_| !gone.is_empty())).collect()
    }

    /// The number of CSVs that only Subscriptions name.
    #[must_use]
    pub fn assumed_csvs(&self) -> usize {
        self.csvs.iter().filter(|csv| csv.is_assumed).count()
    }

    /// Adds the CSVs that Subscriptions have installed by their status, for manifests that do not have all CSVs.
    pub(crate) fn assume_csvs(&mut self) {
        for one in &self.subscriptions {
            let Some(name) = &one.spec.installed_csv else { continue };
            if self.csvs.iter().all(|csv| csv.namespace != one.namespace || csv.installed.name != *name) {
                self.csvs.push(Csv { is_assumed: true, ..Csv::running(&one.namespace, InstalledCsv::of_name(name)) });
            }
        }
    }

    /// Adds the InstallPlans that Subscriptions wait for, in the phase that their conditions tell, for manifests that do not have
    /// all InstallPlans (operator-lifecycle-manager `pkg/controller/operators/catalog/subscription/state.go`).
    pub(crate) fn assume_plans(&mut self) {
        for one in &self.subscriptions {
            let condition = |kind| one.status.conditions.get(&kind).filter(|one| one.status == ConditionStatus::True);
            let (Some(name), Some(csv)) = (&one.status.install_plan, &one.current_csv) else { continue };
            let is_known = |plan: &InstallPlan| plan.namespace == one.namespace && plan.name == *name;
            if one.status.state != SubscriptionState::UpgradePending
                || condition(ConditionType::InstallPlanMissing).is_some()
            {
                continue;
            }
            if let Some(plan) = self.install_plans.iter_mut().find(|plan| is_known(plan)) {
                plan.csvs.extend(Some(csv.clone()).filter(|_| plan.is_assumed));
                continue;
            }
            let (pending, failed) =
                (condition(ConditionType::InstallPlanPending), condition(ConditionType::InstallPlanFailed));
            let phase = match (pending, failed) {
                (Some(pending), _) => PlanPhase::of(&pending.reason).unwrap_or(PlanPhase::Installing),
                (None, Some(_)) => PlanPhase::Failed,
                (None, None) => PlanPhase::Installing,
            };
            let message = |condition: Option<&Condition>| {
                condition.map(|one| one.message.clone()).filter(|message| !message.is_empty())
            };
            self.install_plans.push(InstallPlan {
                namespace: Arc::clone(&one.namespace),
                name: Arc::clone(name),
                generation: one.status.install_plan_generation,
                approval: one.approval,
                approved: phase != PlanPhase::RequiresApproval,
                phase,
                csvs: vec![csv.clone()],
                steps: Vec::new(),
                done: 0,
                error: message(failed),
                retries: message(pending).filter(|text| text.starts_with("retrying execution")),
                is_assumed: true,
                is_empty: false,
            });
        }
    }
}
