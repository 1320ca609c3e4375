//! Finds the loaded catalog for each CatalogSource of manifests, and says how to get those that are missing.

use crate::catalog_input::DEFAULT_NAMESPACE;
use crate::{CatalogInput, Workbench};
use catalog::predicate::PackageName;
use resolver::CatalogKey;
use simulate::{CatalogSource, Cluster, Subscription};
use source::{ShellCommand, is_image_name, object_name};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use views::{BoundSource, CatalogId, OpenShift};

/// The global catalog namespaces of upstream OLM and of OpenShift.
const GLOBAL: [&str; 2] = [DEFAULT_NAMESPACE, "openshift-marketplace"];

/// The CatalogSources of a cluster with their catalogs.
pub(in crate::queries) struct Sources {
    pub(in crate::queries) rows: Vec<BoundSource>,
    /// What was assumed, a sentence each.
    pub(super) assumptions: Vec<String>,
    /// The loaded catalogs that no CatalogSource names.
    pub(super) unused: Vec<CatalogId>,
}

/// Binds each CatalogSource to the loaded catalog of its name and namespace, else of its name alone. A single
/// CatalogSource gets a single catalog whatever its name, and a catalog that is named after the cluster's version of OpenShift
/// stands for the CatalogSource whose packages it has. Manifests without CatalogSources get those that their
/// Subscriptions name and one for each further catalog.
pub(in crate::queries) fn bind(workbench: &Workbench, cluster: &mut Cluster) -> Sources {
    let are_given = !cluster.catalog_sources.is_empty();
    if !are_given {
        cluster.catalog_sources = subscribed_sources(workbench, cluster);
    }
    let mut rows: Vec<BoundSource> = cluster.catalog_sources.iter().map(|source| row(workbench, source)).collect();
    let mut assumptions: Vec<String> = pair_single(workbench, &mut rows).into_iter().collect();
    let expected = expected_packages(cluster);
    let of_openshift = pair_openshift(workbench, cluster, &expected, &mut rows);
    let is_paired = of_openshift.is_some();
    assumptions.extend(of_openshift);
    let mut unused: Vec<CatalogId> = workbench.catalogs().iter().map(|catalog| catalog.id).collect();
    unused.retain(|id| rows.iter().all(|row| row.catalog != Some(*id)));
    for source in rows.iter_mut().filter(|source| source.catalog.is_none()) {
        source.candidates = candidates(workbench, &expected, source, &unused);
    }
    if !are_given {
        let is_used =
            |source: &CatalogSource| cluster.catalog_sources.iter().any(|other| other.key.name == source.key.name);
        let mut own = catalog_sources(workbench);
        let is_paired = is_paired || unused.is_empty();
        own.retain(|source| !is_paired && !is_used(source));
        rows.extend(own.iter().map(|source| row(workbench, source)));
        cluster.catalog_sources.extend(own);
        cluster.global_namespace = global_namespace(workbench, cluster).into();
        unused.clear();
        assumptions.extend(catalog_notices(workbench, cluster, &rows));
    }
    assumptions.extend(unknown_packages(workbench, cluster));
    Sources { rows, assumptions, unused }
}

/// The minor version of OpenShift that the cluster has, if the manifests say it.
pub(crate) fn release(cluster: &Cluster) -> Option<OpenShift> {
    let version = cluster.openshift.as_ref()?;
    format!("{}.{}", version.major(), version.minor()).parse().ok()
}

/// A CatalogSource for each catalog, except those whose name and namespace an earlier one has.
fn catalog_sources(workbench: &Workbench) -> Vec<CatalogSource> {
    let mut sources: Vec<CatalogSource> = Vec::new();
    for catalog in workbench.catalogs() {
        let key = CatalogKey::new(&catalog.name, &catalog.namespace);
        if sources.iter().all(|source| source.key != key) {
            sources.push(CatalogSource::new(key, catalog.priority));
        }
    }
    sources
}

