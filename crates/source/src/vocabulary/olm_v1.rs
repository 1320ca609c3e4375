//! Releases of OLM v1 and their feature gates, as far as answers depend on them.

use crate::vocabulary::OpenShift;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A release of OLM v1: major and minor version of operator-controller. Its patch releases answer alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OlmV1Release(pub u16, pub u16);

impl OlmV1Release {
    /// The newest that is known.
    pub const NEWEST: Self = Self(u16::MAX, u16::MAX);
    /// The oldest that is known.
    const OLDEST: Self = Self(1, 0);

    /// Finds mistakes in the names, CRDs and deployments of a bundle (operator-controller
    /// `internal/operator-controller/rukpak/render/registryv1/validators/validator.go`).
    pub const VALIDATORS: Self = Self(1, 3);
    /// Also finds mistakes in the rules of webhooks and in conversion webhooks (the same file).
    pub const WEBHOOK_VALIDATORS: Self = Self(1, 6);
    /// Build metadata of a version is a release, which orders bundles of one version; no longer tried again is a configuration
    /// that does not fit; conditions also say what is not deprecated (operator-controller
    /// `internal/operator-controller/bundleutil/bundle.go`, `internal/operator-controller/controllers/common_controller.go`,
    /// `internal/operator-controller/controllers/clusterextension_controller.go`).
    pub const RELEASES: Self = Self(1, 8);
    /// Checks a configuration also where a feature gate forbids it (operator-controller
    /// `internal/operator-controller/applier/provider.go`). Before, it was ignored.
    pub const CHECKED_CONFIGURATION: Self = Self(1, 9);
    /// `spec.serviceAccount` may be left out, and is ignored (operator-controller `api/v1/clusterextension_types.go`).
    pub const NO_SERVICE_ACCOUNT: Self = Self(1, 11);
    /// The last before it.
    pub const LAST_WITH_SERVICE_ACCOUNT: Self = Self(1, 10);

    /// The releases that answer alike, from the oldest on: the first of them, and all of them in words.
    pub const ALIKE: [(Self, &'static str); 7] = [
        (Self::OLDEST, "v1.0 and v1.1"),
        (Self(1, 2), "v1.2"),
        (Self::VALIDATORS, "v1.3 to v1.5"),
        (Self::WEBHOOK_VALIDATORS, "v1.6 and v1.7"),
        (Self::RELEASES, "v1.8"),
        (Self::CHECKED_CONFIGURATION, "v1.9 and v1.10"),
        (Self::NEWEST, "newest"),
    ];

    /// The first release that answers as this one.
    ///
    /// ```
    /// use source::OlmV1Release;
    ///
    /// let first = [(1, 1), (1, 5), (1, 10), (1, 11), (2, 0)].map(|(major, minor)| OlmV1Release(major, minor).alike());
    /// let newest = OlmV1Release::NEWEST;
    /// assert_eq!(first, [OlmV1Release(1, 0), OlmV1Release(1, 3), OlmV1Release(1, 9), newest, newest]);
    /// ```
    #[must_use]
    pub fn alike(self) -> Self {
        if self >= Self::NO_SERVICE_ACCOUNT {
            return Self::NEWEST;
        }
        Self::ALIKE.into_iter().map(|(first, _)| first).rev().find(|first| *first <= self).unwrap_or(Self::OLDEST)
    }

    /// The release that a version of OpenShift contains. If it contains a state between two releases, the one that answers alike
    /// (openshift/operator-framework-operator-controller, the branches `release-4.18` to `release-5.0`). `None` for versions that
    /// are not known.
    #[must_use]
    pub const fn of_openshift(version: OpenShift) -> Option<Self> {
        match (version.major, version.minor) {
            (4, 18) => Some(Self(1, 1)),
            (4, 19) => Some(Self(1, 2)),
            (4, 20) => Some(Self(1, 4)),
            (4, 21) => Some(Self(1, 7)),
            // v1.8 with the feature gates of v1.9.
            (4, 22) => Some(Self(1, 9)),
            (4, 23) | (5, 0) => Some(Self(1, 10)),
            _ => None,
        }
    }
}

impl Default for OlmV1Release {
    fn default() -> Self {
        Self::NEWEST
    }
}

impl fmt::Display for OlmV1Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NEWEST => f.write_str("the newest release"),
            Self(major, minor) => write!(f, "v{major}.{minor}"),
        }
    }
}

impl FromStr for OlmV1Release {
    type Err = String;

    /// Reads a release of operator-controller, with or without its patch version.
    ///
    /// ```
    /// use source::OlmV1Release;
    ///
    /// assert_eq!(["1.8", "v1.8.0"].map(|text| text.parse()), [Ok(OlmV1Release(1, 8)), Ok(OlmV1Release(1, 8))]);
    /// assert!(["", "1", "v1.x", "1.8.0.1"].iter().all(|text| text.parse::<OlmV1Release>().is_err()));
    /// assert_eq!("0.18.0".parse::<OlmV1Release>().unwrap_err(), "OLM v1 before v1.0 is not known");
    /// ```
    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Option<Vec<u16>> =
            text.strip_prefix('v').unwrap_or(text).split('.').map(|part| part.parse().ok()).collect();
        match parts.as_deref() {
            Some(&[major, minor] | &[major, minor, _]) if Self(major, minor) >= Self::OLDEST => Ok(Self(major, minor)),
            Some([_, _] | [_, _, _]) => Err(format!("OLM v1 before {} is not known", Self::OLDEST)),
            _ => Err("expected a release of operator-controller, such as v1.8.0".to_owned()),
        }
    }
}

