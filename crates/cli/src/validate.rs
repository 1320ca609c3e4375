//! `opscope validate`

use crate::args::{ReportFormat, Validate};
use crate::folder::{self, file_name};
use crate::{Failure, write_json, written};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use views::{CatalogId, Counts, FindingView, FindingsFilter, Severity};
use workbench::Workbench;

#[derive(Serialize)]
struct Report {
    valid: bool,
    packages: u32,
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct Finding {
    rule: String,
    severity: &'static str,
    message: String,
    help: Option<String>,
    /// The line that `opm validate` prints, if it does.
    opm: Option<String>,
    file: String,
    line: u32,
    column: u32,
    package: Option<String>,
    entry: Option<String>,
}

/// Prints the findings of all paths; whether `opm` would accept every one of them.
pub(crate) fn run(arguments: &Validate, out: &mut dyn Write) -> Result<bool, Failure> {
    let mut workbench = Workbench::new();
    let mut roots: Vec<(CatalogId, PathBuf)> = Vec::new();
    for path in &arguments.paths {
        roots.push((folder::open(&mut workbench, &file_name(path), path)?, path.clone()));
    }
    let all = workbench.findings(&FindingsFilter::default(), u32::MAX);
    let report = Report {
        valid: workbench.catalogs().iter().all(|catalog| catalog.is_served()),
        packages: workbench.overview().packages.len() as u32,
        findings: all.rows.into_iter().map(|row| finding(row, &roots)).collect(),
    };
    match arguments.format {
        ReportFormat::Json => write_json(out, &report)?,
        ReportFormat::Text => write_text(out, &report, workbench.overview().findings).map_err(written)?,
    }
    Ok(report.valid)
}

fn finding(row: FindingView, roots: &[(CatalogId, PathBuf)]) -> Finding {
    let root = roots.iter().find(|(id, _)| *id == row.catalog).map(|(_, path)| path.as_path());
    let file = match root {
        Some(root) if root.is_dir() => root.join(&row.path).display().to_string(),
        Some(root) => root.display().to_string(),
        None => row.path,
    };
    Finding {
        rule: row.rule,
        severity: word(row.severity),
        message: row.message,
        help: row.help,
        opm: row.opm,
        file,
        line: row.place.line,
        column: row.place.column,
        package: row.package,
        entry: row.entry.map(|entry| entry.name),
    }
}

const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

fn write_text(out: &mut dyn Write, report: &Report, counts: Counts) -> io::Result<()> {
    for finding in &report.findings {
        writeln!(out, "{}[{}]: {}", finding.severity, finding.rule, finding.message)?;
        writeln!(out, "  --> {}:{}:{}", finding.file, finding.line, finding.column)?;
        if let Some(help) = &finding.help {
            writeln!(out, "  help: {help}")?;
        }
        if let Some(opm) = &finding.opm {
            writeln!(out, "  opm: {opm}")?;
        }
        writeln!(out)?;
    }
    let verdict = if report.valid { "valid" } else { "invalid" };
    let Counts { errors, warnings, hints } = counts;
    writeln!(out, "{verdict}: {} packages, {errors} errors, {warnings} warnings, {hints} hints", report.packages)
}