/// Notices about catalogs of the same name, and about catalogs that no namespace with Subscriptions can use.
fn catalog_notices(workbench: &Workbench, cluster: &Cluster, rows: &[BoundSource]) -> Vec<String> {
    let mut notices = Vec::new();
    let mut keys = BTreeSet::new();
    let homes = cluster.namespaces();
    let is_visible = |row: &BoundSource| {
        *row.namespace == *cluster.global_namespace || homes.iter().any(|home| **home == *row.namespace)
    };
    for CatalogInput { id, name, namespace, .. } in workbench.catalogs() {
        if !keys.insert((name, namespace)) {
            notices.push(format!("two catalogs are named `{name}` in namespace `{namespace}`; only the first is used"));
            continue;
        }
        if !homes.is_empty() && !rows.iter().any(|row| row.catalog == Some(*id) && is_visible(row)) {
            notices.push(format!(
                "catalog `{name}` is in namespace `{namespace}`, so no Subscription can use it; catalogs in `{}` can be used in every namespace",
                cluster.global_namespace
            ));
        }
    }
    notices
}

/// Says which packages that Subscriptions name no loaded catalog has.
fn unknown_packages(workbench: &Workbench, cluster: &Cluster) -> impl Iterator<Item = String> {
    let named: BTreeSet<&PackageName> = cluster.subscriptions.iter().map(|row| &row.spec.package).collect();
    let is_known = |name: &&PackageName| {
        workbench.catalogs().iter().any(|catalog| catalog.analysis.catalog.package(name.as_str()).is_some())
    };
    named
        .into_iter()
        .filter(move |name| !is_known(name))
        .map(|name| format!("no loaded catalog has a package `{name}`"))
}

/// Binds the only CatalogSource to the only catalog, and says so.
fn pair_single(workbench: &Workbench, rows: &mut [BoundSource]) -> Option<String> {
    let ([source], [catalog]) = (rows, workbench.catalogs()) else { return None };
    if source.catalog.is_some() {
        return None;
    }
    source.catalog = Some(catalog.id);
    Some(pairing(&source.name, &source.namespace, &catalog.name))
}

/// Binds the catalog that is named after the cluster's version of OpenShift, as a member of a set is, to the CatalogSource of
/// whose Subscriptions it has most packages, and says so.
fn pair_openshift(
    workbench: &Workbench,
    cluster: &Cluster,
    expected: &BTreeMap<CatalogKey, BTreeSet<PackageName>>,
    rows: &mut [BoundSource],
) -> Option<String> {
    let openshift = release(cluster)?;
    let is_for = |catalog: &CatalogInput| catalog.name.parse().is_ok_and(|of: OpenShift| of == openshift);
    let catalog = workbench.catalogs().iter().find(|catalog| is_for(catalog))?;
    if rows.iter().any(|row| row.catalog == Some(catalog.id)) {
        return None;
    }
    let counted = rows.iter_mut().filter(|row| row.catalog.is_none()).rev();
    let counted = counted.map(|row| (count(expected, row, catalog), row));
    let (_, source) = counted.filter(|(count, _)| *count > 0).max_by_key(|(count, _)| *count)?;
    source.catalog = Some(catalog.id);
    let BoundSource { name, namespace, .. } = source;
    Some(format!(
        "catalog `{}` is used as CatalogSource `{name}` in `{namespace}`, because the cluster has OpenShift {openshift}",
        catalog.name
    ))
}

/// How many of the packages that Subscriptions expect of a CatalogSource a catalog has.
fn count(
    expected: &BTreeMap<CatalogKey, BTreeSet<PackageName>>,
    source: &BoundSource,
    catalog: &CatalogInput,
) -> usize {
    let packages = expected.get(&CatalogKey::new(&source.name, &source.namespace));
    let is_there = |name: &&PackageName| catalog.analysis.catalog.package(name.as_str()).is_some();
    packages.into_iter().flatten().filter(is_there).count()
}

/// Says that the only catalog is used as the only CatalogSource, whose name differs.
pub fn pairing(source: &str, namespace: &str, catalog: &str) -> String {
    format!("catalog `{catalog}` is used as CatalogSource `{source}` in `{namespace}`, because there is no other")
}

/// The CatalogSources that Subscriptions name, each once.
fn subscribed_sources(workbench: &Workbench, cluster: &Cluster) -> Vec<CatalogSource> {
    let keys: BTreeSet<&CatalogKey> =
        cluster.subscriptions.iter().filter_map(|subscription| subscription.spec.catalog.as_ref()).collect();
    let source = |key: &CatalogKey| {
        let priority = named(workbench, key).map_or(0, |catalog| catalog.priority);
        CatalogSource::new(key.clone(), priority)
    };
    keys.into_iter().filter(|key| !key.name.is_empty()).map(source).collect()
}

