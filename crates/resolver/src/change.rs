//! A namespace with a change to its objects or to a catalog that it sees.

use std::sync::Arc;

use catalog::predicate::{PackageName, Property, exchange_range};
use cluster::{CatalogKey, InputChange, PlacedProperty, SubscriptionSpec};

use crate::problem::Namespace;
use crate::snapshot::{Entry, Listing, Snapshot};

impl Namespace {
    /// The namespace with a change.
    #[must_use]
    pub fn with(&self, change: &InputChange) -> Self {
        let mut changed = self.clone();
        match change {
            InputChange::Channel { subscription, .. }
            | InputChange::Package { subscription, .. }
            | InputChange::Swap { subscription }
            | InputChange::Catalog { subscription, .. }
            | InputChange::StartingCsv { subscription, .. }
            | InputChange::AdoptCsv { subscription, .. } => {
                let mut all = changed.subscriptions.iter_mut();
                if let Some(found) = all.find(|found| found.name == *subscription) {
                    edit(change, found);
                }
            }
            // Approvals decide about InstallPlans, not about resolutions.
            InputChange::Manual { .. } => {}
            InputChange::AddSubscription(subscription) => changed.subscriptions.push(subscription.clone()),
            InputChange::DropSubscription { subscription } => {
                changed.subscriptions.retain(|found| found.name != *subscription);
            }
            InputChange::DeleteCsv { csv } => changed.installed.retain(|found| found.name != *csv),
            InputChange::WidenRange { catalog, package, bundle, required, from, to, .. } => {
                let is = |entry: &Entry| entry.name == *bundle && entry.package == *package;
                // The bundle's entries in several channels go on sharing their properties.
                let mut once: Option<Arc<[PlacedProperty]>> = None;
                rewrite(&mut changed, catalog, is, |entry| {
                    let widen = || entry.properties.iter().map(|placed| widened(placed, required, from, to)).collect();
                    entry.properties = Arc::clone(once.get_or_insert_with(widen));
                });
            }
            InputChange::EditEntry { catalog, package, channel, edit, .. } => {
                let is =
                    |entry: &Entry| entry.name == edit.entry && entry.channel == *channel && entry.package == *package;
                rewrite(&mut changed, catalog, is, |entry| edit.change.apply(entry));
            }
        }
        changed
    }
}

/// The part of a change that concerns one Subscription.
fn edit(change: &InputChange, found: &mut SubscriptionSpec) {
    match change {
        InputChange::Channel { channel, .. } => found.channel = Some(channel.clone()),
        InputChange::Package { package, .. } => found.package = package.clone(),
        InputChange::Swap { .. } => swap(found),
        InputChange::Catalog { catalog, .. } => found.catalog = Some(catalog.clone()),
        InputChange::StartingCsv { csv, .. } => found.starting_csv.clone_from(csv),
        InputChange::AdoptCsv { csv, .. } => found.installed_csv = Some(csv.clone()),
        InputChange::Manual { .. }
        | InputChange::AddSubscription(_)
        | InputChange::DropSubscription { .. }
        | InputChange::DeleteCsv { .. }
        | InputChange::WidenRange { .. }
        | InputChange::EditEntry { .. } => {}
    }
}

fn swap(subscription: &mut SubscriptionSpec) {
    let Some(channel) = &subscription.channel else { return };
    let package = PackageName::from(channel.as_str());
    subscription.channel = Some(subscription.package.as_str().into());
    subscription.package = package;
}

fn rewrite(namespace: &mut Namespace, key: &CatalogKey, is: impl Fn(&Entry) -> bool, edit: impl FnMut(&mut Entry)) {
    let Some(snapshot) = namespace.catalogs.iter_mut().find(|snapshot| snapshot.key == *key) else { return };
    let mut entries = snapshot.listing.entries().to_vec();
    entries.iter_mut().filter(|entry| is(entry)).for_each(edit);
    let (key, priority) = (snapshot.key.clone(), snapshot.priority);
    *snapshot = Arc::new(Snapshot { key, priority, listing: Arc::new(Listing::new(entries)) });
}

/// The property with the range exchanged, if it requires that package in that range.
fn widened(placed: &PlacedProperty, required: &PackageName, from: &str, to: &str) -> PlacedProperty {
    let property = match &placed.property {
        Property::PackageRequired { name, range, .. } if name == required && **range == *from => {
            Property::package_required(name.clone(), to.into())
        }
        Property::Other { kind, value } if **kind == *"olm.constraint" => {
            let mut value = value.clone();
            exchange_range(&mut value, required.as_str(), [from, to]);
            Property::Other { kind: kind.clone(), value }
        }
        other => other.clone(),
    };
    PlacedProperty { property, span: placed.span }
}
