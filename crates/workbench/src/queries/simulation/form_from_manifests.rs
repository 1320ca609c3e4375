//! Fills the form from manifests, and counts what the form has no field for.

use super::extension_form;
use super::form::NAMESPACE;
use crate::Workbench;
use simulate::{Cluster, Csv, Manifests, Subscription};
use views::{BoundSource, ClusterCatalogForm, ClusterForm, ExtensionForm, SubscriptionForm};

/// The Subscriptions of the resolved namespace as rows of the form, with those of OLM v1.
pub(super) fn form(
    cluster: &Cluster,
    namespace: &str,
    (extensions, cluster_catalogs): (Vec<ExtensionForm>, Vec<ClusterCatalogForm>),
) -> ClusterForm {
    let here = cluster.subscriptions.iter().filter(|subscription| &*subscription.namespace == namespace);
    let subscriptions = here.map(|subscription| row(cluster, subscription)).collect();
    ClusterForm { subscriptions, extensions, cluster_catalogs }
}

fn row(cluster: &Cluster, subscription: &Subscription) -> SubscriptionForm {
    let spec = &subscription.spec;
    let package = spec.package.to_string();
    SubscriptionForm {
        name: if *spec.name == *package { String::new() } else { spec.name.to_string() },
        package,
        channel: spec.channel.as_ref().map(ToString::to_string).unwrap_or_default(),
        catalog: spec.catalog.as_ref().map(|key| key.name.to_string()).unwrap_or_default(),
        starting_csv: spec.starting_csv.as_ref().map(ToString::to_string).unwrap_or_default(),
        approval: subscription.approval,
        installed: cluster.installed(subscription).map(ToString::to_string).unwrap_or_default(),
    }
}

/// What the cluster has that the form has no field for, in a few words; empty when the form has everything.
pub(super) fn beyond(
    workbench: &Workbench,
    cluster: &Cluster,
    namespace: &str,
    sources: &[BoundSource],
    of_v1: [Counted; 2],
) -> String {
    let of_v0 = objects_beyond(cluster, namespace).into_iter().chain([sources_beyond(workbench, sources)]);
    let counts = of_v0.chain(of_v1);
    let mut words: Vec<String> = (counts.filter(|(count, ..)| *count > 0))
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect();
    if !namespace.is_empty() && namespace != NAMESPACE {
        words.push(format!("the namespace `{namespace}`"));
    }
    super::wording::listed(words.into_iter(), "and")
}

/// A number of objects, with the words for one and for several.
pub(super) type Counted = (usize, &'static str, &'static str);

fn objects_beyond(cluster: &Cluster, namespace: &str) -> [Counted; 7] {
    let (here, elsewhere): (Vec<&Subscription>, Vec<&Subscription>) =
        cluster.subscriptions.iter().partition(|subscription| &*subscription.namespace == namespace);
    let csvs: Vec<&Csv> = cluster.csvs.iter().filter(|csv| &*csv.namespace == namespace).collect();
    let is_owned = |csv: &Csv| here.iter().any(|row| row.spec.installed_csv.as_ref() == Some(&csv.installed.name));
    // The form installs CSVs in phase Succeeded.
    let has_failed = |csv: &Csv| csv.phase.as_deref().is_some_and(|phase| phase != "Succeeded");
    let lost_csv = |row: &Subscription| row.spec.installed_csv.is_some() && cluster.installed(row).is_none();
    let is_updating = |row: &Subscription| row.current_csv != row.spec.installed_csv;
    let plans = cluster.install_plans.iter().filter(|plan| &*plan.namespace == namespace);
    let groups = cluster
        .operator_groups
        .iter()
        .filter(|group| &*group.namespace == namespace && (group.excludes_global || group.fail_forward));
    [
        (csvs.iter().filter(|csv| !is_owned(csv)).count(), "CSV without Subscription", "CSVs without Subscription"),
        (
            csvs.iter().filter(|csv| has_failed(csv)).count(),
            "CSV that has not succeeded",
            "CSVs that have not succeeded",
        ),
        (
            here.iter().filter(|row| lost_csv(row)).count(),
            "Subscription whose CSV was deleted",
            "Subscriptions whose CSVs were deleted",
        ),
        (
            here.iter().filter(|row| is_updating(row)).count(),
            "Subscription that is being updated",
            "Subscriptions that are being updated",
        ),
        (plans.count(), "InstallPlan", "InstallPlans"),
        (groups.count(), "OperatorGroup with special settings", "OperatorGroups with special settings"),
        (elsewhere.len(), "Subscription in another namespace", "Subscriptions in other namespaces"),
    ]
}

/// The form has a ClusterCatalog for each loaded catalog.
pub(super) fn extensions_beyond(workbench: &Workbench, manifests: &Manifests) -> [Counted; 2] {
    [
        (
            extension_form::extensions_beyond(workbench, &manifests.cluster_extensions),
            "ClusterExtension with other fields",
            "ClusterExtensions with other fields",
        ),
        (
            extension_form::catalogs_beyond(workbench, manifests),
            "loaded catalog without ClusterCatalog",
            "loaded catalogs without ClusterCatalogs",
        ),
    ]
}

/// The form takes priorities from the loaded catalogs.
fn sources_beyond(workbench: &Workbench, sources: &[BoundSource]) -> Counted {
    let differs = |source: &&BoundSource| {
        source
            .catalog
            .and_then(|id| workbench.catalog(id))
            .is_none_or(|catalog| catalog.priority != source.priority || catalog.name != source.name)
    };
    (
        sources.iter().filter(differs).count(),
        "CatalogSource that differs from the loaded catalog",
        "CatalogSources that differ from the loaded catalogs",
    )
}

#[cfg(test)]
mod tests {
    use crate::testing::{example, workbench};
    use views::{ClusterInput, SubscriptionForm};

    const CATALOG: &str = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0";

    #[test]
    fn exported_manifests_give_the_same_form() {
        let workbench = workbench(&[("c", CATALOG)]);
        let row = SubscriptionForm {
            name: "mine".to_owned(),
            package: "p".to_owned(),
            channel: "c".to_owned(),
            catalog: "c".to_owned(),
            approval: views::Approval::Manual,
            installed: "p.v1.0.0".to_owned(),
            ..SubscriptionForm::default()
        };
        let form = views::ClusterForm { subscriptions: vec![row], ..views::ClusterForm::default() };
        let text = workbench.manifests(&form);
        let read = workbench.with_cluster(&ClusterInput::Manifests(text)).simulate("").manifests.unwrap();
        assert_eq!((read.form, read.beyond.as_str()), (form, ""));
    }

    #[test]
    fn objects_without_a_field_in_the_form_are_counted() {
        let beyond = |slug: &str| example(slug).simulate("").manifests.unwrap().beyond;
        assert_eq!(beyond("operator-update"), "");
        assert_eq!(beyond("after-the-csv-was-deleted"), "1 Subscription whose CSV was deleted");
        assert!(
            beyond("csv-without-subscription").starts_with("1 CSV without Subscription"),
            "{}",
            beyond("csv-without-subscription")
        );
    }
}