fn named<'w>(workbench: &'w Workbench, key: &CatalogKey) -> Option<&'w CatalogInput> {
    let of_name = || workbench.catalogs().iter().filter(|catalog| catalog.name == *key.name);
    of_name().find(|catalog| catalog.namespace == *key.namespace).or_else(|| of_name().next())
}

fn row(workbench: &Workbench, source: &CatalogSource) -> BoundSource {
    BoundSource {
        name: source.key.name.to_string(),
        namespace: source.key.namespace.to_string(),
        priority: source.priority,
        catalog: named(workbench, &source.key).map(|catalog| catalog.id),
        candidates: Vec::new(),
        command: command(source),
    }
}

/// The packages that Subscriptions expect of each CatalogSource.
fn expected_packages(cluster: &Cluster) -> BTreeMap<CatalogKey, BTreeSet<PackageName>> {
    let mut expected: BTreeMap<CatalogKey, BTreeSet<PackageName>> = BTreeMap::new();
    for Subscription { spec, .. } in &cluster.subscriptions {
        if let Some(key) = &spec.catalog {
            expected.entry(key.clone()).or_default().insert(spec.package.clone());
        }
    }
    expected
}

/// The unused catalogs, those with most of the packages that Subscriptions expect of the CatalogSource first.
fn candidates(
    workbench: &Workbench,
    expected: &BTreeMap<CatalogKey, BTreeSet<PackageName>>,
    source: &BoundSource,
    unused: &[CatalogId],
) -> Vec<CatalogId> {
    let mut found = unused.to_vec();
    found.sort_by_cached_key(|id| Reverse(workbench.catalog(*id).map(|catalog| count(expected, source, catalog))));
    found
}

/// The global namespace of manifests without CatalogSources: that of OpenShift if Subscriptions name a catalog there and
/// none in that of upstream OLM; without such names, that of the loaded catalogs.
fn global_namespace(workbench: &Workbench, cluster: &Cluster) -> &'static str {
    let keys = || cluster.subscriptions.iter().filter_map(|subscription| subscription.spec.catalog.as_ref());
    let is_named = |namespace: &str| keys().any(|key| *key.namespace == *namespace);
    let [upstream, openshift] = GLOBAL;
    match (is_named(upstream), is_named(openshift)) {
        (true, _) => upstream,
        (false, true) => openshift,
        (false, false) => {
            let has_catalog = |namespace| workbench.catalogs().iter().any(|catalog| catalog.namespace == namespace);
            if has_catalog(openshift) && !has_catalog(upstream) { openshift } else { upstream }
        }
    }
}

/// The command that saves the catalog of a CatalogSource as a file of its name, so that it is found by the name.
fn command(source: &CatalogSource) -> Result<String, String> {
    let CatalogKey { name, namespace } = &source.key;
    let (name, namespace) = (object_name(name)?, object_name(namespace)?);
    let render = ShellCommand::new("opm render");
    let render = match source.image.as_deref().filter(|image| is_image_name(image)) {
        Some(image) => render.word(image),
        None => render.output_of(&image_command(name, namespace)),
    };
    Ok(render.with("-o yaml >").word(&format!("{name}.yaml")).to_string())
}

