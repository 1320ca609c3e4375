//! OLM v0: Subscriptions to a channel.

use crate::cluster::{ClusterCatalogs, SimulatedPath, SubscriptionComparison, compare_cluster};
use crate::path::{ChannelState, Path};
use crate::row::{Case, Row, Updater};
use crate::rule::Rule;
use crate::simulated::{installed_cluster, key};
use crate::state::{Installed, PackageState, State};
use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, Channel, ChannelName, Package};
use cluster::{Budget, CatalogKey, CatalogSource};
use resolver::{Listing, Snapshot};
use simulate::{Snapshots, no_modes};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Both states of a package under OLM v0.
pub(crate) struct SubscriptionStates<'c> {
    before: PackageState<'c>,
    after: PackageState<'c>,
    old: Option<&'c Package>,
    new: Option<&'c Package>,
}

impl<'c> SubscriptionStates<'c> {
    pub(crate) fn of(old: State<'c>, new: State<'c>, name: &PackageName) -> Self {
        Self {
            before: PackageState::of(old, name),
            after: PackageState::of(new, name),
            old: old.catalog.package(name.as_str()),
            new: new.catalog.package(name.as_str()),
        }
    }

    /// For trials, which ask only whether a resolution fails.
    pub(crate) fn without_texts(self) -> Self {
        Self { before: self.before.without_texts(), after: self.after.without_texts(), ..self }
    }

    /// For Subscriptions to a channel.
    pub(crate) fn channel<'s>(&'s self, name: &'s ChannelName) -> SubscriptionChannel<'s> {
        let channel = |package: Option<&'c Package>| package?.channel(name.as_str());
        SubscriptionChannel { states: self, name, before: channel(self.old), after: channel(self.new) }
    }
}

/// Both states of a channel.
pub(crate) struct SubscriptionChannel<'s> {
    states: &'s SubscriptionStates<'s>,
    name: &'s ChannelName,
    before: Option<&'s Channel>,
    after: Option<&'s Channel>,
}

impl Updater for SubscriptionChannel<'_> {
    fn old_paths(&self, installed: &[Installed<'_>]) -> Vec<Path> {
        self.states.before.paths(self.name, installed)
    }

    fn new_paths(&self, installed: &[Installed<'_>]) -> Vec<Path> {
        self.states.after.paths(self.name, installed)
    }

    fn rule(&self, case: &Case<'_>) -> Option<Rule> {
        // All other rules are about a difference, apart from that of a version whose resolution failed.
        if !case.is_stuck(case.new) && case.old.error.is_some() && case.old == case.new {
            return None;
        }
        Rule::V0.iter().copied().find(|rule| self.applies(*rule, case))
    }
}

impl SubscriptionChannel<'_> {
    fn applies(&self, rule: Rule, case: &Case<'_>) -> bool {
        let (old, new, installed) = (case.old, case.new, case.listed.installed.name);
        let becomes = |state: &ChannelState| new.state == *state && old.state != *state;
        let newly = |holds: &dyn Fn(&Path) -> bool| holds(new) && !holds(old);
        match rule {
            Rule::V0PackageGone => becomes(&ChannelState::PackageGone),
            Rule::V0ChannelGone => becomes(&ChannelState::ChannelGone),
            Rule::V0GraphBroken => becomes(&ChannelState::Broken),
            Rule::V0Deprecated => newly(&|path| path.head().is_some() && path.error.is_some()),
            Rule::V0Stranded => case.is_stuck(new) && (!old.is_empty() || old.head() == Some(installed)),
            Rule::V0StillStranded => case.is_stuck(new) && case.is_stuck(old),
            Rule::V0Unstranded => {
                !case.is_stuck(new) && new.head().is_some() && (case.is_stuck(old) || old.error.is_some())
            }
            Rule::V0Downgrade => newly(&|path| path.goes_down(case.version, true)),
            Rule::V0LowerByName => newly(&|path| path.goes_down(case.version, false)),
            Rule::V0Loop => newly(&|path| path.repeats),
            Rule::V0EndLower => case.compare_ends() == Some(Ordering::Less),
            Rule::V0EndHigher => case.compare_ends() == Some(Ordering::Greater),
            Rule::V0EndBehind => newly(&|path| path.head().is_some_and(|head| head != path.end(installed))),
            Rule::V0NextChanged => {
                let existed = |next: &BundleName| lists(self.before, next);
                old.next() != new.next() && old.next().is_some() && new.next().is_some_and(existed)
            }
            Rule::V0JumpWidened => case.jumps_a_minor(),
            Rule::V0ManualPending => {
                let is_gone = |next: &BundleName| !lists(self.after, next);
                old.next().is_some_and(is_gone) && new.next().is_some()
            }
            Rule::V0PathLonger => case.has_same_end() && new.len > old.len,
            Rule::V0PathShorter => case.has_same_end() && new.len < old.len,
            _ => false,
        }
    }
}

