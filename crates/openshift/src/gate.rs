//! Which installed operators block an upgrade of OpenShift to its next minor version, by the property
//! `olm.maxOpenShiftVersion`, and which of them still do after the exchange of a catalog.
//!
//! The rule and its texts follow operator-lifecycle-manager `pkg/controller/operators/openshift/helpers.go` and
//! `clusteroperator_controller.go`: OLM sets `Upgradeable=False` on its ClusterOperator, which stops upgrades to another
//! minor version but no patches. OLM reads the annotation `operatorframework.io/properties`, which it writes into every CSV
//! that it installs; the annotation `olm.properties` of an author becomes part of it.
//!
//! The texts of the condition changed with OpenShift 4.18 and with 4.22.
//!
//! One limit: OLM lists the CSVs in any order, so that its message may have the same lines in another order.

use catalog::BundleName;
use catalog::predicate::{MAX_OPENSHIFT_PROPERTY, MaxOpenShift};
use cluster::{Cluster, Csv, CsvProperties, PlacedProperty, Subscription};
use go_semver::blang::Version;
use simulate::Snapshots;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The operators of a cluster that block its upgrade to the next minor version of OpenShift.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinorUpgrade {
    pub current: Version,
    pub next: Version,
    /// What blocks it, by namespace and name.
    pub blockers: Vec<UpgradeBlocker>,
}

/// An operator that blocks the upgrade. Its `Display` form is its line in OLM's message since OpenShift 4.18.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpgradeBlocker {
    pub namespace: Arc<str>,
    pub csv: BundleName,
    pub reason: BlockReason,
    /// Whether its properties are those of the bundle in a catalog, because the CSV of the manifests has no annotation. OLM
    /// reads the CSV alone: on the cluster it blocks only if the annotation is missing in the manifests alone.
    pub is_from_catalog: bool,
}

/// Why an operator blocks the upgrade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockReason {
    /// It supports no version of OpenShift above this one; the patch number is 0.
    MaxVersion(Version),
    /// The property is invalid or repeated, with OLM's error. OLM blocks all upgrades to a minor version then.
    Invalid(Box<str>),
}

/// The upgrade of OpenShift before and after the exchange of a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinorUpgradeComparison {
    pub now: MinorUpgrade,
    /// After all updates that the old state leads to.
    pub old_end: MinorUpgrade,
    /// After all updates that the new state leads to.
    pub new_end: MinorUpgrade,
    /// What blocks now and still does with the new state, in the order of `now`.
    pub remaining: Vec<RemainingBlocker>,
}

/// An operator that still blocks after its updates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemainingBlocker {
    /// What blocks now.
    pub before: UpgradeBlocker,
    /// What blocks after the updates: the same CSV, or the one that its Subscription has then.
    pub after: UpgradeBlocker,
}

/// How OLM words the condition, by the version of OpenShift that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wording {
    /// Up to 4.17.
    ClusterUpgrade,
    /// 4.18 to 4.21.
    MinorOrHigher,
    /// From 4.22 on.
    MinorOrMajor,
}

impl Wording {
    fn of(current: &Version) -> Self {
        match (current.major(), current.minor()) {
            (..=3, _) | (4, ..=17) => Self::ClusterUpgrade,
            (4, ..=21) => Self::MinorOrHigher,
            _ => Self::MinorOrMajor,
        }
    }
}

/// The minor version of OpenShift that OLM takes as the next one, with 0 as patch number: 4.18.0 after 4.17.3. Up to 4.17, OLM
/// takes the final release of a pre-release as the next one: 4.17.0 after 4.17.0-rc.1. Since 4.18 that is 4.19.0 after 4.18.0-rc.1.
///
/// OpenShift 4.23 and 5.0 are the same release under two numbers, and 5.1 follows both (openshift/cluster-olm-operator
/// `internal/versionutils/version_utils.go`, which has the rule for OLM v1).
#[must_use]
pub fn next_minor(current: &Version) -> Version {
    let (major, minor) = match (current.major(), current.minor()) {
        (4, 23) => (5, 0),
        other => other,
    };
    if Wording::of(current) == Wording::ClusterUpgrade && !current.pre().is_empty() {
        return Version::new(major, minor, 0);
    }
    Version::new(major, minor.saturating_add(1), 0)
}

