//! What the documents of a catalog say together, and what is wrong with that.
//!
//! [`lower()`] turns raw documents into a [`Catalog`]; [`check`] judges it as `opm validate` does, each rule in a file
//! of its own. Findings that need more than the replaces chain of a channel are in `update-graph`.
//!
//! ```
//! use catalog::{ParsedFile, lower};
//!
//! let text = "schema: olm.package\nname: etcd\ndefaultChannel: stable\n";
//! let parse = fbc::parse(source::FileId(0), text);
//! let (catalog, unplaced) = lower(&[ParsedFile { text, parse: &parse }]);
//! assert!(unplaced.is_empty());
//! assert_eq!(catalog::check(&catalog)[0].rule.id(), "unknown-default-channel");
//! ```

mod chain;
mod lower;
mod model;
mod names;
mod pull_spec;
mod rejection;
mod rules;

pub use chain::{Chain, heads};
pub use lower::{NoSuchBundle, ParsedFile, attach, lower};
pub use model::{
    Bundle, BundleVersion, Catalog, Channel, Deprecation, DeprecationTarget, Entry, Icon, Package, SkipRange,
};
pub use names::{BundleName, ChannelName};
pub use rejection::{OpmPhase, rejection};
pub use rules::check;
