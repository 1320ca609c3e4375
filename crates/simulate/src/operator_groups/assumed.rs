//! What manifests leave out about OperatorGroups and install modes, completed where that is possible.

use super::install_modes::{ALL_NAMESPACES, OWN_NAMESPACE};
use super::{Cluster, ReadModes};
use crate::cluster::Snapshots;
use crate::objects::{Csv, OperatorGroup, TargetNamespaces};
use catalog::InstallModes;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The OperatorGroup that a namespace needs and the manifests do not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssumedGroup {
    /// The namespace.
    pub namespace: Arc<str>,
    /// The namespaces that it is assumed to watch; `None` if nothing installed there allows all namespaces or its own, so that
    /// nothing is assumed.
    pub targets: Option<TargetNamespaces>,
}

impl Cluster {
    /// Looks up the install modes of CSVs that do not list them, and adds an OperatorGroup to each namespace with Subscriptions
    /// that has none, unless the manifests are complete. Such a group watches all namespaces, or its own if the operators that are
    /// installed there do not support all. Returns the groups that it adds, by namespace.
    pub fn complete(&mut self, snapshots: &Snapshots, modes: &ReadModes<'_>) -> Vec<AssumedGroup> {
        for at in 0..self.csvs.len() {
            if self.csvs[at].install_modes.is_none() {
                self.csvs[at].install_modes = self.modes_of(&self.csvs[at], snapshots, modes);
            }
        }
        if self.has_all_groups {
            return Vec::new();
        }
        let with_group: BTreeSet<Arc<str>> =
            self.operator_groups.iter().map(|group| Arc::clone(&group.namespace)).collect();
        let without = self.namespaces().into_iter().filter(|namespace| !with_group.contains(namespace));
        let assumed: Vec<AssumedGroup> = without.map(|namespace| self.assumed(namespace)).collect();
        let groups = assumed.iter().filter_map(|assumed| Some(group(&assumed.namespace, assumed.targets.clone()?)));
        Arc::make_mut(&mut self.operator_groups).extend(groups);
        assumed
    }

    /// The install modes of the bundle of a CSV, in the first catalog that has it and tells them.
    fn modes_of(&self, csv: &Csv, snapshots: &Snapshots, modes: &ReadModes<'_>) -> Option<InstallModes> {
        let name = &csv.installed.name;
        let visible: BTreeSet<_> = self.visible_to(&csv.namespace).collect();
        let catalogs = visible.into_iter().filter_map(|key| snapshots.get(key));
        catalogs.into_iter().find_map(|snapshot| {
            let entry = snapshot.listing.entries().iter().find(|entry| entry.name == *name)?;
            modes(&snapshot.key, &entry.package, name)
        })
    }

    fn assumed(&self, namespace: Arc<str>) -> AssumedGroup {
        let modes: Vec<&InstallModes> = self
            .csvs
            .iter()
            .filter(|csv| csv.namespace == namespace)
            .filter_map(|csv| csv.install_modes.as_ref())
            .collect();
        let all_support = |mode: &str| modes.iter().all(|modes| modes.supports(mode));
        let targets = if all_support(ALL_NAMESPACES) {
            Some(TargetNamespaces::All)
        } else if all_support(OWN_NAMESPACE) {
            Some(TargetNamespaces::Named(BTreeSet::from([(&*namespace).into()])))
        } else {
            None
        };
        AssumedGroup { namespace, targets }
    }
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
    }
}
