//! `opscope set`: catalogs of one publisher for several versions of OpenShift.

mod github;
mod json;
mod markdown;
mod read;
mod sarif;
mod text;

pub(crate) use read::members;

use self::read::{ReadSet, read};
use crate::args::{self, CompareFormat};
use crate::output::{Failure, write_json, written};
use crate::places::some;
use crate::terminal::Terminal;
use catalog_set::{Finding, InstalledRow, OpenShift, check, sentence};
use source::{Severity, Span, name_list};
use std::collections::BTreeSet;
use std::io::Write;

/// A set with what is wrong with it.
struct Checked {
    read: ReadSet,
    findings: Vec<Finding>,
    /// The result in one sentence.
    sentence: String,
}

/// Prints what is wrong with the sets at the paths. Returns whether there is no error.
///
/// # Errors
/// When a path cannot be read, there is no set, or a file of a set was not read.
pub(crate) fn run(arguments: &args::Set, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let (sets, executor) = read(&arguments.paths)?;
    if sets.is_empty() {
        let help = "expected folders or files that differ in a version of OpenShift, such as `catalogs/v4.18` and \
                    `catalogs/v4.19`, with a package in common";
        return Err(format!("found no catalogs for several versions of OpenShift: {help}").into());
    }
    let checked = |read: ReadSet| {
        let findings = check(&read.set, executor);
        Checked { sentence: sentence(&read.set, &findings), read, findings }
    };
    let sets: Vec<Checked> = sets.into_iter().map(checked).collect();
    match arguments.format {
        CompareFormat::Text => text::write(out, terminal, &sets).map_err(written)?,
        CompareFormat::Json => write_json(out, &json::report(&sets))?,
        CompareFormat::Markdown => markdown::write(out, &sets).map_err(written)?,
        CompareFormat::Sarif => write_json(out, &sarif::log(&sets))?,
        CompareFormat::Github => github::write(out, &sets).map_err(written)?,
    }
    let members = || sets.iter().flat_map(|of| of.read.set.members.iter().map(move |member| (of, member)));
    let unread = members().flat_map(|(of, member)| member.unread.iter().map(|(path, _)| of.read.shown(path)));
    let unread: BTreeSet<String> = unread.collect();
    let is_rejected = members().any(|(_, member)| member.rejected.is_some());
    let has_error = sets.iter().flat_map(|of| &of.findings).any(|finding| finding.severity == Severity::Error);
    // The process ends now. Freeing the memory piece by piece would take a part of its run time.
    std::mem::forget(sets);
    if !unread.is_empty() {
        return Err(format!("these files were not read: {}", some(&unread)).into());
    }
    Ok(!is_rejected && !has_error)
}

impl Checked {
    /// The file and the line of a place.
    fn place(&self, (version, span): (OpenShift, Span)) -> String {
        let path = self.read.shown(self.read.set.path(version, span));
        format!("{path}:{}", self.read.set.position(span).line)
    }

    /// Catalogs that `opm` rejects, a line each.
    fn rejected(&self) -> Vec<String> {
        let rejected = self.read.set.members.iter().filter_map(|member| Some((member, member.rejected.as_ref()?)));
        let line = |(member, rejected): (&catalog_set::Member, &catalog_set::Rejected)| {
            let text = rejected.text.lines().next().unwrap_or_default();
            format!(
                "{}: opm rejects the catalog: {text} ({})",
                member.version,
                self.place((member.version, rejected.finding.span))
            )
        };
        rejected.map(line).collect()
    }

    /// What the answer does not say.
    fn limits(&self) -> Vec<String> {
        let set = &self.read.set;
        let missing: Vec<String> = set.missing().iter().map(ToString::to_string).collect();
        let not_loaded = (!missing.is_empty()).then(|| {
            format!("not loaded: {}, so that no update of OpenShift from and to them is judged", missing.join(", "))
        });
        let judged =
            "judged: OLM v0 with automatic approval, the catalogs as they are in these files, without those of other \
                      publishers"
                .to_owned();
        not_loaded.into_iter().chain([judged]).collect()
    }
}

/// The versions of the members in words.
fn versions(set: &catalog_set::CatalogSet) -> String {
    let versions: Vec<String> = set.members.iter().map(|member| member.version.to_string()).collect();
    versions.join(", ")
}

/// The installed versions of a finding: those of clusters that are up to date, and then others.
fn installed(rows: &[InstalledRow]) -> Vec<String> {
    let names = |is_end: bool| -> BTreeSet<&str> {
        rows.iter().filter(|row| row.is_end == is_end).map(|row| row.installed.as_str()).collect()
    };
    let (ends, mut others) = (names(true), names(false));
    others.retain(|name| !ends.contains(name));
    let line =
        |label: &str, names: BTreeSet<&str>| (!names.is_empty()).then(|| format!("{label}: {}", name_list(names)));
    line("installed", ends).into_iter().chain(line("installed, with updates left", others)).collect()
}
