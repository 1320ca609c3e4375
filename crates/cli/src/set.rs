//! `opscope set`: catalogs of one publisher for several versions of OpenShift.

use crate::args::{self, DeniedOfSet};
use crate::format::CompareFormat;
use crate::given::{self, refused};
use crate::json;
use crate::output::{Failure, write_report};
use crate::places::{doubtful, raw_path};
use crate::settings;
use report::Terminal;
use schemars::JsonSchema;
use serde::Serialize;
use session::{Given, Levels, Purpose, ReadSet};
use source::{OpmVersion, shell_word};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use views::{Level, SetId, SetView, Severity};

/// Catalogs of one publisher for several versions of OpenShift.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Sets {
    sets: Vec<SetView>,
}

/// Prints what is wrong with the sets at the paths. Returns whether there is no error and nothing that is denied.
///
/// # Errors
/// When a path cannot be read, there is no set, or a file of a set was not read.
pub(crate) fn run(arguments: &args::Set, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let opm = arguments.opm.release()?;
    let read = given::together(&arguments.paths, opm)?;
    let executor = read.executor;
    if let [other] = read.given()
        && !matches!(other, Given::Catalogs(_) | Given::Catalog { .. })
    {
        return Err(refused(other, &arguments.paths[0], "a set has several catalogs"));
    }
    let path = shell_word(&raw_path(&arguments.paths[0]));
    let (sets, reasons) = read.sets();
    if sets.is_empty() {
        let help = "expected folders or files that differ in a version of OpenShift, such as `catalogs/v4.18` and \
                    `catalogs/v4.19`, with a package in common; or bundle directories";
        let first = format!(
            "no answer: found no catalogs for several versions of OpenShift: {help}; use `opscope validate {path}`"
        );
        let reasons = reasons.into_iter().map(|line| format!("  {line}"));
        return Err(Failure::of_lines(std::iter::once(first).chain(reasons)));
    }
    let before = arguments.before.as_ref().map(|path| given::together(std::slice::from_ref(path), opm)).transpose()?;
    let before = before.map(|before| before.sets().0);
    let levels = settings::levels(None)?;
    let check = |(read, id): (&ReadSet, u32)| read.check(SetId(id), before.as_deref(), &levels, executor);
    let views: Vec<SetView> = sets.iter().zip(0..).map(check).collect();
    match arguments.format {
        CompareFormat::Json => json::print(out, &Sets { sets: views.clone() })?,
        format => write_report(out, terminal, format, &report::sets(&views))?,
    }
    let unread = sets.iter().chain(before.iter().flatten()).flat_map(ReadSet::unread);
    let unread: BTreeSet<String> = unread.collect();
    // The process ends now. Freeing the memory piece by piece would take a part of its run time.
    std::mem::forget(sets);
    if !unread.is_empty() {
        return Err(doubtful(&unread));
    }
    Ok(!views.iter().any(|view| view.is_bad() || arguments.deny.iter().any(|denied| has(view, *denied))))
}

/// Whether a set has what is denied. What is breaking is bad anyway.
fn has(view: &SetView, denied: DeniedOfSet) -> bool {
    match denied {
        DeniedOfSet::Warnings => view.findings.iter().any(|finding| finding.severity == Severity::Warning),
        DeniedOfSet::Breaking => false,
        DeniedOfSet::Risky => view.changes.iter().flatten().any(|change| change.level == Some(Level::Risky)),
    }
}

/// What is denied of the findings, a text each: errors, and warnings if these are.
pub(crate) fn denied(view: &SetView, deny: Level) -> impl Iterator<Item = String> {
    let least = if deny == Level::Risky { Severity::Warning } else { Severity::Error };
    let denied = view.findings.iter().filter(move |finding| finding.severity <= least);
    denied.map(|finding| finding.sentence.clone())
}

/// What is wrong with the sets at a path and was not before.
///
/// # Errors
/// When a path cannot be read.
pub(crate) fn views(path: &Path, before: &Path, opm: OpmVersion, levels: &Levels) -> Result<Vec<SetView>, Failure> {
    let read = given::only(path, Purpose::Catalog, opm)?;
    let executor = read.executor;
    let sets = read.sets().0;
    if sets.is_empty() {
        return Ok(Vec::new());
    }
    let before = given::only(before, Purpose::Catalog, opm)?.sets().0;
    // What a change does to each catalog is compared by itself.
    let check = |(read, id): (&ReadSet, u32)| SetView {
        changes: None,
        ..read.check(SetId(id), Some(&before), levels, executor)
    };
    Ok(sets.iter().zip(0..).map(check).collect())
}