impl MinorUpgrade {
    /// The blockers among the CSVs of a cluster. Copied CSVs are not part of it. `catalogs` have the bundles of CSVs
    /// without the annotation.
    #[must_use]
    pub fn of(cluster: &Cluster, current: &Version, catalogs: &Snapshots) -> Self {
        let next = next_minor(current);
        let mut csvs: Vec<&Csv> = cluster.csvs.iter().collect();
        csvs.sort_by(|a, b| (&a.namespace, &a.installed.name).cmp(&(&b.namespace, &b.installed.name)));
        let owners = owners(cluster);
        let blockers = csvs.into_iter().filter_map(|csv| {
            let of_placed =
                |properties: &[PlacedProperty]| MaxOpenShift::of(properties.iter().map(|one| &one.property));
            let (max, is_from_catalog) = match &csv.installed.properties {
                CsvProperties::Known(properties) => (of_placed(properties), false),
                CsvProperties::Inferred { .. } => {
                    (of_placed(&bundle_properties(owners.get(&csv_key(csv))?, csv, catalogs)?), true)
                }
                CsvProperties::Broken(error) => (MaxOpenShift(Err(annotation_error(csv, error)?)), false),
            };
            let reason = BlockReason::of(&max, &next)?;
            let (namespace, csv) = (Arc::clone(&csv.namespace), csv.installed.name.clone());
            Some(UpgradeBlocker { namespace, csv, reason, is_from_catalog })
        });
        Self { current: current.clone(), blockers: blockers.collect(), next }
    }

    /// The message of the condition `Upgradeable=False`, or nothing if no operator blocks the upgrade: first the invalid
    /// properties, then the others in reverse.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        let is_invalid = |blocker: &&UpgradeBlocker| matches!(blocker.reason, BlockReason::Invalid(_));
        let (invalid, rest): (Vec<_>, Vec<_>) = self.blockers.iter().partition(is_invalid);
        let lines = invalid.into_iter().chain(rest.into_iter().rev()).map(|blocker| self.line(blocker));
        let lines: Vec<String> = lines.collect();
        let first = self.blockers.first()?;
        Some(match Wording::of(&self.current) {
            Wording::ClusterUpgrade => format!("ClusterServiceVersions blocking cluster upgrade: {}", lines.join(",")),
            Wording::MinorOrHigher => {
                // Not the version that follows that of the cluster.
                let (major, minor) = match &first.reason {
                    BlockReason::MaxVersion(max) => (max.major(), max.minor()),
                    BlockReason::Invalid(_) => (0, 0),
                };
                let target = format!("{major}.{}.0 or higher", minor.saturating_add(1));
                format!("ClusterServiceVersions blocking minor version upgrades to {target}:\n{}", lines.join("\n"))
            }
            // OLM writes these two numbers whatever the version of the cluster is, also on 5.0 and 5.1.
            Wording::MinorOrMajor => format!(
                "ClusterServiceVersions blocking minor version upgrades to 4.23 or major version upgrades to 5.0:\n{}",
                lines.join("\n")
            ),
        })
    }

    /// What OLM says of one of the blockers in the message.
    #[must_use]
    pub fn line(&self, blocker: &UpgradeBlocker) -> String {
        let UpgradeBlocker { namespace, csv, reason, .. } = blocker;
        match (Wording::of(&self.current), reason) {
            (Wording::ClusterUpgrade, BlockReason::MaxVersion(max)) => {
                let (major, minor) = (max.major(), max.minor());
                format!("{namespace}/{csv} is incompatible with OpenShift minor versions greater than {major}.{minor}")
            }
            (Wording::ClusterUpgrade, BlockReason::Invalid(error)) => {
                format!("{namespace}/{csv} has invalid {MAX_OPENSHIFT_PROPERTY} properties: {error}")
            }
            (Wording::MinorOrHigher | Wording::MinorOrMajor, _) => blocker.to_string(),
        }
    }

    fn blocker(&self, namespace: &str, csv: &BundleName) -> Option<&UpgradeBlocker> {
        let key = |blocker: &UpgradeBlocker| (&*blocker.namespace, &blocker.csv).cmp(&(namespace, csv));
        self.blockers.binary_search_by(key).ok().map(|at| &self.blockers[at])
    }
}

