//! An installed CSV, as far as plans depend on it.

use catalog::predicate::MaxOpenShift;
use catalog::{Bundle, BundleName, Package};
use cluster::CsvProperties;
use go_semver::blang::Version;
use source::OpenShift;
use update_graph::version_in;

/// A CSV. OLM writes the properties of the bundle into it when it creates it, and never changes them
/// (operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`, a step that is `Present`), so
/// that equal names may have different properties.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Csv {
    pub name: BundleName,
    /// Its version; absent if none is known.
    pub version: Option<Version>,
    /// The highest version of OpenShift that it supports.
    pub max: MaxOpenShift,
    /// `minKubeVersion`; absent if any Kubernetes will do.
    pub min_kube: Option<Box<str>>,
}

impl Csv {
    /// Of a bundle.
    pub(crate) fn of_bundle(bundle: &Bundle, min_kube: Option<Box<str>>) -> Self {
        Self {
            name: bundle.name.value.clone(),
            version: bundle.version().cloned(),
            max: MaxOpenShift::of(bundle.properties.iter().map(|property| &property.value)),
            min_kube,
        }
    }

    /// Of an entry without a bundle.
    pub(crate) fn of_name(name: &BundleName) -> Self {
        Self { name: name.clone(), version: version_in(name.as_str()), max: MaxOpenShift(Ok(None)), min_kube: None }
    }

    /// What an installed CSV is: its own properties, or those of the bundle if the manifests have none of them.
    pub(crate) fn installed(csv: &cluster::Csv, package: Option<&Package>) -> Self {
        let installed = &csv.installed;
        let bundle = package.and_then(|package| package.bundle(installed.name.as_str()));
        let known = bundle.map_or_else(|| Self::of_name(&installed.name), |bundle| Self::of_bundle(bundle, None));
        let own = (installed.version != Version::new(0, 0, 0)).then(|| installed.version.clone());
        let max = match &installed.properties {
            CsvProperties::Known(properties) => MaxOpenShift::of(properties.iter().map(|one| &one.property)),
            CsvProperties::Inferred { .. } => known.max,
            CsvProperties::Broken(error) => MaxOpenShift(Err(error.clone())),
        };
        Self { version: own.or(known.version), max, ..known }
    }

    /// Whether its `minKubeVersion` is above the Kubernetes of a version of OpenShift, so that it stays Pending there
    /// (operator-lifecycle-manager `pkg/controller/operators/olm/requirements.go`). OLM compares it with the API server's version; of this only major and minor are known. A value that
    /// OLM cannot parse is never met.
    pub(crate) fn hangs_on(&self, version: OpenShift) -> bool {
        self.min_kube.as_ref().is_some_and(|least| is_above(least, version))
    }
}

/// Whether a `minKubeVersion` is above the Kubernetes of a version of OpenShift.
pub(crate) fn is_above(least: &str, version: OpenShift) -> bool {
    let (major, minor) = version.kubernetes();
    match Version::parse(least.strip_prefix('v').unwrap_or(least)) {
        Ok(least) => (least.major(), least.minor()) > (major.into(), minor.into()),
        Err(_) => true,
    }
}
