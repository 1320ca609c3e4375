//! The install modes of bundles, and what the simulation says about OperatorGroups.

use super::scenario::Scenario;
use catalog::predicate::PackageName;
use catalog::{BundleName, InstallModes, bundle_details};
use cluster::{CatalogKey, TargetNamespaces};
use session::{CatalogInput, Workbench};
use simulate::{AssumedGroup, BundleModes, Timeline};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use views::FileKey;

/// The install modes that a simulation has asked for. Each is read from the text of its bundle once.
#[derive(Default)]
pub(crate) struct KnownModes(RefCell<BTreeMap<(CatalogKey, PackageName, BundleName), Option<InstallModes>>>);

impl KnownModes {
    /// The install modes of a bundle, which are read if they are not known.
    pub(crate) fn of(
        &self,
        (catalog, package, bundle): (&CatalogKey, &PackageName, &BundleName),
        read: impl FnOnce() -> Option<InstallModes>,
    ) -> Option<InstallModes> {
        let key = (catalog.clone(), package.clone(), bundle.clone());
        if let Some(modes) = self.0.borrow().get(&key) {
            return modes.clone();
        }
        let modes = read();
        self.0.borrow_mut().insert(key, modes.clone());
        modes
    }

    /// Those that are known.
    pub(super) fn known(&self) -> BundleModes {
        let asked = self.0.borrow();
        asked.iter().filter_map(|(key, modes)| Some((key.clone(), modes.clone()?))).collect()
    }
}

impl Scenario {
    /// Looks up install modes in the loaded catalogs.
    pub(crate) fn modes<'s>(
        &'s self,
        workbench: &'s Workbench,
    ) -> impl Fn(&CatalogKey, &PackageName, &BundleName) -> Option<InstallModes> + 's {
        move |catalog, package, bundle| {
            self.modes.of((catalog, package, bundle), || {
                of_bundle(self.stands_for(workbench, catalog)?, package.as_str(), bundle.as_str())
            })
        }
    }

    /// Completes what the manifests leave out about install modes and OperatorGroups.
    pub(crate) fn complete(&mut self, workbench: &Workbench) {
        let mut cluster = std::mem::take(&mut self.cluster);
        let assumed = simulate::complete(&mut cluster, &self.snapshots, &self.modes(workbench));
        self.assumed = assumed;
        self.cluster = cluster;
    }

    /// What is assumed about the OperatorGroup, or not known, in the simulation of these timelines.
    pub(super) fn group_notice<'t>(&self, timelines: impl Iterator<Item = &'t Timeline>) -> Option<String> {
        let known = self.modes.known();
        if let Some(assumed) = self.assumed.iter().find(|assumed| assumed.namespace == self.namespace) {
            return Some(assumption(assumed));
        }
        let group = self.cluster.groups_of(&self.namespace).first()?;
        if group.watched().is_none() && !known.is_empty() {
            return Some(format!(
                "the manifests do not tell which namespaces OperatorGroup `{}` selects by labels, so install modes are not checked; its `status.namespaces` would tell",
                group.name
            ));
        }
        if known.is_empty() && group.targets == TargetNamespaces::All {
            // A catalog without any metadata of CSVs, and the usual group: nothing depends on it.
            return None;
        }
        let selected = timelines.flat_map(|timeline| &timeline.steps).flat_map(|step| &step.selected);
        let is_unknown =
            |key: &(CatalogKey, PackageName, BundleName)| self.modes.0.borrow().get(key).is_some_and(Option::is_none);
        let unknown = selected
            .filter(|bundle| is_unknown(&(bundle.catalog.clone(), bundle.package.clone(), bundle.name.clone())));
        let names: BTreeSet<String> = unknown.map(|bundle| format!("`{}`", bundle.name)).collect();
        (!names.is_empty()).then(|| {
            format!(
                "the catalog does not tell the install modes of {}, so it is not known whether OperatorGroup `{}` allows to run it",
                source::joined(names.into_iter(), 3, "and"),
                group.name
            )
        })
    }
}

fn assumption(AssumedGroup { namespace, targets }: &AssumedGroup) -> String {
    let what = match targets {
        Some(TargetNamespaces::All) => "; one for all namespaces is assumed",
        Some(_) => {
            "; one for this namespace alone is assumed, because what is installed there does not support all namespaces"
        }
        None => {
            ", and what is installed there supports neither all namespaces nor this one alone, so install modes are not checked"
        }
    };
    format!("the manifests have no OperatorGroup in namespace `{namespace}`{what}")
}

/// The install modes of a bundle; `None` if the catalog does not tell them.
fn of_bundle(catalog: &CatalogInput, package: &str, bundle: &str) -> Option<InstallModes> {
    let bundle = catalog.analysis.catalog.package(package)?.bundle(bundle)?;
    let file = catalog.file(FileKey(bundle.span.file.0))?;
    Some(bundle_details(bundle, &file.text)?.csv?.install_modes)
}