fn lists(channel: Option<&Channel>, name: &BundleName) -> bool {
    channel.is_some_and(|channel| channel.entry(name.as_str()).is_some())
}

impl Case<'_> {
    /// Whether nothing follows the version, although it is not the head.
    fn is_stuck(&self, path: &Path) -> bool {
        path.is_empty() && path.error.is_none() && path.head().is_some_and(|head| head != self.listed.installed.name)
    }
}

// The updates of an installed version together with what it requires: the rows know one package, OLM resolves all
// catalogs of the cluster (operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`).

/// The kinds of properties by which a bundle requires something.
const REQUIREMENTS: [&str; 3] = ["olm.package.required", "olm.gvk.required", "olm.constraint"];

/// Both states of a catalog, and the other catalogs of the cluster, which are the same before and after the change.
#[derive(Clone, Debug)]
pub struct Listings {
    /// The state before.
    pub old: Arc<Listing>,
    /// The state after.
    pub new: Arc<Listing>,
    /// The other catalogs.
    pub others: Vec<Arc<Listing>>,
}

/// Simulates a row with one Subscription, in a cluster that has nothing else installed. `None` if nothing on its way requires
/// anything, or if the answer is that of the row. `listings` is asked only if it is needed, because an index of a catalog takes
/// a while. The solver takes its work from `budget`.
#[must_use]
pub fn with_dependencies(
    row: &Row,
    (old, new): (&Package, &Package),
    listings: impl FnOnce() -> Listings,
    budget: &Budget,
) -> Option<SubscriptionComparison> {
    let installed = old.bundle(row.installed.as_str());
    let on_way =
        |package: &Package, path: &Path| path.names().filter_map(|name| package.bundle(name.as_str())).any(requires);
    if !(installed.is_some_and(requires) || on_way(old, &row.old) || on_way(new, &row.new)) {
        return None;
    }
    let listings = listings();
    let installed = Installed { name: &row.installed, bundle: installed };
    let mut cluster = installed_cluster(&old.name, &row.channel, installed);
    let others: Vec<(CatalogKey, &Arc<Listing>)> = (listings.others.iter().enumerate())
        .map(|(at, listing)| (CatalogKey::new(&format!("other-{at}"), "olm"), listing))
        .collect();
    let sources = others.iter().map(|(key, _)| CatalogSource::new(key.clone(), 0));
    cluster.catalog_sources.extend(sources);
    cluster.budget = budget.for_extras();
    let snapshots = |listing: &Arc<Listing>| -> Snapshots {
        let all = std::iter::once((key(), listing)).chain(others.iter().map(|(key, listing)| (key.clone(), *listing)));
        let snapshot = |(key, listing): (CatalogKey, &Arc<Listing>)| {
            (key.clone(), Arc::new(Snapshot { key, priority: 0, listing: Arc::clone(listing) }))
        };
        all.map(snapshot).collect()
    };
    let (before, after) = (snapshots(&listings.old), snapshots(&listings.new));
    let served = BTreeSet::new();
    let catalogs = |snapshots| ClusterCatalogs { snapshots, not_served: &served, modes: &no_modes };
    let compared = compare_cluster(&cluster, catalogs(&before), catalogs(&after));
    let found = compared.subscriptions.into_iter().next()?;
    let is_same = agrees(&row.old, &found.old) && agrees(&row.new, &found.new);
    let dependencies = found.added_dependencies().next().is_some() || found.removed_dependencies().next().is_some();
    (!is_same || dependencies).then_some(found)
}

fn requires(bundle: &Bundle) -> bool {
    bundle.properties.iter().any(|property| REQUIREMENTS.contains(&property.value.kind()))
}

/// Whether the simulation comes to the same updates as the update chain.
fn agrees(path: &Path, simulated: &SimulatedPath) -> bool {
    path.names().eq(simulated.path.names()) && path.error.is_some() == simulated.path.error.is_some()
}
