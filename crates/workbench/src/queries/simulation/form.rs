//! Makes a cluster of the form: one namespace with its Subscriptions and what is installed for them.

use super::scenario::{Scenario, snapshots};
use super::{extension_form, extensions};
use crate::catalog_input::DEFAULT_NAMESPACE;
use crate::{CatalogInput, Workbench};
use catalog::BundleName;
use resolver::{CatalogKey, CsvProperties, Entry, InstalledCsv};
use simulate::{CatalogSource, Cluster, Csv, OperatorGroup, Subscription, TargetNamespaces};
use source::nearest;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use views::{CatalogId, ClusterForm, SubscriptionForm};

/// The global catalog namespace of OpenShift; that of upstream OLM is `olm`.
const OPENSHIFT: &str = "openshift-marketplace";

/// The namespace of the simulated Subscriptions; it is shown nowhere but in OLM's own texts.
pub(super) const NAMESPACE: &str = "operators";

pub(super) fn scenario(workbench: &Workbench, form: &ClusterForm) -> Scenario {
    let mut cluster = Cluster { catalog_sources: catalog_sources(workbench), ..Cluster::default() };
    cluster.global_namespace = global_namespace(workbench).into();
    cluster.operator_groups.push(OperatorGroup {
        namespace: NAMESPACE.into(),
        name: NAMESPACE.into(),
        excludes_global: false,
        fail_forward: false,
        targets: TargetNamespaces::All,
    });
    let bound: BTreeMap<CatalogKey, CatalogId> = workbench.catalogs().iter().rev().map(|c| (key(c), c.id)).collect();
    let snapshots = snapshots(workbench, &cluster, &bound);
    let objects = extension_form::read(workbench, form);
    let mut notices = catalog_notices(workbench, &cluster);
    notices.extend(extensions::notices(workbench, &objects.manifests));
    let mut scenario = Scenario {
        cluster,
        namespace: NAMESPACE.into(),
        snapshots,
        bound,
        notices,
        manifests: None,
        text: None,
        unreachable: BTreeMap::new(),
        form: Some(form.clone()),
        rows: BTreeMap::new(),
        extensions: extensions::views(workbench, &objects.manifests, None),
        faults: objects.faults,
    };
    for (at, (subscription, name)) in form.subscriptions.iter().zip(form.names()).enumerate() {
        scenario.subscribe(workbench, subscription, &name, at);
    }
    scenario
}

/// The namespace whose catalogs every namespace can use: that of OpenShift if a catalog is there and none in that of upstream
/// OLM.
pub(super) fn global_namespace(workbench: &Workbench) -> &'static str {
    let has_catalog = |namespace| workbench.catalogs().iter().any(|catalog| catalog.namespace == namespace);
    if has_catalog(OPENSHIFT) && !has_catalog(DEFAULT_NAMESPACE) { OPENSHIFT } else { DEFAULT_NAMESPACE }
}

fn with_package<'c>(catalogs: &'c [CatalogInput], package: &str) -> Option<&'c CatalogInput> {
    catalogs.iter().find(|catalog| catalog.analysis.catalog.package(package).is_some())
}

/// The catalog for a package that no catalog has: the one with the nearest name, so that the name can be suggested. A
/// Subscription always names a catalog, and OLM looks in no other.
fn likely<'c>(catalogs: &'c [CatalogInput], package: &str) -> Option<&'c CatalogInput> {
    let names =
        catalogs.iter().flat_map(|catalog| &catalog.analysis.catalog.packages).map(|package| package.name.as_str());
    nearest(package, names).first().and_then(|name| with_package(catalogs, name)).or(catalogs.first())
}

fn key(catalog: &CatalogInput) -> CatalogKey {
    CatalogKey::new(&catalog.name, &catalog.namespace)
}

/// A CatalogSource for each catalog, except those whose name and namespace an earlier one has.
pub(super) fn catalog_sources(workbench: &Workbench) -> Vec<CatalogSource> {
    let mut sources: Vec<CatalogSource> = Vec::new();
    for catalog in workbench.catalogs() {
        let key = key(catalog);
        if sources.iter().all(|source| source.key != key) {
            sources.push(CatalogSource { key, priority: catalog.priority, image: None });
        }
    }
    sources
}

/// Notices about catalogs of the same name, and about catalogs that the namespace cannot use.
fn catalog_notices(workbench: &Workbench, cluster: &Cluster) -> Vec<String> {
    let mut notices = Vec::new();
    let mut keys = BTreeSet::new();
    for catalog in workbench.catalogs() {
        if !keys.insert((&catalog.name, &catalog.namespace)) {
            let (name, namespace) = (&catalog.name, &catalog.namespace);
            notices.push(format!("two catalogs are named `{name}` in namespace `{namespace}`; only the first is used"));
            continue;
        }
        if catalog.namespace != *cluster.global_namespace && catalog.namespace != NAMESPACE {
            notices.push(format!(
                "catalog `{}` is in namespace `{}`, so the Subscriptions in `{NAMESPACE}` cannot use it; catalogs in `{}` can be used in every namespace",
                catalog.name, catalog.namespace, cluster.global_namespace
            ));
        }
    }
    notices
}

