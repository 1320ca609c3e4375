//! What becomes of a cluster when a catalog is exchanged for another state of it. All other catalogs stay.

use crate::simulation::current_states;
use crate::simulation::{KnownModes, Scenario, exchange_scenario};
use catalog::predicate::PackageName;
use catalog::{BundleName, InstallModes, bundle_details};
use cluster::CatalogKey;
use compare::{
    Cause, ClusterCatalogs, Dependency, Level, Levels, NamespaceFailure, Rule, SubscriptionComparison, words,
};
use openshift::MinorUpgradeComparison;
use resolver::{Listing, Snapshot};
use session::Side;
use session::Workbench;
use session::{Exchange, openshift_version};
use simulate::Snapshots;
use std::collections::BTreeSet;
use std::sync::Arc;
use views::{
    ClusterComparisonView, NamespaceFailureRow, NamespaceState, OpenShift, OpenShiftView, SideKey, SubscriptionRow,
};

/// The catalog that the comparison exchanges.
pub(crate) fn exchange(workbench: &Workbench) -> Option<Exchange<'_>> {
    let compared = &workbench.comparison()?.compared;
    Some(Exchange { before: workbench.catalog(compared.before.catalog)?, after: compared.after.catalog })
}

/// What becomes of the cluster; `None` if one of the catalogs is gone.
#[must_use]
pub fn compare_cluster(workbench: &Workbench) -> Option<ClusterComparisonView> {
    let input = workbench.comparison()?;
    let (compared, levels) = (&input.compared, input.levels());
    let side = |key: SideKey| Some(Side { input: workbench.catalog(key.catalog)?, is_opened: key.is_opened });
    let (before, after) = (side(compared.before)?, side(compared.after)?);
    if [before, after].into_iter().any(Side::is_unread) {
        let notices = vec!["a state cannot be read, so the cluster is not compared".to_owned()];
        return Some(ClusterComparisonView { notices, ..ClusterComparisonView::default() });
    }
    let exchange = exchange(workbench)?;
    let mut scenario = exchange_scenario(workbench, exchange);
    // As in the rows, every InstallPlan counts as approved.
    let (cluster, namespaces) =
        current_states(workbench, scenario.clone(), scenario.cluster.clone(), NamespaceState::is_in_between);
    scenario.cluster = cluster;
    scenario.complete(workbench);
    let mut notices = scenario.notices.clone();
    let Some(key) = exchange.key(&scenario.bound) else {
        let names = [before, after].map(|side| side.input.name.parse::<OpenShift>());
        let of_cluster =
            openshift_version(&scenario.cluster).filter(|here| names.iter().flatten().all(|name| name != here));
        return Some(match of_cluster.filter(|_| names.iter().all(Result::is_ok)) {
            Some(openshift) => {
                let text = format!("this comparison is not about the cluster, which has OpenShift {openshift}");
                ClusterComparisonView { notices: vec![text], ..ClusterComparisonView::default() }
            }
            None => {
                notices.push(format!(
                    "the cluster has no CatalogSource that stands for catalog `{}`, so nothing is exchanged",
                    after.input.name
                ));
                ClusterComparisonView { notices, ..ClusterComparisonView::default() }
            }
        });
    };
    let (old, old_not_served) = exchanged(workbench, &scenario, key, before);
    let (new, new_not_served) = exchanged(workbench, &scenario, key, after);
    let (old_modes, new_modes) =
        (modes_of(workbench, &scenario, key, before), modes_of(workbench, &scenario, key, after));
    let old_catalogs = ClusterCatalogs { snapshots: &old, not_served: &old_not_served, modes: &old_modes };
    let new_catalogs = ClusterCatalogs { snapshots: &new, not_served: &new_not_served, modes: &new_modes };
    let found = compare::compare_cluster(&scenario.cluster, old_catalogs, new_catalogs);
    if found.subscriptions.is_empty() {
        notices.push("the cluster has no Subscription".to_owned());
    }
    let openshift = scenario.cluster.openshift.as_ref().map(|version| {
        let ends = (&found.old_end, &found.new_end);
        openshift(&MinorUpgradeComparison::of(&scenario.cluster, ends, version, &old))
    });
    Some(ClusterComparisonView {
        namespaces,
        subscriptions: found.subscriptions.iter().map(|row| subscription(row, levels)).collect(),
        failures: found.failures.iter().map(failure).collect(),
        openshift,
        notices,
    })
}

