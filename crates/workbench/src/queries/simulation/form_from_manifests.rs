//! Manifests as a form, and what they say that a form has no field for.

use super::form::NAMESPACE;
use crate::Workbench;
use simulate::{Cluster, Csv, Subscription};
use views::{Approval, BoundSource, ClusterForm, SubscriptionForm};

/// The Subscriptions of the namespace that is resolved, as a form has them.
pub(super) fn form(cluster: &Cluster, namespace: &str) -> ClusterForm {
    let here = cluster.subscriptions.iter().filter(|subscription| &*subscription.namespace == namespace);
    ClusterForm { subscriptions: here.map(|subscription| row(cluster, subscription)).collect() }
}

fn row(cluster: &Cluster, subscription: &Subscription) -> SubscriptionForm {
    let wish = &subscription.wish;
    let package = wish.package.to_string();
    SubscriptionForm {
        name: if *wish.name == *package { String::new() } else { wish.name.to_string() },
        package,
        channel: wish.channel.as_ref().map(ToString::to_string).unwrap_or_default(),
        catalog: wish.catalog.as_ref().map(|key| key.name.to_string()).unwrap_or_default(),
        starting_csv: wish.starting_csv.as_ref().map(ToString::to_string).unwrap_or_default(),
        approval: match subscription.approval {
            simulate::Approval::Automatic => Approval::Automatic,
            simulate::Approval::Manual => Approval::Manual,
        },
        installed: cluster.installed(subscription).map(ToString::to_string).unwrap_or_default(),
    }
}

/// What the cluster has beyond the form, in a few words; empty when the form says all of it.
pub(super) fn beyond(workbench: &Workbench, cluster: &Cluster, namespace: &str, sources: &[BoundSource]) -> String {
    let here = |subscription: &&Subscription| &*subscription.namespace == namespace;
    let subscriptions = || cluster.subscriptions.iter();
    let is_held = |csv: &Csv| {
        subscriptions().filter(here).any(|row| row.wish.installed_csv.as_ref() == Some(&csv.installed.name))
    };
    let csvs = || cluster.csvs.iter();
    let is_bereft = |row: &Subscription| row.wish.installed_csv.is_some() && cluster.installed(row).is_none();
    let is_moving = |row: &Subscription| row.current_csv != row.wish.installed_csv;
    let is_special = |group: &simulate::OperatorGroup| {
        &*group.namespace == namespace && (group.excludes_global || group.fail_forward)
    };
    let is_other = |source: &BoundSource| {
        source.catalog.and_then(|id| workbench.catalog(id)).is_none_or(|catalog| catalog.priority != source.priority)
    };
    let counts = [
        (
            csvs().filter(|csv| &*csv.namespace == namespace && !is_held(csv)).count(),
            "CSV without Subscription",
            "CSVs without Subscription",
        ),
        (
            csvs().filter(|csv| &*csv.namespace == namespace && is_failed(csv)).count(),
            "CSV that has not succeeded",
            "CSVs that have not succeeded",
        ),
        (
            subscriptions().filter(here).filter(|row| is_bereft(row)).count(),
            "Subscription whose CSV is gone",
            "Subscriptions whose CSVs are gone",
        ),
        (
            subscriptions().filter(here).filter(|row| is_moving(row)).count(),
            "Subscription in the middle of an update",
            "Subscriptions in the middle of an update",
        ),
        (
            cluster.install_plans.iter().filter(|plan| &*plan.namespace == namespace).count(),
            "InstallPlan",
            "InstallPlans",
        ),
        (
            cluster.operator_groups.iter().filter(|group| is_special(group)).count(),
            "OperatorGroup with a setting of its own",
            "OperatorGroups with settings of their own",
        ),
        (
            sources.iter().filter(|source| is_other(source)).count(),
            "CatalogSource that differs from the loaded catalog",
            "CatalogSources that differ from the loaded catalogs",
        ),
        (
            subscriptions().filter(|row| !here(row)).count(),
            "Subscription in another namespace",
            "Subscriptions in other namespaces",
        ),
    ];
    let words = counts.into_iter().filter(|(count, ..)| *count > 0);
    let mut words: Vec<String> =
        words.map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many })).collect();
    if !namespace.is_empty() && namespace != NAMESPACE {
        words.push(format!("the namespace `{namespace}`"));
    }
    super::wording::listed(words.into_iter(), "and")
}

/// A form installs what has succeeded.
fn is_failed(csv: &Csv) -> bool {
    csv.phase.as_deref().is_some_and(|phase| phase != "Succeeded")
}

#[cfg(test)]
mod tests {
    use crate::testing::{example, workbench};
    use views::{ClusterInput, SubscriptionForm};

    const CATALOG: &str = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0";

    #[test]
    fn a_form_comes_back_from_its_manifests() {
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
        let form = views::ClusterForm { subscriptions: vec![row] };
        let text = workbench.manifests(&form);
        let read = workbench.simulate(&ClusterInput::Manifests { text, namespace: String::new() }).manifests.unwrap();
        assert_eq!((read.form, read.beyond.as_str()), (form, ""));
    }

    #[test]
    fn what_a_form_has_no_field_for_is_counted() {
        let beyond = |slug: &str| {
            let (workbench, input) = example(slug);
            workbench.simulate(&input).manifests.unwrap().beyond
        };
        assert_eq!(beyond("operator-update"), "");
        assert_eq!(beyond("after-the-csv-was-deleted"), "1 Subscription whose CSV is gone");
        assert!(
            beyond("csv-without-subscription").starts_with("1 CSV without Subscription"),
            "{}",
            beyond("csv-without-subscription")
        );
    }
}
