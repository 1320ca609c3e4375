//! The changes that follow from a resolution: bundles to install, Subscriptions to update and to create.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/step_resolver.go`.

use cluster::{CatalogKey, Cluster, Csv, GeneratedSubscription, Subscription};
use std::fmt;
use std::sync::Arc;

use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use go_semver::blang::Version;
use resolver::{Resolution, Selected};

use source::Approval;

/// A bundle that a resolution chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBundle {
    pub name: BundleName,
    pub package: PackageName,
    /// The channel that it was chosen from.
    pub channel: ChannelName,
    /// The catalog that it comes from.
    pub catalog: CatalogKey,
    /// The `spec.replaces` of its CSV.
    pub replaces: Option<BundleName>,
    pub version: Option<Version>,
}

/// A Subscription that gets another CSV. Its `Display` form is `<subscription> -> <currentCSV>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatedSubscription {
    pub name: Arc<str>,
    /// Its new `status.currentCSV`.
    pub current_csv: BundleName,
}

impl fmt::Display for UpdatedSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.name, self.current_csv)
    }
}

/// The changes that OLM wants to make after a resolution.
pub(crate) struct PlannedChanges<'r> {
    /// All chosen bundles, also those that are up to date, by `name/channel/catalog`.
    pub(crate) selected: Vec<NewBundle>,
    /// The bundles to install, in the same order. OLM's own order is random.
    pub(crate) installations: Vec<Installation<'r>>,
    pub(crate) generated: Vec<GeneratedSubscription>,
    /// The Subscriptions to update, by name. If there are none, OLM creates no InstallPlan and changes nothing.
    pub(crate) updated: Vec<UpdatedSubscription>,
}

/// A bundle to install.
pub(crate) struct Installation<'r> {
    pub(crate) selected: &'r Selected,
    /// Indices of the Subscriptions that it is for; empty if a Subscription is to be created for it.
    pub(crate) matching: Vec<usize>,
}

impl<'r> PlannedChanges<'r> {
    pub(crate) fn of(cluster: &Cluster, namespace: &str, resolution: &'r Resolution) -> Self {
        let mut planned =
            Self { selected: Vec::new(), installations: Vec::new(), generated: Vec::new(), updated: Vec::new() };
        for selected in &resolution.selected {
            planned.selected.push(new_bundle(selected));
            let subscriptions = &cluster.subscriptions;
            let matching: Vec<usize> =
                (0..subscriptions.len()).filter(|&at| is_for(&subscriptions[at], namespace, selected)).collect();
            if matching.is_empty() {
                planned.generated.push(generated(selected));
            } else if matching.iter().all(|&at| is_up_to_date(cluster, &subscriptions[at], selected)) {
                continue;
            }
            let outdated = matching.iter().map(|&at| &subscriptions[at]);
            let outdated =
                outdated.filter(|subscription| subscription.current_csv.as_ref() != Some(&selected.entry.name));
            planned.updated.extend(outdated.map(|subscription| UpdatedSubscription {
                name: Arc::clone(&subscription.spec.name),
                current_csv: selected.entry.name.clone(),
            }));
            planned.installations.push(Installation { selected, matching });
        }
        planned.selected.sort_by(|a, b| (&a.name, &a.channel, &a.catalog).cmp(&(&b.name, &b.channel, &b.catalog)));
        planned.installations.sort_by(|a, b| {
            let (a, b) = (a.selected, b.selected);
            (&a.entry.name, &a.entry.channel, &a.catalog).cmp(&(&b.entry.name, &b.entry.channel, &b.catalog))
        });
        planned.generated.sort_by(|a, b| a.name.cmp(&b.name));
        planned.updated.sort_by(|a, b| a.name.cmp(&b.name));
        planned
    }
}

/// The number of OperatorGroups of the namespace if there is not exactly one, which stops OLM before it resolves. A namespace
/// without any counts as having one with default settings, unless all groups of the cluster are known.
pub(crate) fn wrong_group_count(cluster: &Cluster, namespace: &str) -> Option<usize> {
    let count = cluster.groups_of(namespace).len();
    (count > 1 || count == 0 && cluster.has_all_groups).then_some(count)
}

/// How the next plan of the namespace is approved: by a user if any Subscription requires that, even an unrelated one.
pub(crate) fn approval(cluster: &Cluster, namespace: &str) -> Approval {
    let mut here = cluster.subscriptions.iter().filter(|subscription| &*subscription.namespace == namespace);
    if here.any(|subscription| subscription.approval == Approval::Manual) {
        Approval::Manual
    } else {
        Approval::Automatic
    }
}

pub(crate) fn new_bundle(selected: &Selected) -> NewBundle {
    NewBundle {
        name: selected.entry.name.clone(),
        package: selected.entry.package.clone(),
        channel: selected.entry.channel.clone(),
        catalog: selected.catalog.clone(),
        replaces: selected.replaces.clone(),
        version: selected.entry.version.clone(),
    }
}

/// Whether the bundle satisfies the Subscription.
fn is_for(subscription: &Subscription, namespace: &str, selected: &Selected) -> bool {
    let spec = &subscription.spec;
    &*subscription.namespace == namespace
        && spec.package == selected.entry.package
        && spec.channel.as_ref().is_none_or(|channel| *channel == selected.entry.channel)
        && spec.catalog.as_ref().is_none_or(|catalog| *catalog == selected.catalog)
}

fn is_up_to_date(cluster: &Cluster, subscription: &Subscription, selected: &Selected) -> bool {
    let name = &selected.entry.name;
    let exists = |csv: &Csv| csv.namespace == subscription.namespace && csv.installed.name == *name;
    subscription.current_csv.as_ref() == Some(name) && cluster.csvs.iter().any(exists)
}

/// The Subscription that OLM creates for a bundle without one.
pub(crate) fn generated(selected: &Selected) -> GeneratedSubscription {
    let (entry, catalog) = (&selected.entry, &selected.catalog);
    let name = format!("{}-{}-{}-{}", entry.package, entry.channel, catalog.name, catalog.namespace);
    GeneratedSubscription {
        name: name.as_str().into(),
        package: entry.package.clone(),
        channel: entry.channel.clone(),
        catalog: catalog.clone(),
        starting_csv: entry.name.clone(),
    }
}