/// The feature gates of operator-controller that change an answer; named as there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeatureGate {
    /// Install modes other than `AllNamespaces`, with `watchNamespace` in the configuration.
    SingleOwnNamespaceInstallSupport,
    /// Webhooks with certificates of cert-manager.
    WebhookProviderCertManager,
    /// Webhooks with certificates of OpenShift's service CA.
    WebhookProviderOpenshiftServiceCA,
    /// `deploymentConfig` in the configuration.
    DeploymentConfig,
    /// The field `release` of a bundle orders bundles of one version.
    BundleReleaseSupport,
}

impl FeatureGate {
    /// All.
    pub const ALL: [Self; 5] = [
        Self::SingleOwnNamespaceInstallSupport,
        Self::WebhookProviderCertManager,
        Self::WebhookProviderOpenshiftServiceCA,
        Self::DeploymentConfig,
        Self::BundleReleaseSupport,
    ];

    /// Its defaults, each from a release on; there is nothing to switch before the first one (operator-controller
    /// `internal/operator-controller/features/features.go` at each release). `DeploymentConfig` is a gate since v1.9; v1.8 always
    /// takes `deploymentConfig`.
    const fn defaults(self) -> &'static [(OlmV1Release, bool)] {
        match self {
            Self::SingleOwnNamespaceInstallSupport => {
                &[(OlmV1Release(1, 2), false), (OlmV1Release(1, 8), true), (OlmV1Release(1, 9), false)]
            }
            Self::WebhookProviderCertManager | Self::WebhookProviderOpenshiftServiceCA => {
                &[(OlmV1Release(1, 3), false), (OlmV1Release(1, 6), true)]
            }
            Self::DeploymentConfig => &[(OlmV1Release(1, 8), true), (OlmV1Release(1, 9), false)],
            Self::BundleReleaseSupport => &[(OlmV1Release(1, 9), false)],
        }
    }

    /// Its default in a release; `None` if the release does not know it.
    #[must_use]
    pub fn default_in(self, release: OlmV1Release) -> Option<bool> {
        let known = self.defaults().iter().take_while(|(since, _)| *since <= release);
        known.last().map(|(_, default)| *default)
    }

    /// Its name in operator-controller.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SingleOwnNamespaceInstallSupport => "SingleOwnNamespaceInstallSupport",
            Self::WebhookProviderCertManager => "WebhookProviderCertManager",
            Self::WebhookProviderOpenshiftServiceCA => "WebhookProviderOpenshiftServiceCA",
            Self::DeploymentConfig => "DeploymentConfig",
            Self::BundleReleaseSupport => "BundleReleaseSupport",
        }
    }
}

impl fmt::Display for FeatureGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The OLM v1 of a cluster: its release, and the feature gates that differ from their defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OlmV1 {
    /// Absent if nobody says it; then the newest one counts.
    pub release: Option<OlmV1Release>,
    /// In the order of [`FeatureGate::ALL`].
    gates: [Option<bool>; 5],
}

impl OlmV1 {
    /// A release with the defaults of its feature gates.
    #[must_use]
    pub const fn of(release: Option<OlmV1Release>) -> Self {
        Self { release, gates: [None; 5] }
    }

    /// The release that counts.
    #[must_use]
    pub fn release(&self) -> OlmV1Release {
        self.release.unwrap_or_default()
    }

    /// Says whether a feature gate is on.
    pub const fn set(&mut self, gate: FeatureGate, is_on: bool) {
        self.gates[gate as usize] = Some(is_on);
    }

    /// Whether a feature gate is on, if the release has it.
    ///
    /// ```
    /// use source::{FeatureGate, OlmV1, OlmV1Release};
    ///
    /// let mut olm = OlmV1::of(Some(OlmV1Release(1, 2)));
    /// let (modes, webhooks) = (FeatureGate::SingleOwnNamespaceInstallSupport, FeatureGate::WebhookProviderCertManager);
    /// olm.set(modes, true);
    /// olm.set(webhooks, true);
    /// assert_eq!([olm.is_on(modes), olm.is_on(webhooks)], [true, false]);
    /// assert_eq!([OlmV1::default().is_on(modes), OlmV1::default().is_on(webhooks)], [false, true]);
    /// ```
    #[must_use]
    pub fn is_on(&self, gate: FeatureGate) -> bool {
        gate.default_in(self.release()).is_some_and(|default| self.gates[gate as usize].unwrap_or(default))
    }

    /// Whether it installs webhooks.
    #[must_use]
    pub fn takes_webhooks(&self) -> bool {
        self.is_on(FeatureGate::WebhookProviderCertManager)
            || self.is_on(FeatureGate::WebhookProviderOpenshiftServiceCA)
    }

    /// The feature gates that are stated, as operator-controller's argument `--feature-gates` has them.
    #[must_use]
    pub fn stated_gates(&self) -> String {
        let stated =
            FeatureGate::ALL.into_iter().filter_map(|gate| Some(format!("{gate}={}", self.gates[gate as usize]?)));
        stated.collect::<Vec<_>>().join(",")
    }
}
