//! ClusterExtensions of OLM v1: which bundle each gets next, and what became of the other bundles of its package.

use crate::printer::Printer;
use crate::scene::Scene;
use crate::table::{Cell, Table};
use crate::terminal::Paint;
use catalog::DeprecationTarget;
use extension::{
    Candidate, CatalogState, ClusterExtension, Resolution, Resolved, UpgradeConstraintPolicy, Verdict, VersionRelease,
    resolve,
};
use serde::Serialize;
use simulate::Manifests;
use std::io;

/// Resolves each extension; sorted by name.
pub(super) fn resolutions(scene: &Scene, manifests: &Manifests) -> Vec<(ClusterExtension, Resolution)> {
    let loaded = scene.inputs.workbench.catalogs();
    let content = |name: &str| loaded.iter().find(|catalog| catalog.name == name).map(|one| &one.analysis.catalog);
    let objects = manifests.cluster_catalogs.iter();
    let catalogs: Vec<CatalogState<'_>> =
        objects.map(|object| CatalogState { object, content: content(object.name.as_str()) }).collect();
    let mut extensions = manifests.cluster_extensions.clone();
    extensions.sort_by(|a, b| a.name.cmp(&b.name));
    let resolved = |extension| {
        let resolution = resolve(&extension, &catalogs);
        (extension, resolution)
    };
    extensions.into_iter().map(resolved).collect()
}

/// The answer for an extension as JSON.
#[derive(Serialize)]
pub(super) struct ExtensionRow {
    extension: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    bundle: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    release: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    catalog: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The other bundles of the package.
    dropped: Vec<DroppedRow>,
    /// The catalogs that were not looked at, or do not have the package.
    skipped: Vec<SkippedRow>,
}

#[derive(Serialize)]
struct DroppedRow {
    catalog: String,
    bundle: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    because: String,
}

#[derive(Serialize)]
struct SkippedRow {
    catalog: String,
    because: String,
}

impl ExtensionRow {
    pub(super) fn of(extension: &ClusterExtension, resolution: &Resolution) -> Self {
        let resolved = resolution.outcome.as_ref().ok();
        let skipped = resolution
            .skipped
            .iter()
            .map(|(catalog, reason)| SkippedRow { catalog: catalog.to_string(), because: reason.to_string() });
        Self {
            extension: extension.name.to_string(),
            bundle: resolved.map(|one| one.bundle.to_string()),
            version: resolved.map(|one| one.version.to_string()),
            release: resolved.and_then(|one| Some(one.release.as_ref()?.to_string())),
            catalog: resolved.map(|one| one.catalog.to_string()),
            image: resolved.and_then(|one| Some(one.image.as_ref()?.to_string())),
            error: resolution.outcome.as_ref().err().map(ToString::to_string),
            dropped: resolution.candidates.iter().filter_map(dropped).collect(),
            skipped: skipped.collect(),
        }
    }

    pub(super) fn is_resolved(&self) -> bool {
        self.error.is_none()
    }
}

fn dropped(candidate: &Candidate) -> Option<DroppedRow> {
    let Verdict::Dropped(reason) = &candidate.verdict else { return None };
    Some(DroppedRow {
        catalog: candidate.catalog.to_string(),
        bundle: candidate.bundle.to_string(),
        version: candidate.version.as_ref().map(VersionRelease::recorded),
        because: reason.to_string(),
    })
}

/// Writes a line for each extension, and below it the bundles that OLM did not take, with the rule that dropped each.
pub(super) fn write(printer: &mut Printer<'_>, resolutions: &[(ClusterExtension, Resolution)]) -> io::Result<()> {
    resolutions.iter().try_for_each(|(extension, resolution)| write_one(printer, extension, resolution))
}

fn write_one(printer: &mut Printer<'_>, extension: &ClusterExtension, resolution: &Resolution) -> io::Result<()> {
    printer.heading(Paint::Bold, &format!("ClusterExtension {}", extension.name))?;
    match &resolution.outcome {
        Ok(resolved) => {
            printer.line("✓ ", Paint::Good, &answer(extension, resolved))?;
            for deprecation in &resolved.deprecations {
                let is_about_it = match &deprecation.target {
                    DeprecationTarget::Package => true,
                    DeprecationTarget::Channel(name) => extension.channels.contains(name),
                    DeprecationTarget::Bundle(name) => *name == resolved.bundle,
                };
                if is_about_it {
                    printer.line("▲ ", Paint::Warning, &format!("deprecated: {}", deprecation.message))?;
                }
            }
        }
        Err(error) => {
            printer.line("✕ ", Paint::Bad, &error.to_string())?;
            if let Some(installed) = &extension.installed {
                printer.line("  ", Paint::Plain, &format!("`{}` stays installed", installed.name))?;
            }
        }
    }
    for (catalog, reason) in &resolution.skipped {
        printer.line("note: ", Paint::Hint, &format!("catalog `{catalog}` does not count: {reason}"))?;
    }
    let mut rows: Vec<DroppedRow> = resolution.candidates.iter().filter_map(dropped).collect();
    rows.reverse();
    let mut table = Table::new(["not taken", "version", "catalog", "because"]);
    for row in rows {
        let cells = [row.bundle.as_str(), row.version.as_deref().unwrap_or("-"), &row.catalog, &row.because];
        table.push(cells.map(|text| Cell::plain(&text.replace('`', ""))).into());
    }
    if table.is_empty() { Ok(()) } else { printer.table(&table) }
}

fn answer(extension: &ClusterExtension, resolved: &Resolved) -> String {
    let bundle = format!("`{}` from catalog `{}`", resolved.bundle, resolved.catalog);
    match &extension.installed {
        None => format!("installs {bundle}"),
        Some(installed) if installed.name == resolved.bundle => format!("stays at {bundle}"),
        Some(installed) => {
            let by = match extension.policy {
                UpgradeConstraintPolicy::CatalogProvided => "",
                UpgradeConstraintPolicy::SelfCertified => ", whatever the update graph says",
            };
            format!("goes from `{}` to {bundle}{by}", installed.name)
        }
    }
}
