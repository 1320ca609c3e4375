//! What OLM v1 refuses in a bundle, as far as a catalog shows it: dependencies when it resolves, and API services, install modes
//! and mistakes in the manifests when it applies the bundle (operator-controller
//! `internal/operator-controller/resolve/validation.go`, `internal/operator-controller/applier/provider.go`).
//!
//! A catalog has the manifests of a bundle in `olm.bundle.object`, or only parts of the CSV in `olm.csv.metadata`. It does not
//! show the objects on the cluster, or what the API server thinks of the manifests. A bundle is therefore never called ready.

use std::collections::BTreeSet;
use std::fmt;

use catalog::{Bundle, BundleName, bundle_details, bundle_manifests};
use go_semver::blang::Quoted;
use source::{FeatureGate, OlmV1, OlmV1Release, ReadinessVerdict};

use crate::config::{self, ALL_NAMESPACES, ConfigError, OWN_NAMESPACE, SINGLE_NAMESPACE};
use crate::registry_v1::{ManifestError, RegistryV1};
use crate::resolve::refused_properties;
use cluster::{ClusterExtension, InlineConfig, ReportedFailure};

/// What a catalog shows of the obstacles to a bundle in OLM v1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readiness {
    /// What OLM v1 refuses, in the order in which it checks.
    pub refusals: Vec<Refusal>,
    /// The install modes that it supports; absent if the catalog does not show them.
    pub install_modes: Option<BTreeSet<Box<str>>>,
    /// What the bundle needs on the cluster.
    pub needs: Vec<Need>,
    /// What the catalog does not show.
    pub unknown: BTreeSet<Unknown>,
}

/// What OLM v1 refuses; displays its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A property declares a dependency. OLM v1 does not even choose the bundle.
    Dependency { bundle: BundleName, property: Box<str> },
    /// The bundle owns API services.
    ApiServices { names: BTreeSet<Box<str>> },
    /// The bundle has webhooks, and no provider of certificates for them is switched on.
    Webhooks,
    /// The bundle does not support the install mode `AllNamespaces`.
    InstallModes {
        /// The install modes that it supports.
        supported: BTreeSet<Box<str>>,
        /// Whether `SingleNamespace` or `OwnNamespace` would do, too.
        takes_others: bool,
    },
    /// The configuration of the extension does not fit the bundle.
    Configuration(ConfigError),
    /// Something in the manifests.
    Manifests(ManifestError),
    /// What the status of an extension reports of the bundle.
    Reported(ReportedFailure),
}

/// When OLM v1 refuses a bundle; it does nothing of what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Reported,
    Resolution,
    ApiServices,
    Webhooks,
    InstallModes,
    Configuration,
    Validation,
    Generation,
}

impl Refusal {
    const fn stage(&self) -> Stage {
        match self {
            Self::Dependency { .. } => Stage::Resolution,
            Self::ApiServices { .. } => Stage::ApiServices,
            Self::Webhooks => Stage::Webhooks,
            Self::InstallModes { .. } => Stage::InstallModes,
            Self::Configuration(_) => Stage::Configuration,
            Self::Manifests(ManifestError::PreservedFields(_)) => Stage::Generation,
            Self::Manifests(_) => Stage::Validation,
            Self::Reported(_) => Stage::Reported,
        }
    }
}

/// The error with which OLM v1 does not apply a bundle: of what it refuses, what it meets first. `None` if it refuses nothing.
pub(crate) fn apply_error(refusals: &[Refusal]) -> Option<String> {
    let first = refusals.iter().map(Refusal::stage).min()?;
    let texts = refusals.iter().filter(|refusal| refusal.stage() == first).map(ToString::to_string);
    Some(texts.collect::<Vec<_>>().join("\n"))
}

/// Whether the error is one about the configuration, which OLM v1 does not retry.
pub(crate) fn is_configuration_error(refusals: &[Refusal]) -> bool {
    refusals.iter().map(Refusal::stage).min() == Some(Stage::Configuration)
}

impl Refusal {
    /// What is known of an OLM v1 that accepts it.
    #[must_use]
    pub fn outlook(&self) -> Option<&'static str> {
        match self {
            // operator-controller#2885.
            Self::ApiServices { .. } => Some(
                "not yet supported, as of operator-controller `df2c201d`: the code of `d3adeaeb` for them is not switched on",
            ),
            Self::InstallModes { takes_others: false, supported } if has_other_mode(supported) => {
                Some("supported with the feature gate SingleOwnNamespaceInstallSupport")
            }
            Self::Webhooks => Some(
                "supported from v1.3 on with the feature gate WebhookProviderCertManager or WebhookProviderOpenshiftServiceCA",
            ),
            Self::Configuration(error) if error.has_deployment_config() => {
                Some("supported from v1.9 on with the feature gate DeploymentConfig")
            }
            Self::Dependency { .. }
            | Self::InstallModes { .. }
            | Self::Configuration(_)
            | Self::Manifests(_)
            | Self::Reported(_) => None,
        }
    }
}

