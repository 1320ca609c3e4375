//! Manifests for the tests of the checks.

use super::RegistryV1;

/// Checks the texts of what OLM v1 refuses in a CSV with this `spec` and further manifests.
#[track_caller]
pub(super) fn check(spec: &str, manifests: &str, expected: &[&str]) {
    let spec = if spec.starts_with('{') || spec.is_empty() { spec.to_owned() } else { format!("{{{spec}}}") };
    let csv = format!("kind: ClusterServiceVersion\nmetadata: {{name: p.v1}}\nspec: {spec}\n");
    let bundle = RegistryV1::read([csv.as_str(), manifests]).expect("the manifests can be read");
    let found: Vec<String> = bundle.errors().iter().map(ToString::to_string).collect();
    assert_eq!(found, expected, "{csv}{manifests}");
}

pub(super) fn crd(name: &str) -> String {
    format!("---\nkind: CustomResourceDefinition\nmetadata: {{name: {name}}}\nspec: {{}}\n")
}