impl Scenario {
    fn subscribe(&mut self, workbench: &Workbench, form: &SubscriptionForm, name: &str, at: usize) {
        if form.package.is_empty() {
            return;
        }
        let catalog = self.catalog(workbench, form);
        let installed = (!form.installed.is_empty()).then(|| BundleName::from(form.installed.as_str()));
        if let Some(csv) = &installed {
            self.install(form, csv, catalog.as_ref());
        }
        let spec = resolver::Subscription {
            name: name.into(),
            package: form.package.as_str().into(),
            channel: (!form.channel.is_empty()).then(|| form.channel.as_str().into()),
            catalog,
            starting_csv: (!form.starting_csv.is_empty()).then(|| form.starting_csv.as_str().into()),
            installed_csv: installed.clone(),
        };
        self.rows.insert(Arc::clone(&spec.name), at);
        self.cluster.subscriptions.push(Subscription {
            namespace: NAMESPACE.into(),
            spec,
            approval: form.approval,
            current_csv: installed,
            config: BTreeSet::new(),
            status: simulate::SubscriptionStatus::default(),
        });
    }

    /// The catalog that the form names; without a name the first that has the package.
    fn catalog(&mut self, workbench: &Workbench, form: &SubscriptionForm) -> Option<CatalogKey> {
        let catalogs = workbench.catalogs();
        if form.catalog.is_empty() {
            let own = with_package(catalogs, &form.package).or_else(|| {
                self.notices.push(format!("no loaded catalog has a package `{}`", form.package));
                likely(catalogs, &form.package)
            });
            return Some(own.map_or_else(|| CatalogKey::new("", &self.cluster.global_namespace), key));
        }
        let named = catalogs.iter().find(|catalog| catalog.name == form.catalog);
        Some(named.map(key).unwrap_or_else(|| {
            self.notices.push(format!("no catalog named `{}` is loaded", form.catalog));
            CatalogKey::new(&form.catalog, &self.cluster.global_namespace)
        }))
    }

    /// Adds the CSV that is installed, with the properties that OLM copied from its bundle.
    fn install(&mut self, form: &SubscriptionForm, name: &BundleName, catalog: Option<&CatalogKey>) {
        if self.cluster.csvs.iter().any(|csv| csv.installed.name == *name) {
            return;
        }
        let own_first = |entry: &&Entry| entry.channel.as_str() != form.channel;
        let mut catalogs: Vec<_> = self.snapshots.iter().collect();
        catalogs.sort_by_key(|(key, _)| Some(*key) != catalog);
        let entry = catalogs.into_iter().find_map(|(_, snapshot)| {
            let entries = snapshot.listing.entries().iter().filter(|entry| entry.name == *name);
            entries.min_by_key(own_first)
        });
        let csv = match entry {
            Some(entry) => Csv::from_bundle(NAMESPACE, entry, None),
            None => {
                self.notices.push(format!("no loaded catalog has the installed `{name}`, so what it provides and requires is unknown, and its version is taken from its name"));
                unknown_csv(name)
            }
        };
        self.cluster.csvs.push(csv);
    }
}

fn unknown_csv(name: &BundleName) -> Csv {
    let version = update_graph::version_in(name.as_str()).unwrap_or(blang_semver::Version::new(0, 0, 0));
    let properties = CsvProperties::Inferred { provided: Vec::new(), required: Vec::new() };
    Csv {
        namespace: NAMESPACE.into(),
        installed: InstalledCsv { name: name.clone(), version, properties },
        phase: Some("Succeeded".into()),
        replaces: None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{form, workbench};
    use views::{FailureView, InputEdit, SubscriptionForm};

    fn failure(catalogs: &[(&str, &str)], spec: SubscriptionForm) -> FailureView {
        let view = workbench(catalogs).with_cluster(&form(&[spec])).simulate("");
        view.outcomes[0].steps[0].failure.clone().unwrap()
    }

    #[test]
    fn an_unknown_package_is_searched_in_the_catalog_with_the_nearest_name() {
        let first = "package kettle c\nchannel kettle c kettle.v1.0.0\nbundle kettle 1.0.0";
        let second = "package app c\nchannel app c app.v1.0.0\nbundle app 1.0.0";
        for catalog in ["", "second"] {
            let spec = SubscriptionForm {
                package: "appp".to_owned(),
                catalog: catalog.to_owned(),
                ..SubscriptionForm::default()
            };
            let found = failure(&[("first", first), ("second", second)], spec.clone());
            let said = "no operators found in package appp in the catalog referenced by subscription appp";
            assert!(found.message.text.contains(said), "{}", found.message.text);
            let hints: Vec<_> = found.conflicts[0].funnels.iter().flat_map(|funnel| &funnel.hints).collect();
            let meant = SubscriptionForm { package: "app".to_owned(), ..spec };
            let trial =
                InputEdit::Form(views::ClusterForm { subscriptions: vec![meant], ..views::ClusterForm::default() });
            assert_eq!((hints[0].text.as_str(), &hints[0].edit), ("Did you mean package `app`?", &Some(trial)));
        }
        let far = SubscriptionForm { package: "zzz".to_owned(), ..SubscriptionForm::default() };
        let text = failure(&[("first", first)], far).conflicts[0].funnels[0].stages[0].text.clone();
        assert_eq!(text, "in catalog `first`", "it has a name all the same");
    }
}
