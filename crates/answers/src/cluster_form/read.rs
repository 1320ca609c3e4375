//! Reads the form from manifests.

use super::field::{
    APPROVAL, AVAILABILITY, CHANNEL, CHANNELS, INSTALL_NAMESPACE, INSTALLED_BUNDLE, INSTALLED_CSV, LABELS, NAME,
    Objects, PACKAGE, PACKAGE_NAME, POLICY, PRIORITY, SELECTOR, SOURCE, STARTING_CSV, TARGET_NAMESPACES, VERSION,
};
use fbc::Node;
use views::{ClusterCatalogForm, ClusterForm, ExtensionForm, SubscriptionForm};

pub(super) fn form(objects: &Objects<'_>) -> ClusterForm {
    ClusterForm {
        subscriptions: objects.subscriptions.iter().map(|node| subscription(objects, node)).collect(),
        target_namespaces: match objects.operator_groups[..] {
            [group] => Some(objects.text(group, TARGET_NAMESPACES)),
            _ => None,
        },
        extensions: objects.extensions.iter().map(|node| extension(objects, node)).collect(),
        cluster_catalogs: objects.cluster_catalogs.iter().map(|node| cluster_catalog(objects, node)).collect(),
    }
}

/// A choice; empty if it is not this value, which is not the default.
fn choice(objects: &Objects<'_>, node: &Node, path: &str, other: &str) -> String {
    Some(objects.text(node, path)).filter(|text| text == other).unwrap_or_default()
}

pub(super) fn subscription(objects: &Objects<'_>, node: &Node) -> SubscriptionForm {
    let text = |path| objects.text(node, path);
    let package = text(PACKAGE);
    SubscriptionForm {
        name: text(NAME),
        channel: text(CHANNEL),
        catalog: text(SOURCE),
        starting_csv: text(STARTING_CSV),
        approval: choice(objects, node, APPROVAL, "Manual"),
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

pub(super) fn extension(objects: &Objects<'_>, node: &Node) -> ExtensionForm {
    let text = |path| objects.text(node, path);
    ExtensionForm {
        name: text(NAME),
        package: text(PACKAGE_NAME),
        version: text(VERSION),
        channels: text(CHANNELS),
        policy: choice(objects, node, POLICY, "SelfCertified"),
        selector: text(SELECTOR),
        namespace: text(INSTALL_NAMESPACE),
        installed: text(INSTALLED_BUNDLE),
    }
}

pub(super) fn cluster_catalog(objects: &Objects<'_>, node: &Node) -> ClusterCatalogForm {
    let text = |path| objects.text(node, path);
    ClusterCatalogForm {
        name: text(NAME),
        priority: text(PRIORITY),
        availability: choice(objects, node, AVAILABILITY, "Unavailable"),
        labels: text(LABELS),
    }
}
