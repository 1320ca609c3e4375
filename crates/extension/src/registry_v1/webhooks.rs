//! Names and deployments of webhooks: `CheckWebhookDeploymentReferentialIntegrity`, `CheckWebhookNameUniqueness` and
//! `CheckWebhookNameIsDNS1123SubDomain`.

use super::bundle::{RegistryV1, Webhook};
use super::deployments::repeated;
use super::error::ManifestError;
use cluster::name_faults;
use std::collections::BTreeSet;

/// Sorted by deployment, type and name.
pub(super) fn without_deployment(bundle: &RegistryV1) -> Vec<ManifestError> {
    let mut found: Vec<&Webhook> =
        bundle.webhooks.iter().filter(|webhook| !bundle.deployments.contains(&webhook.deployment)).collect();
    found.sort_by_key(|webhook| (&webhook.deployment, &webhook.kind, &webhook.name));
    let error = |webhook: &Webhook| ManifestError::WebhookWithoutDeployment {
        kind: webhook.kind.clone(),
        webhook: webhook.name.clone(),
        deployment: webhook.deployment.clone(),
    };
    found.into_iter().map(error).collect()
}

/// Sorted by type and name.
pub(super) fn duplicates(bundle: &RegistryV1) -> Vec<ManifestError> {
    let names: Vec<_> = bundle.webhooks.iter().map(|webhook| (&webhook.kind, &webhook.name)).collect();
    let repeated = repeated(&names).into_iter();
    let errors = repeated
        .map(|(kind, name)| ManifestError::DuplicateWebhook { kind: (*kind).clone(), webhook: (*name).clone() });
    errors.collect()
}

/// Sorted by type and name.
pub(super) fn invalid_names(bundle: &RegistryV1) -> Vec<ManifestError> {
    let names: BTreeSet<_> = bundle.webhooks.iter().map(|webhook| (&webhook.kind, &webhook.name)).collect();
    let invalid = names.into_iter().filter_map(|(kind, name)| {
        let faults = name_faults(name);
        let (kind, webhook) = (kind.clone(), name.clone());
        (!faults.is_empty()).then_some(ManifestError::WebhookName { kind, webhook, faults })
    });
    invalid.collect()
}

#[cfg(test)]
mod tests {
    use crate::registry_v1::testing::check;

    const DEPLOYMENT: &str = "install: {spec: {deployments: [{name: d}]}}";

    fn csv(webhooks: &str) -> String {
        format!("{{{DEPLOYMENT}, webhookdefinitions: [{webhooks}]}}")
    }

    #[test]
    fn deployments_of_webhooks_exist() {
        let missing = |kind: &str, name: &str, deployment: &str| {
            format!("webhook of type '{kind}' with name '{name}' references non-existent deployment '{deployment}'")
        };
        let (validating, mutating) = ("ValidatingAdmissionWebhook", "MutatingAdmissionWebhook");
        let webhook = |kind: &str, name: &str, deployment: &str| {
            format!("{{type: {kind}, generateName: {name}, deploymentName: {deployment}}}")
        };
        check(&csv(&webhook(validating, "a", "d")), "", &[]);
        let webhooks = [
            webhook(validating, "b", "f"),
            webhook(validating, "c", "e"),
            webhook(mutating, "e", "f"),
            webhook(validating, "a", "f"),
        ];
        let expected = [
            missing(validating, "c", "e"),
            missing(mutating, "e", "f"),
            missing(validating, "a", "f"),
            missing(validating, "b", "f"),
        ];
        check(&csv(&webhooks.join(", ")), "", &expected.each_ref().map(String::as_str));
    }

    #[test]
    fn names_are_unique_in_a_type_and_dns_subdomains() {
        let webhook = |kind: &str, name: &str| format!("{{type: {kind}, generateName: {name}, deploymentName: d}}");
        check(&csv(&[webhook("A", "a"), webhook("B", "a")].join(", ")), "", &[]);
        let twice = [webhook("B", "b"), webhook("B", "b"), webhook("A", "c"), webhook("A", "c"), webhook("A", "c")];
        check(&csv(&twice.join(", ")), "", &["duplicate webhook 'c' of type 'A'", "duplicate webhook 'b' of type 'B'"]);
        let form = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
        let long = "-".repeat(254);
        let invalid = format!("webhook of type 'A' has invalid name '{long}': {form},must be no more than 253 bytes");
        check(&csv(&webhook("A", &long)), "", &[&invalid]);
    }
}
