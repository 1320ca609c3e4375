//! `scope`: crdify `pkg/validations/crd/scope`.

use crate::crd::Crd;
use crate::finding::SchemaChange;

pub(crate) fn check(old: &Crd, new: &Crd) -> Option<SchemaChange> {
    (old.scope != new.scope).then(|| SchemaChange::Scope { old: old.scope.clone(), new: new.scope.clone() })
}

#[cfg(test)]
mod tests {
    use crate::Crd;

    #[test]
    fn the_scope_may_not_change() {
        let crd = |scope: &str| Crd { scope: scope.into(), ..Crd::default() };
        let found = super::check(&crd("Namespaced"), &crd("Cluster")).map(|change| change.to_string());
        assert_eq!(found.as_deref(), Some("scope changed : \"Namespaced\" -> \"Cluster\""));
        assert_eq!(super::check(&crd("Cluster"), &crd("Cluster")), None);
    }
}
