//! Folders of bundle directories, `operators/NAME/VERSION/{manifests,metadata}`, to the catalog that `opm index add` made of
//! them: channels by the rules of replaces mode, semver mode or semver-skippatch mode; or to the one that the pipelines of the
//! community catalogs make with the operator's catalog templates.
//!
//! `opm` has no command for it any more; the texts of errors and the rules are those of operator-registry before `opm index`
//! was removed. All bundles of a package are added together, lowest version first.
//!
//! A directory has no image, so the bundles have an empty one. `opm validate` accepts that, because they have their objects.
//!
//! ```
//! use bundle::File;
//! use source::FileId;
//! use template::Images;
//!
//! let csv = "kind: ClusterServiceVersion\nmetadata: {name: etcd.v1.0.0}\nspec: {version: 1.0.0}\n";
//! let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: etcd\n  \
//!                    operators.operatorframework.io.bundle.channels.v1: stable\n";
//! let files = [
//!     File { id: FileId(0), path: "etcd/1.0.0/manifests/etcd.yaml", text: csv, fault: None },
//!     File { id: FileId(1), path: "etcd/1.0.0/metadata/annotations.yaml", text: annotations, fault: None },
//! ];
//! let tree = bundle_tree::build(&files, None, &Images::default());
//! let names: Vec<&str> = tree.documents.iter().map(|document| &*document.name).collect();
//! assert_eq!((names, tree.findings), (vec!["etcd", "stable", "etcd.v1.0.0"], Vec::new()));
//! ```

mod catalog_template;
mod ci;
mod package;
mod replaces;
mod rules;
mod semver;
mod tree;

pub use catalog_template::bundles_of_template;
pub use ci::{Fbc, Mapping, MappingKind, enabled_fbc};
pub use rules::bundle_range::catalog_versions;
pub use tree::{ByOpenShift, Tree, VersionedCatalog, VersionedPackage, build, bundle_folders, by_openshift, inside};
