//! `opscope validate`

mod excerpt;
mod github;
mod opm;
mod sarif;
mod text;

pub(crate) use excerpt::end;
pub(crate) use github::{command_name, data, property};
pub(crate) use sarif::{descriptor, level};

use crate::args::{Denied, FindingsFormat, Validate};
use crate::folder;
use crate::output::{Failure, say, write_json, written};
use crate::paths::{STDIN, file_name, shown_path};
use crate::places::{Inputs, some};
use crate::terminal::Terminal;
use crate::{parallel, set};
use serde::Serialize;
use source::Rule;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use views::{Counts, FindingView, Severity};
use workbench::{CatalogInput, NewText};

/// The answer.
#[derive(Serialize)]
struct Report {
    /// Whether everything was read, and `opm` would accept every catalog.
    valid: bool,
    /// The files of which nothing or only a part was read.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    unread: BTreeSet<String>,
    #[serde(skip)]
    verdict: Verdict,
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
    /// The first release of `opm` that prints it, where older ones accept the catalog.
    opm_since: Option<String>,
    file: String,
    line: u32,
    column: u32,
    package: Option<String>,
    entry: Option<String>,
    #[serde(skip)]
    label_files: Vec<String>,
    #[serde(skip)]
    view: FindingView,
}

/// What `opm validate` says of all catalogs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Valid,
    Invalid,
    /// It accepts what is known, which is not everything.
    Unknown,
}

/// Prints the findings of all paths. Returns whether `opm` accepts all of them and no finding is denied.
///
/// # Errors
/// When a path cannot be read. When only a part of it was read, and `opm` accepts that part, the findings are printed before.
pub(crate) fn run(arguments: &Validate, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let loaded = load(&arguments.paths)?;
    let rows = loaded.workbench.all_findings();
    let shown = rows.into_iter().filter(|row| is_asked_for(row, &arguments.rules));
    let unread = loaded.unread();
    let verdict = match loaded.workbench.catalogs().iter().all(|catalog| catalog.is_accepted()) {
        false => Verdict::Invalid,
        true if unread.is_empty() && !loaded.workbench.catalogs().iter().any(needs_registry) => Verdict::Valid,
        true => Verdict::Unknown,
    };
    let report = Report {
        valid: verdict == Verdict::Valid,
        unread,
        verdict,
        packages: loaded.workbench.overview().packages.len() as u32,
        findings: shown.map(|row| Finding::of(&loaded, row)).collect(),
    };
    let counts = report.counts();
    match arguments.format {
        FindingsFormat::Json => write_json(out, &report)?,
        FindingsFormat::Text => text::write(out, terminal, &report, counts, &loaded.workbench).map_err(written)?,
        FindingsFormat::Sarif => write_json(out, &sarif::log(&report, &loaded.workbench))?,
        FindingsFormat::Github => github::write(out, &report, &loaded.workbench).map_err(written)?,
        FindingsFormat::OpmJson | FindingsFormat::OpmYaml if report.verdict == Verdict::Unknown => {}
        FindingsFormat::OpmJson => opm::write_json(out, opm_error(&loaded)?.as_deref()).map_err(written)?,
        FindingsFormat::OpmYaml => opm::write_yaml(out, opm_error(&loaded)?.as_deref()).map_err(written)?,
    }
    let denied = arguments.deny.contains(&Denied::Warnings) && counts.warnings > 0;
    // The process ends now. Freeing the memory piece by piece would take a tenth of its run time.
    std::mem::forget(loaded);
    match report.verdict {
        Verdict::Unknown if report.unread.is_empty() => {
            Err("nobody knows whether opm accepts the catalog, because no given catalog has all images of its template"
                .to_owned()
                .into())
        }
        Verdict::Unknown => Err(format!(
            "nobody knows whether opm accepts the catalog, because these files were not read completely: {}",
            some(&report.unread)
        )
        .into()),
        Verdict::Valid | Verdict::Invalid => Ok(report.valid && !denied),
    }
}

/// The error of `opm validate` for the only catalog, if there is one.
fn opm_error(inputs: &Inputs) -> Result<Option<String>, Failure> {
    let [catalog] = inputs.workbench.catalogs() else {
        return Err("opm validates one catalog at a time: give the path of one".to_owned().into());
    };
    Ok(catalog.rejection_text())
}

