//! What OLM v1 refuses in a bundle, as far as a catalog shows it: dependencies when it resolves, and API services, install modes
//! and mistakes in the manifests when it applies the bundle (operator-controller
//! `internal/operator-controller/resolve/validation.go`, `internal/operator-controller/applier/provider.go`).
//!
//! A catalog has the manifests of a bundle in `olm.bundle.object`, or only parts of the CSV in `olm.csv.metadata`. It does not
//! show the objects on the cluster, or what the API server thinks of the manifests. A bundle is therefore never called ready.

use std::collections::BTreeSet;
use std::fmt;

use blang_semver::Quoted;
use catalog::{Bundle, BundleName, bundle_details, bundle_manifests};

use crate::registry_v1::{ManifestError, RegistryV1};
use crate::resolve::refused_properties;

/// The install mode that a bundle must support, as long as the feature gate `SingleOwnNamespaceInstallSupport` is off.
pub(crate) const ALL_NAMESPACES: &str = "AllNamespaces";

/// What a catalog shows of the obstacles to a bundle in OLM v1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readiness {
    /// What OLM v1 refuses, in the order in which it checks.
    pub refusals: Vec<Refusal>,
    /// What the bundle needs on the cluster.
    pub needs: Vec<Need>,
    /// What the catalog does not show.
    pub unknown: BTreeSet<Unknown>,
}

/// The summary of [`Readiness`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadinessVerdict {
    /// OLM v1 refuses the bundle, with its default feature gates.
    Refused,
    /// Nothing is refused in what the catalog shows, but it does not show the ClusterServiceVersion.
    CannotBeKnown,
    /// The catalog shows nothing that OLM v1 refuses.
    NothingFound,
}

/// What OLM v1 refuses; displays its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A property declares a dependency. OLM v1 does not even choose the bundle.
    Dependency {
        /// The bundle.
        bundle: BundleName,
        /// The type of the property.
        property: Box<str>,
    },
    /// The bundle owns API services.
    ApiServices {
        /// Their names.
        names: BTreeSet<Box<str>>,
    },
    /// The bundle does not support the install mode `AllNamespaces`.
    InstallModes {
        /// The install modes that it supports.
        supported: BTreeSet<Box<str>>,
    },
    /// Something in the manifests.
    Manifests(ManifestError),
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
            Self::InstallModes { .. } => {
                write!(f, "unsupported bundle: bundle does not support {ALL_NAMESPACES} install mode")
            }
            Self::Manifests(error) => error.fmt(f),
        }
    }
}

/// What a bundle needs on the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A provider of certificates for its webhooks: cert-manager, or OpenShift's service CA.
    CertificateProvider,
}

/// What a catalog does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unknown {
    /// The ClusterServiceVersion: its install modes and API services.
    Csv,
    /// The manifests: webhooks, deployments, CRDs and other objects.
    Manifests,
}

impl Readiness {
    /// Reads what a catalog shows; `text` is the text of the bundle's file.
    #[must_use]
    pub fn of(bundle: &Bundle, text: Option<&str>) -> Self {
        let name = &bundle.name.value;
        let dependencies = refused_properties(bundle);
        let mut refusals: Vec<Refusal> = dependencies
            .map(|property| Refusal::Dependency { bundle: name.clone(), property: property.into() })
            .collect();
        refusals.dedup();
        let Some(csv) = text.and_then(|text| bundle_details(bundle, text)?.csv) else {
            let unknown = BTreeSet::from([Unknown::Csv, Unknown::Manifests]);
            return Self { refusals, needs: Vec::new(), unknown };
        };
        if !csv.owned_api_services.is_empty() {
            refusals.push(Refusal::ApiServices { names: csv.owned_api_services });
        }
        if !csv.install_modes.contains(ALL_NAMESPACES) {
            refusals.push(Refusal::InstallModes { supported: csv.install_modes });
        }
        let manifests = text.and_then(|text| bundle_manifests(bundle, text));
        let bundle = manifests.and_then(|manifests| RegistryV1::read(manifests.iter().map(String::as_str)));
        let needs = bundle.as_ref().filter(|bundle| bundle.has_webhooks()).map(|_| Need::CertificateProvider);
        let unknown = bundle.is_none().then_some(Unknown::Manifests);
        refusals.extend(bundle.iter().flat_map(RegistryV1::errors).map(Refusal::Manifests));
        Self { refusals, needs: needs.into_iter().collect(), unknown: unknown.into_iter().collect() }
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
