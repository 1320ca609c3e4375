//! What a plan is asked for: the cluster, the way through the versions of OpenShift, and the catalogs on it.

use crate::plans::explain::Reason;
use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, InstallModes};
use cluster::{CatalogKey, Cluster};
use compare::State;
use resolver::Listing;
use source::OpenShift;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use views::PlanGoal;

/// A cluster that is to be taken from one version of OpenShift to another.
#[derive(Clone, Copy)]
pub struct Question<'c> {
    /// The versions, from the present one to the last, each the next of the one before: see [`way`].
    pub way: &'c [OpenShift],
    pub cluster: &'c Cluster,
    /// For each CatalogSource what it serves on each version of the way; absent where that is not known.
    pub sources: &'c BTreeMap<CatalogKey, Vec<Option<&'c dyn Served>>>,
    /// The CatalogSources that an update of OpenShift does not exchange, because each is named for one version of it, as
    /// oc-mirror names them: `cs-index-v4-19`. Their Subscriptions have to name another one after each update.
    pub renamed: &'c BTreeSet<CatalogKey>,
    /// The namespaces in which OLM resolves nothing, whatever the catalogs have, and why.
    pub stuck: &'c BTreeMap<Arc<str>, Stuck>,
    /// What a plan is to reach.
    pub goal: PlanGoal,
    /// Moves that lose something.
    pub allowed: Allowed,
}

/// A namespace in which OLM resolves nothing, whatever the catalogs have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Why, and what helps.
    pub reason: Reason,
    /// The CSVs that it is about.
    pub csvs: BTreeSet<BundleName>,
}

/// What a CatalogSource serves on one version of OpenShift.
pub trait Served {
    /// The catalog.
    fn state(&self) -> State<'_>;

    /// `minKubeVersion` of a bundle of one of its packages; absent if any Kubernetes will do.
    fn min_kube(&self, package: &PackageName, bundle: &Bundle) -> Option<Box<str>>;

    /// The install modes of one of its bundles, if they are known.
    fn install_modes(&self, bundle: &Bundle) -> Option<InstallModes>;

    /// What resolutions look up in it.
    fn listing(&self) -> Arc<Listing>;
}

/// The CatalogSource of another version of OpenShift beside one that is named for one: `cs-index-v4-20` for
/// `cs-index-v4-19` and 4.20. `None` if its name has no version at the end. Source: oc-mirror,
/// `internal/pkg/clusterresources`.
#[must_use]
pub fn source_for(name: &str, version: OpenShift) -> Option<String> {
    let (rest, minor) = name.rsplit_once('-')?;
    let (stem, major) = rest.rsplit_once("-v")?;
    format!("{major}.{minor}").parse::<OpenShift>().ok()?;
    Some(format!("{stem}-v{}-{}", version.major, version.minor))
}

/// The moves that a plan may make although they lose something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Removing a Subscription; the operator keeps running without updates.
    pub remove: bool,
    /// Removing an operator with its Subscription, and installing the head of a channel. What becomes of its data is not known.
    pub reinstall: bool,
}

/// The versions from one to another in the update graph of OpenShift, both included. 4.23 is passed by no way: 5.0 follows 4.22
/// (openshift/cincinnati-graph-data `build-suggestions/5.0.yaml`).
///
/// # Errors
/// When no updates lead there.
pub fn way(from: OpenShift, to: OpenShift) -> Result<Vec<OpenShift>, String> {
    let mut way = vec![from];
    while let Some(last) = way.last().copied().filter(|last| *last != to) {
        // The last of those that do not go past the target: 5.0 rather than 4.23.
        let next = last.next().filter(|next| *next <= to).last();
        way.push(next.ok_or_else(|| no_way(from, to))?);
    }
    Ok(way)
}

fn no_way(from: OpenShift, to: OpenShift) -> String {
    if from.is_sibling(to) {
        return format!(
            "OpenShift {from} and {to} are one release under two numbers, and neither is updated to the other"
        );
    }
    if to < from {
        return format!(
            "OpenShift {to} is before {from}, and a cluster is never taken back to an earlier minor version"
        );
    }
    format!("no known updates lead from OpenShift {from} to {to}: what follows 4.23 is not known")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(from: &str, to: &str) -> Result<String, String> {
        let version = |text: &str| text.parse().expect("a version");
        way(version(from), version(to)).map(|way| way.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_way_leads_from_version_to_version() {
        assert_eq!(found("4.18", "4.20").as_deref(), Ok("4.18 4.19 4.20"));
        assert_eq!(found("4.9", "4.10").as_deref(), Ok("4.9 4.10"));
        assert_eq!(found("4.18", "4.18").as_deref(), Ok("4.18"));
        assert_eq!(found("4.21", "5.1").as_deref(), Ok("4.21 4.22 5.0 5.1"));
        assert_eq!(found("4.22", "4.23").as_deref(), Ok("4.22 4.23"));
    }

    #[test]
    fn sources_are_named_for_versions() {
        let version = OpenShift { major: 4, minor: 20 };
        assert_eq!(source_for("cs-index-v4-19", version).as_deref(), Some("cs-index-v4-20"));
        assert_eq!(source_for("cs-index-v4", version), None);
        assert_eq!(source_for("community-operators", version), None);
    }

    #[test]
    fn no_way_leads_back_or_between_siblings() {
        assert!(found("4.20", "4.18").unwrap_err().contains("never taken back"));
        assert!(found("4.23", "5.0").unwrap_err().contains("one release under two numbers"));
        assert!(found("4.23", "5.1").unwrap_err().contains("what follows 4.23 is not known"));
    }
}
