//! How long each version of a package is supported, and on which platforms: documents of the schema
//! `io.openshift.operators.lifecycles.v1alpha1`.
//!
//! Follows `enhancements/olm/lifecycle-and-compatibility.md` of openshift/enhancements. `opm` does not look at these documents.

use source::{Span, Spanned};
use time::Date;

/// A document with lifecycle data, with what could be read of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lifecycle {
    /// The whole document.
    pub span: Span,
    /// `package`; absent if empty.
    pub package: Option<Spanned<Box<str>>>,
    /// `versions`, in the order of the text.
    pub versions: Vec<LifecycleVersion>,
}

/// What a document says about one minor version.
#[derive(Clone, Debug, PartialEq)]
pub struct LifecycleVersion {
    /// `name`: MAJOR.MINOR; absent if it is not a text.
    pub name: Option<Spanned<Box<str>>>,
    /// `phases`, in the order of the text.
    pub phases: Vec<LifecyclePhase>,
    /// `platformCompatibility`, in the order of the text.
    pub platforms: Vec<Platform>,
}

/// A phase of support.
#[derive(Clone, Debug, PartialEq)]
pub struct LifecyclePhase {
    /// `name`, such as `Full support`; empty if it is missing.
    pub name: Box<str>,
    /// `startDate`: the first day; absent if it cannot be read.
    pub start: Option<Spanned<Date>>,
    /// `endDate`: the last day; absent if it cannot be read.
    pub end: Option<Spanned<Date>>,
}

/// A platform and those of its versions that a version of a package fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// `name`, such as `openshift`.
    pub name: Box<str>,
    /// `versions`: each MAJOR.MINOR, in the order of the text.
    pub versions: Vec<Box<str>>,
}

impl Lifecycle {
    /// Whether the document names this package.
    #[must_use]
    pub fn is_about(&self, package: &str) -> bool {
        self.package.as_ref().is_some_and(|name| *name.value == *package)
    }

    /// The data of a bundle with this version. As in the console, an item with the whole version comes first, else one with its
    /// MAJOR.MINOR.
    #[must_use]
    pub fn of_version(&self, version: &str) -> Option<&LifecycleVersion> {
        let named = |name: &str| self.versions.iter().find(|of| of.name.as_ref().is_some_and(|of| *of.value == *name));
        named(version).or_else(|| named(minor_of(version)?))
    }
}

/// MAJOR.MINOR of a version.
fn minor_of(version: &str) -> Option<&str> {
    let (major, rest) = version.split_once('.')?;
    let minor = rest.split_once('.')?.0;
    version.get(..major.len() + 1 + minor.len())
}