impl Refusal {
    /// OLM's text, and what is known of an OLM v1 that accepts it.
    #[must_use]
    pub fn text(&self) -> String {
        match self.outlook() {
            Some(outlook) => format!("{self} ({outlook})"),
            None => self.to_string(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dependency { bundle, property } => {
                let (bundle, property) = (Quoted(bundle.as_str()), Quoted(property));
                write!(
                    f,
                    "bundle {bundle} has a dependency declared via property {property} which is currently not supported"
                )
            }
            // The misspelling is OLM's.
            Self::ApiServices { .. } => f.write_str("unsupported bundle: apiServiceDefintions are not supported"),
            Self::Webhooks => f.write_str("unsupported bundle: webhookDefinitions are not supported"),
            Self::InstallModes { takes_others: false, .. } => {
                write!(f, "unsupported bundle: bundle does not support {ALL_NAMESPACES} install mode")
            }
            Self::InstallModes { takes_others: true, .. } => write!(
                f,
                "unsupported bundle: bundle must support at least one of [{ALL_NAMESPACES} {SINGLE_NAMESPACE} {OWN_NAMESPACE}] install modes"
            ),
            Self::Configuration(error) => error.fmt(f),
            Self::Manifests(error) => error.fmt(f),
            Self::Reported(failure) => f.write_str(&failure.text),
        }
    }
}

/// Whether a bundle supports an install mode beside `AllNamespaces` that OLM v1 may install.
fn has_other_mode(supported: &BTreeSet<Box<str>>) -> bool {
    [SINGLE_NAMESPACE, OWN_NAMESPACE].iter().any(|mode| supported.contains(*mode))
}

/// What a bundle needs on the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A provider of certificates for its webhooks: cert-manager, or OpenShift's service CA.
    CertificateProvider,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CertificateProvider => {
                f.write_str("a provider of certificates for its webhooks: cert-manager, or the service CA of OpenShift")
            }
        }
    }
}

/// What a catalog does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unknown {
    /// The ClusterServiceVersion: its install modes and API services.
    Csv,
    /// The manifests: webhooks, deployments, CRDs and other objects.
    Manifests,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Csv => "the install modes and API services",
            Self::Manifests => "the webhooks, deployments and other manifests",
        })
    }
}

impl Readiness {
    /// Reads what a catalog shows to this OLM v1; `text` is the text of the bundle's file.
    #[must_use]
    pub fn of(bundle: &Bundle, text: Option<&str>, olm: OlmV1) -> Self {
        let name = &bundle.name.value;
        let dependencies = refused_properties(bundle);
        let mut refusals: Vec<Refusal> = dependencies
            .map(|property| Refusal::Dependency { bundle: name.clone(), property: property.into() })
            .collect();
        refusals.dedup();
        let Some(csv) = text.and_then(|text| bundle_details(bundle, text)?.csv) else {
            let unknown = BTreeSet::from([Unknown::Csv, Unknown::Manifests]);
            return Self { refusals, install_modes: None, needs: Vec::new(), unknown };
        };
        if !csv.owned_api_services.is_empty() {
            refusals.push(Refusal::ApiServices { names: csv.owned_api_services });
        }
        let manifests = text.and_then(|text| bundle_manifests(bundle, text));
        let bundle = manifests.and_then(|manifests| RegistryV1::read(manifests.iter().map(String::as_str)));
        let has_webhooks = bundle.as_ref().is_some_and(RegistryV1::has_webhooks);
        let unknown = bundle.is_none().then_some(Unknown::Manifests);
        refusals.extend((has_webhooks && !olm.takes_webhooks()).then_some(Refusal::Webhooks));
        let supported = csv.install_modes.supported();
        let takes_others = olm.is_on(FeatureGate::SingleOwnNamespaceInstallSupport);
        let is_taken = supported.contains(ALL_NAMESPACES) || (takes_others && has_other_mode(&supported));
        if !is_taken {
            refusals.push(Refusal::InstallModes { supported: supported.clone(), takes_others });
        }
        let errors = bundle.iter().flat_map(RegistryV1::errors);
        refusals.extend(errors.filter(|error| error.since() <= olm.release()).map(Refusal::Manifests));
        Self {
            refusals,
            install_modes: Some(supported),
            needs: has_webhooks.then_some(Need::CertificateProvider).into_iter().collect(),
            unknown: unknown.into_iter().collect(),
        }
    }

    /// What OLM v1 refuses of the bundle for an extension: also its configuration, where it is known.
    #[must_use]
    pub fn refusals_for(&self, extension: &ClusterExtension) -> Vec<Refusal> {
        let olm = extension.olm;
        let none = InlineConfig::new();
        // With the feature gate, `watchNamespace` may be missing; there is no `config` before v1.6.
        let config = match olm.is_on(FeatureGate::SingleOwnNamespaceInstallSupport) {
            true if olm.release() >= OlmV1Release::WEBHOOK_VALIDATORS => extension.config.as_ref().or(Some(&none)),
            true => None,
            false => extension.config.as_ref().filter(|_| olm.release() >= OlmV1Release::CHECKED_CONFIGURATION),
        };
        let has_deployment_config = olm.is_on(FeatureGate::DeploymentConfig);
        let error = config.zip(self.install_modes.as_ref()).and_then(|(config, modes)| {
            config::check(config, modes, &extension.namespace, has_deployment_config).err()
        });
        let mut refusals = self.refusals.clone();
        refusals.extend(error.map(Refusal::Configuration));
        // The sort is stable.
        refusals.sort_by_key(Refusal::stage);
        refusals
    }

    /// The summary.
    #[must_use]
    pub fn verdict(&self) -> ReadinessVerdict {
        if !self.refusals.is_empty() {
            ReadinessVerdict::Refused
        } else if self.unknown.contains(&Unknown::Csv) {
            ReadinessVerdict::CannotBeKnown
        } else {
            ReadinessVerdict::NothingFound
        }
    }
}
