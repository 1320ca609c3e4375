//! What a move from OLM v0 to OLM v1 does: for each Subscription of a cluster the ClusterExtension that it becomes, what OLM v1
//! does with the installed bundle, and what is in the way.
//!
//! [`migrations`] answers for a cluster, [`package_readiness`] for a package without one, and [`manifests`] writes the objects
//! to create. All answers are from catalogs and manifests: what only the images of bundles or the objects on the cluster show
//! is reported as unknown.
//!
//! OLM v1 adopts nothing that OLM v0 installed: it knows only bundles that the ClusterExtension installed itself. The answers
//! say what it would do with the installed bundle if that were its own, and what a new ClusterExtension installs.
//!
//! ```
//! use migration::{CatalogContent, Inputs, NextV1, MigrationVerdict, migrations};
//! use std::collections::BTreeMap;
//!
//! let text = r#"
//! schema: olm.channel
//! package: etcd
//! name: stable
//! entries: [{name: etcd.v1}, {name: etcd.v2, replaces: etcd.v1}]
//! ---
//! schema: olm.bundle
//! package: etcd
//! name: etcd.v1
//! properties: [{type: olm.package, value: {packageName: etcd, version: 1.0.0}}]
//! ---
//! schema: olm.bundle
//! package: etcd
//! name: etcd.v2
//! properties:
//! - {type: olm.package, value: {packageName: etcd, version: 2.0.0}}
//! - {type: olm.csv.metadata, value: {installModes: [{type: AllNamespaces, supported: true}]}}
//! "#;
//! let parse = fbc::parse(source::FileId(1), text);
//! let (catalog, _) = catalog::lower(&[catalog::ParsedFile { text, parse: &parse }]);
//! let read = simulate::read(source::FileId(0), "
//! kind: Subscription
//! metadata: {name: my-etcd, namespace: operators}
//! spec: {name: etcd, channel: stable, source: community, sourceNamespace: olm}
//! status: {installedCSV: etcd.v1}
//! ---
//! kind: ClusterServiceVersion
//! metadata: {name: etcd.v1, namespace: operators}
//! spec: {version: 1.0.0}
//! ");
//! let content = CatalogContent { catalog: &catalog, texts: BTreeMap::from([(source::FileId(1), text)]) };
//! let contents = BTreeMap::from([(resolver::CatalogKey::new("community", "olm"), content)]);
//! let found = migrations(&Inputs { cluster: &read.cluster, cluster_catalogs: &[], extensions: &[], contents: &contents });
//! assert_eq!(found[0].v1, NextV1::Moves("etcd.v2".into()));
//! assert_eq!(found[0].verdict, MigrationVerdict::Moves);
//! ```

mod catalog_choice;
mod content;
mod crds;
mod eligibility;
mod manifest;
mod names;
mod next;
mod obstacle;
mod plan;
mod readiness;
mod verdict;

pub use catalog_choice::{CatalogChoice, CatalogOrigin};
pub use content::CatalogContent;
pub use crds::CrdCheck;
pub use eligibility::{
    Acknowledgments, Check, CheckOutcome, Contents, Dump, Eligibility, Migrated, MigrationState, already_migrated,
    cluster_extension, eligibility,
};
pub use manifest::manifests;
pub use next::{NextV0, NextV1};
pub use obstacle::{MigrationObstacle, NamespacedName};
pub use plan::{ChannelChoice, Inputs, Migration, VersionChoice, migrations};
pub use readiness::{BundleReadiness, package_readiness};
pub use verdict::MigrationVerdict;
