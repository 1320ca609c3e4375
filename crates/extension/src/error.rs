//! Why an extension has no next bundle: values, which display the text that operator-controller puts into the condition
//! `Progressing` (operator-controller `internal/operator-controller/resolve/catalog.go`).

use std::fmt;

use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use go_semver::{
    blang::{Quoted, VersionError},
    masterminds::ConstraintError,
};

use crate::release::{BundleVersionError, ExplicitReleaseError};
use cluster::{CatalogName, SelectorError};

/// Why a resolution fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolveError {
    /// The catalog selector is invalid.
    Selector(SelectorError),
    /// `version` is no constraint.
    Version {
        /// `version` as written.
        range: Box<str>,
        error: ConstraintError,
    },
    /// A selected catalog is not served. It blocks the extension even if it does not have the package.
    NotServed {
        package: PackageName,
        /// The first such catalog.
        catalog: CatalogName,
    },
    /// The content of a selected catalog is not known here, and it may be served, so that nobody can tell the answer.
    NotLoaded {
        /// The first such catalog.
        catalog: CatalogName,
    },
    /// The extension is being deleted: OLM v1 only removes what it installed.
    Terminating { finalizers: Vec<Box<str>> },
    /// No ClusterCatalog is known that the extension selects, and the cluster may have one, so that nobody can tell the answer.
    CatalogsNotKnown,
    /// A revision rolls out, and it is not known which bundle it has, so that nobody can tell what follows.
    RevisionNotKnown { revision: Box<str> },
    /// The version of the installed bundle cannot be read, so that nobody knows its successors.
    InstalledVersion(InstalledVersionError),
    /// A `skipRange` crashes blang; the controller recovers and tries again.
    SkipRangePanic,
    /// No bundle is left, or the catalogs of several bundles have the same priority.
    NoAnswer(NoAnswer),
    /// The version of the chosen bundle cannot be read.
    BundleVersion { bundle: BundleName, error: BundleVersionError },
    /// The chosen bundle has a dependency, which OLM v1 does not support. It takes no other bundle instead.
    Dependency {
        bundle: BundleName,
        /// The type of its first such property.
        property: Box<str>,
    },
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Selector(error) => write!(f, "desired catalog selector is invalid: {error}"),
            Self::Version { range, error } => write!(f, "desired version range {} is invalid: {error}", Quoted(range)),
            Self::NotServed { package, catalog } => {
                let (package, catalog) = (Quoted(package.as_str()), Quoted(catalog.as_str()));
                write!(
                    f,
                    "error walking catalogs: error getting package {package} from catalog {catalog}: catalog {catalog} is not being served"
                )
            }
            Self::NotLoaded { catalog } => {
                write!(f, "the catalog of ClusterCatalog `{catalog}` is not loaded")
            }
            Self::Terminating { .. } => f.write_str(
                "it is being deleted: OLM v1 removes what it installed, and neither installs nor updates anything for it",
            ),
            Self::CatalogsNotKnown => {
                f.write_str("the input has no ClusterCatalog that it selects, and no catalog for one is given")
            }
            Self::RevisionNotKnown { revision } => {
                write!(f, "the input does not have the bundle of revision `{revision}`")
            }
            Self::InstalledVersion(error) => {
                write!(f, "error walking catalogs: error finding upgrade edges: {error}")
            }
            Self::SkipRangePanic => {
                f.write_str("panic: runtime error: invalid memory address or nil pointer dereference [recovered]")
            }
            Self::NoAnswer(error) => error.fmt(f),
            Self::BundleVersion { bundle, error } => {
                let bundle = Quoted(bundle.as_str());
                write!(f, "error getting resolved bundle version for bundle {bundle}: {error}")
            }
            Self::Dependency { bundle, property } => {
                let (bundle, property) = (Quoted(bundle.as_str()), Quoted(property));
                write!(
                    f,
                    "validating bundle {bundle}: bundle {bundle} has a dependency declared via property {property} which is currently not supported"
                )
            }
        }
    }
}

impl ResolveError {
    /// Whether nobody can tell the answer here. All others are answers of OLM v1.
    #[must_use]
    pub const fn is_unknown(&self) -> bool {
        matches!(self, Self::NotLoaded { .. } | Self::CatalogsNotKnown | Self::RevisionNotKnown { .. })
    }
}

impl std::error::Error for ResolveError {}

/// Why the installed version cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstalledVersionError {
    Version(VersionError),
    /// Version and release, because the status has a release.
    Release(ExplicitReleaseError),
}

impl fmt::Display for InstalledVersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed to get version and release of installed bundle: ")?;
        match self {
            Self::Version(error) => error.fmt(f),
            Self::Release(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InstalledVersionError {}

/// What was asked when there is no bundle, or more than one. The text does not tell a missing package, a missing channel and
/// a range without bundles apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoAnswer {
    pub package: PackageName,
    /// `version` as written; empty if there is no constraint.
    pub range: Box<str>,
    /// `channels` as written.
    pub channels: Vec<ChannelName>,
    /// The installed version as the status has it.
    pub installed_version: Option<Box<str>>,
    /// The catalogs with a candidate, sorted by name: none, or at least two. With more than two there may be some with a lower
    /// priority.
    pub catalogs: Vec<CatalogName>,
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(version) = &self.installed_version {
            write!(f, "error upgrading from currently installed version {}: ", Quoted(version))?;
        }
        f.write_str(if self.catalogs.is_empty() { "no bundles found" } else { "found bundles" })?;
        write!(f, " for package {}", Quoted(self.package.as_str()))?;
        if !self.range.is_empty() {
            write!(f, " matching version {}", Quoted(&self.range))?;
        }
        if !self.channels.is_empty() {
            let names: Vec<&str> = self.channels.iter().map(ChannelName::as_str).collect();
            write!(f, " in channels [{}]", names.join(" "))?;
        }
        if !self.catalogs.is_empty() {
            let names: Vec<&str> = self.catalogs.iter().map(CatalogName::as_str).collect();
            write!(f, " in multiple catalogs with the same priority [{}]", names.join(" "))?;
        }
        Ok(())
    }
}
