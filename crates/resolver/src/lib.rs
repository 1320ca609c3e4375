//! Computes which bundles OLM installs in a namespace, and why.
//!
//! [`Problem::new`] collects the rules of a [`Namespace`], [`resolve()`] answers for one order of its anchors and
//! [`outcomes()`] for all that can matter. The rules say what is possible and become clauses; the order of preference
//! says what is chosen. The README states both in prose. Knows no cluster manifests and no time: one resolution is one
//! value.
//!
//! ```
//! use std::sync::Arc;
//! use catalog::{ParsedFile, lower};
//! use cluster::{CatalogKey, SubscriptionSpec};
//! use resolver::{Namespace, Outcome, Problem, Snapshot, resolve};
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
//! image: example.com/etcd:1
//! properties: [{type: olm.package, value: {packageName: etcd, version: 1.0.0}}]
//! ---
//! schema: olm.bundle
//! package: etcd
//! name: etcd.v2
//! image: example.com/etcd:2
//! properties:
//! - {type: olm.package, value: {packageName: etcd, version: 2.0.0}}
//! - {type: olm.gvk.required, value: {group: g, version: v1, kind: Missing}}
//! "#;
//! let parse = fbc::parse(source::FileId(0), text);
//! let (catalog, _) = lower(&[ParsedFile { text, parse: &parse }]);
//! let key = CatalogKey::new("community", "olm");
//!
//! let problem = Problem::new(Namespace {
//!     name: "operators".into(),
//!     catalogs: vec![Arc::new(Snapshot::of(&catalog, key.clone(), 0))],
//!     subscriptions: vec![SubscriptionSpec {
//!         name: "etcd".into(),
//!         package: "etcd".into(),
//!         channel: None,
//!         catalog: Some(key),
//!         starting_csv: None,
//!         installed_csv: None,
//!     }],
//!     ..Namespace::default()
//! });
//! let Outcome::Resolved(resolution) = resolve(&problem, problem.anchors()) else { unreachable!() };
//! // The head lacks its dependency, so the entry below it is taken.
//! assert_eq!(problem.name(resolution.selected[0].id), "community/olm/stable/etcd.v1");
//! assert_eq!(problem.name(resolution.picks[1].refused[0]), "community/olm/stable/etcd.v2");
//! ```

mod change;
mod collect;
mod contradiction;
mod csv;
mod encode;
mod explain;
mod fact;
mod index;
mod outcomes;
mod pool;
mod problem;
mod resolve;
mod search;
mod snapshot;

pub use contradiction::{Conflict, Refusal, refusal};
pub use explain::*;
pub use fact::{Fact, FactId, Missing, VarId};
pub use outcomes::{Outcomes, outcomes};
pub use problem::{Namespace, Problem};
pub use resolve::{GaveUp, Obstacle, Outcome, Prevented, Resolution, Selected, Unresolvable, resolve};
pub use sat::Tally;
pub use search::Pick;
pub use snapshot::{Entry, Listing, Snapshot};
