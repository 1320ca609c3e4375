//! The life of InstallPlans: creation, approval, execution, deletion.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`, `createInstallPlan` and
//! `ExecutePlan`. Creating an object always succeeds; updating a CustomResourceDefinition may fail.

use std::collections::BTreeSet;
use std::sync::Arc;

use catalog::BundleName;
use cluster::{
    CatalogKey, Csv, GeneratedSubscription, InstallPlan, PlanPhase, PlanStep, Subscription, SubscriptionState,
    SubscriptionStatus,
};
use resolver::Entry;
use source::Approval;

use super::{Controller, Event, EventKind, Object, csv_event, plan_event, subscription_event};
use crate::namespace::{apply_crd, csv_of_bundle};
use crate::step;
use crate::step::PlannedChanges;

/// How many plans OLM keeps in a namespace.
const MAX_PLANS: usize = 5;

impl Controller {
    /// Creates the plan for the changes of a resolution, and references it in the Subscriptions that change.
    pub(super) fn create_plan(&mut self, planned: &PlannedChanges<'_>) -> Vec<Event> {
        let plan = self.new_plan(planned);
        let (name, generation) = (Arc::clone(&plan.name), plan.generation);
        let what = EventKind::PlanCreated {
            generation,
            approval: plan.approval,
            csvs: plan.csvs.clone(),
            generated: planned.generated.clone(),
        };
        let mut events = vec![plan_event(&name, what)];
        if plan.phase == PlanPhase::RequiresApproval {
            events.push(plan_event(&name, EventKind::PlanWaits));
        }
        self.cluster.install_plans.push(plan);
        for update in &planned.updated {
            let Some(at) = self.subscription(&update.name) else { continue };
            let subscription = &mut self.cluster.subscriptions[at];
            subscription.current_csv = Some(update.current_csv.clone());
            subscription.status.state = SubscriptionState::UpgradePending;
            subscription.status.install_plan = Some(Arc::clone(&name));
            subscription.status.install_plan_generation = generation;
            events.push(self.state_event(at));
        }
        events
    }