impl MinorUpgradeComparison {
    /// Compares what blocks the upgrade now, and after the updates of both states: `old_end` and `new_end` of a
    /// [`ClusterComparison`](compare::ClusterComparison). `catalogs` are those of the old state.
    #[must_use]
    pub fn of(
        cluster: &Cluster,
        (old_end, new_end): (&Cluster, &Cluster),
        current: &Version,
        catalogs: &Snapshots,
    ) -> Self {
        let at = |cluster| MinorUpgrade::of(cluster, current, catalogs);
        let (now, old_end, after) = (at(cluster), at(old_end), at(new_end));
        let (owners, end) = (owners(cluster), new_end.by_namespace());
        // The CSV that the Subscription of a blocker has in the end; the blocker itself if it has no Subscription.
        let successor = |blocker: &UpgradeBlocker| -> Option<BundleName> {
            let owner = owners.get(&(&*blocker.namespace, &blocker.csv))?;
            let part = end.get(&blocker.namespace)?;
            let subscription = part.subscriptions.iter().find(|one| one.spec.name == owner.spec.name)?;
            part.installed(subscription).name().cloned()
        };
        let remaining = now.blockers.iter().filter_map(|before| {
            let csv = successor(before).unwrap_or_else(|| before.csv.clone());
            let after = after.blocker(&before.namespace, &csv)?.clone();
            Some(RemainingBlocker { before: before.clone(), after })
        });
        let remaining = remaining.collect();
        Self { now, old_end, new_end: after, remaining }
    }
}

/// The Subscription that has installed each CSV, by namespace and name of the CSV: of several the first.
fn owners(cluster: &Cluster) -> BTreeMap<(&str, &BundleName), &Subscription> {
    let mut owners = BTreeMap::new();
    for one in &cluster.subscriptions {
        if let Some(csv) = &one.spec.installed_csv {
            owners.entry((&*one.namespace, csv)).or_insert(one);
        }
    }
    owners
}

fn csv_key(csv: &Csv) -> (&str, &BundleName) {
    (&csv.namespace, &csv.installed.name)
}

/// The properties of the bundle that a CSV was made from, which its Subscription tells.
fn bundle_properties(owner: &Subscription, csv: &Csv, catalogs: &Snapshots) -> Option<Arc<[PlacedProperty]>> {
    let spec = &owner.spec;
    let named = catalogs.iter().filter(|(key, _)| spec.catalog.as_ref().is_none_or(|catalog| catalog == *key));
    let mut entries = named.flat_map(|(_, snapshot)| snapshot.listing.named(&csv.installed.name));
    let bundle = entries.find(|entry| entry.package == spec.package)?;
    Some(Arc::clone(&bundle.properties))
}

/// The error about the annotation of a CSV, without what the resolver writes in front of it. Other errors are about CSVs
/// without the annotation, which block nothing.
fn annotation_error(csv: &Csv, error: &str) -> Option<Box<str>> {
    let resolver = format!("failed to retrieve properties of csv \"{}\": ", csv.installed.name);
    error.strip_prefix(&resolver).map(Into::into)
}

impl BlockReason {
    /// Why a CSV blocks the update to `next`, the next minor version of the cluster ([`next_minor`]).
    #[must_use]
    pub fn of(max: &MaxOpenShift, next: &Version) -> Option<Self> {
        match &max.0 {
            Ok(max) => max.as_ref().filter(|max| *max < next).cloned().map(Self::MaxVersion),
            Err(error) => Some(Self::Invalid(error.clone())),
        }
    }

    /// It in words, behind the name of the CSV.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::MaxVersion(max) => format!("supports OpenShift up to {}.{}", max.major(), max.minor()),
            Self::Invalid(error) => {
                format!("has an invalid `olm.maxOpenShiftVersion` ({error}), which alone stops every minor update")
            }
        }
    }
}

impl fmt::Display for UpgradeBlocker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { namespace, csv, .. } = self;
        match &self.reason {
            BlockReason::MaxVersion(max) => {
                let (major, minor) = (max.major(), max.minor());
                write!(f, "- maximum supported OCP version for {namespace}/{csv} is {major}.{minor}")
            }
            BlockReason::Invalid(error) => {
                write!(f, "- {namespace}/{csv} has invalid {MAX_OPENSHIFT_PROPERTY} properties: {error}")
            }
        }
    }
}
