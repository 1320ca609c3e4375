//! Plans for updates of OpenShift.

mod extensions;
mod served;

use crate::lookup::installed_csv;
use crate::simulation::cluster_after_current;
use catalog::predicate::{PackageName, Property};
use catalog::{BundleName, Catalog, Package};
use cluster::{CatalogKey, CatalogSource, Cluster, Csv, CsvProperties, InstalledCsv, Subscription, SubscriptionStatus};
use extensions::SeenByV1;
use openshift::sets::{CatalogSet, Member};
use report::{plans, to_markdown};
use served::PlanSources;
use session::{ReadSet, Workbench, openshift_version, sets_of_sources};
use source::Spanned;
use std::collections::{BTreeMap, BTreeSet};
use views::{OpenShift, PlanQuery, PlansView, SubscriptionForm};

/// The CatalogSource of a plan without manifests.
const SOURCE: &str = "catalog";

/// Plans of an update of OpenShift for the cluster of the manifests; if it has no operators, for every head of a channel.
///
/// # Errors
/// When no set is open or one is still being read, or no updates of OpenShift lead from one version to the other.
pub fn plan(workbench: &Workbench, query: &PlanQuery) -> Result<PlansView, String> {
    if let Some(input) = workbench.sets().iter().find(|input| !input.waiting.is_empty()) {
        return Err(format!("The catalogs for OpenShift {} are still being read.", OpenShift::list(&input.waiting)));
    }
    let all: Vec<_> = workbench.sets().iter().map(|input| (None, &input.set)).collect();
    plan_of(workbench, &all, &[], query)
}

/// The same as a checklist in Markdown.
///
/// # Errors
/// As [`plan`].
pub fn plan_report(workbench: &Workbench, query: &PlanQuery) -> Result<String, String> {
    Ok(to_markdown(&plans(&plan(workbench, query)?)))
}

/// The same with other sets, some of them for the CatalogSource of a name. Without operators in the manifests the plans are for
/// these Subscriptions, if there are any.
///
/// # Errors
/// When no updates of OpenShift lead from one version to the other, the manifests have no CatalogSource of a name, or no catalog
/// has what a Subscription names.
pub fn plan_with(
    workbench: &Workbench,
    sets: &[(Option<&str>, &ReadSet)],
    subscribed: &[SubscriptionForm],
    query: &PlanQuery,
) -> Result<PlansView, String> {
    let all: Vec<_> = sets.iter().map(|(name, read)| (*name, &read.set)).collect();
    plan_of(workbench, &all, subscribed, query)
}

fn plan_of(
    workbench: &Workbench,
    all: &[(Option<&str>, &CatalogSet)],
    subscribed: &[SubscriptionForm],
    query: &PlanQuery,
) -> Result<PlansView, String> {
    let manifests = workbench.cluster_manifests().1;
    let has_operators = |cluster: &&Cluster| !cluster.subscriptions.is_empty() || !cluster.csvs.is_empty();
    let has_others = !manifests.cluster_extensions.is_empty() || !manifests.not_upgradeable.is_empty();
    let cluster = Some(&manifests.cluster).filter(|cluster| has_operators(cluster) || has_others);
    let no_catalogs = "no catalogs for several versions of OpenShift are open";
    let first = all.first().map(|(_, set)| *set);
    if first.is_none() && cluster.is_none() {
        return Err(no_catalogs.to_owned());
    }
    let sets = match cluster {
        Some(cluster) => sets_of_sources(cluster, all),
        None => {
            let unnamed = all.iter().find(|(name, _)| name.is_none()).map(|(_, set)| (SOURCE, *set));
            let named = all.iter().filter_map(|(name, set)| Some(((*name)?, *set)));
            unnamed.into_iter().chain(named).map(|(name, set)| (CatalogKey::new(name, "olm"), set)).collect()
        }
    };
    let is_cluster_catalog =
        |name: &str| manifests.cluster_catalogs.iter().any(|catalog| catalog.name.as_str() == name);
    let is_unused = |name: &&str| sets.keys().all(|key| *key.name != **name) && !is_cluster_catalog(name);
    if let Some(name) = all.iter().filter_map(|(name, _)| *name).find(is_unused) {
        return Err(format!("the manifests have no CatalogSource named `{name}`"));
    }
    let members = first.map(|set| &set.members[..]).unwrap_or_default();
    let present = cluster.and_then(openshift_version);
    let of_set = |member: Option<&Member>| member.map(|member| member.version);
    // Without a cluster the last update of OpenShift, which is the next one for most.
    let before_last = members.len().checked_sub(2).and_then(|at| members.get(at)).or(members.first());
    let from = query.from.or(present).or(of_set(before_last)).ok_or(no_catalogs)?;
    let to = query.to.or(of_set(members.last())).filter(|to| *to >= from).unwrap_or(from);
    let query = PlanQuery { from: Some(from), to: Some(to), ..query.clone() };
    let sources = PlanSources::of(&sets, from, to)?;
    Ok(match cluster {
        Some(_) => {
            let (cluster, states) = cluster_after_current(workbench, sources.first_snapshots());
            let of_v1 = SeenByV1 { manifests, sets: all };
            sources.plan(&cluster, &states, Some(&of_v1), &query)
        }
        None if subscribed.is_empty() => sources.plan_heads(&query),
        None => sources.plan(&subscribed_cluster(subscribed, &sources.catalogs())?, &[], None, &query),
    })
}

