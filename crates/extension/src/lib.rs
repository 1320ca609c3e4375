//! Resolves the ClusterExtensions of OLM v1 as operator-controller does: one extension at a time, by versions and update
//! edges, without dependencies.
//!
//! [`resolve()`] answers which bundle is installed next, or why none is, with a verdict on every bundle of the package.
//! [`timeline()`] follows an extension through states of its catalogs; [`Readiness`] lists what OLM v1 refuses in a bundle.
//! OLM v1 validates no catalog, so one that `opm` rejects is resolved too.
//!
//! ```
//! use cluster::{ClusterCatalog, ClusterExtension};
//! use extension::{CatalogState, resolve};
//!
//! let text = "
//! schema: olm.channel
//! package: etcd
//! name: stable
//! entries: [{name: etcd.v1}, {name: etcd.v2, replaces: etcd.v1}]
//! ---
//! schema: olm.bundle
//! package: etcd
//! name: etcd.v1
//! image: example.com/etcd:1
//! properties: [{type: olm.package, value: {packageName: etcd, version: 1.0.0}}]
//! ---
//! schema: olm.bundle
//! package: etcd
//! name: etcd.v2
//! image: example.com/etcd:2
//! properties: [{type: olm.package, value: {packageName: etcd, version: 2.0.0}}]
//! ";
//! let parse = fbc::parse(source::FileId(0), text);
//! let (content, _) = catalog::lower(&[catalog::ParsedFile { text, parse: &parse }]);
//! let object = ClusterCatalog::new("community".into());
//! let catalogs = [CatalogState { object: &object, content: Some(&content) }];
//!
//! let mut extension = ClusterExtension::new("etcd".into(), "etcd".into());
//! let resolved = resolve(&extension, &catalogs).outcome.unwrap();
//! assert_eq!(resolved.bundle.as_str(), "etcd.v2");
//!
//! extension.version = ">=3".into();
//! let error = resolve(&extension, &catalogs).outcome.unwrap_err();
//! assert_eq!(error.to_string(), r#"no bundles found for package "etcd" matching version ">=3""#);
//! ```

mod conditions;
mod config;
mod error;
mod filter;
mod fix;
mod readiness;
mod registry_v1;
mod release;
mod resolve;
mod successor_index;
mod timeline;

pub use conditions::{Condition, ConditionType, Conditions, Reason};
pub use config::{ConfigError, ConfigFault};
pub use error::{InstalledVersionError, NoAnswer, ResolveError};
pub use filter::{Candidate, DropReason, Installed, SkipReason, Verdict, skipped_sentences};
pub use fix::{Fix, FixChange, fixes};
pub use readiness::{Need, Readiness, Refusal, Unknown};
pub use registry_v1::ManifestError;
pub use release::{BundleVersionError, ExplicitReleaseError, Release, VersionRelease};
pub use resolve::{CatalogState, Resolution, Resolved, resolve};
pub use source::ReadinessVerdict;
pub use successor_index::{PackageBundles, ReadVersion, Successor, SuccessorIndex};
pub use timeline::{Reconciliation, ReconciliationEffect, timeline, timeline_with_refusals};
