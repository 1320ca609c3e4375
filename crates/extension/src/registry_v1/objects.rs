//! The kinds of objects that a bundle may have: `CheckObjectSupport`, with the kinds of operator-registry
//! `pkg/lib/bundle/supported_resources.go`.

use super::bundle::{Object, RegistryV1};
use super::error::ManifestError;
use cluster::name_faults;
use std::collections::BTreeSet;

/// The kinds beside ClusterServiceVersion and CustomResourceDefinition.
const KINDS: [&str; 20] = [
    "ClusterRole",
    "ClusterRoleBinding",
    "ConfigMap",
    "ConsoleCLIDownload",
    "ConsoleLink",
    "ConsolePlugin",
    "ConsoleQuickStart",
    "ConsoleYAMLSample",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "PodMonitor",
    "PriorityClass",
    "PrometheusRule",
    "Role",
    "RoleBinding",
    "Secret",
    "Service",
    "ServiceAccount",
    "ServiceMonitor",
    "VerticalPodAutoscaler",
];

/// In the order of the bundle.
pub(super) fn unsupported(bundle: &RegistryV1) -> Vec<ManifestError> {
    let others = bundle.others.iter().filter(|object| !KINDS.contains(&&*object.kind));
    let error =
        |Object { kind, name }: &Object| ManifestError::UnsupportedObject { name: name.clone(), kind: kind.clone() };
    others.map(error).collect()
}

// The CRDs of the bundle: `CheckCRDResourceUniqueness` and `CheckOwnedCRDExistence`.

pub(super) fn duplicate_crds(bundle: &RegistryV1) -> Vec<ManifestError> {
    let names: Vec<&Box<str>> = bundle.crds.iter().map(|crd| &crd.name).collect();
    repeated(&names).into_iter().map(|name| ManifestError::DuplicateCrd((*name).clone())).collect()
}

pub(super) fn missing_crds(bundle: &RegistryV1) -> Vec<ManifestError> {
    let listed: BTreeSet<&Box<str>> = bundle.crds.iter().map(|crd| &crd.name).collect();
    let owned: BTreeSet<&Box<str>> = bundle.owned_crds.iter().collect();
    owned.difference(&listed).map(|name| ManifestError::MissingCrd((*name).clone())).collect()
}

// The deployments of the CSV: `CheckDeploymentSpecUniqueness` and `CheckDeploymentNameIsDNS1123SubDomain`.

pub(super) fn duplicate_deployments(bundle: &RegistryV1) -> Vec<ManifestError> {
    repeated(&bundle.deployments).into_iter().map(|name| ManifestError::DuplicateDeployment(name.clone())).collect()
}

pub(super) fn invalid_deployment_names(bundle: &RegistryV1) -> Vec<ManifestError> {
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
    use crate::registry_v1::testing::{check, crd};

    #[test]
    fn other_kinds_are_refused() {
        let object = |kind: &str, name: &str| format!("---\nkind: {kind}\nmetadata: {{name: {name}}}\n");
        check("", &(object("Service", "s") + &object("ConfigMap", "c")), &[]);
        let list = "---\nkind: List\nitems: [{kind: Role, metadata: {name: r}}, {kind: Namespace}]\n";
        check(
            "",
            &(object("Deployment", "d") + list),
            &[
                "unsupported resource \"d\" with kind \"Deployment\"",
                "unsupported resource \"\" with kind \"Namespace\"",
            ],
        );
    }

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
