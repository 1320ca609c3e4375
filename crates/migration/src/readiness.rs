//! What OLM v1 refuses in the bundles of a package, as far as the catalog shows it.

use crate::content::CatalogContent;
use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, ChannelName, Package};
use extension::{Readiness, ReadinessVerdict};
use go_semver::blang::Version;
use source::OlmV1;
use views::{ReadinessRow, ReadinessView};

/// What a catalog shows of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleReadiness {
    pub bundle: BundleName,
    pub version: Option<Version>,
    /// The channels that list it, by name.
    pub channels: Vec<ChannelName>,
    /// What OLM v1 refuses, what the bundle needs, and what is unknown.
    pub readiness: Readiness,
}

impl BundleReadiness {
    pub(crate) fn of(content: &CatalogContent<'_>, package: &Package, bundle: &Bundle, olm: OlmV1) -> Self {
        let name = &bundle.name.value;
        let lists = package.channels.iter().filter(|channel| channel.entry(name.as_str()).is_some());
        let mut channels: Vec<ChannelName> = lists.map(|channel| channel.name.value.clone()).collect();
        channels.sort();
        channels.dedup();
        Self {
            bundle: name.clone(),
            version: bundle.version().cloned(),
            channels,
            readiness: Readiness::of(bundle, content.text(bundle), olm),
        }
    }

    /// The row of a bundle that is neither installed nor chosen.
    pub(crate) fn row(&self) -> ReadinessRow {
        let Readiness { refusals, needs, unknown, .. } = &self.readiness;
        ReadinessRow {
            bundle: self.bundle.to_string(),
            version: self.version.as_ref().map(ToString::to_string).unwrap_or_default(),
            channels: self.channels.iter().map(ToString::to_string).collect(),
            is_installed: false,
            is_chosen: false,
            verdict: self.readiness.verdict(),
            refusals: refusals.iter().map(extension::Refusal::text).collect(),
            needs: needs.iter().map(ToString::to_string).collect(),
            unknown: unknown.iter().map(|unknown| format!("not shown by the catalog: {unknown}")).collect(),
        }
    }
}

/// What this OLM v1 refuses in each bundle of a package, the highest version first, those without version last. `None` if the catalog
/// does not have the package.
#[must_use]
pub fn readiness_view(content: &CatalogContent<'_>, package: &PackageName, olm: OlmV1) -> Option<ReadinessView> {
    let package = content.catalog.package(package.as_str())?;
    let bundles = package.bundles.iter().map(|bundle| BundleReadiness::of(content, package, bundle, olm));
    let mut bundles: Vec<BundleReadiness> = bundles.collect();
    bundles.sort_by(|a, b| b.version.cmp(&a.version).then_with(|| a.bundle.cmp(&b.bundle)));
    let bundles: Vec<ReadinessRow> = bundles.iter().map(BundleReadiness::row).collect();
    Some(ReadinessView { summary: summary(&bundles), bundles })
}

/// The bundles of a package in a few words.
fn summary(bundles: &[ReadinessRow]) -> String {
    let count = |verdict: ReadinessVerdict| bundles.iter().filter(|row| row.verdict == verdict).count();
    let (refused, unknown) = (count(ReadinessVerdict::Refused), count(ReadinessVerdict::CannotBeKnown));
    let all = if bundles.len() == 1 { "1 bundle".to_owned() } else { format!("{} bundles", bundles.len()) };
    match (refused, unknown) {
        (0, 0) => format!("the catalog shows nothing that OLM v1 refuses in {all}"),
        (0, unknown) => format!("of {all} none is refused by what the catalog shows, and {unknown} cannot be known"),
        (refused, 0) => format!("OLM v1 refuses {refused} of {all}"),
        (refused, unknown) => format!("OLM v1 refuses {refused} of {all}, and {unknown} cannot be known"),
    }
}
