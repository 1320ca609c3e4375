//! What oc-mirror makes of a catalog: which packages, channels and entries an `ImageSetConfiguration` keeps, what it rejects,
//! and which `minVersion` leaves no installed version behind.
//!
//! The caller chooses the release of oc-mirror v2 to follow ([`OcMirror`]). Versions are compared as in Masterminds/semver
//! 3.3.0. Source: catalog-filter
//! `pkg/filter/mirror-config/v1alpha1/mirror-filter.go`.
//!
//! ```
//! use catalog::ParsedFile;
//! use mirror::{Choice, OcMirror, filter, read};
//! use source::FileId;
//!
//! let text = "schema: olm.package\nname: etcd\ndefaultChannel: stable\n---\nschema: olm.channel\npackage: etcd\n\
//!     name: stable\nentries:\n- name: etcd.v2\n  replaces: etcd.v1\n- name: etcd.v1\n";
//! let parse = fbc::parse(FileId(0), text);
//! let (catalog, _) = catalog::lower(&[ParsedFile { text, parse: &parse }]);
//!
//! let config = "apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\nmirror:\n  operators:\n\
//!     \x20 - catalog: quay.io/example/index:v1\n    packages: [{name: etcd}]\n";
//! let config = read(FileId(1), config, OcMirror::V5_0);
//! let Choice::One(wanted) = config.choose("index") else { panic!() };
//! let kept = filter(&catalog, wanted, OcMirror::V5_0).kept.unwrap();
//! assert!(kept.text(text, &parse).unwrap().ends_with("entries:\n- name: etcd.v2\n  replaces: etcd.v1\n"));
//! ```

mod channel;
mod config;
mod filter;
mod kept;
mod suggest;
mod view;

pub use channel::{Bound, Bounds};
pub use config::{
    Choice, ImageSetConfiguration, MirroredCatalog, MirroredChannel, MirroredPackage, Text, is_image_set_configuration,
    read,
};
pub use filter::{Filtering, filter};
pub use kept::{Kept, KeptPackage};
pub use source::OcMirror;
pub use suggest::{MinVersion, Stranded, TrialOutcome, smallest_min_versions, stranded};
