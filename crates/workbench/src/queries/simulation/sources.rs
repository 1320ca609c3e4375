//! Finds the loaded catalog for each CatalogSource of manifests, and says how to get those that are missing.

use crate::catalog_input::DEFAULT_NAMESPACE;
use crate::{CatalogInput, Workbench};
use predicate::PackageName;
use resolver::CatalogKey;
use simulate::{CatalogSource, Cluster, Subscription};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use views::{BoundSource, CatalogId};

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
/// CatalogSource gets a single catalog whatever its name. Manifests without CatalogSources get those that their
/// Subscriptions name and one for each further catalog.
pub(in crate::queries) fn bind(workbench: &Workbench, cluster: &mut Cluster) -> Sources {
    let are_given = !cluster.catalog_sources.is_empty();
    if !are_given {
        cluster.catalog_sources = subscribed_sources(workbench, cluster);
    }
    let mut rows: Vec<BoundSource> = cluster.catalog_sources.iter().map(|source| row(workbench, source)).collect();
    let mut assumptions: Vec<String> = pair_single(workbench, &mut rows).into_iter().collect();
    let mut unused: Vec<CatalogId> = workbench.catalogs().iter().map(|catalog| catalog.id).collect();
    unused.retain(|id| rows.iter().all(|row| row.catalog != Some(*id)));
    let expected = expected_packages(cluster);
    for source in rows.iter_mut().filter(|source| source.catalog.is_none()) {
        source.candidates = candidates(workbench, &expected, source, &unused);
    }
    if !are_given {
        let is_used =
            |source: &CatalogSource| cluster.catalog_sources.iter().any(|other| other.key.name == source.key.name);
        let mut own = catalog_sources(workbench);
        let is_paired = unused.is_empty();
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
    let packages = expected.get(&CatalogKey::new(&source.name, &source.namespace));
    let count = |id: &CatalogId| {
        let catalog = workbench.catalog(*id).map(|catalog| &catalog.analysis.catalog);
        let is_there = |name: &PackageName| catalog.is_some_and(|catalog| catalog.package(name.as_str()).is_some());
        packages.into_iter().flatten().filter(|name| is_there(name)).count()
    };
    let mut found = unused.to_vec();
    found.sort_by_cached_key(|id| Reverse(count(id)));
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
fn command(source: &CatalogSource) -> String {
    let CatalogKey { name, namespace } = &source.key;
    let (name, namespace) = (shell_word(name), shell_word(namespace));
    let image = match &source.image {
        Some(image) => shell_word(image),
        None => format!("\"$(kubectl get catalogsource {name} -n {namespace} -o jsonpath='{{.spec.image}}')\""),
    };
    format!("opm render {image} -o yaml > {name}.yaml")
}

/// A text as one word of a shell command, in quotes if it has characters with a meaning for the shell.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::shell_word;
    use crate::testing::workbench;
    use views::{CatalogId, SimulationView};

    const CATALOG: &str = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
    const OTHER: &str = "package q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";

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
        let red = (rows[0].name.as_str(), rows[0].catalog, &rows[0].candidates[..], rows[0].command.as_str());
        let expected = ("red", None, &[CatalogId(1), CatalogId(0)][..], "opm render quay.io/red:1 -o yaml > red.yaml");
        assert_eq!(red, expected);
    }

    #[test]
    fn a_catalog_that_only_a_subscription_names_is_listed() {
        let view = simulate(&[("one", OTHER), ("two", CATALOG)], &[]);
        let rows = view.manifests.unwrap().sources;
        let names: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.catalog)).collect();
        assert_eq!(names, [("red", None), ("one", Some(CatalogId(0))), ("two", Some(CatalogId(1)))]);
        let command = "opm render \"$(kubectl get catalogsource red -n openshift-marketplace -o jsonpath='{.spec.image}')\" -o yaml > red.yaml";
        assert_eq!(rows[0].command, command);
    }

    #[test]
    fn names_with_a_meaning_for_the_shell_are_quoted() {
        assert_eq!(shell_word("quay.io/a@sha256:0"), "quay.io/a@sha256:0");
        assert_eq!(shell_word("a; rm 'b'"), r"'a; rm '\''b'\'''");
    }
}
