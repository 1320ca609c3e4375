//! Reads the form from manifests. What follows from other fields is empty in it.

use super::field::{
    APPROVAL, AVAILABILITY, CHANNEL, CHANNELS, INSTALL_NAMESPACE, INSTALLED_BUNDLE, INSTALLED_CSV, LABELS, NAME,
    Objects, PACKAGE, PACKAGE_NAME, POLICY, PRIORITY, SELECTOR, SOURCE, STARTING_CSV, TARGET_NAMESPACES, VERSION,
};
use super::known::Known;
use fbc::Node;
use views::{
    Approval, CatalogAvailability, ClusterCatalogForm, ClusterForm, ExtensionForm, SubscriptionForm, UpgradePolicy,
    free_name,
};

pub(super) fn form(known: &Known<'_>, objects: &Objects<'_>) -> ClusterForm {
    let mut names = Vec::new();
    let subscriptions = objects.subscriptions.iter().map(|node| subscription(objects, node, &mut names));
    let subscriptions = subscriptions.collect();
    names.clear();
    let extensions = objects.extensions.iter().map(|node| extension(objects, node, &mut names)).collect();
    let catalogs = objects.cluster_catalogs.iter().map(|node| cluster_catalog(objects, node));
    // The form has such a row for every loaded catalog anyway.
    let says_something =
        |row: &ClusterCatalogForm| !known.is_loaded(&row.name) || *row != ClusterCatalogForm::new(&row.name);
    let target_namespaces = match objects.operator_groups[..] {
        [group] => Some(objects.text(group, TARGET_NAMESPACES)),
        _ => None,
    };
    let cluster_catalogs = catalogs.filter(says_something).collect();
    ClusterForm { subscriptions, target_namespaces, extensions, cluster_catalogs }
}

/// The name of an object; empty if it is the default name for its package. `names` are those of earlier objects.
fn own_name(objects: &Objects<'_>, node: &Node, package: &str, names: &mut Vec<String>) -> String {
    let name = objects.text(node, NAME);
    let default = free_name(package, names);
    if !package.is_empty() {
        names.push(name.clone());
    }
    if name == default { String::new() } else { name }
}

fn subscription(objects: &Objects<'_>, node: &Node, names: &mut Vec<String>) -> SubscriptionForm {
    let text = |path| objects.text(node, path);
    let package = text(PACKAGE);
    let is_manual = text(APPROVAL) == Approval::Manual.as_str();
    SubscriptionForm {
        name: own_name(objects, node, &package, names),
        channel: text(CHANNEL),
        catalog: text(SOURCE),
        starting_csv: text(STARTING_CSV),
        approval: if is_manual { Approval::Manual } else { Approval::Automatic },
        installed: installed(objects, node, &package),
        package,
    }
}

/// The CSV of a Subscription, unless it was deleted: OLM does not install it again. Manifests without any CSV do not tell that.
fn installed(objects: &Objects<'_>, node: &Node, package: &str) -> String {
    let csv = objects.text(node, INSTALLED_CSV);
    // Without a package no CSV is written yet.
    let is_there = package.is_empty() || !objects.has_csvs || objects.csv(&csv).is_some();
    if is_there { csv } else { String::new() }
}

fn extension(objects: &Objects<'_>, node: &Node, names: &mut Vec<String>) -> ExtensionForm {
    let text = |path| objects.text(node, path);
    let (package, namespace) = (text(PACKAGE_NAME), text(INSTALL_NAMESPACE));
    let is_certified = text(POLICY) == "SelfCertified";
    ExtensionForm {
        name: own_name(objects, node, &package, names),
        version: text(VERSION),
        channels: text(CHANNELS),
        policy: if is_certified { UpgradePolicy::SelfCertified } else { UpgradePolicy::CatalogProvided },
        selector: text(SELECTOR),
        namespace: if namespace == text(NAME) { String::new() } else { namespace },
        installed: text(INSTALLED_BUNDLE),
        package,
    }
}

pub(super) fn cluster_catalog(objects: &Objects<'_>, node: &Node) -> ClusterCatalogForm {
    let text = |path| objects.text(node, path);
    let is_unavailable = text(AVAILABILITY) == "Unavailable";
    ClusterCatalogForm {
        name: text(NAME),
        priority: Some(text(PRIORITY)).filter(|priority| priority != "0").unwrap_or_default(),
        availability: if is_unavailable { CatalogAvailability::Unavailable } else { CatalogAvailability::Available },
        labels: text(LABELS),
    }
}
