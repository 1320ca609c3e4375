//! What OLM v1 refuses in bundles: by the CRD upgrade safety check between the installed one and the next, and of a
//! whole package.

use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, Catalog, ChannelName, Package, bundle_crd_manifests, csv_metadata};
use crd_upgrade::{Body, BundleCrds, CrdUpgrade, Finding, UpgradeOutcome, upgrade_findings};
use extension::{Readiness, ReadinessVerdict};
use fbc::raw::RawDoc;
use fbc::{Node, Value};
use go_semver::blang::Version;
use source::{FileId, OlmV1};
use std::collections::BTreeMap;
use views::{ReadinessRow, ReadinessView};

/// The CRDs of an update.
#[derive(Clone, Debug, PartialEq)]
pub struct CrdCheck {
    pub upgrades: Vec<CrdUpgrade>,
    /// Whether these are all CRDs of both bundles.
    pub is_complete: bool,
}

impl CrdCheck {
    /// Compares the CRDs of two bundles; the old one is absent if the catalog does not have it. `stored` are the versions that
    /// objects of the cluster are stored in, by CRD.
    pub(crate) fn of(
        content: &CatalogContent<'_>,
        old: Option<&Bundle>,
        new: &Bundle,
        stored: &BTreeMap<Box<str>, Vec<Box<str>>>,
    ) -> Self {
        let mut old = old.map(|bundle| of_bundle(content, bundle)).unwrap_or_default();
        for crd in &mut old.listed {
            if let (Body::Known(body), Some(stored)) = (&mut crd.body, stored.get(&crd.name)) {
                body.stored_versions = Some(stored.clone());
            }
        }
        let new = of_bundle(content, new);
        Self { upgrades: upgrade_findings(&old, &new), is_complete: old.is_complete && new.is_complete }
    }

    /// What OLM v1 refuses, by the name of the CRD.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &Finding)> {
        self.upgrades.iter().flat_map(|crd| {
            let findings = match &crd.outcome {
                UpgradeOutcome::Compared(compared) => compared.v1.as_slice(),
                UpgradeOutcome::New | UpgradeOutcome::Gone | UpgradeOutcome::Unknown(_) => &[],
            };
            findings.iter().map(|finding| (&*crd.name, finding))
        })
    }

    /// Whether a CRD could not be compared, or may be missing in the list.
    #[must_use]
    pub fn has_unknown(&self) -> bool {
        !self.is_complete || self.upgrades.iter().any(|crd| matches!(crd.outcome, UpgradeOutcome::Unknown(_)))
    }
}

/// The CRDs of a bundle: its manifests, or the names that `olm.csv.metadata` describes.
fn of_bundle(content: &CatalogContent<'_>, bundle: &Bundle) -> BundleCrds {
    let Some(text) = content.text(bundle) else { return BundleCrds::default() };
    if bundle.has_objects {
        return BundleCrds::of_manifests(bundle_crd_manifests(bundle, text).iter().map(String::as_str));
    }
    let names = described(bundle, text);
    BundleCrds::of_names(names.iter().map(String::as_str))
}

fn described(bundle: &Bundle, text: &str) -> Vec<String> {
    let document = bundle.span.slice(text);
    let parse = fbc::parse(bundle.span.file, document);
    let metadata = parse.docs.iter().find_map(|doc| match &doc.raw {
        RawDoc::Bundle(raw) => csv_metadata(raw, document),
        _ => None,
    });
    let owned = metadata.as_ref().and_then(|csv| csv.field("crdDescriptions")?.field("owned"));
    let Some(Value::Sequence(owned)) = owned.map(|owned| &owned.value) else { return Vec::new() };
    let mut names: Vec<String> =
        owned.iter().filter_map(|crd| crd.field("name").and_then(Node::as_str)).map(Into::into).collect();
    // One description for each version.
    names.sort();
    names.dedup();
    names
}

// What OLM v1 refuses in the bundles of a package, as far as the catalog shows it.

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
        (0, 0) => format!("OLM v1 can install {all}, as far as the catalog shows"),
        (0, unknown) => format!("of {all} none is refused by what the catalog shows, and {unknown} cannot be known"),
        (refused, 0) => format!("OLM v1 refuses {refused} of {all}"),
        (refused, unknown) => format!("OLM v1 refuses {refused} of {all}, and {unknown} cannot be known"),
    }
}

// A catalog with the texts of its files, which have what the model leaves out.

/// A catalog with the texts of its files.
#[derive(Clone, Debug)]
pub struct CatalogContent<'c> {
    /// The model.
    pub catalog: &'c Catalog,
    /// The texts, by file. A bundle of a file without text has no details.
    pub texts: BTreeMap<FileId, &'c str>,
}

impl CatalogContent<'_> {
    /// The text of the file that the bundle is in.
    pub(crate) fn text(&self, bundle: &Bundle) -> Option<&str> {
        self.texts.get(&bundle.span.file).copied()
    }
}
