//! What admission webhooks may apply to: `CheckWebhookRules`.

use super::bundle::RegistryV1;
use super::error::ManifestError;

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

#[cfg(test)]
mod tests {
    use crate::registry_v1::testing::check;

    fn csv(kind: &str, rules: &str) -> String {
        format!(
            "{{installModes: [{{type: AllNamespaces, supported: true}}], install: {{spec: {{deployments: [{{name: d}}]}}}}, webhookdefinitions: [{{type: {kind}, generateName: w, deploymentName: d, rules: [{rules}]}}]}}"
        )
    }

    #[test]
    fn protected_groups_and_resources_are_forbidden() {
        let kind = "MutatingAdmissionWebhook";
        check(&csv(kind, "{apiGroups: ['', apps], resources: ['*']}"), "", &[]);
        check(&csv(kind, "{apiGroups: [admissionregistration.k8s.io], resources: [other]}"), "", &[]);
        let rules = "{apiGroups: ['*', olm.operatorframework.io], resources: ['*']}, \
                     {apiGroups: [admissionregistration.k8s.io], resources: [ValidatingWebhookConfigurations, a, '*']}";
        let forbidden = "webhook \"w\" contains forbidden rule: admission webhook rules cannot reference";
        let admission = "for API group \"admissionregistration.k8s.io\"";
        check(
            &csv(kind, rules),
            "",
            &[
                &format!("{forbidden} API group \"*\""),
                &format!("{forbidden} API group \"olm.operatorframework.io\""),
                &format!("{forbidden} resource \"ValidatingWebhookConfigurations\" {admission}"),
                &format!("{forbidden} resource \"*\" {admission}"),
            ],
        );
        check(&csv("ConversionWebhook", rules), "", &[]);
    }
}
