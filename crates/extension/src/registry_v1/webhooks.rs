//! Names and deployments of webhooks: `CheckWebhookDeploymentReferentialIntegrity`, `CheckWebhookNameUniqueness` and
//! `CheckWebhookNameIsDNS1123SubDomain`.

use super::bundle::{RegistryV1, Webhook};
use super::error::ManifestError;
use super::objects::repeated;
use crate::config::ALL_NAMESPACES;
use cluster::name_faults;
use std::collections::{BTreeMap, BTreeSet};

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

// What admission webhooks may apply to: `CheckWebhookRules`.

/// The groups that no rule may name.
const GROUPS: [&str; 2] = ["*", "olm.operatorframework.io"];
/// The group of the configurations of webhooks.
const ADMISSION: &str = "admissionregistration.k8s.io";
/// The resources that no rule may name, in lower case.
const RESOURCES: [&str; 5] = [
    "*",
    "mutatingwebhookconfiguration",
    "mutatingwebhookconfigurations",
    "validatingwebhookconfiguration",
    "validatingwebhookconfigurations",
];

/// In the order of the text.
pub(super) fn forbidden(bundle: &RegistryV1) -> Vec<ManifestError> {
    let mut errors = Vec::new();
    for webhook in bundle.webhooks.iter().filter(|webhook| !webhook.is_conversion()) {
        for rule in &webhook.rules {
            for group in &rule.api_groups {
                let webhook = &webhook.name;
                if GROUPS.contains(&&**group) {
                    errors.push(ManifestError::WebhookGroup { webhook: webhook.clone(), group: group.clone() });
                }
                let resources = rule.resources.iter().filter(|_| **group == *ADMISSION);
                let forbidden = resources.filter(|resource| RESOURCES.contains(&&*resource.to_lowercase()));
                errors.extend(forbidden.map(|resource| ManifestError::WebhookResource {
                    webhook: webhook.clone(),
                    resource: resource.clone(),
                    group: ADMISSION,
                }));
            }
        }
    }
    errors
}

// Webhooks that convert CRDs: `CheckConversionWebhookSupport`, `CheckConversionWebhookCRDReferenceUniqueness`,
// `CheckConversionWebhooksReferenceOwnedCRDs`, and what `BundleCRDGenerator` says of a CRD.

pub(super) fn unsupported(bundle: &RegistryV1) -> Vec<ManifestError> {
    if bundle.install_modes.iter().map(|mode| &**mode).eq([ALL_NAMESPACES]) {
        return Vec::new();
    }
    let error = |webhook: &Webhook| ManifestError::ConversionWebhook {
        webhook: webhook.name.clone(),
        install_modes: bundle.install_modes.clone(),
    };
    conversions(bundle).map(error).collect()
}

/// Sorted by CRD.
pub(super) fn shared_crds(bundle: &RegistryV1) -> Vec<ManifestError> {
    let mut webhooks: BTreeMap<&Box<str>, Vec<Box<str>>> = BTreeMap::new();
    for webhook in conversions(bundle) {
        for crd in &webhook.conversion_crds {
            webhooks.entry(crd).or_default().push(webhook.name.clone());
        }
    }
    let shared = webhooks.into_iter().filter(|(_, webhooks)| webhooks.len() > 1);
    let errors = shared.map(|(crd, mut webhooks)| {
        webhooks.sort();
        ManifestError::SharedConversion { webhooks, crd: crd.clone() }
    });
    errors.collect()
}

/// Sorted by webhook and CRD.
pub(super) fn foreign_crds(bundle: &RegistryV1) -> Vec<ManifestError> {
    let mut webhooks: Vec<&Webhook> = conversions(bundle).collect();
    webhooks.sort_by_key(|webhook| &webhook.name);
    let foreign = webhooks.into_iter().flat_map(|webhook| {
        let mut crds: Vec<&Box<str>> =
            webhook.conversion_crds.iter().filter(|crd| !bundle.owned_crds.contains(crd)).collect();
        crds.sort();
        crds.into_iter().map(|crd| ManifestError::ForeignConversion { webhook: webhook.name.clone(), crd: crd.clone() })
    });
    foreign.collect()
}

/// OLM v1 stops at the first one.
pub(super) fn preserved_fields(bundle: &RegistryV1) -> Option<ManifestError> {
    let converted: BTreeSet<&Box<str>> = conversions(bundle).flat_map(|webhook| &webhook.conversion_crds).collect();
    let found = bundle.crds.iter().find(|crd| crd.preserves_unknown_fields && converted.contains(&crd.name));
    found.map(|crd| ManifestError::PreservedFields(crd.name.clone()))
}

fn conversions(bundle: &RegistryV1) -> impl Iterator<Item = &Webhook> {
    bundle.webhooks.iter().filter(|webhook| webhook.is_conversion())
}

