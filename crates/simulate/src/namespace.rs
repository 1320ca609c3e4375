//! What a resolution reads of a cluster and of its catalogs: the namespace, its CRDs, and which CSVs count as installed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catalog::predicate::PackageName;
use catalog::{BundleCrd, BundleName, Catalog, InstallModes};
use cluster::{CatalogKey, Cluster, Csv, Subscription};
use resolver::{Entry, Namespace, Snapshot};

/// OLM's error for a CatalogSource whose pod does not run. The pod and its service exist, so OLM has a client; the client
/// cannot connect to the address of the service, which we do not know. OLM reports "no registry client established" only
/// for a CatalogSource that it never synchronised and that therefore has no address.
const NOT_SERVED: &str = "failed to list bundles: rpc error: code = Unavailable desc = connection error: desc = \"transport: \
                          Error while dialing: dial tcp <service IP>:50051: connect: connection refused\"";

/// The content of the catalogs, by CatalogSource.
pub type Snapshots = BTreeMap<CatalogKey, Arc<Snapshot>>;

/// The snapshots of the CatalogSources for which `content` returns a catalog.
#[must_use]
pub fn snapshots<'c>(cluster: &Cluster, content: impl Fn(&CatalogKey) -> Option<&'c Catalog>) -> Snapshots {
    let known = cluster.catalog_sources.iter().filter_map(|source| {
        let snapshot = Snapshot::of(content(&source.key)?, source.key.clone(), source.priority);
        Some((source.key.clone(), Arc::new(snapshot)))
    });
    known.collect()
}

/// The input of a resolution of the namespace.
#[must_use]
pub fn namespace_of(cluster: &Cluster, name: &str, snapshots: &Snapshots) -> Namespace {
    let budget = cluster.budget.clone();
    let mut namespace = Namespace { name: name.into(), budget, ..Namespace::default() };
    for key in cluster.visible_to(name) {
        match snapshots.get(key) {
            _ if cluster.not_served.contains(key) => namespace.broken.push((key.clone(), NOT_SERVED.into())),
            Some(snapshot) => namespace.catalogs.push(Arc::clone(snapshot)),
            None => {
                let error = format!("no registry client established for catalogsource {key}");
                namespace.broken.push((key.clone(), error.into()));
            }
        }
    }
    let mut csvs: Vec<&Csv> = cluster.csvs.iter().filter(|csv| &*csv.namespace == name).collect();
    csvs.sort_by(|a, b| a.installed.name.cmp(&b.installed.name));
    let installed = if cluster.fails_forward(name) { installed_csvs(&csvs) } else { Ok(csvs) };
    match installed {
        Ok(csvs) => namespace.installed = csvs.into_iter().map(|csv| csv.installed.clone()).collect(),
        Err(error) => namespace.broken.push((CatalogKey::existing(name), error.into())),
    }
    let subscriptions = cluster.subscriptions.iter().filter(|subscription| &*subscription.namespace == name);
    namespace.subscriptions = subscriptions.map(|subscription| subscription.spec.clone()).collect();
    namespace
}

/// Gives CSVs that the manifests do not have the version and the properties of their bundle.
pub(crate) fn describe_assumed_csvs(cluster: &mut Cluster, snapshots: &Snapshots) {
    for csv in cluster.csvs.iter_mut().filter(|csv| csv.is_assumed) {
        let is_owner = |one: &&Subscription| {
            one.namespace == csv.namespace && one.spec.installed_csv.as_ref() == Some(&csv.installed.name)
        };
        let Some(owner) = cluster.subscriptions.iter().find(is_owner) else { continue };
        let snapshot = owner.spec.catalog.as_ref().and_then(|key| snapshots.get(key));
        let entry = snapshot.and_then(|snapshot| snapshot.listing.named(&csv.installed.name).next());
        if let Some(entry) = entry {
            csv.installed = entry.installed();
        }
    }
}

/// The CSV of a bundle, with the properties of the bundle, which OLM writes into an annotation of the CSV.
pub(crate) fn csv_of_bundle(
    namespace: &str,
    entry: &Entry,
    replaces: Option<BundleName>,
    install_modes: Option<InstallModes>,
) -> Csv {
    Csv { replaces, install_modes, ..Csv::running(namespace, entry.installed()) }
}

// The CustomResourceDefinitions of bundles, and the check before OLM updates one.
//
// Follows operator-lifecycle-manager `pkg/controller/operators/catalog/step.go` and `pkg/lib/crd/storage.go`. OLM also
// validates the existing objects against the new schemas; which objects exist is unknown, so that check is left out.

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

// The CSVs that count as installed with the upgrade strategy `TechPreviewUnsafeFailForward`.
//
// Follows operator-lifecycle-manager `pkg/controller/registry/resolver/source_csvs.go` and `fail_forward.go`.

