//! What OLM v1 refuses in the bundles of a package.

use super::{content, wording};
use crate::Workbench;
use crate::extensions::refusal_text;
use ::migration::{BundleReadiness, package_readiness};
use extension::ReadinessVerdict;
use views::{PackageKey, ReadinessRow, ReadinessVerdictView, ReadinessView};

impl Workbench {
    /// What OLM v1 refuses in each bundle of a package, as far as its catalog shows it. `None` without such a package.
    #[must_use]
    pub fn readiness(&self, key: &PackageKey) -> Option<ReadinessView> {
        let (catalog, package) = self.package(key)?;
        let found = package_readiness(&content(catalog), &package.name)?;
        let bundles: Vec<ReadinessRow> = found.iter().map(row).collect();
        let summary = wording::readiness_summary(&bundles);
        Some(ReadinessView { bundles, summary })
    }
}

/// A bundle that is neither installed nor chosen.
pub(super) fn row(bundle: &BundleReadiness) -> ReadinessRow {
    let readiness = &bundle.readiness;
    ReadinessRow {
        bundle: bundle.bundle.to_string(),
        version: bundle.version.as_ref().map(ToString::to_string).unwrap_or_default(),
        channels: bundle.channels.iter().map(ToString::to_string).collect(),
        is_installed: false,
        is_chosen: false,
        verdict: match readiness.verdict() {
            ReadinessVerdict::Refused => ReadinessVerdictView::Refused,
            ReadinessVerdict::CannotBeKnown => ReadinessVerdictView::CannotBeKnown,
            ReadinessVerdict::NothingFound => ReadinessVerdictView::NothingFound,
        },
        refusals: readiness.refusals.iter().map(refusal_text).collect(),
        needs: readiness.needs.iter().map(|need| wording::need(*need)).collect(),
        unknown: readiness
            .unknown
            .iter()
            .map(|unknown| format!("not shown by the catalog: {}", wording::unknown(*unknown)))
            .collect(),
    }
}