#[cfg(test)]
mod tests {
    use crate::registry_v1::testing::{check, crd};

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

    fn csv_webhook_rules(kind: &str, rules: &str) -> String {
        format!(
            "{{installModes: [{{type: AllNamespaces, supported: true}}], install: {{spec: {{deployments: [{{name: d}}]}}}}, webhookdefinitions: [{{type: {kind}, generateName: w, deploymentName: d, rules: [{rules}]}}]}}"
        )
    }

    #[test]
    fn protected_groups_and_resources_are_forbidden() {
        let kind = "MutatingAdmissionWebhook";
        check(&csv_webhook_rules(kind, "{apiGroups: ['', apps], resources: ['*']}"), "", &[]);
        check(&csv_webhook_rules(kind, "{apiGroups: [admissionregistration.k8s.io], resources: [other]}"), "", &[]);
        let rules = "{apiGroups: ['*', olm.operatorframework.io], resources: ['*']}, \
                     {apiGroups: [admissionregistration.k8s.io], resources: [ValidatingWebhookConfigurations, a, '*']}";
        let forbidden = "webhook \"w\" contains forbidden rule: admission webhook rules cannot reference";
        let admission = "for API group \"admissionregistration.k8s.io\"";
        check(
            &csv_webhook_rules(kind, rules),
            "",
            &[
                &format!("{forbidden} API group \"*\""),
                &format!("{forbidden} API group \"olm.operatorframework.io\""),
                &format!("{forbidden} resource \"ValidatingWebhookConfigurations\" {admission}"),
                &format!("{forbidden} resource \"*\" {admission}"),
            ],
        );
        check(&csv_webhook_rules("ConversionWebhook", rules), "", &[]);
    }

    const ALL: &str = "{type: AllNamespaces, supported: true}";

    fn csv_conversion(modes: &str, owned: &[&str], webhooks: &[(&str, &str)]) -> String {
        let owned: Vec<String> = owned.iter().map(|name| format!("{{name: {name}}}")).collect();
        let webhook = |(name, crds): &(&str, &str)| {
            format!("{{type: ConversionWebhook, generateName: {name}, deploymentName: d, conversionCRDs: [{crds}]}}")
        };
        let webhooks: Vec<String> = webhooks.iter().map(webhook).collect();
        format!(
            "{{installModes: [{modes}], install: {{spec: {{deployments: [{{name: d}}]}}}}, customresourcedefinitions: {{owned: [{}]}}, webhookdefinitions: [{}]}}",
            owned.join(", "),
            webhooks.join(", ")
        )
    }

    #[test]
    fn other_install_modes_exclude_conversion() {
        let (crds, webhooks) = (crd("a.x"), [("w", "a.x")]);
        check(&csv_conversion(ALL, &["a.x"], &webhooks), &crds, &[]);
        let other = "{type: OwnNamespace, supported: false}";
        check(&csv_conversion(&format!("{ALL}, {other}"), &["a.x"], &webhooks), &crds, &[]);
        let error = |modes: &str| {
            format!(
                "bundle contains conversion webhook \"w\" and supports install modes [{modes}] - conversion webhooks are only supported for bundles that only support AllNamespaces install mode"
            )
        };
        let single = "{type: SingleNamespace, supported: true}";
        let both = csv_conversion(&format!("{single}, {ALL}"), &["a.x"], &webhooks);
        check(&both, &crds, &[&error("AllNamespaces SingleNamespace")]);
        check(&csv_conversion("", &["a.x"], &webhooks), &crds, &[&error("")]);
    }

    #[test]
    fn a_webhook_converts_owned_crds_of_its_own() {
        let webhooks = [("w", "c.x, b.x"), ("v", "c.x, a.x, d.x")];
        let foreign = |webhook: &str, crd: &str| {
            format!("conversion webhook '{webhook}' references custom resource definition '{crd}' not owned bundle")
        };
        check(
            &csv_conversion(ALL, &["a.x"], &webhooks),
            &crd("a.x"),
            &[
                "conversion webhooks [v,w] reference same custom resource definition 'c.x'",
                &foreign("v", "c.x"),
                &foreign("v", "d.x"),
                &foreign("w", "b.x"),
                &foreign("w", "c.x"),
            ],
        );
    }

    #[test]
    fn converted_crds_do_not_preserve_unknown_fields() {
        let preserving = |name: &str| crd(name).replace("spec: {", "spec: {preserveUnknownFields: true, ");
        let crds = [crd("a.x"), preserving("c.x"), preserving("b.x"), preserving("d.x")].concat();
        let csv = csv_conversion(ALL, &["a.x", "b.x", "c.x", "d.x"], &[("w", "a.x, b.x, c.x")]);
        check(
            &csv,
            &crds,
            &[
                "custom resource definition 'c.x' must have .spec.preserveUnknownFields set to false to let API Server call webhook to do the conversion",
            ],
        );
    }
}