/// The command that prints the image of a CatalogSource.
pub(in crate::queries) fn image_command(name: &str, namespace: &str) -> ShellCommand {
    let command = ShellCommand::new("kubectl get catalogsource").word(name).with("-n").word(namespace);
    command.with("-o jsonpath='{.spec.image}'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;
    use views::{CatalogId, SimulationView};

    const CATALOG: &str = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
    const OTHER: &str = "package q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";

    const OPENSHIFT: &str = "kind: ClusterVersion\napiVersion: config.openshift.io/v1\nmetadata: {name: version}\n\
                             status: {history: [{state: Completed, version: 4.18.3}]}\n---\n";
    const SUBSCRIPTION: &str = "kind: Subscription\nmetadata: {name: s, namespace: ns}\n\
                                spec: {name: p, source: red, sourceNamespace: openshift-marketplace}\n";

    #[test]
    fn a_catalog_for_the_openshift_of_the_cluster_stands_for_the_source_of_its_packages() {
        let view = workbench(&[("4.19", CATALOG), ("4.18", CATALOG)])
            .with_cluster(&format!("{OPENSHIFT}{SUBSCRIPTION}"))
            .simulate("");
        assert_eq!(view.outcomes[0].subscriptions[0].verdict, "installs p.v1.0.0");
        let assumed = "catalog `4.18` is used as CatalogSource `red` in `openshift-marketplace`, because the cluster has \
                       OpenShift 4.18";
        assert_eq!(view.notices[0], assumed);
        let rows = view.manifests.unwrap().sources;
        let bound: Vec<_> = rows.iter().map(|row| (&*row.name, row.catalog)).collect();
        assert_eq!(bound, [("red", Some(CatalogId(1)))]);
    }

    #[test]
    fn without_a_catalog_for_it_no_subscription_is_simulated() {
        let text = format!("{OPENSHIFT}{SUBSCRIPTION}");
        let view = workbench(&[("4.15", CATALOG), ("4.16", CATALOG)]).with_cluster(&text).simulate("");
        assert_eq!(view.outcomes, []);
        let expected = "no loaded catalog stands for a CatalogSource of the namespace, so nothing is simulated";
        assert!(view.notices.contains(&expected.to_owned()), "{:?}", view.notices);
    }

    #[test]
    fn what_fails_for_want_of_a_catalog_gets_no_fix() {
        let other = SUBSCRIPTION.replace("name: s,", "name: t,").replace("name: p,", "name: q,").replace("red", "one");
        let text = format!("{SUBSCRIPTION}---\n{other}");
        let view = workbench(&[("one", OTHER), ("two", CATALOG)]).with_cluster(&text).simulate("");
        let failure = view.outcomes[0].steps[0].failure.as_ref().expect("`red` is not loaded");
        assert_eq!(failure.fixes, []);
    }

    fn simulate(catalogs: &[(&str, &str)], sources: &[&str]) -> SimulationView {
        let source = |name: &&str| {
            format!(
                "kind: CatalogSource\nmetadata: {{name: {name}, namespace: openshift-marketplace}}\nspec: {{image: 'quay.io/{name}:1'}}\n---\n"
            )
        };
        let text: String = sources.iter().map(source).collect();
        let text = text
            + "kind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p, source: red, sourceNamespace: openshift-marketplace}\n";
        workbench(catalogs).with_cluster(&text).simulate("")
    }

    #[test]
    fn one_source_and_one_catalog_are_paired() {
        let assumed =
            "catalog `pasted` is used as CatalogSource `red` in `openshift-marketplace`, because there is no other";
        for sources in [&["red"][..], &[]] {
            let view = simulate(&[("pasted", CATALOG)], sources);
            assert_eq!(view.outcomes[0].subscriptions[0].verdict, "installs p.v1.0.0");
            assert_eq!(view.notices, [assumed]);
        }
    }

    #[test]
    fn a_missing_catalog_has_candidates_and_a_command() {
        let view = simulate(&[("one", OTHER), ("two", CATALOG)], &["red", "blue"]);
        let rows = view.manifests.unwrap().sources;
        let red = (rows[0].name.as_str(), rows[0].catalog, &rows[0].candidates[..], rows[0].command.clone());
        let command = Ok("opm render quay.io/red:1 -o yaml > red.yaml".to_owned());
        let expected = ("red", None, &[CatalogId(1), CatalogId(0)][..], command);
        assert_eq!(red, expected);
    }

    #[test]
    fn a_catalog_that_only_a_subscription_names_is_listed() {
        let view = simulate(&[("one", OTHER), ("two", CATALOG)], &[]);
        let rows = view.manifests.unwrap().sources;
        let names: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.catalog)).collect();
        assert_eq!(names, [("red", None), ("one", Some(CatalogId(0))), ("two", Some(CatalogId(1)))]);
        let command = "opm render \"$(kubectl get catalogsource red -n openshift-marketplace -o jsonpath='{.spec.image}')\" -o yaml > red.yaml";
        assert_eq!(rows[0].command.as_deref(), Ok(command));
    }

    #[test]
    fn an_image_that_is_none_is_not_in_the_command() {
        let source = |name| CatalogSource {
            image: Some("$(reboot)".into()),
            ..CatalogSource::new(CatalogKey::new(name, "olm"), 0)
        };
        let expected =
            "opm render \"$(kubectl get catalogsource red -n olm -o jsonpath='{.spec.image}')\" -o yaml > red.yaml";
        assert_eq!(command(&source("red")).as_deref(), Ok(expected));
        assert!(command(&source("red; reboot")).unwrap_err().contains("`red; reboot`"));
    }
}
