//! What objects name and nobody gives.

use std::sync::Arc;

use resolver::CatalogKey;
use source::{Diagnostic, Rule, Span};

use crate::cluster::{Cluster, Subscription};

/// A catalog that a Subscription names.
pub(super) struct Source {
    catalog: CatalogKey,
    /// The Subscription's namespace.
    namespace: Arc<str>,
    /// The place of the name.
    span: Span,
}

impl Source {
    pub(super) fn of(subscription: &Subscription, span: Span) -> Option<Self> {
        let catalog = subscription.spec.catalog.clone()?;
        Some(Self { catalog, namespace: Arc::clone(&subscription.namespace), span })
    }
}

/// Warns of Subscriptions whose catalog is not there, or out of sight. Manifests without any CatalogSource leave that to
/// whoever reads them.
pub(super) fn check(cluster: &Cluster, sources: &[Source]) -> Vec<Diagnostic> {
    let sources = if cluster.catalog_sources.is_empty() { &[] } else { sources };
    let found = sources.iter().filter_map(|Source { catalog, namespace, span }| {
        if cluster.visible_to(namespace).any(|key| key == catalog) {
            return None;
        }
        let CatalogKey { namespace: lives_in, name } = catalog;
        let given = cluster.catalog_sources.iter().any(|source| source.key == *catalog);
        let hidden = lives_in == &cluster.global_namespace;
        let (message, help) = match given {
            true if hidden => (
                format!("namespace `{namespace}` does not see CatalogSource `{name}` in `{lives_in}`: its OperatorGroup hides the global catalogs"),
                "take the annotation `olm.operatorframework.io/exclude-global-namespace-resolution` away".to_owned(),
            ),
            true => (
                format!(
                    "CatalogSource `{name}` lives in namespace `{lives_in}`, which namespace `{namespace}` does not see"
                ),
                format!("a namespace sees its own CatalogSources and those in `{}`", cluster.global_namespace),
            ),
            false => (
                format!("no CatalogSource `{name}` in namespace `{lives_in}` is given, so nothing is found in it"),
                "add the CatalogSource to the manifests, or correct `source` and `sourceNamespace`".to_owned(),
            ),
        };
        Some(Diagnostic::new(Rule::UnknownCatalog, *span, message).with_help(help))
    });
    found.collect()
}

/// Warns of a CatalogSource of which nobody says what it serves.
pub(super) fn without_content(key: &CatalogKey, span: Span) -> Diagnostic {
    let message = format!("nothing says what CatalogSource `{}` in namespace `{}` serves", key.name, key.namespace);
    Diagnostic::new(Rule::UnknownCatalog, span.at_start(), message)
        .with_help("give its catalog under that name, or take the CatalogSource out: OLM resolves nothing in a namespace that sees a catalog it cannot read")
}