/// Looks up install modes if the CatalogSource `exchanged` serves this side.
fn modes_of<'s>(
    workbench: &'s Workbench,
    scenario: &'s Scenario,
    exchanged: &'s CatalogKey,
    side: Side<'s>,
) -> impl Fn(&CatalogKey, &PackageName, &BundleName) -> Option<InstallModes> + 's {
    let (others, own) = (scenario.modes(workbench), KnownModes::default());
    move |catalog, package, bundle| {
        if catalog != exchanged {
            return others(catalog, package, bundle);
        }
        own.of((catalog, package, bundle), || {
            let bundle = side.catalog().package(package.as_str())?.bundle(bundle.as_str())?;
            Some(bundle_details(bundle, &side.text(bundle.span.file)?)?.csv?.install_modes)
        })
    }
}

/// What the CatalogSources serve if one of them serves this side, and those that serve nothing.
fn exchanged(
    workbench: &Workbench,
    scenario: &Scenario,
    key: &CatalogKey,
    side: Side<'_>,
) -> (Snapshots, BTreeSet<CatalogKey>) {
    let mut snapshots = scenario.snapshots.clone();
    let priority = snapshots.get(key).map_or(0, |snapshot| snapshot.priority);
    let listing = Arc::new(Listing::of(side.catalog()));
    snapshots.insert(key.clone(), Arc::new(Snapshot { key: key.clone(), priority, listing }));
    let is_rejected = |other: &CatalogKey| match scenario.bound.get(other).and_then(|id| workbench.catalog(*id)) {
        _ if other == key => side.rejection().is_some(),
        Some(catalog) => !catalog.is_accepted(),
        None => false,
    };
    let not_served = snapshots.keys().filter(|key| is_rejected(key)).cloned().collect();
    (snapshots, not_served)
}

fn subscription(row: &SubscriptionComparison, levels: &Levels) -> SubscriptionRow {
    // A rule that is off does not hide a Subscription of the user: it stays as neutral.
    let chosen = |rule: Rule| levels.of(rule.id(), row.rule.level()).unwrap_or(Level::Neutral);
    let dependency = |sign: char, found: &Dependency| format!("{sign} `{}`", found.csv);
    let removed = row.removed_dependencies().map(|found| dependency('−', found));
    let added = row.added_dependencies().map(|found| dependency('+', found));
    SubscriptionRow {
        namespace: row.namespace.to_string(),
        name: row.subscription.to_string(),
        package: row.package.to_string(),
        installed: row.installed.as_ref().map(ToString::to_string),
        before: words::simulated_path(row, &row.old),
        after: words::simulated_path(row, &row.new),
        rule: row.rule.id().to_owned(),
        about: if row.rule == Rule::Same { String::new() } else { row.rule.about().to_owned() },
        level: row.rule.row_rule().map_or_else(|| row.rule.level(), chosen),
        dependencies: removed.chain(added).collect(),
    }
}

fn failure(row: &NamespaceFailure) -> NamespaceFailureRow {
    let error = |failure: &Option<compare::Failure>| failure.as_ref().map(|failure| failure.error.to_string());
    let shown = row.new.as_ref().or(row.old.as_ref());
    NamespaceFailureRow {
        namespace: row.namespace.to_string(),
        before: error(&row.old),
        after: error(&row.new),
        causes: shown.into_iter().flat_map(|failure| &failure.causes).map(cause).collect(),
    }
}

fn cause(cause: &Cause) -> String {
    match cause {
        Cause::Subscription(name) => format!("Subscription `{name}`"),
        Cause::Csv(name) => format!("CSV `{name}`, which has no Subscription"),
        Cause::Catalog(key) => format!("CatalogSource `{key}`, which does not answer"),
        Cause::InstalledCsvs => "the installed CSVs, which OLM cannot read".to_owned(),
        Cause::Channel(package, channel) => {
            format!("channel `{channel}` of package `{package}`, which OLM cannot order")
        }
        Cause::Bundle(name) => format!("a requirement of bundle `{name}`, which OLM cannot read"),
    }
}

