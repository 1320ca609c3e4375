//! What OLM v1 refuses in the bundles of a package, as far as the catalog shows it.

use crate::content::CatalogContent;
use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, ChannelName, Package};
use extension::Readiness;
use go_semver::blang::Version;

/// What a catalog shows of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleReadiness {
    pub bundle: BundleName,
    pub version: Option<Version>,
    pub channels: Vec<ChannelName>,
    /// What OLM v1 refuses, what the bundle needs, and what is unknown.
    pub readiness: Readiness,
}

impl BundleReadiness {
    pub(crate) fn of(content: &CatalogContent<'_>, package: &Package, bundle: &Bundle) -> Self {
        let name = &bundle.name.value;
        let lists = package.channels.iter().filter(|channel| channel.entry(name.as_str()).is_some());
        let mut channels: Vec<ChannelName> = lists.map(|channel| channel.name.value.clone()).collect();
        channels.sort();
        channels.dedup();
        Self {
            bundle: name.clone(),
            version: bundle.version().cloned(),
            channels,
            readiness: Readiness::of(bundle, content.text(bundle)),
        }
    }
}

/// What a catalog shows of each bundle of a package: those with the highest version first, those without version last. `None`
/// if the catalog does not have the package.
#[must_use]
pub fn package_readiness(content: &CatalogContent<'_>, package: &PackageName) -> Option<Vec<BundleReadiness>> {
    let package = content.catalog.package(package.as_str())?;
    let bundles = package.bundles.iter().map(|bundle| BundleReadiness::of(content, package, bundle));
    let mut bundles: Vec<BundleReadiness> = bundles.collect();
    bundles.sort_by(|a, b| b.version.cmp(&a.version).then_with(|| a.bundle.cmp(&b.bundle)));
    Some(bundles)
}
