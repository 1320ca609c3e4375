//! Catalog templates, expanded as `opm alpha render-template` expands them: `olm.semver`, `olm.template.basic` and
//! `olm.template.substitutes`.
//!
//! `opm` pulls bundle images from a registry. This crate does not: [`Images`] looks them up among the bundles of loaded
//! catalogs, and [`Expansion::missing`] lists those that no catalog has. Follows operator-registry v1.73
//! `alpha/template`.
//!
//! ```
//! use source::FileId;
//! use template::{Images, RenderStatus, expand};
//!
//! let catalog = "schema: olm.bundle\nname: etcd.v1.2.0\npackage: etcd\nimage: quay.io/etcd:v1.2.0\n\
//!     properties:\n- type: olm.package\n  value: {packageName: etcd, version: 1.2.0}\n";
//! let parse = fbc::parse(FileId(0), catalog);
//! let mut images = Images::default();
//! images.add(catalog, &parse);
//!
//! let text = "schema: olm.semver\nstable: {bundles: [{image: quay.io/etcd:v1.2.0}]}\n";
//! let expansion = expand(FileId(1), text, &images);
//! assert_eq!(expansion.status, RenderStatus::Accepted);
//! assert_eq!(&*expansion.catalog.unwrap().packages[0].default_channel, "stable-v1.2");
//! ```

mod basic;
mod catalog;
mod expand;
mod images;
mod kind;
mod origins;
mod rules;
mod semver;
mod substitutes;

pub use catalog::{Channel, Document, Entry, ExpandedCatalog, Icon, Package};
pub use expand::{Expansion, RenderStatus, expand, expand_as};
pub use images::{CatalogBundle, Images};
pub use kind::{TemplateKind, detection_error, is_of_deprecations, kind_of};
pub use origins::Origins;
