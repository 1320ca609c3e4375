//! Subscriptions as ClusterExtensions, and what OLM v1 refuses in the bundles of a package.

use crate::package;
use crate::simulation::current_states;
use ::migration::{CatalogContent, Inputs, Objects, migration_view, readiness_view};
use cluster::{CatalogKey, Cluster};
use session::{CatalogInput, Workbench};
use source::FileId;
use std::collections::{BTreeMap, BTreeSet};
use views::{CatalogId, MigrationView, PackageKey, ReadinessView, Verdict};

/// What becomes of the Subscriptions and CatalogSources of the cluster under OLM v1, in all namespaces, with the objects to
/// apply.
#[must_use]
pub fn migration(workbench: &Workbench) -> MigrationView {
    let scenario = crate::simulation::scenario(workbench, "");
    let (mut cluster, namespaces) =
        current_states(workbench, scenario.clone(), scenario.cluster, |state| state.now.verdict == Verdict::Passes);
    let (_, read) = workbench.cluster_manifests();
    add_unbound_sources(&mut cluster, &read.cluster);
    let bound = scenario.bound.iter().filter_map(|(key, id)| Some((key.clone(), content(workbench.catalog(*id)?))));
    let contents: BTreeMap<CatalogKey, CatalogContent<'_>> = bound.collect();
    let text = workbench.manifests();
    let view = migration_view(&Inputs {
        cluster: &cluster,
        cluster_catalogs: &read.cluster_catalogs,
        extensions: &read.cluster_extensions,
        contents: &contents,
        objects: &Objects::of(text.text(), text.nodes()),
        olm: read.olm_v1,
    });
    let used: BTreeSet<CatalogId> = scenario.bound.values().copied().collect();
    let rejected = used.iter().filter_map(|id| rejected(workbench.catalog(*id)?));
    // With ClusterExtensions it is among the others.
    let assumed = read.assumed_olm_v1.clone().filter(|_| !read.has_extensions());
    let notices = scenario.notices.into_iter().chain(rejected).chain(assumed).chain(view.notices).collect();
    MigrationView { namespaces, notices, ..view }
}

/// What OLM v1 refuses in each bundle of a package, as far as its catalog shows it. `None` without such a package.
#[must_use]
pub fn readiness(workbench: &Workbench, key: &PackageKey) -> Option<ReadinessView> {
    let (catalog, package) = package(workbench, key)?;
    readiness_view(&content(catalog), &package.name, workbench.cluster_manifests().1.olm_v1)
}

/// Adds the CatalogSources without a loaded catalog, which the simulation leaves out: their images are known.
fn add_unbound_sources(cluster: &mut Cluster, read: &Cluster) {
    for source in &read.catalog_sources {
        if cluster.catalog_sources.iter().all(|known| known.key != source.key) {
            cluster.catalog_sources.push(source.clone());
        }
    }
}

/// A catalog with the texts of its files.
fn content(catalog: &CatalogInput) -> CatalogContent<'_> {
    let texts = catalog.files.iter().map(|file| (FileId(file.key.0), file.text.as_str()));
    CatalogContent { catalog: &catalog.analysis.catalog, texts: texts.collect() }
}

/// The notice that `opm` rejects a catalog.
fn rejected(catalog: &CatalogInput) -> Option<String> {
    catalog.rejection()?;
    let name = &catalog.name;
    Some(format!("`opm` rejects catalog `{name}`, so OLM v0 gets nothing from it; OLM v1 validates no catalog"))
}

#[cfg(test)]
mod tests {
    use crate::migration;
    use crate::testing::{form, with_form};
    use session::Workbench;
    use session::testing::{workbench, yaml};
    use views::{CatalogMigrationStatus, SubscriptionForm};

    const CATALOG: &str = "package p c\nchannel p c p.v1.0.0 p.v2.0.0>p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
    const CLUSTER: &str = "kind: CatalogSource
metadata: {name: c, namespace: olm}
spec: {image: 'example.com/c:1'}
---
kind: Subscription
metadata: {name: my-p, namespace: operators}
spec: {name: p, channel: c, source: c, sourceNamespace: olm}
";

    #[test]
    fn the_manifests_have_the_image_of_a_catalog_source_that_is_not_loaded() {
        let cluster = CLUSTER.replace("source: c,", "source: other,")
            + "---\nkind: CatalogSource\nmetadata: {name: other, namespace: olm}\nspec: {image: 'example.com/other:1'}\n";
        let view = migration(&workbench(&[("c", CATALOG)]).with_cluster(&cluster));
        assert_eq!(view.catalogs[1].status, CatalogMigrationStatus::New);
        assert!(view.manifests.contains("ref: example.com/other:1\n"), "{}", view.manifests);
    }

    #[test]
    fn a_form_is_migrated_too() {
        let row = SubscriptionForm {
            package: "p".to_owned(),
            installed: "p.v1.0.0".to_owned(),
            ..SubscriptionForm::default()
        };
        let view = migration(&with_form(Workbench::new().with_text("c", "catalog.yaml", yaml(CATALOG)), &form(&[row])));
        let group = &view.groups[0];
        assert_eq!((group.subscriptions[0].subscription.as_str(), group.installed.as_deref()), ("p", Some("p.v1.0.0")));
    }

    #[test]
    fn a_catalog_that_opm_rejects_is_noticed() {
        let broken = CATALOG.replace("package p c\n", "package p d\n");
        let notices = migration(&workbench(&[("c", &broken)]).with_cluster(CLUSTER)).notices;
        let expected = "`opm` rejects catalog `c`, so OLM v0 gets nothing from it; OLM v1 validates no catalog";
        let assumed = "OLM v1 is taken for the newest release, with the defaults of its feature gates";
        assert_eq!(notices, [expected, assumed]);
    }
}
