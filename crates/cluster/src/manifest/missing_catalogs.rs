//! The namespace whose CatalogSources all namespaces see, and findings about CatalogSources that are named but missing,
//! or that have no content.

use std::collections::BTreeSet;
use std::sync::Arc;

use fbc::{Node, Value};
use source::{Diagnostic, Rule, ShellCommand, Span, is_image_name};

use super::fields::Fields;
use crate::CatalogKey;
use crate::cluster::{Cluster, OPENSHIFT, UPSTREAM};
use crate::objects::{CatalogSource, Subscription};

/// A catalog that a Subscription names.
pub(super) struct CatalogReference {
    catalog: CatalogKey,
    /// The Subscription's namespace.
    namespace: Arc<str>,
    /// The place of the name.
    span: Span,
}

impl CatalogReference {
    pub(super) fn of(subscription: &Subscription, span: Span) -> Option<Self> {
        let catalog = subscription.spec.catalog.clone()?;
        Some(Self { catalog, namespace: Arc::clone(&subscription.namespace), span })
    }
}

/// Warns about Subscriptions whose catalog is missing or not visible. Manifests without any CatalogSource are not checked,
/// because the caller then provides the CatalogSources.
pub(super) fn check(cluster: &Cluster, references: &[CatalogReference]) -> Vec<Diagnostic> {
    let references = if cluster.catalog_sources.is_empty() { &[] } else { references };
    let sources: BTreeSet<&CatalogKey> = cluster.catalog_sources.iter().map(|source| &source.key).collect();
    let parts = cluster.by_namespace();
    let findings = references.iter().filter_map(|CatalogReference { catalog, namespace, span }| {
        if parts.get(namespace).is_some_and(|part| part.visible_to(namespace).any(|key| key == catalog)) {
            return None;
        }
        let CatalogKey { namespace: home, name } = catalog;
        let exists = sources.contains(catalog);
        let is_global = home == &cluster.global_namespace;
        let (message, help) = match exists {
            true if is_global => (
                format!("namespace `{namespace}` does not see CatalogSource `{name}` in `{home}`: its OperatorGroup excludes the global catalogs"),
                "remove the annotation `olm.operatorframework.io/exclude-global-namespace-resolution`".to_owned(),
            ),
            true => (
                format!(
                    "CatalogSource `{name}` is in namespace `{home}`, and namespace `{namespace}` does not see it"
                ),
                format!(
                    "a namespace sees its own CatalogSources and those in `{}`; if that of this cluster is `{home}`, \
                     say so with `--global-namespace {home}`",
                    cluster.global_namespace
                ),
            ),
            false => (
                format!("the manifests have no CatalogSource `{name}` in namespace `{home}`"),
                "add the CatalogSource to the manifests, or correct `source` and `sourceNamespace`".to_owned(),
            ),
        };
        Some(Diagnostic::new(Rule::UnknownCatalog, *span, message).with_help(help))
    });
    findings.collect()
}

/// The commands that get the catalog in an image: as a folder, and as an archive.
#[must_use]
pub fn catalog_commands(image: Option<&str>) -> [String; 2] {
    let image = image.filter(|image| is_image_name(image)).unwrap_or("IMAGE");
    let extract = ShellCommand::new("oc image extract").word(image).with("--path /configs/:FOLDER");
    let save = ShellCommand::new("skopeo copy").word(&format!("docker://{image}")).with("oci-archive:catalog.tar");
    [extract.to_string(), save.to_string()]
}

/// Warns about a CatalogSource without content, and says how to get it.
pub(super) fn without_content(source: &CatalogSource, span: Span) -> Diagnostic {
    let CatalogSource { key, image, .. } = source;
    let [extract, save] = catalog_commands(image.as_deref());
    let help = format!(
        "get its catalog with `{extract}` or `{save}`, and load it with that name; or remove the CatalogSource: OLM resolves nothing in a namespace that sees a catalog it cannot read"
    );
    let message = format!("no catalog is loaded for CatalogSource `{}` in namespace `{}`", key.name, key.namespace);
    Diagnostic::new(Rule::UnknownCatalog, span.at_start(), message).with_help(help)
}

// The namespace whose CatalogSources all namespaces see, as far as manifests tell.
//
// The catalog operator takes it from its environment and its arguments, and else it is `olm`
// (operator-lifecycle-manager `cmd/catalog/main.go`); the package server has an argument for the same namespace.

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
