//! What OLM v1 refuses in the manifests of a bundle; displays its texts.

use cluster::NameFault;
use go_semver::blang::Quoted;
use source::OlmV1Release;
use std::fmt;

/// Something that OLM v1 refuses in the manifests of a bundle. The `Display` form is its text, with its mistakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManifestError {
    DuplicateDeployment(Box<str>),
    /// The name of a deployment is no DNS subdomain.
    DeploymentName {
        name: Box<str>,
        faults: Vec<NameFault>,
    },
    DuplicateCrd(Box<str>),
    /// The CSV owns this CRD, and the bundle does not have it.
    MissingCrd(Box<str>),
    /// The bundle supports other install modes than `AllNamespaces`, and has a conversion webhook.
    ConversionWebhook {
        webhook: Box<str>,
        install_modes: Vec<Box<str>>,
    },
    /// A webhook names a deployment that the CSV does not have.
    WebhookWithoutDeployment {
        /// The type of the webhook.
        kind: Box<str>,
        webhook: Box<str>,
        deployment: Box<str>,
    },
    /// Two webhooks of one type have the same name.
    DuplicateWebhook {
        kind: Box<str>,
        webhook: Box<str>,
    },
    /// The name of a webhook is no DNS subdomain.
    WebhookName {
        /// The type of the webhook.
        kind: Box<str>,
        webhook: Box<str>,
        faults: Vec<NameFault>,
    },
    /// Several conversion webhooks convert the same CRD.
    SharedConversion {
        /// Their names, sorted.
        webhooks: Vec<Box<str>>,
        crd: Box<str>,
    },
    /// A conversion webhook converts a CRD that the CSV does not own.
    ForeignConversion {
        webhook: Box<str>,
        crd: Box<str>,
    },
    /// An admission webhook applies to an API group that OLM v1 protects.
    WebhookGroup {
        webhook: Box<str>,
        group: Box<str>,
    },
    /// An admission webhook applies to the configurations of webhooks.
    WebhookResource {
        webhook: Box<str>,
        resource: Box<str>,
        group: &'static str,
    },
    /// Bundles cannot have objects of this kind.
    UnsupportedObject {
        name: Box<str>,
        kind: Box<str>,
    },
    /// A webhook converts this CRD, which preserves unknown fields.
    PreservedFields(Box<str>),
}

impl ManifestError {
    /// The first release of OLM v1 that finds it.
    pub(crate) const fn since(&self) -> OlmV1Release {
        match self {
            Self::ConversionWebhook { .. } | Self::WebhookGroup { .. } | Self::WebhookResource { .. } => {
                OlmV1Release::WEBHOOK_VALIDATORS
            }
            _ => OlmV1Release::VALIDATORS,
        }
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateDeployment(name) => {
                write!(f, "cluster service version contains duplicate strategy deployment spec '{name}'")
            }
            Self::DeploymentName { name, faults } => {
                let faults = joined(faults, ", ");
                write!(f, "invalid cluster service version strategy deployment name '{name}': {faults}")
            }
            Self::DuplicateCrd(crd) => write!(f, "bundle contains duplicate custom resource definition '{crd}'"),
            Self::MissingCrd(crd) => write!(
                f,
                "cluster service definition references owned custom resource definition '{crd}' not found in bundle"
            ),
            Self::ConversionWebhook { webhook, install_modes } => {
                let (webhook, modes) = (Quoted(webhook), install_modes.join(" "));
                write!(
                    f,
                    "bundle contains conversion webhook {webhook} and supports install modes [{modes}] - conversion webhooks are only supported for bundles that only support AllNamespaces install mode"
                )
            }
            Self::WebhookWithoutDeployment { kind, webhook, deployment } => write!(
                f,
                "webhook of type '{kind}' with name '{webhook}' references non-existent deployment '{deployment}'"
            ),
            Self::DuplicateWebhook { kind, webhook } => write!(f, "duplicate webhook '{webhook}' of type '{kind}'"),
            Self::WebhookName { kind, webhook, faults } => {
                write!(f, "webhook of type '{kind}' has invalid name '{webhook}': {}", joined(faults, ","))
            }
            Self::SharedConversion { webhooks, crd } => {
                let webhooks = webhooks.join(",");
                write!(f, "conversion webhooks [{webhooks}] reference same custom resource definition '{crd}'")
            }
            Self::ForeignConversion { webhook, crd } => write!(
                f,
                "conversion webhook '{webhook}' references custom resource definition '{crd}' not owned bundle"
            ),
            Self::WebhookGroup { webhook, group } => write!(
                f,
                "webhook {} contains forbidden rule: admission webhook rules cannot reference API group {}",
                Quoted(webhook),
                Quoted(group)
            ),
            Self::WebhookResource { webhook, resource, group } => write!(
                f,
                "webhook {} contains forbidden rule: admission webhook rules cannot reference resource {} for API group {}",
                Quoted(webhook),
                Quoted(resource),
                Quoted(group)
            ),
            Self::UnsupportedObject { name, kind } => {
                write!(f, "unsupported resource {} with kind {}", Quoted(name), Quoted(kind))
            }
            Self::PreservedFields(crd) => write!(
                f,
                "custom resource definition '{crd}' must have .spec.preserveUnknownFields set to false to let API Server call webhook to do the conversion"
            ),
        }
    }
}

fn joined(faults: &[NameFault], separator: &str) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator)
}
