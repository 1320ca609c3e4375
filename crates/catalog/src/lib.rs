//! What the documents of a catalog say together, and what is wrong with that.
//!
//! [`lower`] turns raw documents into a [`Catalog`]; the rules of [`rules`] judge it as `opm validate` does, each in a
//! file of its own. Findings that need the update graph are in `update-graph`.

mod model;
mod names;

pub use model::{
    Bundle, BundleVersion, Catalog, Channel, Deprecation, DeprecationTarget, Entry, Icon, Package, SkipRange,
};
pub use names::{BundleName, ChannelName};