/// All CSVs but those in phase `Replacing` in a chain that ends in a failed CSV; or OLM's error if a chain is broken.
pub(crate) fn installed_csvs<'c>(csvs: &[&'c Csv]) -> Result<Vec<&'c Csv>, String> {
    let mut chains = Chains::of(csvs);
    let mut installed = Vec::new();
    for &csv in csvs {
        let last = chains.last(csv)?;
        if !(is_in(csv, "Replacing") && is_in(last, "Failed")) {
            installed.push(csv);
        }
    }
    Ok(installed)
}

/// The chains of CSVs that replace each other.
struct Chains<'c> {
    /// The CSV that replaces the one with the given name; of several the first.
    successors: BTreeMap<&'c BundleName, &'c Csv>,
    /// The last CSV of the chain of the one with the given name. Each CSV is visited once, so that long chains stay cheap.
    last: BTreeMap<&'c BundleName, &'c Csv>,
}

impl<'c> Chains<'c> {
    fn of(csvs: &[&'c Csv]) -> Self {
        let mut successors = BTreeMap::new();
        for &csv in csvs {
            if let Some(replaced) = &csv.replaces {
                successors.entry(replaced).or_insert(csv);
            }
        }
        Self { successors, last: BTreeMap::new() }
    }

    /// The last CSV of the chain that starts with `first`. All before it must be in phase `Replacing`.
    fn last(&mut self, first: &'c Csv) -> Result<&'c Csv, String> {
        let mut seen = BTreeSet::new();
        let mut current = first;
        let last = loop {
            let name = &current.installed.name;
            if let Some(last) = self.last.get(name) {
                break *last;
            }
            if !seen.insert(name) {
                return Err(format!("csv {}/{name} has already been seen", current.namespace));
            }
            let Some(next) = self.successors.get(name) else { break current };
            if !is_in(current, "Replacing") {
                let phase = current.phase.as_deref().unwrap_or_default();
                return Err(format!("csv {}/{name} in phase {phase} instead of Replacing", current.namespace));
            }
            current = next;
        };
        self.last.extend(seen.into_iter().map(|name| (name, last)));
        Ok(last)
    }
}

fn is_in(csv: &Csv, phase: &str) -> bool {
    csv.phase.as_deref() == Some(phase)
}

#[cfg(test)]
mod tests {
    use cluster::{CsvProperties, InstalledCsv};

    use super::*;

    fn csv(name: &str, replaces: &str, phase: &str) -> Csv {
        let properties = CsvProperties::Known([].into());
        let version = go_semver::blang::Version::new(0, 0, 0);
        let installed = InstalledCsv { name: name.into(), version, properties };
        Csv {
            phase: (!phase.is_empty()).then(|| phase.into()),
            replaces: (!replaces.is_empty()).then(|| replaces.into()),
            ..Csv::running("ns", installed)
        }
    }

    #[track_caller]
    fn check(csvs: &[(&str, &str, &str)], expected: Result<&[&str], &str>) {
        let csvs: Vec<Csv> = csvs.iter().map(|(name, replaces, phase)| csv(name, replaces, phase)).collect();
        let installed = installed_csvs(&csvs.iter().collect::<Vec<_>>());
        let names = installed.as_ref().map(|csvs| csvs.iter().map(|csv| csv.installed.name.as_str()).collect());
        assert_eq!(names.map_err(String::as_str), expected.map(<[&str]>::to_vec));
    }

    #[test]
    fn chains_are_followed_to_their_end() {
        let broken = [("a", "", "Replacing"), ("b", "a", "Replacing"), ("c", "b", "Failed"), ("d", "", "Failed")];
        check(&broken, Ok(&["c", "d"]));
        let on_the_way = [("a", "", "Replacing"), ("b", "a", "Replacing"), ("c", "b", "Pending")];
        check(&on_the_way, Ok(&["a", "b", "c"]));
        check(&[("a", "", ""), ("b", "a", "Failed")], Err("csv ns/a in phase  instead of Replacing"));
        check(&[("a", "b", "Replacing"), ("b", "a", "Replacing")], Err("csv ns/a has already been seen"));
        check(&[("a", "a", "Replacing")], Err("csv ns/a has already been seen"));
        // Of two CSVs that replace the same one, the first by name counts.
        check(&[("a", "", "Replacing"), ("b", "a", "Succeeded"), ("c", "a", "Failed")], Ok(&["a", "b", "c"]));
    }

    #[test]
    fn a_long_chain_is_visited_once() {
        let name = |at: usize| format!("{at:05}");
        let phase = |at| if at == 30_000 { "Failed" } else { "Replacing" };
        let chain: Vec<Csv> = (1..=30_000).map(|at| csv(&name(at), &name(at - 1), phase(at))).collect();
        let installed = installed_csvs(&chain.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(installed.len(), 1);
    }
}
