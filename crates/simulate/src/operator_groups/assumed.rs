//! What manifests leave out about OperatorGroups and install modes, completed where that is possible.

use super::ReadModes;
use super::install_modes::{ALL_NAMESPACES, OWN_NAMESPACE};
use crate::namespace::{Snapshots, describe_assumed_csvs};
use catalog::InstallModes;
use cluster::{Cluster, Csv, OperatorGroup, TargetNamespaces};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The OperatorGroup that a namespace needs and the manifests do not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssumedGroup {
    pub namespace: Arc<str>,
    /// The namespaces that it is assumed to watch; `None` if nothing installed there allows all namespaces or its own, so that
    /// nothing is assumed.
    pub targets: Option<TargetNamespaces>,
}

/// Looks up what the bundles of CSVs tell that the manifests do not have: install modes, and everything of CSVs that only
/// Subscriptions name. Adds an OperatorGroup to each namespace with Subscriptions
/// that has none, unless the manifests are complete. Such a group watches all namespaces, or its own if the operators that are
/// installed there do not support all. Returns the groups that it adds, by namespace.
pub fn complete(cluster: &mut Cluster, snapshots: &Snapshots, modes: &ReadModes<'_>) -> Vec<AssumedGroup> {
    describe_assumed_csvs(cluster, snapshots);
    for at in 0..cluster.csvs.len() {
        if cluster.csvs[at].install_modes.is_none() {
            cluster.csvs[at].install_modes = modes_of(cluster, &cluster.csvs[at], snapshots, modes);
        }
    }
    if cluster.has_all_groups {
        return Vec::new();
    }
    let mut modes: BTreeMap<Arc<str>, Vec<&InstallModes>> = BTreeMap::new();
    for namespace in cluster.namespaces().into_iter().filter(|one| !cluster.operator_groups.contains_key(one)) {
        modes.insert(namespace, Vec::new());
    }
    for csv in &cluster.csvs {
        if let Some(modes) = modes.get_mut(&csv.namespace) {
            modes.extend(&csv.install_modes);
        }
    }
    let assumed: Vec<AssumedGroup> =
        modes.into_iter().map(|(namespace, modes)| AssumedGroup::of(namespace, &modes)).collect();
    let new = assumed.iter().filter_map(|assumed| Some((&assumed.namespace, assumed.targets.clone()?)));
    for (namespace, targets) in new {
        let group = group(namespace, targets);
        // Many namespaces share the groups; they are copied only if one is added.
        Arc::make_mut(&mut cluster.operator_groups).insert(Arc::clone(namespace), vec![group]);
    }
    assumed
}

/// The install modes of the bundle of a CSV, in the first catalog that has it and tells them.
fn modes_of(cluster: &Cluster, csv: &Csv, snapshots: &Snapshots, modes: &ReadModes<'_>) -> Option<InstallModes> {
    let name = &csv.installed.name;
    let visible: BTreeSet<_> = cluster.visible_to(&csv.namespace).collect();
    let catalogs = visible.into_iter().filter_map(|key| snapshots.get(key));
    catalogs.into_iter().find_map(|snapshot| {
        let entry = snapshot.listing.named(name).next()?;
        modes(&snapshot.key, &entry.package, name)
    })
}

impl AssumedGroup {
    /// The group of a namespace whose CSVs have these install modes.
    fn of(namespace: Arc<str>, modes: &[&InstallModes]) -> Self {
        let all_support = |mode: &str| modes.iter().all(|modes| modes.supports(mode));
        let targets = if all_support(ALL_NAMESPACES) {
            Some(TargetNamespaces::All)
        } else if all_support(OWN_NAMESPACE) {
            Some(TargetNamespaces::Named(BTreeSet::from([(&*namespace).into()])))
        } else {
            None
        };
        Self { namespace, targets }
    }
}

/// The OperatorGroup of a namespace whose operators watch all namespaces.
pub(crate) fn group_for_all(namespace: &Arc<str>) -> OperatorGroup {
    group(namespace, TargetNamespaces::All)
}

pub(super) fn group(namespace: &Arc<str>, targets: TargetNamespaces) -> OperatorGroup {
    OperatorGroup {
        namespace: Arc::clone(namespace),
        name: "".into(),
        excludes_global: false,
        fail_forward: false,
        targets,
        selected: None,
        provided_apis: BTreeSet::new(),
        has_static_apis: false,
        account_error: None,
        annotation_error: None,
    }
}
