//! The namespace whose CatalogSources all namespaces see, as far as manifests tell.
//!
//! The catalog operator takes it from its environment and its arguments, and else it is `olm` (operator-lifecycle-manager
//! `cmd/catalog/main.go`); the package server has an argument for the same namespace.

use std::sync::Arc;

use fbc::{Node, Value};

use super::fields::Fields;
use crate::cluster::{Cluster, OPENSHIFT, UPSTREAM};
use crate::objects::Subscription;

/// What objects tell about the global namespace.
#[derive(Default)]
pub(super) struct GlobalNamespace {
    /// What the Deployment of the catalog operator is started with.
    catalog_operator: Option<Box<str>>,
    /// What the package server is started with.
    package_server: Option<Box<str>>,
    /// The namespace of a CatalogSource that a Subscription of another namespace sees.
    seen: Option<Box<str>>,
}

impl GlobalNamespace {
    /// Looks at an object of any kind.
    pub(super) fn look_at(&mut self, fields: &Fields<'_, '_>, kind: &str) {
        let metadata = fields.node.get("metadata");
        let text = |key| metadata.and_then(|metadata| metadata.get(key)?.as_str()).unwrap_or_default();
        match (kind, text("name")) {
            ("Deployment", "catalog-operator") => {
                let started = option(fields.node, "GLOBAL_CATALOG_NAMESPACE", "namespace");
                self.catalog_operator = self.catalog_operator.take().or(started);
            }
            ("Deployment" | "ClusterServiceVersion", "packageserver") => {
                let started = option(fields.node, "", "global-namespace");
                self.package_server = self.package_server.take().or(started);
            }
            ("Subscription", _) if self.seen.is_none() => self.seen = seen(fields.node, text("namespace")),
            _ => {}
        }
    }

    /// The global namespace of a cluster. If nothing else tells, `openshift-marketplace` with a ClusterVersion or with a
    /// CatalogSource there; but not where `olm` alone has one, or is named by Subscriptions alone, or without a ClusterVersion
    /// both have one.
    pub(super) fn of(self, cluster: &Cluster) -> Arc<str> {
        if let Some(told) = self.catalog_operator.or(self.package_server).or(self.seen) {
            return told.into();
        }
        // What got a CSV from a CatalogSource of another namespace sees it.
        let used = cluster.subscriptions.iter().filter(|one| one.spec.installed_csv.is_some());
        let mut used = used.filter_map(|one| Some((&one.namespace, &one.spec.catalog.as_ref()?.namespace)));
        if cluster.openshift.is_none()
            && let Some((_, home)) = used.find(|(own, home)| own != home && !home.is_empty())
        {
            return Arc::clone(home);
        }
        let has_source = |namespace: &str| cluster.catalog_sources.iter().any(|one| &*one.key.namespace == namespace);
        let is_upstream = |one: &Subscription| one.spec.catalog.as_ref().is_some_and(|key| &*key.namespace == UPSTREAM);
        let is_openshift = match (has_source(OPENSHIFT), has_source(UPSTREAM)) {
            (true, false) => true,
            (false, true) => false,
            (true, true) => cluster.openshift.is_some(),
            (false, false) => cluster.openshift.is_some() && !cluster.subscriptions.iter().any(is_upstream),
        };
        if is_openshift { OPENSHIFT.into() } else { UPSTREAM.into() }
    }
}

/// The namespace in `status.catalogHealth` of a Subscription that is not its own: the list has the CatalogSources of both.
fn seen(subscription: &Node, own: &str) -> Option<Box<str>> {
    let health = subscription.get("status")?.get("catalogHealth")?;
    let Value::Sequence(rows) = &health.value else { return None };
    let homes = rows.iter().filter_map(|row| row.get("catalogSourceRef")?.get("namespace")?.as_str());
    homes.into_iter().find(|home| !home.is_empty() && *home != own).map(Into::into)
}

/// The value of an environment variable or of an option of a program, in the first container of the object that has it. The
/// option may have one hyphen or two, and its value after `=` or in the next argument.
fn option(node: &Node, variable: &str, name: &str) -> Option<Box<str>> {
    match &node.value {
        Value::Mapping(_) => {}
        Value::Sequence(items) => {
            let named = |item: &Node| item.get("name").and_then(Node::as_str) == Some(variable);
            if let Some(value) = items.iter().find(|item| named(item)).and_then(|item| item.get("value")?.as_str()) {
                return Some(value.into());
            }
            let words: Vec<&str> = items.iter().filter_map(Node::as_str).collect();
            if let Some(value) = of_words(&words, name) {
                return Some(value.into());
            }
            return items.iter().find_map(|item| option(item, variable, name));
        }
        _ => return None,
    }
    let Value::Mapping(fields) = &node.value else { return None };
    // The environment counts before the arguments.
    let mut fields: Vec<_> = fields.iter().collect();
    fields.sort_by_key(|(key, _)| &*key.value != "env");
    fields.into_iter().find_map(|(_, value)| option(value, variable, name))
}

fn of_words<'w>(words: &[&'w str], name: &str) -> Option<&'w str> {
    let is_option = |word: &str| word.strip_prefix("--").or_else(|| word.strip_prefix('-')) == Some(name);
    let beside = words.windows(2).find(|pair| is_option(pair[0])).map(|pair| pair[1]);
    beside.or_else(|| {
        words.iter().find_map(|word| word.split_once('=').filter(|(word, _)| is_option(word)).map(|(_, value)| value))
    })
}
