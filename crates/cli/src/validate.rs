//! `opscope validate`

use crate::args::{Denied, OpmArguments, Validate};
use crate::folder;
use crate::format::FindingsFormat;
use crate::output::{Failure, say, write_json, written};
use crate::paths::{STDIN, file_name, shown_path};
use crate::places::{Inputs, some};
use crate::rules;
use crate::settings;
use crate::{parallel, set};
use report::contract::{self, Validated};
use report::{Block, Grade, Item, Note, Paint, Terminal, excerpt, github, sarif, write_with_excerpt};
use source::{OpenShift, Rule};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use views::{Counts, FindingView, Place, Severity};
use workbench::{CatalogInput, NewText, opm_json, opm_yaml};

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
    let loaded = load(&arguments.paths, arguments.opm, arguments.openshift)?;
    let (shown, verdict, unread) = found(&loaded, &arguments.rules)?;
    let is_valid = verdict == Verdict::Valid;
    let counts = counts(&shown);
    let items = || shown.iter().map(|view| item(&loaded, view)).collect::<Vec<Item>>();
    match arguments.format {
        FindingsFormat::Json => {
            let file = |view: &FindingView| loaded.file(view.catalog, &view.path);
            let packages = loaded.workbench.overview().packages.len() as u32;
            let finding = |view: &FindingView| contract::Finding::of(view.clone(), file(view));
            let findings = shown.iter().map(finding).collect();
            let unread = unread.iter().cloned().collect();
            write_json(out, &Validated { valid: is_valid, unread, packages, findings })?;
        }
        FindingsFormat::Text => {
            write_text(out, terminal, &loaded, &shown, (verdict, counts)).map_err(written)?;
        }
        FindingsFormat::Sarif => {
            write_json(out, &sarif::log(&items().iter().collect::<Vec<_>>(), None, &rules::text))?;
        }
        FindingsFormat::Github => github::write(out, &items()).map_err(written)?,
        FindingsFormat::OpmJson | FindingsFormat::OpmYaml if verdict == Verdict::Unknown => {}
        FindingsFormat::OpmJson => write!(out, "{}", opm_json(opm_error(&loaded)?.as_deref())).map_err(written)?,
        FindingsFormat::OpmYaml => write!(out, "{}", opm_yaml(opm_error(&loaded)?.as_deref())).map_err(written)?,
    }
    let denied = arguments.deny.contains(&Denied::Warnings) && counts.warnings > 0;
    // The process ends now. Freeing the memory piece by piece would take a tenth of its run time.
    std::mem::forget(loaded);
    verdict.answer(&unread, denied)
}

impl Verdict {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::Unknown => "unknown",
        }
    }

    /// The answer, where these files were not read completely.
    fn answer(self, unread: &BTreeSet<String>, is_denied: bool) -> Result<bool, Failure> {
        let unknown = "nobody knows whether opm accepts the catalog, because";
        match self {
            Self::Unknown if unread.is_empty() => {
                Err(format!("{unknown} no given catalog has all images of its template").into())
            }
            Self::Unknown => Err(format!("{unknown} these files were not read completely: {}", some(unread)).into()),
            Self::Valid | Self::Invalid => Ok(self == Self::Valid && !is_denied),
        }
    }
}

/// The findings of these rules, or all, what `opm validate` says, and the files that were not read completely.
fn found(loaded: &Inputs, rules: &[Rule]) -> Result<(Vec<FindingView>, Verdict, BTreeSet<String>), Failure> {
    let ignored = &settings::found()?.settings.ignored;
    // What `opm` rejects is no matter of taste.
    let is_wanted =
        |row: &FindingView| row.severity == Severity::Error || !ignored.iter().any(|rule| rule.id() == row.rule);
    let rows = loaded.workbench.all_findings().into_iter();
    let shown = rows.filter(|row| is_asked_for(row, rules) && is_wanted(row)).collect();
    let unread = loaded.unread();
    let catalogs = loaded.workbench.catalogs();
    let verdict = match catalogs.iter().all(|catalog| catalog.is_accepted()) {
        false => Verdict::Invalid,
        true if unread.is_empty() && !catalogs.iter().any(CatalogInput::needs_registry) => Verdict::Valid,
        true => Verdict::Unknown,
    };
    Ok((shown, verdict, unread))
}

/// The findings of a catalog as a part of a report, and the answer.
///
/// # Errors
/// When the path cannot be read.
pub(crate) fn checked(path: &Path, opm: OpmArguments) -> Result<(Vec<Block>, Result<bool, Failure>), Failure> {
    let loaded = load(&[path.to_path_buf()], opm, None)?;
    let (shown, verdict, unread) = found(&loaded, &[])?;
    let title = format!("opm: {}", summary(&loaded, verdict.as_str(), counts(&shown)));
    let items = shown.iter().filter(|view| !view.is_consequence).map(|view| Block::Item(item(&loaded, view)));
    let blocks = std::iter::once(Block::Heading(title)).chain(items).collect();
    Ok((blocks, verdict.answer(&unread, false)))
}

