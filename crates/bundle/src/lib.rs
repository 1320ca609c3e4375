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

mod csv;
mod document;
mod kubernetes;
mod manifest;
mod metadata;
mod migration;
mod properties;
mod render;

pub use csv::{RelatedImage, crd_misfit};
pub use document::{Document, Entry, Icon, Updates, catalog_document, in_order};
pub use metadata::OpenShiftRange;
pub use properties::Property;
pub use render::{Bundle, File, RenderOutcome, Rendering, is_bundle, render};
