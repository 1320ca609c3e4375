//! What a move from OLM v0 to OLM v1 does: for each Subscription of a cluster whether the official migration tool takes it, the
//! ClusterExtension that it becomes, what OLM v1 does with the installed bundle, and what is in the way.
//!
//! [`migrations`] answers for a cluster, [`catalog_migrations`] for its CatalogSources, [`recoveries`] for what is migrated
//! already, [`package_readiness`] for a package without a cluster, and [`manifests`] writes the objects that the tool creates. All answers are from catalogs and manifests:
//! what only the images of bundles or the objects on the cluster show is reported as unknown.
//!
//! The tool (operator-framework/library-olm) makes the installed bundle known to OLM v1 by a first revision. A ClusterExtension that
//! somebody writes by hand knows nothing of what OLM v0 installed; the answers say what that one would do, too.
//!
//! ```
//! use migration::{CatalogContent, CatalogOptions, ConvertOptions, Dump, Inputs, MigrationState, MigrationVerdict, NextV1, migrations};
//! use std::collections::BTreeMap;
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
//! status: {installedCSV: etcd.v1, state: AtLatestKnown}
//! ---
//! kind: ClusterServiceVersion
//! metadata: {name: etcd.v1, namespace: operators}
//! spec: {version: 1.0.0}
//! ";
//! let read = simulate::read(source::FileId(0), manifests);
//! let values = fbc::untyped_values(source::FileId(0), manifests);
//! let dump = Dump::of(manifests, &values.nodes, false);
//! let content = CatalogContent { catalog: &catalog, texts: BTreeMap::from([(source::FileId(1), text)]) };
//! let contents = BTreeMap::from([(resolver::CatalogKey::new("community", "olm"), content)]);
//! let found = migrations(&Inputs {
//!     cluster: &read.cluster,
//!     cluster_catalogs: &[],
//!     extensions: &[],
//!     contents: &contents,
//!     served: &BTreeMap::new(),
//!     dump: &dump,
//!     options: &ConvertOptions::default(),
//!     catalog_options: CatalogOptions::default(),
//! });
//! // As far as the manifests show: they lack the OperatorGroup, among others.
//! assert_eq!((found[0].eligibility.state, found[0].eligibility.is_certain()), (MigrationState::Eligible, false));
//! assert_eq!(found[0].v1, NextV1::Moves("etcd.v2".into()));
//! assert_eq!(found[0].verdict, MigrationVerdict::Moves);
//! ```

mod catalog_choice;
mod catalogs;
mod content;
mod convert;
mod crds;
mod dump;
mod eligibility;
mod index;
mod manifest;
mod names;
mod next;
mod obstacle;
mod plan;
mod readiness;
mod verdict;

pub use catalog_choice::{CatalogChoice, CatalogOrigin};
pub use catalogs::{
    CatalogCollision, CatalogGap, CatalogMigration, CatalogOptions, CatalogOutcome, CatalogSkip, MIGRATED_FROM,
    NewClusterCatalog, catalog_migrations,
};
pub use content::CatalogContent;
pub use convert::{
    Cleanup, Conversion, ConvertOptions, InstallNamespace, ObjectSet, Phase, Recovery, Rollback, cluster_extension,
    conversion, recoveries,
};
pub use crds::CrdCheck;
pub use dump::Dump;
pub use eligibility::{
    Acknowledgments, Check, CheckOutcome, Contents, Eligibility, Migrated, MigrationState, already_migrated,
    eligibility,
};
pub use manifest::manifests;
pub use next::{NextV0, NextV1};
pub use obstacle::MigrationObstacle;
pub use plan::{ChannelChoice, Inputs, Migration, VersionChoice, migrations};
pub use readiness::{BundleReadiness, package_readiness};
pub use verdict::MigrationVerdict;