// Clusters to plan for, where no manifests are given: of Subscriptions, and of every head of a catalog.

/// The namespace of operators that no manifests name.
const NAMESPACE: &str = "operators";

/// A cluster with these Subscriptions in one namespace. `sources` have the catalog of each CatalogSource on the first version of the
/// way, and those of later versions, in which an installed version is looked up that the first no longer has.
///
/// # Errors
/// When no catalog has a package, a channel or an installed version.
fn subscribed_cluster(
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

#[cfg(test)]
mod tests {
    use crate::{plan, set_view};
    use session::testing::set_of;
    use session::{NewText, Workbench};
    use views::{AuthoringInput, Deprecatee, OpenShift, PlanQuery};

    #[test]
    fn findings_about_the_repository_are_no_findings_about_clusters() {
        let entry = "schema: olm.channel\npackage: p\nname: c\nentries: [{name: p.v1.0.0}]\n---\n\
                     schema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: i\n\
                     properties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}]\n";
        let catalog = format!("schema: olm.package\nname: p\ndefaultChannel: c\n---\n{entry}");
        let ci = "fbc:\n  enabled: true\n  catalog_mapping:\n  - template_name: basic.yaml\n    \
                  type: olm.template.basic\n    catalog_names: [v4.20, v4.21, '4.22']\n";
        let (workbench, id) = set_of(&[
            ("catalogs/v4.20/p/catalog.yaml", &catalog),
            ("catalogs/v4.21/p/catalog.yaml", &catalog),
            ("operators/p/ci.yaml", ci),
        ]);
        let view = set_view(&workbench, id);
        assert_eq!(view.sentence, "The operator keeps updating on the way from 4.20 to 4.21.");
        let found: Vec<_> = view.findings.iter().map(|found| (&*found.id, found.is_about_repository)).collect();
        assert_eq!((found, view.matrix[0].cells[0].worst), (vec![("set-mapping-name", true)], None));
    }

    #[test]
    fn bundle_directories_are_a_set() {
        let file = |path: &str, text: String| NewText { path: path.to_owned(), content: Ok(text.into()) };
        let tree = |first: &str| {
            let bundle = |version: &str, openshift: &str, edge: &str| {
                let annotations = format!(
                    "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                     operators.operatorframework.io.bundle.channels.v1: c\n  com.redhat.openshift.versions: {openshift}\n"
                );
                let csv = format!(
                    "kind: ClusterServiceVersion\nmetadata: {{name: p.v{version}}}\nspec: {{version: {version}{edge}}}\n"
                );
                let path = |rest: &str| format!("operators/p/{version}/{rest}");
                [file(&path("manifests/csv.yaml"), csv), file(&path("metadata/annotations.yaml"), annotations)]
            };
            [bundle("1.0.0", "v4.18", ""), bundle("1.1.0", first, ", replaces: p.v1.0.0")].concat()
        };
        let mut workbench = Workbench::new();
        workbench.open_files("repository", tree("v4.18-v4.20"), &mut Vec::new());
        let id = workbench.sets()[0].id;
        let view = set_view(&workbench, id);
        let found: Vec<&str> = view.findings.iter().map(|found| &*found.id).collect();
        assert_eq!(found, ["set-installed-ahead", "bundle-range-ends"]);
        let four_21 = OpenShift { major: 4, minor: 21 };
        let [member] = &workbench.member_files(id, four_21)[..] else { panic!("one package") };
        let text = String::from_utf8(member.content.clone().expect("it is made")).expect("it is text");
        assert!(member.path == "p.yaml" && text.contains("p.v1.0.0") && !text.contains("p.v1.1.0"), "{text}");
        let query =
            PlanQuery { from: Some(OpenShift { major: 4, minor: 20 }), to: Some(four_21), ..PlanQuery::default() };
        let plans = plan(&workbench, &query).expect("both versions are made").plans;
        let heads: Vec<_> = plans.iter().map(|plan| (&*plan.installed, plan.reason.is_none())).collect();
        assert_eq!(heads, [("p.v1.1.0", false)], "the next catalog does not list it");
        let what =
            AuthoringInput::Deprecate { package: "p".to_owned(), what: Deprecatee::Package, message: "m".to_owned() };
        let written = workbench.written(id, &what, None);
        assert_eq!(written.catalogs[0].reason.as_ref().map(|reason| &*reason.id), Some("not-editable"));
        // Without annotations, all are in the catalogs of all versions.
        let unstated = |file: &NewText| NewText {
            path: file.path.clone(),
            content: file
                .content
                .clone()
                .map(|text| String::from_utf8_lossy(&text).replace("com.redhat", "com.example").into()),
        };
        let mut workbench = Workbench::new();
        workbench.open_files("repository", tree("v4.18").iter().map(unstated).collect(), &mut Vec::new());
        assert_eq!((workbench.sets().len(), workbench.catalogs().len()), (0, 1));
    }

    #[test]
    fn a_plan_names_operators_that_fail_already() {
        let catalog = "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\n\
                       entries: [{name: p.v1.0.0}]\n---\nschema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: i\n\
                       properties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}, {type: olm.csv.metadata, \
                       value: {installModes: [{type: AllNamespaces, supported: true}]}}]\n";
        let (mut workbench, _) = set_of(&[("catalogs/v4.20/p.yaml", catalog), ("catalogs/v4.21/p.yaml", catalog)]);
        let cluster = "---\nkind: Subscription\nmetadata: {name: p, namespace: kitchen}\nspec: {name: p, channel: c, source: s, \
                       sourceNamespace: olm}\nstatus: {installedCSV: p.v1.0.0}\n---\nkind: OperatorGroup\n\
                       metadata: {name: g, namespace: kitchen}\nspec: {targetNamespaces: [kitchen]}\n---\n\
                       kind: ClusterServiceVersion\nmetadata: {name: p.v1.0.0, namespace: kitchen}\n\
                       spec: {version: 1.0.0}\n";
        let mut notices = |cluster: &str| {
            workbench.set_cluster(cluster);
            plan(&workbench, &PlanQuery::default()).expect("both versions are loaded").notices.join("\n")
        };
        let fails = "`p.v1.0.0` in namespace `kitchen` fails (`UnsupportedOperatorGroup`: ";
        let told = notices(cluster);
        assert!(told.starts_with(fails), "the bundle tells the install modes: {told}");
        let modes = "version: 1.0.0, installModes: [{type: OwnNamespace, supported: true}]";
        let own = cluster.replace("version: 1.0.0", modes);
        assert_eq!(notices(&own), "", "the CSV tells them");
        assert!(notices(&own.replace("true", "false")).starts_with(fails));
    }
}
