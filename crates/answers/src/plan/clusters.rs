//! Clusters to plan for, where no manifests are given: of Subscriptions, and of every head of a catalog.

use crate::lookup::installed_csv;
use catalog::predicate::{PackageName, Property};
use catalog::{BundleName, Catalog, Package};
use cluster::{CatalogKey, CatalogSource, Cluster, Csv, CsvProperties, InstalledCsv, Subscription, SubscriptionStatus};
use source::Spanned;
use std::collections::{BTreeMap, BTreeSet};
use views::SubscriptionForm;

/// The namespace of operators that no manifests name.
const NAMESPACE: &str = "operators";

/// A cluster with these Subscriptions in one namespace. `sources` have the catalog of each CatalogSource on the first version of the
/// way, and those of later versions, in which an installed version is looked up that the first no longer has.
///
/// # Errors
/// When no catalog has a package, a channel or an installed version.
pub(crate) fn subscribed_cluster(
    forms: &[SubscriptionForm],
    sources: &BTreeMap<CatalogKey, Vec<&Catalog>>,
) -> Result<Cluster, String> {
    let mut cluster = empty(sources.keys());
    for form in forms {
        let (key, package) = package_of(form, sources)?;
        let channel = channel_of(form, package)?;
        let others = sources[key].iter().filter_map(|catalog| catalog.package(&form.package));
        let states: Vec<&Package> = std::iter::once(package).chain(others).collect();
        let name = match &*form.installed {
            "" => None,
            text => Some(installed_csv(&states, text)?),
        };
        add(&mut cluster, key, package, Some(channel), name);
    }
    Ok(cluster)
}

/// The nearest of the known names, as the end of a message.
fn did_you_mean<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    let near = source::nearest(name, known);
    near.first().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// A cluster for each channel of the first catalog of a source, with the head of the channel installed: the state of a cluster that is
/// up to date.
pub(super) fn head_clusters(key: &CatalogKey, catalog: &Catalog) -> Vec<Cluster> {
    let mut found = Vec::new();
    for package in &catalog.packages {
        for channel in &package.channels {
            let Ok(chain) = update_graph::UpdateChain::of(package, channel) else { continue };
            let Some(head) = chain.entries.first() else { continue };
            let mut cluster = empty([key]);
            add(&mut cluster, key, package, Some(channel.name.value.clone()), Some(head.name.value.clone()));
            found.push(cluster);
        }
    }
    found
}

fn empty<'k>(keys: impl IntoIterator<Item = &'k CatalogKey>) -> Cluster {
    let sources = keys.into_iter().map(|key| CatalogSource::new(key.clone(), 0));
    Cluster { catalog_sources: sources.collect(), ..Cluster::default() }
}

fn package_of<'s, 'c>(
    form: &SubscriptionForm,
    sources: &'s BTreeMap<CatalogKey, Vec<&'c Catalog>>,
) -> Result<(&'s CatalogKey, &'c Package), String> {
    let name = form.package.as_str();
    let named = sources.iter().filter(|(key, _)| form.catalog.is_empty() || *key.name == *form.catalog);
    let mut found =
        named.filter_map(|(key, catalogs)| Some((key, catalogs.iter().find_map(|catalog| catalog.package(name))?)));
    found.next().ok_or_else(|| {
        let known =
            sources.values().flatten().flat_map(|catalog| &catalog.packages).map(|package| package.name.as_str());
        let near = did_you_mean(name, known);
        format!("no catalog has a package `{name}`{near}")
    })
}

fn channel_of(form: &SubscriptionForm, package: &Package) -> Result<catalog::ChannelName, String> {
    if !form.channel.is_empty() {
        return Ok(form.channel.as_str().into());
    }
    let default = package.default_channel.as_ref().map(|name| name.value.clone());
    default
        .ok_or_else(|| format!("package `{}` has no default channel: name the one of the Subscription", form.package))
}

fn add(
    cluster: &mut Cluster,
    key: &CatalogKey,
    package: &Package,
    channel: Option<catalog::ChannelName>,
    installed: Option<BundleName>,
) {
    let taken: Vec<String> = cluster.subscriptions.iter().map(|one| one.spec.name.to_string()).collect();
    let name = views::free_name(package.name.as_str(), &taken);
    cluster.csvs.extend(installed.iter().map(|name| csv(package, name)));
    cluster.subscriptions.push(Subscription {
        namespace: NAMESPACE.into(),
        spec: cluster::SubscriptionSpec {
            name: name.as_str().into(),
            package: PackageName::from(package.name.as_str()),
            channel,
            catalog: Some(key.clone()),
            starting_csv: None,
            installed_csv: installed.clone(),
        },
        approval: views::Approval::Automatic,
        current_csv: installed,
        config: BTreeSet::new(),
        status: SubscriptionStatus::default(),
    });
}

/// The CSV that a bundle left behind; without a bundle what its name tells.
fn csv(package: &Package, name: &BundleName) -> Csv {
    let named = InstalledCsv::of_name(name);
    let Some(bundle) = package.bundle(name.as_str()) else { return Csv::running(NAMESPACE, named) };
    let placed = |property: &Spanned<Property>| cluster::PlacedProperty {
        property: property.value.clone(),
        span: Some(property.span),
    };
    let version = bundle.version().cloned().unwrap_or(named.version);
    let properties = CsvProperties::Known(bundle.properties.iter().map(placed).collect());
    Csv::running(NAMESPACE, InstalledCsv { name: name.clone(), version, properties })
}
