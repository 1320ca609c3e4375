//! Catalogs that `opm` rejects: a cluster does not serve them, and their namespaces are not resolved.

use super::Staged;
use crate::input::{CatalogInput, Workbench};
use ::source::Diagnostic;
use resolver::{CatalogKey, Obstacle, Prevented};
use views::{BlockedView, UnservedView};

/// The catalogs in sight of the namespace that are not served; `None` when all are.
pub(super) fn blocked(workbench: &Workbench, staged: &Staged) -> Option<BlockedView> {
    let namespace = staged.cluster.namespace(&staged.namespace, &staged.snapshots);
    let visible = namespace.catalogs.iter().map(|snapshot| &snapshot.key);
    let rejected: Vec<(&CatalogKey, &CatalogInput)> = visible
        .filter_map(|key| Some((key, staged.stands_for(workbench, key)?)))
        .filter(|(_, c)| !c.is_served())
        .collect();
    if rejected.is_empty() {
        return None;
    }
    let obstacle = |(key, _): &(&CatalogKey, &CatalogInput)| {
        let error = format!("no registry client established for catalogsource {key}");
        Obstacle::Source((*key).clone(), error.into())
    };
    let message = Prevented { errors: rejected.iter().map(obstacle).collect() }.to_string();
    Some(BlockedView { sources: rejected.iter().map(|(key, catalog)| unserved(key, catalog)).collect(), message })
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
    fn a_rejected_catalog_blocks_and_its_healthy_packages_are_played() {
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
