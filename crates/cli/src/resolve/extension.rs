//! ClusterExtensions of OLM v1: which bundle each gets next, and what became of the other bundles of its package.

use catalog::DeprecationTarget;
use extension::{
    Candidate, ClusterExtension, Resolved, UpgradeConstraintPolicy, Verdict, VersionRelease, skipped_sentences,
};
use report::{Paint, Printer};
use serde::Serialize;
use std::io;
use workbench::ExtensionAnswer;

/// Whether the API server accepts the extension, and there is a bundle that OLM v1 does not refuse.
pub(super) fn succeeds(answer: &ExtensionAnswer) -> bool {
    answer.rejections.is_empty() && answer.first().outcome.is_ok() && answer.first.refusals.is_empty()
}

/// The answer for an extension as JSON.
#[derive(Serialize)]
pub(super) struct ExtensionRow {
    extension: String,
    /// Why the API server rejects the extension, so that nothing is created or changed. The other fields are the answer of OLM
    /// v1 if it accepted it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rejected: Vec<String>,
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
    /// The texts of what OLM v1 refuses when it applies the bundle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refusals: Vec<String>,
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
    pub(super) fn of(answer: &ExtensionAnswer) -> Self {
        let (extension, resolution) = (&answer.extension, answer.first());
        let refusals = &answer.first.refusals;
        let resolved = resolution.outcome.as_ref().ok();
        let skipped = resolution
            .skipped
            .iter()
            .map(|(catalog, reason)| SkippedRow { catalog: catalog.to_string(), because: reason.to_string() });
        Self {
            extension: extension.name.to_string(),
            rejected: answer.rejections.iter().map(ToString::to_string).collect(),
            bundle: resolved.map(|one| one.bundle.to_string()),
            version: resolved.map(|one| one.version.to_string()),
            release: resolved.and_then(|one| Some(one.release.as_ref()?.to_string())),
            catalog: resolved.map(|one| one.catalog.to_string()),
            image: resolved.and_then(|one| Some(one.image.as_ref()?.to_string())),
            error: resolution.outcome.as_ref().err().map(ToString::to_string),
            refusals: refusals.iter().map(ToString::to_string).collect(),
            dropped: resolution.candidates.iter().filter_map(dropped).collect(),
            skipped: skipped.collect(),
        }
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
pub(super) fn write(printer: &mut Printer<'_>, answers: &[ExtensionAnswer]) -> io::Result<()> {
    answers.iter().try_for_each(|answer| write_one(printer, answer))
}

fn write_one(printer: &mut Printer<'_>, answer: &ExtensionAnswer) -> io::Result<()> {
    let (extension, resolution, refusals) = (&answer.extension, answer.first(), &answer.first.refusals);
    printer.heading(Paint::Bold, &format!("ClusterExtension {}", extension.name))?;
    if !answer.rejections.is_empty() {
        printer.line("✕ ", Paint::Bad, "the API server rejects it, so nothing is created or changed")?;
        return answer.rejections.iter().try_for_each(|reason| printer.line("  ", Paint::Plain, reason));
    }
    match &resolution.outcome {
        Ok(resolved) => {
            let (mark, paint) = if refusals.is_empty() { ("✓ ", Paint::Good) } else { ("✕ ", Paint::Bad) };
            printer.line(mark, paint, &next_bundle(extension, resolved, refusals.is_empty()))?;
            for refusal in refusals {
                printer.line("  ", Paint::Plain, &format!("but OLM v1 refuses to install it: {refusal}"))?;
            }
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
            for fix in &answer.fixes {
                let then = format!("fix: {}: then `{}` is chosen", fix.change, fix.resolved.bundle);
                printer.line("  ", Paint::Plain, &then)?;
            }
        }
    }
    for sentence in skipped_sentences(&resolution.skipped) {
        printer.line("note: ", Paint::Hint, &sentence)?;
    }
    not_taken(printer, &resolution.candidates)
}

/// The bundles that OLM did not take, those of each catalog that the same rule dropped together, the highest version first.
fn not_taken(printer: &mut Printer<'_>, candidates: &[Candidate]) -> io::Result<()> {
    // The resolution has them by name, where 3.9.10 is before 3.9.2.
    let mut candidates: Vec<&Candidate> = candidates.iter().collect();
    candidates.sort_by(|one, other| one.catalog.cmp(&other.catalog).then_with(|| other.version.cmp(&one.version)));
    let rows: Vec<DroppedRow> = candidates.into_iter().filter_map(dropped).collect();
    for of_catalog in rows.chunk_by(|one, other| one.catalog == other.catalog) {
        let [first, ..] = of_catalog else { continue };
        printer.gap()?;
        printer.line("", Paint::Plain, &format!("Not taken from catalog `{}`:", first.catalog))?;
        let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
        for DroppedRow { bundle, because, .. } in of_catalog {
            match groups.iter_mut().find(|(reason, _)| reason == because) {
                Some((_, bundles)) => bundles.push(bundle),
                None => groups.push((because, vec![bundle])),
            }
        }
        for (because, bundles) in groups {
            printer.line("- ", Paint::Plain, &format!("{because}: {}", bundles.join(", ")))?;
        }
    }
    Ok(())
}

/// What happens to the extension; a bundle that OLM v1 refuses is chosen, but not installed.
fn next_bundle(extension: &ClusterExtension, resolved: &Resolved, is_installed: bool) -> String {
    let bundle = format!("`{}` from catalog `{}`", resolved.bundle, resolved.catalog);
    match &extension.installed {
        _ if !is_installed => format!("chooses {bundle}"),
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
