//! `storedVersionRemoval`: crdify `pkg/validations/crd/storedversionremoval`.

use crate::crd::Crd;
use crate::finding::SchemaChange;

/// Every version of `status.storedVersions` must be one of the new versions, served or not. Where the old CRD has no status,
/// objects are taken to be stored in the version with `storage: true`.
pub(crate) fn check(old: &Crd, new: &Crd) -> Option<SchemaChange> {
    let mut gone = old.stored();
    gone.retain(|name| new.version(name).is_none());
    (!gone.is_empty()).then_some(SchemaChange::StoredVersions(gone))
}

#[cfg(test)]
mod tests {
    use crate::{Crd, Version};

    fn crd(versions: &[&str], stored: Option<&[&str]>) -> Crd {
        let version = |name: &&str| Version { name: (*name).into(), is_storage: true, ..Version::default() };
        let names = |names: &[&str]| names.iter().map(|name| Box::from(*name)).collect();
        Crd { versions: versions.iter().map(version).collect(), stored_versions: stored.map(names), ..Crd::default() }
    }

    #[track_caller]
    fn check(old: &Crd, expected: Option<&str>) {
        let found = super::check(old, &crd(&["v1"], None)).map(|change| change.to_string());
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn stored_versions_may_not_go() {
        check(&crd(&["v1"], Some(&["v1"])), None);
        check(&crd(&["v1beta1", "v1"], Some(&["v1"])), None);
        check(&crd(&[], Some(&["v1alpha1", "v1beta1", "v1"])), Some("stored versions removed : [v1alpha1 v1beta1]"));
    }

    #[test]
    fn without_a_status_the_storage_version_counts() {
        check(&crd(&["v1beta1"], None), Some("stored versions removed : [v1beta1]"));
        check(&crd(&["v1beta1"], Some(&[])), None);
    }
}