/// A finding with its places, help, and what `opm` says.
fn item(inputs: &Inputs, view: &FindingView) -> Item {
    let labels = view.labels.iter().map(|label| (label.place, &*label.message));
    let places = std::iter::once((view.place, "")).chain(labels);
    let mut item = Item::new(Grade::Finding(view.severity), &view.rule, &*view.message)
        .at(places.map(|(place, label)| report::Spot { label: label.to_owned(), ..inputs.spot_of(place) }));
    item.notes.extend(view.help.iter().map(|help| Note::of("help", &**help)));
    let follow = match view.follow {
        0 => None,
        1 => Some("1 more finding follows from it; `--format json` lists it".to_owned()),
        more => Some(format!("{more} more findings follow from it; `--format json` lists them")),
    };
    item.notes.extend(follow.map(|text| Note::aside("note", text)));
    item.notes.extend(view.opm_notes.iter().map(|text| Note::of("note", &**text)));
    item
}

/// The number of findings of each severity.
fn counts(findings: &[FindingView]) -> Counts {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count() as u32;
    Counts { errors: count(Severity::Error), warnings: count(Severity::Warning), hints: count(Severity::Hint) }
}

/// Writes each finding with its lines of the file and help, and a summary at the end.
fn write_text(
    out: &mut dyn Write,
    terminal: Terminal,
    inputs: &Inputs,
    findings: &[FindingView],
    (verdict, counts): (Verdict, Counts),
) -> io::Result<()> {
    for view in findings.iter().filter(|finding| !finding.is_consequence) {
        let labels: Vec<(Place, &str)> = view.labels.iter().map(|label| (label.place, &*label.message)).collect();
        let file = inputs.workbench.file(view.place.file);
        let excerpt = file.and_then(|(_, file)| excerpt(&file.text, view.place, &labels));
        write_with_excerpt(out, terminal, &item(inputs, view), excerpt)?;
    }
    // A hint for people; a log has no use for it.
    if let Some(finding) = findings.first().filter(|_| io::stdout().is_terminal()) {
        writeln!(
            out,
            "Run `opscope explain {}` for more about this rule, `opscope explain` for a list of all rules\n",
            finding.rule
        )?;
    }
    let paint = if verdict == Verdict::Valid { Paint::Good } else { Paint::Bad };
    writeln!(out, "{}", summary(inputs, &terminal.painted(paint, verdict.as_str()), counts))
}

/// A verdict with the numbers of packages and findings.
fn summary(inputs: &Inputs, verdict: &str, Counts { errors, warnings, hints }: Counts) -> String {
    let packages = inputs.workbench.overview().packages.len() as u32;
    let (packages, errors) = (counted(packages, "package"), counted(errors, "error"));
    let (warnings, hints) = (counted(warnings, "warning"), counted(hints, "hint"));
    format!("{verdict}: {packages}, {errors}, {warnings}, {hints}")
}

fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The error of `opm validate` for the only catalog, if there is one.
fn opm_error(inputs: &Inputs) -> Result<Option<String>, Failure> {
    let [catalog] = inputs.workbench.catalogs() else {
        return Err("opm validates one catalog at a time: give the path of one".to_owned().into());
    };
    Ok(catalog.rejection_text())
}

fn load(paths: &[PathBuf], opm: OpmArguments, openshift: Option<OpenShift>) -> Result<Inputs, Failure> {
    let mut inputs = Inputs::judged_by(opm.release()?);
    let openshift = openshift.or(settings::found()?.settings.openshift);
    inputs.workbench.set_openshift(openshift);
    let mut loaded = Vec::new();
    for path in paths {
        let name = if path.as_path() == Path::new(STDIN) { "stdin".to_owned() } else { file_name(path) };
        for found in folder::catalogs(path)? {
            folder::tell(&found);
            let progress = Progress::new(parallel::size(&found.files));
            let name = if found.label.is_empty() { &name } else { &found.label };
            for (name, files) in catalogs_of((name, path), found.files, openshift)? {
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

/// The catalogs that files are: those for several versions of OpenShift, or that for one, or else one.
fn catalogs_of(
    (name, path): (&str, &Path),
    files: Vec<NewText>,
    only: Option<OpenShift>,
) -> Result<Vec<(String, Vec<NewText>)>, Failure> {
    let members = set::members(&files);
    if members.is_empty() {
        return Ok(vec![(name.to_owned(), files)]);
    }
    if let Some(only) = only {
        let own = members.into_iter().find(|member| member.version == only);
        let own = own.ok_or_else(|| format!("`{}` has no catalog for OpenShift {only}", shown_path(path)))?;
        return Ok(vec![(format!("{name}-{only}"), own.files)]);
    }
    let versions: Vec<String> = members.iter().map(|member| member.version.to_string()).collect();
    say(&format!(
        "`{}` has catalogs for OpenShift {}; each is validated by itself, and `opscope set` says what updates of OpenShift do",
        shown_path(path),
        versions.join(", ")
    ));
    Ok(members.into_iter().map(|member| (format!("{name}-{}", member.version), member.files)).collect())
}

fn is_asked_for(row: &FindingView, rules: &[Rule]) -> bool {
    rules.is_empty() || rules.iter().any(|rule| rule.id() == row.rule)
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