fn openshift(found: &MinorUpgradeComparison) -> OpenShiftView {
    let remaining = found.remaining.iter().map(|row| {
        format!(
            "`{}` in namespace `{}`: {}",
            row.before.csv,
            row.before.namespace,
            found.new_end.line(&row.after).trim()
        )
    });
    OpenShiftView {
        current: found.now.current.to_string(),
        next: found.now.next.to_string(),
        now: found.now.message(),
        before: found.old_end.message(),
        after: found.new_end.message(),
        remaining: remaining.collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::compare_cluster;
    use session::testing::workbench;
    use views::{CatalogId, Compared, Level, SideKey};

    const BEFORE: &str = "package p c\nchannel p c p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0";
    const AFTER: &str = "package p d\nchannel p d p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0";
    const OTHER: &str = "package q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";

    fn manifests(subscriptions: &str) -> String {
        let cluster = "kind: ClusterVersion\napiVersion: config.openshift.io/v1\nmetadata: {name: version}\nstatus: {history: [{state: Completed, version: 4.18.3}]}\n";
        let csv = "---\nkind: ClusterServiceVersion\nmetadata: {name: p.v1.0.0, namespace: apps, annotations: {operatorframework.io/properties: '{\"properties\":[{\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"4.18\"}]}'}}\nspec: {version: 1.0.0}\nstatus: {phase: Succeeded}\n";
        format!("{cluster}{csv}{subscriptions}")
    }

    fn subscribed(package: &str, catalog: &str, installed: &str) -> String {
        let status = if installed.is_empty() {
            String::new()
        } else {
            format!("status: {{installedCSV: {installed}, currentCSV: {installed}}}\n")
        };
        format!(
            "---\nkind: Subscription\nmetadata: {{name: {package}, namespace: apps}}\nspec: {{name: {package}, channel: c, source: {catalog}, sourceNamespace: olm}}\n{status}"
        )
    }

    #[test]
    fn members_of_a_set_are_compared_for_the_cluster_of_their_openshift() {
        let members = [("4.15", BEFORE), ("4.16", AFTER), ("4.18", BEFORE), ("4.19", AFTER)];
        let mut workbench = workbench(&members);
        workbench.set_cluster(&manifests(&subscribed("p", "community", "p.v1.0.0")));
        let side = |catalog| SideKey { catalog: CatalogId(catalog), is_opened: false };
        let mut compare = |before, after| {
            let compared = Compared::between(side(before), side(after));
            compare_cluster(workbench.comparing(&compared)).unwrap()
        };
        let view = compare(2, 3);
        assert_eq!((view.subscriptions.len(), &*view.subscriptions[0].before), (1, "updated to 1.1.0"));
        let view = compare(0, 1);
        assert_eq!(view.notices, ["this comparison is not about the cluster, which has OpenShift 4.18"]);
        assert_eq!(view.subscriptions, []);
    }

    #[test]
    fn a_channel_that_is_gone_freezes_its_namespace() {
        let mut workbench = workbench(&[("mine", AFTER), ("other", OTHER), ("before", BEFORE)]);
        workbench.set_baseline(CatalogId(2), true);
        let side = |catalog| SideKey { catalog: CatalogId(catalog), is_opened: false };
        let compared = Compared::between(side(2), side(0));
        let cluster = manifests(&(subscribed("p", "mine", "p.v1.0.0") + &subscribed("q", "other", "")));
        workbench.set_cluster(&cluster);
        let view = compare_cluster(workbench.comparing(&compared)).unwrap();
        let rows: Vec<_> = (view.subscriptions.iter())
            .map(|row| (row.name.as_str(), row.rule.as_str(), row.level, row.before.as_str(), row.after.as_str()))
            .collect();
        let frozen = "the namespace cannot be resolved";
        assert_eq!(
            rows,
            [
                ("p", "frozen", Level::Breaking, "updated to 1.1.0", frozen),
                ("q", "frozen", Level::Breaking, "installs 1.0.0", frozen),
            ]
        );
        assert_eq!((view.failures.len(), &view.failures[0].causes[..]), (1, &["Subscription `p`".to_owned()][..]));
        let openshift = view.openshift.unwrap();
        assert_eq!((openshift.next.as_str(), openshift.before), ("4.19.0", None));
        assert!(openshift.now.unwrap().contains("p.v1.0.0"));
        assert!(openshift.after.is_some() && openshift.remaining.len() == 1);
        let swapped = Compared { before: compared.after, after: compared.before, ..compared };
        let view = compare_cluster(workbench.comparing(&swapped)).unwrap();
        assert_eq!(view.subscriptions[0].rule, "unfrozen");
    }
}
