//! Changes to the objects of a namespace or to a catalog that it sees.

use std::sync::Arc;

use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use source::Span;
use update_graph::Edit;

use crate::objects::{CatalogKey, SubscriptionSpec};

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
    AddSubscription(SubscriptionSpec),
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
