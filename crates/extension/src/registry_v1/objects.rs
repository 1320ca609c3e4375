//! The kinds of objects that a bundle may have: `CheckObjectSupport`, with the kinds of operator-registry
//! `pkg/lib/bundle/supported_resources.go`.

use super::bundle::{Object, RegistryV1};
use super::error::ManifestError;

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

#[cfg(test)]
mod tests {
    use crate::registry_v1::testing::check;

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
}
