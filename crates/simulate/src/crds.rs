//! The CustomResourceDefinitions of bundles, and the check before OLM updates one.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/catalog/step.go` and `pkg/lib/crd/storage.go`. OLM also
//! validates the existing objects against the new schemas; which objects exist is unknown, so that check is left out.

use std::collections::BTreeMap;
use std::sync::Arc;

use catalog::predicate::PackageName;
use catalog::{BundleCrd, BundleName};
use cluster::{CatalogKey, Cluster};

/// The CustomResourceDefinitions of bundles, by catalog, package and bundle. Nothing is claimed about a bundle that is absent.
pub type BundleCrds = BTreeMap<(CatalogKey, PackageName, BundleName), Vec<BundleCrd>>;

/// Creates or updates a CustomResourceDefinition, as a step of an InstallPlan does. The versions that objects are stored
/// in stay, and the new version for that is added, as the API server does it.
///
/// # Errors
/// OLM's error if the new manifest removes a version that objects are stored in; then nothing changes. Of several such
/// versions OLM names any, and this names the first.
///
/// ```
/// let crd = |versions: &[&str]| catalog::BundleCrd {
///     name: "etcds.example.com".into(),
///     versions: versions.iter().map(|&version| version.into()).collect(),
///     storage: versions.last().map(|&version| version.into()),
/// };
/// let mut cluster = cluster::Cluster::default();
/// assert_eq!(simulate::apply_crd(&mut cluster, &crd(&["v1alpha1"])), Ok(()));
/// assert_eq!(simulate::apply_crd(&mut cluster, &crd(&["v1alpha1", "v1"])), Ok(()));
/// let error = "risk of data loss updating \"etcds.example.com\": new CRD removes version v1alpha1 that is listed as a \
///     stored version on the existing CRD";
/// assert_eq!(simulate::apply_crd(&mut cluster, &crd(&["v1"])), Err(error.to_owned()));
/// let stored: Vec<&str> = cluster.crds["etcds.example.com"].iter().map(|version| &**version).collect();
/// assert_eq!(stored, ["v1alpha1", "v1"]);
/// ```
pub fn apply_crd(cluster: &mut Cluster, crd: &BundleCrd) -> Result<(), String> {
    let BundleCrd { name, versions, storage } = crd;
    let check = |stored: &Vec<Box<str>>| crd_upgrade::stored_versions_error(name, stored, versions);
    if let Some(error) = cluster.crds.get(name).and_then(check) {
        return Err(error);
    }
    let stored = Arc::make_mut(&mut cluster.crds).entry(name.clone()).or_default();
    let added = storage.iter().find(|storage| !stored.contains(storage));
    stored.extend(added.cloned());
    Ok(())
}
