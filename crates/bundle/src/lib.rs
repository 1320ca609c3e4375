//! Bundle directories, `manifests/` and `metadata/`, to the `olm.bundle` document that `opm render DIR` prints.
//!
//! Follows operator-registry `pkg/registry/{parse,bundle,csv,registry_to_model}.go` and `alpha/action/render.go`. `opm`
//! throws its warnings away, so what it skips, cuts or reads as something else is a finding here.
//!
//! ```
//! use bundle::{File, RenderOutcome, render};
//! use source::FileId;
//!
//! let csv = "kind: ClusterServiceVersion\nmetadata: {name: etcd.v1.0.0}\nspec: {version: 1.0.0}\n";
//! let annotations = "annotations: {operators.operatorframework.io.bundle.package.v1: etcd}\n";
//! let files = [
//!     File { id: FileId(0), path: "manifests/etcd.yaml", text: csv, fault: None },
//!     File { id: FileId(1), path: "metadata/annotations.yaml", text: annotations, fault: None },
//! ];
//! let RenderOutcome::Bundle(bundle) = render(&files).outcome else { panic!() };
//! assert_eq!((&*bundle.name, &*bundle.package), ("etcd.v1.0.0", "etcd"));
//! ```

mod api;
mod blob;
mod channel;
mod crd;
mod csv;
mod document;
mod file;
mod images;
mod json_schema_props;
mod kubernetes;
mod manifest;
mod metadata;
mod migrate;
mod node;
mod openshift_range;
mod properties;
mod property;
mod render;
mod rendered;

pub use blob::Document;
pub use channel::{Entry, Icon, Updates};
pub use crd::crd_misfit;
pub use document::{catalog_document, in_order};
pub use file::File;
pub use images::RelatedImage;
pub use openshift_range::OpenShiftRange;
pub use property::Property;
pub use render::{is_bundle, render};
pub use rendered::{Bundle, RenderOutcome, Rendering};
