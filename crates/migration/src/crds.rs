//! The CRD upgrade safety check between the installed bundle and the next one.

use crate::content::CatalogContent;
use catalog::{Bundle, bundle_crd_manifests, csv_metadata};
use crd_upgrade::{Body, BundleCrds, CrdUpgrade, Finding, UpgradeOutcome, upgrade_findings};
use fbc::raw::RawDoc;
use fbc::{Node, Value};
use std::collections::BTreeMap;

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