    fn new_plan(&self, planned: &PlannedChanges<'_>) -> InstallPlan {
        let namespace = &self.namespace;
        let approval = step::approval(&self.cluster, namespace);
        let used = self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at].status);
        let used = used.map(|status| status.install_plan_generation);
        let plans = self.plans().into_iter().map(|at| self.cluster.install_plans[at].generation);
        let generation = used.chain(plans).max().unwrap_or_default().saturating_add(1);
        let subscriptions = planned.generated.iter().cloned().map(PlanStep::Subscription);
        let bundles = planned.installations.iter().flat_map(|installation| {
            let selected = installation.selected;
            self.bundle_steps(&selected.catalog, &selected.entry, selected.replaces.clone())
        });
        InstallPlan {
            namespace: Arc::clone(namespace),
            name: self.free_plan_name(generation),
            generation,
            approval,
            approved: approval == Approval::Automatic,
            phase: match approval {
                Approval::Automatic => PlanPhase::Installing,
                Approval::Manual => PlanPhase::RequiresApproval,
            },
            csvs: planned.installations.iter().map(|installation| installation.selected.entry.name.clone()).collect(),
            // OLM appends the objects from bundle images after the steps of the resolution.
            steps: subscriptions.chain(bundles).collect(),
            done: 0,
            error: None,
            retries: None,
            is_assumed: false,
            is_empty: false,
        }
    }

    /// The steps for the objects of a bundle: its CSV is the first.
    fn bundle_steps(&self, catalog: &CatalogKey, entry: &Entry, replaces: Option<BundleName>) -> Vec<PlanStep> {
        let key = (catalog.clone(), entry.package.clone(), entry.name.clone());
        let modes = self.install_modes.get(&key).cloned();
        let mut csv = csv_of_bundle(&self.namespace, entry, replaces, modes);
        csv.phase = None;
        let crds = self.bundle_crds.get(&key).into_iter().flatten();
        let crds = crds.map(|crd| PlanStep::Crd { csv: entry.name.clone(), crd: crd.clone() });
        std::iter::once(PlanStep::Csv(csv)).chain(crds).collect()
    }

    fn free_plan_name(&self, generation: u32) -> Arc<str> {
        let wanted = format!("install-{generation}");
        let alternatives = (2..).map(|number| format!("{wanted}-{number}"));
        let free = std::iter::once(wanted.clone()).chain(alternatives).find(|name| self.plan(name).is_none());
        free.unwrap_or(wanted).into()
    }

    /// Executes the next step of the oldest plan in phase `Installing`, if there is one.
    pub(super) fn advance_plans(&mut self) -> Option<Vec<Event>> {
        // Without exactly one OperatorGroup it stays as it is.
        if step::wrong_group_count(&self.cluster, &self.namespace).is_some() {
            return None;
        }
        for at in self.plans() {
            let plan = &self.cluster.install_plans[at];
            if plan.phase == PlanPhase::RequiresApproval && plan.approved {
                return Some(vec![self.set_plan_phase(at, PlanPhase::Installing)]);
            }
            if plan.phase != PlanPhase::Installing || plan.retries.is_some() {
                continue;
            }
            if plan.steps.is_empty() && !plan.csvs.is_empty() && !plan.is_empty {
                let Ok(steps) = self.steps_of(plan) else { continue };
                self.cluster.install_plans[at].steps = steps;
            }
            return Some(self.execute(at));
        }
        None
    }

    fn execute(&mut self, at: usize) -> Vec<Event> {
        let plan = &mut self.cluster.install_plans[at];
        let name = Arc::clone(&plan.name);
        let step = plan.steps.get(plan.done).cloned();
        plan.done += 1;
        match step {
            None => {
                let Self { cluster, incomplete, .. } = self;
                cluster.install_plans[at].csvs.iter().for_each(|csv| drop(incomplete.remove(csv)));
                vec![self.set_plan_phase(at, PlanPhase::Complete)]
            }
            Some(PlanStep::Subscription(generated)) => self.create_generated(&name, &generated),
            Some(PlanStep::Csv(csv)) => vec![self.create_csv(csv)],
            Some(PlanStep::Crd { csv, crd }) => match apply_crd(&mut self.cluster, &crd) {
                Ok(()) => Vec::new(),
                Err(error) => self.fail_at_crd(at, csv, error.into()),
            },
        }
    }

    /// Fails a plan after the retries of a step, which all end with the same error.
    fn fail_at_crd(&mut self, at: usize, csv: BundleName, error: Box<str>) -> Vec<Event> {
        self.incomplete.insert(csv, error.clone());
        self.set_plan_phase(at, PlanPhase::Failed);
        let plan = &mut self.cluster.install_plans[at];
        plan.error = Some(error.clone());
        let retried = EventKind::PlanRetried { message: format!("retrying execution due to error: {error}").into() };
        vec![plan_event(&plan.name, retried), plan_event(&plan.name, EventKind::PlanFailed { message: error })]
    }

    fn create_generated(&mut self, plan: &Arc<str>, generated: &GeneratedSubscription) -> Vec<Event> {
        if self.subscription(&generated.name).is_some() {
            return Vec::new();
        }
        (self.behind, self.due) = (true, true);
        let mut subscription = Subscription::generated(&self.namespace, generated);
        subscription.current_csv = None;
        // The next synchronisation sets both, once the CSV exists.
        subscription.spec.installed_csv = None;
        subscription.status =
            SubscriptionStatus { generated_by: Some(Arc::clone(plan)), ..SubscriptionStatus::default() };
        self.cluster.subscriptions.push(subscription);
        vec![subscription_event(&generated.name, EventKind::SubscriptionGenerated { by: Arc::clone(plan) })]
    }

    fn create_csv(&mut self, csv: Csv) -> Event {
        let name = csv.installed.name.clone();
        if self.csv(&name).is_some() {
            return csv_event(&name, EventKind::CsvPresent);
        }
        self.stale = true;
        let replaces = csv.replaces.clone();
        self.cluster.csvs.push(csv);
        csv_event(&name, EventKind::CsvCreated { replaces })
    }

    pub(super) fn set_plan_phase(&mut self, at: usize, to: PlanPhase) -> Event {
        (self.behind, self.due) = (true, true);
        let plan = &mut self.cluster.install_plans[at];
        let from = std::mem::replace(&mut plan.phase, to);
        plan_event(&plan.name, EventKind::PlanPhase { from, to })
    }

    /// The steps of a plan from a manifest, which only names its CSVs: their bundles are looked up in the current catalogs.
    ///
    /// # Errors
    /// The first CSV that no visible catalog has.
    pub(super) fn steps_of(&self, plan: &InstallPlan) -> Result<Vec<PlanStep>, BundleName> {
        let bundle = |name: &BundleName| {
            let here = self.subscriptions().into_iter().map(|at| &self.cluster.subscriptions[at]);
            let owner = here.into_iter().find(|subscription| subscription.current_csv.as_ref() == Some(name));
            let (catalog, entry) = self.entry(name, owner).ok_or_else(|| name.clone())?;
            let installed = owner.and_then(|owner| owner.spec.installed_csv.as_ref());
            let current = installed.filter(|installed| self.csv(installed).is_some()).cloned();
            Ok(self.bundle_steps(catalog, entry, current.or_else(|| entry.replaces.clone())))
        };
        let steps: Result<Vec<Vec<PlanStep>>, BundleName> = plan.csvs.iter().map(bundle).collect();
        Ok(steps?.concat())
    }

    /// The entry with the given name, and its catalog: preferably in the catalog and channel of the Subscription that gets it.
    fn entry(&self, name: &BundleName, owner: Option<&Subscription>) -> Option<(&CatalogKey, &Entry)> {
        let visible: BTreeSet<_> = self.cluster.visible_to(&self.namespace).collect();
        let catalogs = visible.into_iter().filter_map(|key| self.snapshots.get(key));
        let named = catalogs.flat_map(|snapshot| {
            let entries = snapshot.listing.entries().iter().filter(|entry| entry.name == *name);
            entries.map(|entry| (&snapshot.key, entry))
        });
        named.min_by_key(|(key, entry)| {
            let spec = owner.map(|owner| &owner.spec);
            let channel = spec.and_then(|spec| spec.channel.as_ref());
            let own = spec.is_some_and(|spec| spec.catalog.as_ref() == Some(*key) && spec.package == entry.package);
            (!own, channel.is_some_and(|channel| *channel != entry.channel), !entry.default_channel)
        })
    }

    /// Deletes all plans but the newest.
    pub(super) fn delete_old_plans(&mut self) -> Vec<Event> {
        let plans = self.plans();
        let old = plans[..plans.len().saturating_sub(MAX_PLANS)].iter();
        let names: Vec<Arc<str>> = old.map(|&at| Arc::clone(&self.cluster.install_plans[at].name)).collect();
        names.iter().filter_map(|name| self.remove_plan(name)).collect()
    }

    pub(super) fn remove_plan(&mut self, name: &str) -> Option<Event> {
        let at = self.plan(name)?;
        (self.behind, self.due) = (true, true);
        let plan = self.cluster.install_plans.remove(at);
        Some(Event { object: Object::InstallPlan(plan.name), kind: EventKind::PlanDeleted })
    }
}
