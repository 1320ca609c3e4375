//! `opscope template`

use crate::args::{Template, TemplateFormat};
use crate::output::{Failure, write_json, written};
use crate::paths::{STDIN, shown_path};
use crate::places::Inputs;
use crate::{folder, output};
use go_semver::blang::Quoted;
use serde::Serialize;
use source::{FileId, LineIndex, one_line};
use std::io::{self, Write};
use std::path::Path;
use template::{Channel, Entry, ExpandedCatalog, Expansion, Images, RenderStatus, TemplateKind, expand_as};

/// The id of the template's file, which no file of a catalog has.
const FILE: FileId = FileId(u32::MAX);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    schema: &'static str,
    /// The package of a template that `opm` expands, where the template has one.
    #[serde(flatten)]
    package: Option<PackageRow>,
    /// The bundles of an `olm.template.substitutes` template, sorted by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    bundles: Option<Vec<String>>,
    /// The packages, where there may be several.
    #[serde(skip_serializing_if = "Option::is_none")]
    packages: Option<Vec<PackageRow>>,
    /// The error that `opm` prints instead of a catalog, or the image that it would ask a registry for.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Why `opm` cannot tell the kind of the template, where no type is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    detection_error: Option<String>,
    /// Other errors that `opm` may print instead, by chance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_errors: Vec<String>,
    /// The packages that can be expanded although there is an error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    partial: Vec<PackageRow>,
    /// Images that no catalog has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    needs_registry: Vec<String>,
    findings: Vec<FindingRow>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct PackageRow {
    package: String,
    default_channel: String,
    channels: Vec<ChannelRow>,
}

#[derive(Serialize)]
struct ChannelRow {
    name: String,
    /// Sorted by name.
    entries: Vec<EntryRow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryRow {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaces: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skips: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skip_range: Option<String>,
}

#[derive(Serialize)]
struct FindingRow {
    rule: &'static str,
    severity: &'static str,
    message: String,
    help: Option<String>,
    /// The line that `opm alpha render-template` prints when this is what it finds first.
    opm: Option<String>,
    line: u32,
    column: u32,
}

/// Prints the expansion of a template. Returns whether `opm` would print the same catalog.
pub(crate) fn run(arguments: &Template, out: &mut dyn Write) -> Result<bool, Failure> {
    let (kind, file) = kind_and_file(arguments)?;
    let text = folder::text(file, "a template is one file")?;
    let mut inputs = Inputs::default();
    inputs.add(&arguments.catalogs)?;
    let mut images = Images::default();
    for file in inputs.workbench.catalogs().iter().flat_map(|catalog| &catalog.files) {
        images.add(&file.text, file.parse());
    }
    let expansion = expand_as(kind, FILE, &text, &images);
    let detection_error = if kind.is_none() { template::detection_error(FILE, &text) } else { None };
    let report = Report { detection_error, ..report(&expansion, &text) };
    match arguments.format {
        TemplateFormat::Json => write_json(out, &report)?,
        TemplateFormat::Yaml => {
            write_findings(&mut output::errors(), file, &report).map_err(written)?;
            let rejected = matches!(expansion.status, RenderStatus::Rejected(_));
            if let Some(catalog) = expansion.catalog.as_ref().filter(|_| !rejected) {
                out.write_all(catalog.to_yaml().as_bytes()).map_err(written)?;
            }
        }
    }
    inputs.answer(expansion.status == RenderStatus::Accepted)
}

/// What the arguments name. A single one that is a type is no file, as in `opm` (`cmd/opm/alpha/template/render.go`).
fn kind_and_file(arguments: &Template) -> Result<(Option<TemplateKind>, &Path), Failure> {
    let kind = |name: &Path| TemplateKind::ALL.into_iter().find(|kind| name.as_os_str() == kind.type_name());
    let stdin = Path::new(STDIN);
    match (arguments.first.as_deref(), arguments.second.as_deref()) {
        (None, _) => Ok((None, stdin)),
        (Some(one), None) => Ok(kind(one).map_or((None, one), |kind| (Some(kind), stdin))),
        (Some(name), Some(file)) => kind(name).map(|kind| (Some(kind), file)).ok_or_else(|| {
            let types = TemplateKind::ALL.map(TemplateKind::type_name).join(" ");
            let name = name.to_string_lossy();
            format!("invalid template type {}, must be one of: [{types}]", Quoted(&name)).into()
        }),
    }
}

fn report(expansion: &Expansion, text: &str) -> Report {
    let mut errors = errors(expansion).into_iter();
    let error = errors.next();
    let packages = expansion.catalog.as_ref().map(packages).unwrap_or_default();
    let (mut package, mut bundles, mut listed, mut partial) = (None, None, None, Vec::new());
    match expansion.kind {
        _ if error.is_some() => partial = packages,
        TemplateKind::Semver => package = packages.into_iter().next(),
        TemplateKind::Basic => listed = Some(packages),
        TemplateKind::Substitutes => {
            bundles = Some(expansion.catalog.as_ref().map(bundle_names).unwrap_or_default());
            match <[PackageRow; 1]>::try_from(packages) {
                Ok([only]) => package = Some(only),
                Err(packages) if packages.is_empty() => package = Some(PackageRow::default()),
                Err(packages) => listed = Some(packages),
            }
        }
    }
    Report {
        schema: expansion.kind.schema(),
        package,
        bundles,
        packages: listed,
        error,
        detection_error: None,
        other_errors: errors.collect(),
        partial,
        needs_registry: expansion.missing.iter().map(ToString::to_string).collect(),
        findings: findings(expansion, text),
    }
}

/// Why there is no catalog, the likeliest error first.
fn errors(expansion: &Expansion) -> Vec<String> {
    match &expansion.status {
        RenderStatus::Rejected(lines) | RenderStatus::NeedsRegistry(lines) => lines.clone(),
        RenderStatus::TooLarge => vec!["the template or its catalog is too large".to_owned()],
        RenderStatus::Accepted => Vec::new(),
    }
}

fn bundle_names(catalog: &ExpandedCatalog) -> Vec<String> {
    let bundles = catalog.documents.iter().filter(|document| &*document.schema == "olm.bundle");
    let mut names: Vec<String> = bundles.map(|bundle| bundle.name.to_string()).collect();
    names.sort_unstable();
    names
}

fn packages(catalog: &ExpandedCatalog) -> Vec<PackageRow> {
    let package = |package: &template::Package| PackageRow {
        package: package.name.to_string(),
        default_channel: package.default_channel.to_string(),
        channels: channels(catalog.channels.iter().filter(|channel| channel.package == package.name)),
    };
    catalog.packages.iter().map(package).collect()
}

fn channels<'a>(channels: impl Iterator<Item = &'a Channel>) -> Vec<ChannelRow> {
    let mut rows: Vec<ChannelRow> = channels
        .map(|channel| {
            let mut entries: Vec<EntryRow> = channel.entries.iter().map(entry).collect();
            entries.sort_by(|one, other| one.name.cmp(&other.name));
            ChannelRow { name: channel.name.to_string(), entries }
        })
        .collect();
    rows.sort_by(|one, other| one.name.cmp(&other.name));
    rows
}

