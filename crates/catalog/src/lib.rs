//! The model of a file-based catalog, and the checks that `opm validate` makes on it.
//!
//! [`lower()`] builds a [`Catalog`] from raw documents; [`check`] validates it as `opm validate` does, with one file for
//! each rule; [`rejection()`] tells at which of the findings `opm` stops. Findings that need more than the replaces chain of
//! a channel are in `update-graph`, findings beyond `opm` in `lint`.
//!
//! ```
//! use catalog::{ParsedFile, lower};
//!
//! let text = "schema: olm.package\nname: etcd\ndefaultChannel: stable\n";
//! let parse = fbc::parse(source::FileId(0), text);
//! let (catalog, findings) = lower(&[ParsedFile { text, parse: &parse }]);
//! assert!(findings.is_empty());
//! assert_eq!(catalog::check(&catalog)[0].rule.id(), "unknown-default-channel");
//! ```

mod chain;
mod crds;
mod details;
mod entries;
mod index_ignore;
mod install_modes;
mod lifecycle;
mod lower;
mod model;
mod opm_phase;
mod parsed_file;
mod partial;
pub mod predicate;
mod pull_spec;
mod rejection;
mod rules;

pub use chain::{Chain, heads};
pub use crds::{BundleCrd, bundle_crd_manifests, bundle_crds, bundle_manifests};
pub use details::{
    BundleDetails, CsvDetails, CsvPresence, bundle_details, csv_metadata, csv_presence, min_kube_version,
};
pub use entries::Entries;
pub use index_ignore::IndexIgnore;
pub use install_modes::InstallModes;
pub use lifecycle::{Lifecycle, LifecyclePhase, LifecycleVersion, Platform, Support, minor_of, parse_day};
pub use lower::{NoSuchBundle, attach, lower, lower_with};
pub use model::{
    Bundle, BundleName, BundleVersion, Catalog, Channel, ChannelName, Deprecation, DeprecationTarget, Entry, Icon,
    Package, SkipRange,
};
pub use opm_phase::OpmPhase;
pub use parsed_file::ParsedFile;
pub use partial::{is_about_unread, retain_certain, text_around};
pub use rejection::{errors_in_order, rejection, rejection_text};
pub use rules::{check, check_for_all, check_package, judge, release_error, skip_fix};
