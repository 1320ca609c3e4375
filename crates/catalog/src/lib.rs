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

mod details;
mod dns;
mod index_ignore;
mod lifecycle;
mod lower;
mod model;
mod partial;
pub mod predicate;
mod pull_spec;
mod rejection;
mod rules;

pub use details::{
    BundleCrd, BundleDetails, CsvDetails, CsvPresence, InstallModes, bundle_crd_manifests, bundle_crds, bundle_details,
    bundle_manifests, csv_metadata, csv_presence, min_kube_version,
};
pub use dns::{is_dns_label, is_dns_subdomain};
pub use index_ignore::IndexIgnore;
pub use lifecycle::{Lifecycle, LifecyclePhase, LifecycleVersion, Platform, Support, minor_of, parse_day};
pub use lower::{NoSuchBundle, ParsedFile, attach, lower, lower_with};
pub use model::{
    Bundle, BundleName, BundleVersion, Catalog, Chain, Channel, ChannelName, Deprecation, DeprecationTarget, Entries,
    Entry, Icon, Package, SkipRange, heads,
};
pub use partial::{is_about_unread, retain_certain, text_around};
pub use pull_spec::image_identity;
pub use rejection::{OpmPhase, errors_in_order, rejection, rejection_text};
pub use rules::{check, check_for_all, check_package, judge, release_error, skip_fix};