/// Whether the catalog is a template with images that only a registry has.
fn needs_registry(catalog: &CatalogInput) -> bool {
    let findings = &catalog.analysis.findings;
    catalog.bundle_tree.is_none() && findings.iter().any(|found| found.diagnostic.rule == Rule::NeedsRegistry)
}

fn load(paths: &[PathBuf]) -> Result<Inputs, Failure> {
    let mut inputs = Inputs::with_template_expansion();
    let mut loaded = Vec::new();
    for path in paths {
        let name = if path.as_path() == Path::new(STDIN) { "stdin".to_owned() } else { file_name(path) };
        for found in folder::catalogs(path)? {
            folder::tell(&found);
            let progress = Progress::new(parallel::size(&found.files));
            let name = if found.label.is_empty() { &name } else { &found.label };
            for (name, files) in catalogs_of(name, path, found.files) {
                let loading = parallel::begin_catalog(&mut inputs.workbench, &name, files, |bytes| progress.add(bytes));
                inputs.add_root(loading.catalog, path);
                loaded.push(loading);
            }
            progress.clear();
        }
    }
    inputs.finish(&loaded);
    Ok(inputs)
}

/// The catalogs that files are: those for several versions of OpenShift, or else one.
fn catalogs_of(name: &str, path: &Path, files: Vec<NewText>) -> Vec<(String, Vec<NewText>)> {
    let members = set::members(&files);
    if members.is_empty() {
        return vec![(name.to_owned(), files)];
    }
    let versions: Vec<String> = members.iter().map(|(version, _)| version.to_string()).collect();
    say(&format!(
        "`{}` has catalogs for OpenShift {}; each is validated by itself, and `opscope set` says what updates of OpenShift do",
        shown_path(path),
        versions.join(", ")
    ));
    members.into_iter().map(|(version, files)| (format!("{name}-{version}"), files)).collect()
}

fn is_asked_for(row: &FindingView, rules: &[Rule]) -> bool {
    rules.is_empty() || rules.iter().any(|rule| rule.id() == row.rule)
}

impl Finding {
    fn of(inputs: &Inputs, view: FindingView) -> Self {
        Self {
            rule: view.rule.clone(),
            severity: view.severity.as_str(),
            message: view.message.clone(),
            help: view.help.clone(),
            opm: view.opm.clone(),
            opm_since: view.opm_since.clone(),
            file: inputs.file(view.catalog, &view.path),
            label_files: view.labels.iter().map(|label| inputs.file(label.catalog, &label.path)).collect(),
            line: view.place.line,
            column: view.place.column,
            package: view.package.clone(),
            entry: view.entry.as_ref().map(|entry| entry.name.clone()),
            view,
        }
    }
}

impl Report {
    /// The number of findings of each severity.
    fn counts(&self) -> Counts {
        let count = |severity| self.findings.iter().filter(|finding| finding.view.severity == severity).count() as u32;
        Counts { errors: count(Severity::Error), warnings: count(Severity::Warning), hints: count(Severity::Hint) }
    }
}

/// Fewer bytes than this are read too quickly for progress to be of use.
const WORTH_SHOWING: usize = 32 << 20;

/// Progress on standard error, if it is a terminal and there is much to read.
struct Progress {
    total: usize,
    is_shown: bool,
    done: AtomicUsize,
    /// The percentage shown last.
    percent: AtomicUsize,
}

impl Progress {
    fn new(total: usize) -> Self {
        let is_shown = total >= WORTH_SHOWING && io::stderr().is_terminal();
        Self { total, is_shown, done: AtomicUsize::new(0), percent: AtomicUsize::new(0) }
    }

    /// Counts bytes that were read, on any thread.
    fn add(&self, bytes: usize) {
        let done = self.done.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let percent = done * 100 / self.total.max(1);
        if self.is_shown && self.percent.fetch_max(percent, Ordering::Relaxed) < percent {
            drop(write!(io::stderr(), "\rreading {percent:3} % of {} MB", self.total / 1_000_000));
        }
    }

    /// Clears the line.
    fn clear(&self) {
        if self.is_shown {
            drop(write!(io::stderr(), "\r\x1b[K"));
        }
    }
}
