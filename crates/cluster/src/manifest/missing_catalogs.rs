//! Findings about CatalogSources that are named but missing, or that have no content.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::CatalogKey;
use source::{Diagnostic, Rule, ShellCommand, Span, is_image_name};

use crate::cluster::Cluster;
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
