//! Changes of an extension that fails, each of which was resolved and helps.

use std::fmt;

use crate::candidate::{Candidate, DropReason, Verdict};
use crate::cluster_catalog::{CatalogName, CatalogState, NAME_LABEL};
use crate::cluster_extension::{ClusterExtension, UpgradeConstraintPolicy};
use crate::error::ResolveError;
use crate::release::VersionRelease;
use crate::resolve::{Resolution, Resolved, resolve};
use crate::selector::Selector;

/// A change, and what OLM v1 chooses with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    pub change: FixChange,
    /// The bundle; it may be the installed one.
    pub resolved: Resolved,
}

/// A change of an extension; displays as a sentence without a full stop. Names are in backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixChange {
    /// Take out `version`.
    AnyVersion,
    /// Take out `channels`.
    AnyChannel,
    /// Take another `version`, because the chosen bundle has a dependency.
    Version(Box<str>),
    /// Select one catalog alone.
    Catalog(CatalogName),
    /// Follow no update edges.
    SelfCertified,
}

impl fmt::Display for FixChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyVersion => f.write_str("remove `version`"),
            Self::AnyChannel => f.write_str("remove `channels`"),
            Self::Version(version) => write!(f, "set `version: {version}`"),
            Self::Catalog(catalog) => write!(f, "select `{NAME_LABEL}: {catalog}`"),
            Self::SelfCertified => {
                f.write_str("set `upgradeConstraintPolicy: SelfCertified`, which follows no update edges")
            }
        }
    }
}

/// The changes that help an extension whose resolution fails, the least first; none if it does not fail.
#[must_use]
pub fn fixes(extension: &ClusterExtension, catalogs: &[CatalogState<'_>]) -> Vec<Fix> {
    let resolution = resolve(extension, catalogs);
    let Err(error) = &resolution.outcome else { return Vec::new() };
    let mut changes = Vec::new();
    if !extension.version.is_empty() {
        changes.push(FixChange::AnyVersion);
    }
    if !extension.channels.is_empty() {
        changes.push(FixChange::AnyChannel);
    }
    if matches!(error, ResolveError::Dependency { .. }) {
        changes.extend(lower_versions(&resolution).map(FixChange::Version));
    }
    let is_between_catalogs = match error {
        ResolveError::NoAnswer(asked) => !asked.catalogs.is_empty(),
        ResolveError::NotServed { .. } => true,
        _ => false,
    };
    if is_between_catalogs {
        changes.extend(catalogs.iter().map(|state| FixChange::Catalog(state.object.name.clone())));
    }
    if extension.installed.is_some() && extension.policy == UpgradeConstraintPolicy::CatalogProvided {
        changes.push(FixChange::SelfCertified);
    }
    let mut found: Vec<Fix> = Vec::new();
    for change in changes {
        // Of several versions the highest is enough.
        let is_told = |fix: &Fix| matches!((&fix.change, &change), (FixChange::Version(_), FixChange::Version(_)));
        if found.iter().any(is_told) {
            continue;
        }
        let changed = changed(extension, &change);
        found.extend(resolve(&changed, catalogs).outcome.ok().map(|resolved| Fix { change, resolved }));
    }
    found
}

/// The versions of the bundles that only a higher one dropped, the highest first.
fn lower_versions(resolution: &Resolution) -> impl Iterator<Item = Box<str>> {
    let is_lower =
        |candidate: &&Candidate| matches!(candidate.verdict, Verdict::Dropped(DropReason::LowerVersion { .. }));
    let mut versions: Vec<&VersionRelease> =
        resolution.candidates.iter().filter(is_lower).filter_map(|candidate| candidate.version.as_ref()).collect();
    versions.sort();
    versions.into_iter().rev().map(|version| version.version.to_string().into())
}

fn changed(extension: &ClusterExtension, change: &FixChange) -> ClusterExtension {
    let mut extension = extension.clone();
    match change {
        FixChange::AnyVersion => extension.version = "".into(),
        FixChange::AnyChannel => extension.channels.clear(),
        FixChange::Version(version) => extension.version.clone_from(version),
        FixChange::Catalog(catalog) => {
            extension.selector = Selector::default();
            extension.selector.match_labels.insert(NAME_LABEL.into(), catalog.as_str().into());
        }
        FixChange::SelfCertified => extension.policy = UpgradeConstraintPolicy::SelfCertified,
    }
    extension
}
