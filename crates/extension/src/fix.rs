//! Changes of an extension that fails. Each is followed until nothing changes any more, and helps if OLM v1 refuses no bundle on
//! the way.

use std::fmt;

use catalog::BundleName;

use crate::error::ResolveError;
use crate::filter::{Candidate, DropReason, Verdict};
use crate::readiness::Refusal;
use crate::release::VersionRelease;
use crate::resolve::{CatalogState, Resolution, Resolved, resolve};
use crate::timeline::timeline_with_refusals;
use cluster::{CatalogName, ClusterExtension, NAME_LABEL, Selector, UpgradeConstraintPolicy};

/// A change, and where it leads.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    pub change: FixChange,
    /// The bundle that OLM v1 chooses with it; it may be the installed one.
    pub resolved: Resolved,
    /// The bundle that OLM v1 chooses in the end, and refuses to install: with it the change does not help.
    pub refused: Option<(BundleName, Refusal)>,
}

/// A change of an extension; displays as a sentence without a full stop. Names are in backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixChange {
    /// Take out `version`.
    AnyVersion,
    /// Take out `channels`.
    AnyChannel,
    /// Take another `version`, because OLM v1 refuses the chosen bundle.
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

/// The changes of an extension whose resolution fails or whose bundle OLM v1 refuses, the least first; none if it does not fail.
/// First those that help, then those that lead to a bundle that is refused.
#[must_use]
pub fn fixes(
    extension: &ClusterExtension,
    catalogs: &[CatalogState<'_>],
    refusals: &dyn Fn(&Resolved) -> Vec<Refusal>,
) -> Vec<Fix> {
    let resolution = resolve(extension, catalogs);
    let refused = resolution.outcome.as_ref().map(refusals).unwrap_or_default();
    let is_refused = !refused.is_empty();
    // Another version has the same objects, and fails in the same way.
    let is_about_cluster = |one: &Refusal| matches!(one, Refusal::Reported(failure) if !failure.is_about_bundle);
    let mut changes = Vec::new();
    match &resolution.outcome {
        Ok(_) if !is_refused || refused.iter().any(is_about_cluster) => return Vec::new(),
        Err(error) if error.is_unknown() => return Vec::new(),
        Ok(_) => {}
        Err(error) => {
            if !extension.version.is_empty() {
                changes.push(FixChange::AnyVersion);
            }
            if !extension.channels.is_empty() {
                changes.push(FixChange::AnyChannel);
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
        }
    }
    if is_refused || matches!(resolution.outcome, Err(ResolveError::Dependency { .. })) {
        changes.extend(lower_versions(&resolution).map(FixChange::Version));
    }
    let found: Vec<Fix> =
        changes.into_iter().filter_map(|change| followed(extension, change, catalogs, refusals)).collect();
    let (mut helping, refused): (Vec<Fix>, Vec<Fix>) = found.into_iter().partition(|fix| fix.refused.is_none());
    let is_version = |fix: &Fix| matches!(fix.change, FixChange::Version(_));
    // Of several versions the highest is enough, and one that does not help tells nothing.
    let first = helping.iter().position(is_version);
    let mut at = 0..;
    helping.retain(|fix| at.next() == first || !is_version(fix));
    helping.into_iter().chain(refused.into_iter().filter(|fix| !is_version(fix))).collect()
}

/// Where a change leads; `None` if the resolution still fails.
fn followed(
    extension: &ClusterExtension,
    change: FixChange,
    catalogs: &[CatalogState<'_>],
    refusals: &dyn Fn(&Resolved) -> Vec<Refusal>,
) -> Option<Fix> {
    let line = timeline_with_refusals(&changed(extension, &change), &[catalogs.to_vec()], refusals);
    let resolved = line.first()?.resolution.outcome.clone().ok()?;
    let refused = line.iter().find_map(|step| {
        let bundle = step.resolution.outcome.as_ref().ok()?.bundle.clone();
        Some((bundle, step.refusals.first()?.clone()))
    });
    Some(Fix { change, resolved, refused })
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
