//! `--image-set`: a catalog as oc-mirror filters it.

use crate::args::ImageSetArguments;
use crate::folder;
use crate::output::{Failure, errors};
use crate::places::{Inputs, shown_path};
use session::mirrored_catalogs;
use source::one_line;
use std::io::{self, Write};
use std::path::Path;
use views::{CatalogId, MirrorFinding, MirrorInput, MirrorView, Severity};

/// Filters the catalog, and adds the result to the inputs behind it. Nobody edits it, so its places are those of the catalog.
/// `installed` has the names of CSVs; every version may be installed if there is none.
///
/// # Errors
/// When the configuration cannot be read, or names the catalog neither alone nor by name.
pub(crate) fn mirror(
    inputs: &mut Inputs,
    catalog: CatalogId,
    arguments: &ImageSetArguments,
    installed: Vec<String>,
) -> Result<Option<MirrorView>, Failure> {
    let Some(path) = &arguments.image_set else { return Ok(None) };
    let config = folder::text(path, "an ImageSetConfiguration is one file")?;
    let chosen = arguments.image_set_catalog.as_deref().map(|name| chosen(path, &config, name)).transpose()?;
    let input = MirrorInput { catalog, config, chosen, release: arguments.oc_mirror, installed };
    let view = inputs.workbench.mirror(&input).ok_or_else(|| "the catalog is not open".to_owned())?;
    let has_error = view.findings.iter().any(|finding| finding.severity == Severity::Error);
    if !has_error && view.mirrored.is_none() {
        return Err(match &view.catalogs[..] {
            [] => format!("`{}` mirrors no catalog: `mirror.operators` is empty", shown_path(path)).into(),
            several => format!(
                "`{}` has several catalogs; choose one with `--image-set-catalog`: {}",
                shown_path(path),
                several.join(", ")
            )
            .into(),
        });
    }
    if let Some(mirrored) = view.mirrored {
        inputs.workbench.set_baseline(mirrored, false);
    }
    Ok(Some(view))
}

/// The index of the item of a configuration with this catalog.
fn chosen(path: &Path, config: &str, name: &str) -> Result<u32, Failure> {
    let known = mirrored_catalogs(config);
    let found = (0..).zip(&known).find(|(_, catalog)| *catalog == name).map(|(at, _)| at);
    let found =
        found.ok_or_else(|| format!("`{}` has no catalog `{name}`, only {}", shown_path(path), known.join(", ")))?;
    Ok(found)
}

/// Why there is no mirror.
pub(crate) fn failure(path: &Path, view: &MirrorView) -> Failure {
    let errors = view.findings.iter().filter(|finding| finding.severity == Severity::Error);
    let lines = errors.map(|finding| format!("{}: {}", shown(path, finding), finding.message));
    Failure::of_lines(lines)
}

/// Where a finding is, as `path:line:column`.
pub(crate) fn shown(path: &Path, finding: &MirrorFinding) -> String {
    format!("{}:{}:{}", shown_path(path), finding.line, finding.column)
}

/// Prints findings for people to standard error, for formats that have no place for them.
pub(crate) fn report(path: &Path, view: &MirrorView) -> io::Result<()> {
    let mut out = errors();
    for finding in &view.findings {
        writeln!(out, "{}[{}]: {}", finding.severity.as_str(), finding.rule, one_line(&finding.message))?;
        writeln!(out, "  --> {}", shown(path, finding))?;
        if let Some(help) = &finding.help {
            writeln!(out, "  help: {}", one_line(help))?;
        }
    }
    Ok(())
}
