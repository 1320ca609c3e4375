//! What a resolution means for the namespace: the Subscriptions that move, the ones that are generated.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/step_resolver.go`.

use std::fmt;
use std::sync::Arc;

use blang_semver::Version;
use catalog::{BundleName, ChannelName};
use predicate::PackageName;
use resolver::{CatalogKey, Resolution, Selected};

use crate::cluster::{Approval, Cluster, Csv, Subscription};

/// A bundle that the resolution chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBundle {
    /// Its name.
    pub name: BundleName,
    /// Its package.
    pub package: PackageName,
    /// The channel that it was chosen from.
    pub channel: ChannelName,
    /// The catalog that it comes from.
    pub catalog: CatalogKey,
    /// The `spec.replaces` of its CSV.
    pub replaces: Option<BundleName>,
    /// Its version; absent when it has none.
    pub version: Option<Version>,
}

/// A Subscription that OLM creates for a dependency; displays as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedSubscription {
    /// `<package>-<channel>-<catalog>-<catalogNamespace>`
    pub name: Arc<str>,
    /// The package.
    pub package: PackageName,
    /// The channel, pinned.
    pub channel: ChannelName,
    /// The catalog, pinned.
    pub catalog: CatalogKey,
    /// The bundle.
    pub starting_csv: BundleName,
}

impl fmt::Display for GeneratedSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, package, channel, catalog, starting_csv } = self;
        write!(f, "{name} package={package} channel={channel} catalog={catalog} startingCSV={starting_csv}")
    }
}

/// A Subscription that moves on; displays as `<subscription> -> <currentCSV>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatedSubscription {
    /// The Subscription.
    pub name: Arc<str>,
    /// Its new `status.currentCSV`.
    pub current_csv: BundleName,
}

impl fmt::Display for UpdatedSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.name, self.current_csv)
    }
}

/// What a resolution wants to change.
pub(crate) struct Plan<'r> {
    /// All new bundles, those that are up to date too, by `name/channel/catalog`.
    pub(crate) selected: Vec<NewBundle>,
    /// The bundles to install, in the same order. OLM's own order is random.
    pub(crate) changes: Vec<Change<'r>>,
    /// By name.
    pub(crate) generated: Vec<GeneratedSubscription>,
    /// By name. None: no InstallPlan is made, and nothing changes.
    pub(crate) updated: Vec<UpdatedSubscription>,
}

/// A bundle to install.
pub(crate) struct Change<'r> {
    pub(crate) selected: &'r Selected,
    /// Indices of the Subscriptions that it is for; none if one is to be generated.
    pub(crate) matching: Vec<usize>,
}

impl<'r> Plan<'r> {
    pub(crate) fn of(cluster: &Cluster, namespace: &str, resolution: &'r Resolution) -> Self {
        let mut plan = Self { selected: Vec::new(), changes: Vec::new(), generated: Vec::new(), updated: Vec::new() };
        for selected in &resolution.selected {
            plan.selected.push(new_bundle(selected));
            let subscriptions = &cluster.subscriptions;
            let matching: Vec<usize> =
                (0..subscriptions.len()).filter(|&at| is_about(&subscriptions[at], namespace, selected)).collect();
            if matching.is_empty() {
                plan.generated.push(generated(selected));
            } else if matching.iter().all(|&at| is_up_to_date(cluster, &subscriptions[at], selected)) {
                continue;
            }
            let moves = matching.iter().map(|&at| &subscriptions[at]);
            let moves = moves.filter(|subscription| subscription.current_csv.as_ref() != Some(&selected.entry.name));
            plan.updated.extend(moves.map(|subscription| UpdatedSubscription {
                name: Arc::clone(&subscription.spec.name),
                current_csv: selected.entry.name.clone(),
            }));
            plan.changes.push(Change { selected, matching });
        }
        plan.selected.sort_by(|a, b| (&a.name, &a.channel, &a.catalog).cmp(&(&b.name, &b.channel, &b.catalog)));
        plan.changes.sort_by(|a, b| {
            let (a, b) = (a.selected, b.selected);
            (&a.entry.name, &a.entry.channel, &a.catalog).cmp(&(&b.entry.name, &b.entry.channel, &b.catalog))
        });
        plan.generated.sort_by(|a, b| a.name.cmp(&b.name));
        plan.updated.sort_by(|a, b| a.name.cmp(&b.name));
        plan
    }
}

/// How many OperatorGroups there are, if that stops OLM before it resolves: unless there is exactly one. None at all is
/// taken for one that says nothing, so that a sketch of a cluster can do without.
pub(crate) fn too_many_groups(cluster: &Cluster, namespace: &str) -> Option<usize> {
    let count = cluster.operator_groups.iter().filter(|group| &*group.namespace == namespace).count();
    (count > 1).then_some(count)
}

/// Who approves the namespace's next plan: a user if any Subscription, even an unrelated one, says so.
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

/// Whether the Subscription is one that the bundle is for.
fn is_about(subscription: &Subscription, namespace: &str, selected: &Selected) -> bool {
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

/// The Subscription that OLM creates for a bundle that no Subscription is for.
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
