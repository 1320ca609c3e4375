//! The ClusterExtensions of the manifests as the planner reads them.

use super::served::note;
use cluster::{CatalogName, ClusterCatalog, ClusterExtension, Manifests};
use extension::{CatalogState, Readiness, Refusal, Resolved};
use openshift::plans::{ExtensionOnWay, Plans};
use openshift::sets::CatalogSet;
use views::OpenShift;

/// What OLM v1 sees: its objects, and the sets that its ClusterCatalogs follow.
pub(super) struct SeenByV1<'m, 's> {
    pub(super) manifests: &'m Manifests,
    /// With the names of those that have one.
    pub(super) sets: &'m [(Option<&'m str>, &'s CatalogSet)],
}

impl<'s> SeenByV1<'_, 's> {
    /// The set of each ClusterCatalog: the one of its name, else a single one without a name. Manifests without ClusterCatalogs have
    /// one for each set.
    fn followed(&self) -> Vec<(ClusterCatalog, &'s CatalogSet)> {
        let mut unnamed = self.sets.iter().filter(|(name, _)| name.is_none()).map(|(_, set)| *set);
        let single = unnamed.next().filter(|_| unnamed.next().is_none());
        if !self.manifests.has_cluster_catalogs() {
            let catalog = |name: Option<&str>| ClusterCatalog::new(CatalogName::from(name.unwrap_or("catalog")));
            return self.sets.iter().map(|(name, set)| (catalog(*name), *set)).collect();
        }
        let set_of = |catalog: &ClusterCatalog| {
            let named = self.sets.iter().find(|(name, _)| *name == Some(catalog.name.as_str()));
            named.map(|(_, set)| *set).or(single)
        };
        let catalogs = self.manifests.cluster_catalogs.iter();
        catalogs.filter_map(|catalog| Some((catalog.clone(), set_of(catalog)?))).collect()
    }

    /// Adds the plans of the ClusterExtensions, and what the ClusterOperators of OLM report.
    pub(super) fn add_to(&self, plans: &mut Plans, way: &[OpenShift]) {
        let followed = self.followed();
        let refusals = |extension: &ClusterExtension, at: usize, resolved: &Resolved| -> Vec<Refusal> {
            let set = followed.iter().find(|(catalog, _)| catalog.name == resolved.catalog).map(|(_, set)| *set);
            let found = set.and_then(|set| {
                let catalog = &set.member(*way.get(at)?)?.catalog;
                let bundle = catalog.package(extension.package.as_str())?.bundle(resolved.bundle.as_str())?;
                let file = set.files.get(bundle.span.file.0 as usize)?;
                Some(Readiness::of(bundle, Some(&file.text), extension.olm).refusals_for(extension))
            });
            found.unwrap_or_default()
        };
        let states = |extension: &ClusterExtension, version: OpenShift| -> Vec<CatalogState<'_>> {
            let selected = followed.iter().filter(|(catalog, _)| extension.selector.matches(catalog) == Ok(true));
            selected
                .filter_map(|(object, set)| Some(CatalogState { object, content: Some(&set.member(version)?.catalog) }))
                .collect()
        };
        let on_way = self.manifests.cluster_extensions.iter().map(|extension| ExtensionOnWay {
            extension,
            catalogs: way.iter().map(|version| states(extension, *version)).collect(),
            refusals: &refusals,
        });
        let on_way: Vec<ExtensionOnWay<'_>> = on_way.collect();
        plans.add_olm_v1(way, &on_way, &self.manifests.not_upgradeable);
    }

    /// Of each ClusterCatalog that an extension sees, which catalog it is taken to serve on each version.
    pub(super) fn notes(&self, way: &[OpenShift]) -> Vec<String> {
        let followed = self.followed();
        let is_seen = |catalog: &ClusterCatalog| {
            self.manifests.cluster_extensions.iter().any(|one| one.selector.matches(catalog) == Ok(true))
        };
        let seen = followed.iter().filter(|(catalog, _)| is_seen(catalog));
        seen.map(|(catalog, set)| {
            note(catalog.name.as_str(), way.iter().map(|version| (version, set.member(*version))))
        })
        .collect()
    }
}
