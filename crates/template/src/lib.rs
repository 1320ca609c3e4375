//! Catalog templates, expanded as `opm alpha render-template` expands them: `olm.semver` and `olm.template.basic`.
//!
//! `opm` asks a registry what a bundle image holds. Nothing here does: [`Images`] looks the images up among the bundles
//! of catalogs that are there already, and an image that none of them has is an answer, [`Expansion::missing`]. Follows
//! operator-registry v1.73 `alpha/template/{semver,basic}`.
//!
//! ```
//! use source::FileId;
//! use template::{Images, Verdict, expand};
//!
//! let catalog = "schema: olm.bundle\nname: etcd.v1.2.0\npackage: etcd\nimage: quay.io/etcd:v1.2.0\n\
//!     properties:\n- type: olm.package\n  value: {packageName: etcd, version: 1.2.0}\n";
//! let parse = fbc::parse(FileId(0), catalog);
//! let mut images = Images::default();
//! images.add(catalog, &parse);
//!
//! let text = "schema: olm.semver\nstable: {bundles: [{image: quay.io/etcd:v1.2.0}]}\n";
//! let expansion = expand(FileId(1), text, &images);
//! assert_eq!(expansion.verdict, Verdict::Accepted);
//! assert_eq!(&*expansion.catalog.unwrap().packages[0].default_channel, "stable-v1.2");
//! ```

mod basic;
mod budget;
mod describe;
mod expand;
mod expanded;
mod images;
mod kind;
mod own_text;
mod semver;

pub use expand::{Expansion, Verdict, expand};
pub use expanded::{Channel, Document, Entry, Expanded, Icon, Package};
pub use images::{Images, Rendered};
pub use kind::{Kind, kind_of};
