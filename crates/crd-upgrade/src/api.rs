//! The APIs that an upgrade takes away from other operators and from users.
//!
//! OLM v0 does not look at them when it updates a CRD. A CSV that owns or requires a version that is not served any more
//! becomes `Failed` with `requirements no longer met` (operator-lifecycle-manager `pkg/controller/operators/olm/operator.go`).
//! The resolver reads `olm.gvk` properties, which also list versions that are not served: it only notices removed ones.

use crate::crd::Crd;
use views::{ApiLoss, LostApi};

/// The APIs that the old CRD has and the new one does not have or not serve.
#[must_use]
pub fn lost_apis(old: &Crd, new: &Crd) -> Vec<LostApi> {
    let is_same = (&old.group, &old.kind) == (&new.group, &new.kind);
    let lost = old.versions.iter().filter_map(|version| {
        let kept = new.version(&version.name).filter(|_| is_same);
        let loss = match kept {
            None => ApiLoss::Removed,
            Some(kept) if version.is_served && !kept.is_served => ApiLoss::NotServed,
            Some(_) => return None,
        };
        Some(LostApi {
            group: old.group.to_string(),
            version: version.name.to_string(),
            kind: old.kind.to_string(),
            loss,
        })
    });
    lost.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Version;

    fn crd(kind: &str, versions: &[(&str, bool)]) -> Crd {
        let version = |(name, is_served): &(&str, bool)| Version {
            name: (*name).into(),
            is_served: *is_served,
            ..Version::default()
        };
        Crd { kind: kind.into(), versions: versions.iter().map(version).collect(), ..Crd::default() }
    }

    #[track_caller]
    fn check(old: &Crd, new: &Crd, expected: &[(&str, ApiLoss)]) {
        let found = lost_apis(old, new);
        assert_eq!(found.iter().map(|api| (&*api.version, api.loss)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn versions_are_removed_or_no_longer_served() {
        let old = crd("A", &[("v1alpha1", false), ("v1beta1", true), ("v1", true)]);
        check(
            &old,
            &crd("A", &[("v1beta1", false), ("v1", true), ("v2", true)]),
            &[("v1alpha1", ApiLoss::Removed), ("v1beta1", ApiLoss::NotServed)],
        );
        check(&old, &old, &[]);
    }

    #[test]
    fn another_kind_is_another_api() {
        check(&crd("A", &[("v1", true)]), &crd("B", &[("v1", true)]), &[("v1", ApiLoss::Removed)]);
    }
}
