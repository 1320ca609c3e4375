//! Documents as written, by schema: every field optional, every scalar with its span, nothing resolved.
//!
//! The shapes are those of operator-registry `alpha/declcfg/declcfg.go`.

pub(crate) mod bundle;
pub(crate) mod channel;
pub(crate) mod deprecations;
pub(crate) mod package;

pub(crate) use bundle::is_read;
pub use bundle::{RawBundle, RawProperty, RawRelatedImage};
pub use channel::{RawChannel, RawEntry};
pub use deprecations::{RawDeprecation, RawDeprecations};
pub use package::{RawIcon, RawPackage};

use crate::Node;
use source::Spanned;

/// A text that was read from a scalar.
pub type Text = Spanned<Box<str>>;

/// A document by its schema.
#[derive(Clone, Debug, PartialEq)]
pub enum RawDoc {
    /// `olm.package`
    Package(RawPackage),
    /// `olm.channel`
    Channel(RawChannel),
    /// `olm.bundle`
    Bundle(RawBundle),
    /// `olm.deprecations`
    Deprecations(RawDeprecations),
    /// Any other schema, kept verbatim by `opm` and never validated.
    Other(RawOther),
}

/// A document of a schema that OLM does not know.
#[derive(Clone, Debug, PartialEq)]
pub struct RawOther {
    pub schema: Text,
    pub package: Option<Text>,
    pub name: Option<Text>,
    /// All fields of a document with lifecycle data; of other schemas none.
    pub lifecycle: Vec<(Text, Node)>,
}

/// The schema of documents that say how long each version of a package is supported.
pub const LIFECYCLE_SCHEMA: &str = "io.openshift.operators.lifecycles.v1alpha1";
