//! Changes to the objects of a namespace or to a catalog that it sees.

use std::sync::Arc;

use catalog::predicate::{PackageName, Property, exchange_range};
use catalog::{BundleName, ChannelName};
use source::Span;
use update_graph::Edit;

use crate::cluster::Subscription;
use crate::entry::{CatalogKey, Entry, PlacedProperty};
use crate::problem::Namespace;
use crate::snapshot::{Listing, Snapshot};

/// One change. What it names and is not there stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputChange {
    /// Another `spec.channel`.
    Channel {
        subscription: Arc<str>,
        /// The new channel.
        channel: ChannelName,
    },
    /// Another package, `spec.name`.
    Package {
        subscription: Arc<str>,
        /// The new package.
        package: PackageName,
    },
    /// `spec.name` and `spec.channel` exchanged.
    Swap { subscription: Arc<str> },
    /// Another `spec.source` and `spec.sourceNamespace`.
    Catalog {
        subscription: Arc<str>,
        /// The new catalog.
        catalog: CatalogKey,
    },
    /// Another `spec.startingCSV`, or none.
    StartingCsv {
        subscription: Arc<str>,
        /// The new value.
        csv: Option<BundleName>,
    },
    /// A new Subscription.
    AddSubscription(Subscription),
    /// A Subscription is deleted; its CSV stays behind.
    DropSubscription { subscription: Arc<str> },
    /// A Subscription takes over a CSV that has none: its `status.installedCSV` and `status.currentCSV` are set to it.
    AdoptCsv { csv: BundleName, subscription: Arc<str> },
    /// A CSV is deleted, which uninstalls the operator.
    DeleteCsv { csv: BundleName },
    /// A range of a bundle's requirement takes in more versions.
    WidenRange {
        catalog: CatalogKey,
        /// The bundle's package.
        package: PackageName,
        /// The bundle, in whatever channels.
        bundle: BundleName,
        required: PackageName,
        /// The property's place.
        span: Option<Span>,
        /// The range as written.
        from: Box<str>,
        /// The new range.
        to: Box<str>,
    },
    /// The edges of a channel entry change.
    EditEntry {
        /// The catalog.
        catalog: CatalogKey,
        package: PackageName,
        channel: ChannelName,
        /// The entry's place.
        span: Option<Span>,
        /// The change.
        edit: Edit,
    },
}

impl InputChange {
    /// The namespace with the change.
    #[must_use]
    pub fn apply(&self, namespace: &Namespace) -> Namespace {
        let mut changed = namespace.clone();
        match self {
            Self::Channel { subscription, .. }
            | Self::Package { subscription, .. }
            | Self::Swap { subscription }
            | Self::Catalog { subscription, .. }
            | Self::StartingCsv { subscription, .. }
            | Self::AdoptCsv { subscription, .. } => {
                let mut all = changed.subscriptions.iter_mut();
                if let Some(found) = all.find(|found| found.name == *subscription) {
                    self.edit(found);
                }
            }
            Self::AddSubscription(subscription) => changed.subscriptions.push(subscription.clone()),
            Self::DropSubscription { subscription } => {
                changed.subscriptions.retain(|found| found.name != *subscription);
            }
            Self::DeleteCsv { csv } => changed.installed.retain(|found| found.name != *csv),
            Self::WidenRange { catalog, package, bundle, required, from, to, .. } => {
                let is = |entry: &Entry| entry.name == *bundle && entry.package == *package;
                // The bundle's entries in several channels go on sharing their properties.
                let mut once: Option<Arc<[PlacedProperty]>> = None;
                rewrite(&mut changed, catalog, is, |entry| {
                    let widen = || entry.properties.iter().map(|placed| widened(placed, required, from, to)).collect();
                    entry.properties = Arc::clone(once.get_or_insert_with(widen));
                });
            }
            Self::EditEntry { catalog, package, channel, edit, .. } => {
                let is =
                    |entry: &Entry| entry.name == edit.entry && entry.channel == *channel && entry.package == *package;
                rewrite(&mut changed, catalog, is, |entry| edit.change.apply(entry));
            }
        }
        changed
    }

    /// The part of a change that concerns one Subscription.
    fn edit(&self, found: &mut Subscription) {
        match self {
            Self::Channel { channel, .. } => found.channel = Some(channel.clone()),
            Self::Package { package, .. } => found.package = package.clone(),
            Self::Swap { .. } => swap(found),
            Self::Catalog { catalog, .. } => found.catalog = Some(catalog.clone()),
            Self::StartingCsv { csv, .. } => found.starting_csv.clone_from(csv),
            Self::AdoptCsv { csv, .. } => found.installed_csv = Some(csv.clone()),
            Self::AddSubscription(_)
            | Self::DropSubscription { .. }
            | Self::DeleteCsv { .. }
            | Self::WidenRange { .. }
            | Self::EditEntry { .. } => {}
        }
    }
}

fn swap(subscription: &mut Subscription) {
    let Some(channel) = &subscription.channel else { return };
    let package = PackageName::from(channel.as_str());
    subscription.channel = Some(subscription.package.as_str().into());
    subscription.package = package;
}

/// Edits entries of a catalog.
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
