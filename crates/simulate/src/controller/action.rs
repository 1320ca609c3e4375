//! Actions of users and changes from outside of OLM.

use std::sync::Arc;

use catalog::{BundleName, ChannelName};
use cluster::{CatalogKey, PlanPhase, Subscription};
use source::Approval;

use super::{
    Controller, Deprecations, Event, EventKind, InstallResult, Object, SubscriptionEdit, csv_event, plan_event,
    subscription_event,
};
use crate::namespace::{BundleCrds, Snapshots};

/// An action of a user, or a change from outside of OLM. An action on an object that does not exist does nothing.
#[derive(Clone, Debug)]
pub enum Action {
    /// Something makes OLM synchronise the namespace.
    Sync,
    /// A user approves an InstallPlan.
    Approve(Arc<str>),
    /// OLM could not create the objects of an InstallPlan in time.
    FailPlan(Arc<str>),
    /// A user deletes an InstallPlan.
    DeletePlan(Arc<str>),
    /// The contents of the catalogs changed.
    UpdateCatalogs {
        /// The contents of all catalogs.
        snapshots: Snapshots,
        deprecations: Deprecations,
        bundle_crds: BundleCrds,
    },
    /// The pod of a CatalogSource starts or stops.
    ServeCatalog {
        catalog: CatalogKey,
        /// Whether it runs.
        served: bool,
    },
    /// The operator of a CSV starts as soon as its phase allows it.
    CsvSucceeds(BundleName),
    /// The operator of a CSV does not start, or stops.
    CsvFails(BundleName),
    /// The CSV stays in phase `Installing` until another action sets its result.
    HoldCsv(BundleName),
    DeleteCsv(BundleName),
    /// A user creates a Subscription in the namespace.
    CreateSubscription(Box<Subscription>),
    /// A user deletes a Subscription; its CSV stays.
    DeleteSubscription(Arc<str>),
    /// A user changes the channel of a Subscription.
    ChangeChannel {
        subscription: Arc<str>,
        /// `spec.channel`
        channel: Option<ChannelName>,
    },
    /// A user changes the approval of a Subscription.
    ChangeApproval {
        subscription: Arc<str>,
        /// `spec.installPlanApproval`
        approval: Approval,
    },
}

impl Controller {
    /// Applies an action, and returns the events that it causes directly. [`advance`](Self::advance) returns what follows.
    pub fn act(&mut self, action: Action) -> Vec<Event> {
        self.behind = true;
        match action {
            Action::Sync => return self.sync(),
            Action::Approve(name) => return self.approve(&name),
            Action::FailPlan(name) => return self.fail_plan(&name),
            Action::DeletePlan(name) => return self.remove_plan(&name).into_iter().collect(),
            Action::UpdateCatalogs { snapshots, deprecations, bundle_crds } => {
                self.bundle_crds = bundle_crds;
                return self.update_catalogs(snapshots, deprecations);
            }
            Action::ServeCatalog { catalog, served } => return self.serve(catalog, served),
            Action::CsvSucceeds(name) => drop(self.install_results.insert(name, InstallResult::Succeeds)),
            Action::CsvFails(name) => drop(self.install_results.insert(name, InstallResult::Fails)),
            Action::HoldCsv(name) => drop(self.install_results.insert(name, InstallResult::Waits)),
            Action::DeleteCsv(name) => return self.delete_csv(&name),
            Action::CreateSubscription(subscription) => return self.create(*subscription),
            Action::DeleteSubscription(name) => return self.delete_subscription(&name),
            Action::ChangeChannel { subscription, channel } => {
                return self.edit(&subscription, |subscription| subscription.spec.channel = channel);
            }
            Action::ChangeApproval { subscription, approval } => {
                return self.edit(&subscription, |subscription| subscription.approval = approval);
            }
        }
        Vec::new()
    }

    fn approve(&mut self, name: &str) -> Vec<Event> {
        let Some(at) = self.plan(name) else { return Vec::new() };
        let plan = &mut self.cluster.install_plans[at];
        if plan.approved {
            return Vec::new();
        }
        plan.approved = true;
        vec![plan_event(&plan.name, EventKind::PlanApproved)]
    }

    fn fail_plan(&mut self, name: &str) -> Vec<Event> {
        let running = |at: &usize| self.cluster.install_plans[*at].phase == PlanPhase::Installing;
        let at = self.plan(name).filter(running);
        at.map(|at| self.set_plan_phase(at, PlanPhase::Failed)).into_iter().collect()
    }

    /// A change of the content changes the CatalogSource, which OLM watches.
    fn update_catalogs(&mut self, snapshots: Snapshots, deprecations: Deprecations) -> Vec<Event> {
        let keys = self.cluster.catalog_sources.iter().map(|source| &source.key);
        let changed = keys.filter(|key| {
            self.snapshots.get(*key) != snapshots.get(*key) || self.deprecations.get(*key) != deprecations.get(*key)
        });
        let events: Vec<Event> = changed.map(updated).collect();
        self.due |= !events.is_empty();
        (self.snapshots, self.deprecations) = (snapshots, deprecations);
        events
    }

    fn serve(&mut self, catalog: CatalogKey, served: bool) -> Vec<Event> {
        let event = updated(&catalog);
        let not_served = &mut self.cluster.not_served;
        let changes = if served { not_served.remove(&catalog) } else { not_served.insert(catalog) };
        self.due |= changes;
        changes.then_some(event).into_iter().collect()
    }

    /// The catalog operator does not watch CSVs: it notices at the next resync.
    fn delete_csv(&mut self, name: &BundleName) -> Vec<Event> {
        if self.csv(name).is_none() {
            return Vec::new();
        }
        self.remove_csv(name);
        self.stale = true;
        vec![csv_event(name, EventKind::CsvDeleted { replaced_by: None })]
    }

    /// Does nothing if the namespace has a Subscription with this name.
    fn create(&mut self, mut subscription: Subscription) -> Vec<Event> {
        if self.subscription(&subscription.spec.name).is_some() {
            return Vec::new();
        }
        self.due = true;
        subscription.namespace = Arc::clone(&self.namespace);
        let event =
            subscription_event(&subscription.spec.name, EventKind::SubscriptionEdited(SubscriptionEdit::Created));
        self.cluster.subscriptions.push(subscription);
        vec![event]
    }

    fn delete_subscription(&mut self, name: &str) -> Vec<Event> {
        let Some(at) = self.subscription(name) else { return Vec::new() };
        self.due = true;
        let gone = self.cluster.subscriptions.remove(at);
        vec![subscription_event(&gone.spec.name, EventKind::SubscriptionEdited(SubscriptionEdit::Deleted))]
    }

    fn edit(&mut self, name: &str, change: impl FnOnce(&mut Subscription)) -> Vec<Event> {
        let Some(at) = self.subscription(name) else { return Vec::new() };
        self.due = true;
        let subscription = &mut self.cluster.subscriptions[at];
        change(subscription);
        vec![subscription_event(&subscription.spec.name, EventKind::SubscriptionEdited(SubscriptionEdit::Changed))]
    }
}

fn updated(key: &CatalogKey) -> Event {
    Event { object: Object::CatalogSource(key.clone()), kind: EventKind::CatalogUpdated }
}
