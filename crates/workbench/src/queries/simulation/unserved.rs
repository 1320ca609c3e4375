//! Catalogs that `opm` rejects: a cluster does not serve them, and their namespaces are not resolved.

use super::Staged;
use crate::input::{CatalogInput, Workbench};
use ::source::Diagnostic;
use resolver::{CatalogKey, Problem, Unresolvable};
use views::{BlockedView, UnservedView};

/// The catalogs in sight of the namespace that are not served; `None` when all are.
pub(super) fn blocked(workbench: &Workbench, staged: &Staged) -> Option<BlockedView> {
    let is_rejected = |key: &CatalogKey| staged.stands_for(workbench, key).is_some_and(|catalog| !catalog.is_served());
    let mut cluster = staged.cluster.clone();
    let keys = cluster.catalog_sources.iter().map(|source| &source.key);
    cluster.not_served = keys.filter(|key| is_rejected(key)).cloned().collect();
    let sources: Vec<UnservedView> = cluster
        .blocking(&staged.namespace)
        .filter_map(|key| Some(unserved(key, staged.stands_for(workbench, key)?)))
        .collect();
    if sources.is_empty() {
        return None;
    }
    let problem = Problem::new(cluster.namespace(&staged.namespace, &staged.snapshots));
    let message = match problem.unresolvable() {
        Some(Unresolvable::Prevented(prevented)) => prevented.to_string(),
        _ => String::new(),
    };
    Some(BlockedView { sources, message })
}

fn unserved(key: &CatalogKey, catalog: &CatalogInput) -> UnservedView {
    let rejections =
        || catalog.built.findings.iter().map(|found| &found.diagnostic).filter(|found| found.opm.is_some());
    let first: Option<&Diagnostic> = rejections().next();
    UnservedView {
        catalog: catalog.id,
        name: key.name.to_string(),
        namespace: key.namespace.to_string(),
        errors: rejections().count() as u32,
        opm: first.and_then(|found| found.opm.clone()).unwrap_or_default(),
        place: first.map(|found| catalog.place(found.span)),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{form, workbench};
    use views::SubscriptionForm;

    #[test]
    fn a_rejected_catalog_blocks_and_is_played_all_the_same() {
        let good = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let bad = "package q c\nchannel q c q.v1.0.0";
        let wish = SubscriptionForm { package: "p".to_owned(), ..SubscriptionForm::default() };
        let view = workbench(&[("good", good), ("bad", bad)]).simulate(&form(&[wish]));
        let blocked = view.blocked.unwrap();
        let names: Vec<_> = blocked.sources.iter().map(|source| (source.name.as_str(), source.errors)).collect();
        assert_eq!(names, [("bad", 1)]);
        assert!(blocked.message.contains("olm/bad"), "{}", blocked.message);
        assert_eq!(view.outcomes[0].subscriptions[0].verdict, "installs p.v1.0.0");
    }

    #[test]
    fn a_healthy_catalog_blocks_nothing() {
        let good = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let wish = SubscriptionForm { package: "p".to_owned(), ..SubscriptionForm::default() };
        assert_eq!(workbench(&[("good", good)]).simulate(&form(&[wish])).blocked, None);
    }
}
