//! The CRDs of the bundle: `CheckCRDResourceUniqueness` and `CheckOwnedCRDExistence`.

use super::bundle::RegistryV1;
use super::deployments::repeated;
use super::error::ManifestError;
use std::collections::BTreeSet;

pub(super) fn duplicates(bundle: &RegistryV1) -> Vec<ManifestError> {
    let names: Vec<&Box<str>> = bundle.crds.iter().map(|crd| &crd.name).collect();
    repeated(&names).into_iter().map(|name| ManifestError::DuplicateCrd((*name).clone())).collect()
}

pub(super) fn missing(bundle: &RegistryV1) -> Vec<ManifestError> {
    let listed: BTreeSet<&Box<str>> = bundle.crds.iter().map(|crd| &crd.name).collect();
    let owned: BTreeSet<&Box<str>> = bundle.owned_crds.iter().collect();
    owned.difference(&listed).map(|name| ManifestError::MissingCrd((*name).clone())).collect()
}

#[cfg(test)]
mod tests {
    use crate::registry_v1::testing::{check, crd};

    #[test]
    fn names_are_unique_and_owned_ones_exist() {
        let owned = "customresourcedefinitions: {owned: [{name: b.x}, {name: a.x}, {name: b.x}]}";
        check(owned, &[crd("a.x"), crd("b.x"), crd("c.x")].concat(), &[]);
        let missing = |name: &str| {
            format!(
                "cluster service definition references owned custom resource definition '{name}' not found in bundle"
            )
        };
        check(owned, "", &[&missing("a.x"), &missing("b.x")]);
        check(
            owned,
            &[crd("b.x"), crd("b.x")].concat(),
            &["bundle contains duplicate custom resource definition 'b.x'", &missing("a.x")],
        );
        // OLM v1 does not look at required ones.
        check("customresourcedefinitions: {required: [{name: a.x}]}", "", &[]);
    }
}
