//! What a move from OLM v0 to OLM v1 means for a cluster: what OLM v1 does with what OLM v0 installed, what stands in the way, and
//! the ClusterExtensions and ClusterCatalogs to apply.
//!
//! [`migration_view`] answers for the page and the command line, [`migrations`] with typed values, [`cluster_catalogs`] for the
//! CatalogSources alone, and [`readiness_view`] for a package without a cluster. All answers are from catalogs and manifests: what
//! only the images of bundles or the objects on the cluster show is reported as unknown.
//!
//! The migration tool of operator-framework/library-olm makes the installed bundle known to OLM v1. A ClusterExtension that
//! somebody applies by hand knows nothing of what OLM v0 installed; the answers say what that one would do, too.
//!
//! ```
//! use migration::{CatalogContent, Inputs, NextV1, Objects, migrations};
//! use std::collections::BTreeMap;
//! use views::{CatalogId, MigrationVerdict};
//!
//! let text = r#"
//! schema: olm.package
//! name: etcd
//! defaultChannel: stable
//! ---
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
//! let manifests = "
//! kind: Subscription
//! metadata: {name: my-etcd, namespace: operators}
//! spec: {name: etcd, channel: stable, source: community, sourceNamespace: olm}
//! status: {installedCSV: etcd.v1}
//! ---
//! kind: ClusterServiceVersion
//! metadata: {name: etcd.v1, namespace: operators}
//! spec: {version: 1.0.0}
//! ";
//! let read = cluster::read(source::FileId(0), manifests);
//! let values = fbc::untyped_values(source::FileId(0), manifests);
//! let content = CatalogContent { catalog: &catalog, texts: BTreeMap::from([(source::FileId(1), text)]) };
//! let contents = BTreeMap::from([(cluster::CatalogKey::new("community", "olm"), content)]);
//! let found = migrations(&Inputs {
//!     cluster: &read.cluster,
//!     cluster_catalogs: &[],
//!     extensions: &[],
//!     contents: &contents,
//!     objects: &Objects::of(manifests, &values.nodes),
//!     olm: read.olm_v1,
//! });
//! assert_eq!(found[0].v1_adopted, NextV1::Moves("etcd.v2".into()));
//! assert_eq!(found[0].verdict, MigrationVerdict::Moves);
//! ```

mod cluster_catalog;
mod crds;
mod manifest;
mod obstacle;
mod plan;
mod view;
mod words;

pub use cluster_catalog::{CatalogOrigin, CatalogTarget, NewClusterCatalog, cluster_catalogs};
pub use crds::{BundleReadiness, CatalogContent, CrdCheck, readiness_view};
pub use manifest::{Objects, manifests};
pub use obstacle::MigrationObstacle;
pub use plan::{
    ChannelChoice, Inputs, Migration, NextV0, NextV1, PackageShare, SubscriptionKey, VersionChoice, migrations,
};
pub use view::migration_view;
