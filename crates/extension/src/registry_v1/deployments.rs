//! The deployments of the CSV: `CheckDeploymentSpecUniqueness` and `CheckDeploymentNameIsDNS1123SubDomain`.

use super::bundle::RegistryV1;
use super::error::ManifestError;
use cluster::name_faults;
use std::collections::BTreeSet;

pub(super) fn duplicates(bundle: &RegistryV1) -> Vec<ManifestError> {
    repeated(&bundle.deployments).into_iter().map(|name| ManifestError::DuplicateDeployment(name.clone())).collect()
}

pub(super) fn invalid_names(bundle: &RegistryV1) -> Vec<ManifestError> {
    let names: BTreeSet<&Box<str>> = bundle.deployments.iter().collect();
    let invalid = names.into_iter().filter_map(|name| {
        let faults = name_faults(name);
        (!faults.is_empty()).then(|| ManifestError::DeploymentName { name: name.clone(), faults })
    });
    invalid.collect()
}

/// The values that a list has more than once, sorted.
pub(super) fn repeated<T: Ord>(list: &[T]) -> BTreeSet<&T> {
    let mut seen = BTreeSet::new();
    list.iter().filter(|value| !seen.insert(*value)).collect()
}

#[cfg(test)]
mod tests {
    use crate::registry_v1::testing::check;

    #[test]
    fn names_are_unique_and_dns_subdomains() {
        check("install: {spec: {deployments: [{name: a.b}, {name: c}]}}", "", &[]);
        let duplicate =
            |name: &str| format!("cluster service version contains duplicate strategy deployment spec '{name}'");
        check(
            "install: {spec: {deployments: [{name: b}, {name: a}, {name: b}, {name: b}, {name: a}]}}",
            "",
            &[&duplicate("a"), &duplicate("b")],
        );
        let form = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
        let invalid = "invalid cluster service version strategy deployment name";
        check("install: {spec: {deployments: [{}]}}", "", &[&format!("{invalid} '': {form}")]);
        let long = "_".repeat(254);
        check(
            &format!("install: {{spec: {{deployments: [{{name: {long}}}]}}}}"),
            "",
            &[&format!("{invalid} '{long}': {form}, must be no more than 253 bytes")],
        );
    }
}
