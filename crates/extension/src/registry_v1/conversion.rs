//! Webhooks that convert CRDs: `CheckConversionWebhookSupport`, `CheckConversionWebhookCRDReferenceUniqueness`,
//! `CheckConversionWebhooksReferenceOwnedCRDs`, and what `BundleCRDGenerator` says of a CRD.

use super::bundle::{RegistryV1, Webhook};
use super::error::ManifestError;
use crate::config::ALL_NAMESPACES;
use std::collections::{BTreeMap, BTreeSet};

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

    const ALL: &str = "{type: AllNamespaces, supported: true}";

    fn csv(modes: &str, owned: &[&str], webhooks: &[(&str, &str)]) -> String {
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
        check(&csv(ALL, &["a.x"], &webhooks), &crds, &[]);
        let other = "{type: OwnNamespace, supported: false}";
        check(&csv(&format!("{ALL}, {other}"), &["a.x"], &webhooks), &crds, &[]);
        let error = |modes: &str| {
            format!(
                "bundle contains conversion webhook \"w\" and supports install modes [{modes}] - conversion webhooks are only supported for bundles that only support AllNamespaces install mode"
            )
        };
        let single = "{type: SingleNamespace, supported: true}";
        let both = csv(&format!("{single}, {ALL}"), &["a.x"], &webhooks);
        check(&both, &crds, &[&error("AllNamespaces SingleNamespace")]);
        check(&csv("", &["a.x"], &webhooks), &crds, &[&error("")]);
    }

    #[test]
    fn a_webhook_converts_owned_crds_of_its_own() {
        let webhooks = [("w", "c.x, b.x"), ("v", "c.x, a.x, d.x")];
        let foreign = |webhook: &str, crd: &str| {
            format!("conversion webhook '{webhook}' references custom resource definition '{crd}' not owned bundle")
        };
        check(
            &csv(ALL, &["a.x"], &webhooks),
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
        let csv = csv(ALL, &["a.x", "b.x", "c.x", "d.x"], &[("w", "a.x, b.x, c.x")]);
        check(
            &csv,
            &crds,
            &[
                "custom resource definition 'c.x' must have .spec.preserveUnknownFields set to false to let API Server call webhook to do the conversion",
            ],
        );
    }
}