fn entry(entry: &Entry) -> EntryRow {
    let mut skips: Vec<String> = entry.skips.iter().map(ToString::to_string).collect();
    skips.sort();
    EntryRow {
        name: entry.name.to_string(),
        replaces: entry.replaces.as_ref().map(ToString::to_string),
        skips,
        skip_range: entry.skip_range.as_ref().map(ToString::to_string),
    }
}

fn findings(expansion: &Expansion, text: &str) -> Vec<FindingRow> {
    let lines = LineIndex::new(text);
    let row = |finding: &source::Diagnostic| {
        let at = lines.position(text, finding.span.start);
        FindingRow {
            rule: finding.rule.id(),
            severity: finding.severity.as_str(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            opm: finding.opm.clone(),
            line: at.line,
            column: at.column,
        }
    };
    expansion.diagnostics.iter().map(row).collect()
}

fn write_findings(out: &mut dyn Write, path: &Path, report: &Report) -> io::Result<()> {
    for finding in &report.findings {
        let FindingRow { rule, severity, message, line, column, .. } = finding;
        writeln!(out, "{severity}[{rule}]: {}", one_line(message))?;
        writeln!(out, "  --> {}:{line}:{column}", shown_path(path))?;
        if let Some(help) = &finding.help {
            writeln!(out, "  help: {}", one_line(help))?;
        }
    }
    if !report.needs_registry.is_empty() {
        writeln!(out, "incomplete: images that no catalog has: {}", report.needs_registry.len())
    } else if let Some(error) = report.detection_error.as_ref().or(report.error.as_ref()) {
        writeln!(out, "not expanded: {}", one_line(error))
    } else {
        Ok(())
    }
}
