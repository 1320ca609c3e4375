//! `opscope validate`

use crate::args::{Denied, OpmArguments, Validate};
use crate::format::FindingsFormat;
use crate::json;
use crate::output::{Failure, say, write_json, written};
use crate::places::{Inputs, NamedPath, STDIN, file_name, shown_path, some};
use crate::served::{self, Form, Same, Served};
use crate::{explain, settings};
use report::contract::{self, Validated};
use report::{
    Block, Grade, Item, Note, Paint, Report, Terminal, excerpt, github, sarif, to_markdown, write_with_excerpt,
};
use session::{CatalogInput, opm_json, opm_yaml};
use source::{OpenShift, Rule};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use views::{Counts, FindingView, Place, Severity};

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
    let served = read(&arguments.paths, arguments.openshift)?;
    let form = match arguments.format {
        FindingsFormat::Text => Form::Text,
        FindingsFormat::Json => Form::Json,
        FindingsFormat::Sarif | FindingsFormat::Github => return write_items(served, arguments, out),
        FindingsFormat::OpmJson | FindingsFormat::OpmYaml if served.len() > 1 => {
            return Err("opm validates one catalog at a time: name one with `--openshift`, or its path".into());
        }
        FindingsFormat::OpmJson | FindingsFormat::OpmYaml => Form::Commented("#"),
    };
    served::ask(served, form, terminal, out, |served, out| {
        let is_of_set = served.which.is_some();
        let loaded = load(served, arguments.opm, arguments.openshift)?;
        let found = Found::of(&loaded, &arguments.rules, is_of_set)?;
        found.write(&loaded, arguments.format, terminal, out)?;
        let answer = found.answer(&arguments.deny);
        // The process ends soon. Freeing the memory piece by piece would take a tenth of its run time.
        std::mem::forget(loaded);
        answer
    })
}

/// The same of one path, as JSON.
///
/// # Errors
/// The same.
pub(crate) fn as_json(
    path: &Path,
    opm: OpmArguments,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let paths = vec![path.to_path_buf()];
    let format = FindingsFormat::Json;
    run(&Validate { paths, format, opm, openshift: None, rules: Vec::new(), deny: Vec::new() }, terminal, out)
}

/// The same as one list of findings of all catalogs.
fn write_items(served: Vec<Served>, arguments: &Validate, out: &mut dyn Write) -> Result<bool, Failure> {
    let (mut items, mut answers) = (Vec::new(), Vec::new());
    for one in served {
        let is_of_set = one.which.is_some();
        let loaded = load(one, arguments.opm, arguments.openshift)?;
        let found = Found::of(&loaded, &arguments.rules, is_of_set)?;
        items.extend(found.shown.iter().map(|view| item(&loaded, view)));
        answers.push(found.answer(&arguments.deny));
        std::mem::forget(loaded);
    }
    match arguments.format {
        FindingsFormat::Sarif => {
            write_json(out, &sarif::log(&items.iter().collect::<Vec<_>>(), None, &explain::rule_text))?;
        }
        _ => github::write(out, &items).map_err(written)?,
    }
    answers.into_iter().try_fold(true, |is_fine, answer| Ok(answer? && is_fine))
}

/// The catalogs at the paths, for each version of OpenShift if there are several. One bundle directory is judged as what it is.
fn read(paths: &[PathBuf], openshift: Option<OpenShift>) -> Result<Vec<Served>, Failure> {
    let name = |path: &PathBuf| if path.as_path() == Path::new(STDIN) { "stdin".to_owned() } else { file_name(path) };
    let named: Vec<NamedPath> = paths.iter().map(|path| (name(path), path.clone())).collect();
    let served = served::read_with_bundles(&named, openshift)?;
    let versions: Vec<String> =
        served.iter().filter_map(Served::openshift).map(|version| version.to_string()).collect();
    if let ([path], [_, _, ..]) = (paths, &versions[..]) {
        say(&format!(
            "`{}` has catalogs for OpenShift {}; each is validated by itself, and `opscope set` says what updates of OpenShift do",
            shown_path(path),
            versions.join(", ")
        ));
    }
    Ok(served)
}

fn load(served: Served, opm: OpmArguments, openshift: Option<OpenShift>) -> Result<Inputs, Failure> {
    let of_settings = settings::found()?.settings.openshift.filter(|_| served.which.is_none());
    let version = openshift.or_else(|| served.served_on()).or(of_settings);
    let mut inputs = Inputs::judged_by(opm.release()?.serving(version));
    inputs.workbench.set_openshift(version);
    inputs.add(served);
    Ok(inputs)
}

struct Found {
    shown: Vec<FindingView>,
    verdict: Verdict,
    counts: Counts,
    unread: BTreeSet<String>,
    /// The version of OpenShift whose `opm` judged, where no title says it.
    judge: Option<OpenShift>,
}

impl Found {
    /// The findings of these rules, or all, what `opm validate` says, and the files that were not read completely.
    fn of(loaded: &Inputs, rules: &[Rule], is_of_set: bool) -> Result<Self, Failure> {
        let ignored = &settings::found()?.settings.ignored;
        // What `opm` rejects is no matter of taste.
        let is_wanted =
            |row: &FindingView| row.severity == Severity::Error || !ignored.iter().any(|rule| rule.id() == row.rule);
        let rows = answers::all_findings(&loaded.workbench).into_iter();
        let shown: Vec<FindingView> = rows.filter(|row| is_asked_for(row, rules) && is_wanted(row)).collect();
        let unread = loaded.unread();
        let catalogs = loaded.workbench.catalogs();
        let verdict = match catalogs.iter().all(|catalog| catalog.is_accepted()) {
            false => Verdict::Invalid,
            true if unread.is_empty() && !catalogs.iter().any(CatalogInput::needs_registry) => Verdict::Valid,
            true => Verdict::Unknown,
        };
        let counts = counts(&shown);
        let judge = loaded.workbench.openshift().filter(|_| !is_of_set);
        Ok(Self { shown, verdict, counts, unread, judge })
    }

    fn write(
        &self,
        loaded: &Inputs,
        format: FindingsFormat,
        terminal: Terminal,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        match format {
            FindingsFormat::Json => {
                let file = |view: &FindingView| loaded.file(view.catalog, &view.path);
                let packages = answers::overview(&loaded.workbench).packages.len() as u32;
                let finding = |view: &FindingView| contract::Finding::of(view.clone(), file(view));
                let findings = self.shown.iter().map(finding).collect();
                let unread = self.unread.iter().cloned().collect();
                json::print(out, &Validated { valid: self.verdict == Verdict::Valid, unread, packages, findings })
            }
            FindingsFormat::OpmJson | FindingsFormat::OpmYaml if self.verdict == Verdict::Unknown => Ok(()),
            FindingsFormat::OpmJson => write!(out, "{}", opm_json(opm_error(loaded)?.as_deref())).map_err(written),
            FindingsFormat::OpmYaml => write!(out, "{}", opm_yaml(opm_error(loaded)?.as_deref())).map_err(written),
            FindingsFormat::Text | FindingsFormat::Sarif | FindingsFormat::Github => {
                self.write_text(out, terminal, loaded).map_err(written)
            }
        }
    }

    /// Writes each finding with its lines of the file and help, and a summary at the end.
    fn write_text(&self, out: &mut dyn Write, terminal: Terminal, inputs: &Inputs) -> io::Result<()> {
        for view in self.shown.iter().filter(|finding| !finding.is_consequence) {
            let labels: Vec<(Place, &str)> = view.labels.iter().map(|label| (label.place, &*label.message)).collect();
            let file = inputs.workbench.file(view.place.file);
            let excerpt = file.and_then(|(_, file)| excerpt(&file.text, view.place, &labels));
            write_with_excerpt(out, terminal, &item(inputs, view), excerpt)?;
        }
        // A hint for people; a log has no use for it.
        if let Some(finding) = self.shown.first().filter(|_| io::stdout().is_terminal()) {
            writeln!(
                out,
                "Run `opscope explain {}` for more about this rule, `opscope explain` for a list of all rules\n",
                finding.rule
            )?;
        }
        let paint = if self.verdict == Verdict::Valid { Paint::Good } else { Paint::Bad };
        writeln!(out, "{}", self.summary(inputs, &terminal.painted(paint, self.verdict.as_str())))
    }

    /// A verdict with who judged, and the numbers of packages and findings.
    fn summary(&self, inputs: &Inputs, verdict: &str) -> String {
        let Counts { errors, warnings, hints } = self.counts;
        let packages = answers::overview(&inputs.workbench).packages.len() as u32;
        let (packages, errors) = (counted(packages, "package"), counted(errors, "error"));
        let (warnings, hints) = (counted(warnings, "warning"), counted(hints, "hint"));
        let judge = self.judge.map(|version| format!(" for OpenShift {version} (opm {})", inputs.workbench.opm()));
        format!("{verdict}{}: {packages}, {errors}, {warnings}, {hints}", judge.unwrap_or_default())
    }

    fn answer(&self, deny: &[Denied]) -> Result<bool, Failure> {
        self.verdict.answer(&self.unread, deny.contains(&Denied::Warnings) && self.counts.warnings > 0)
    }
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

/// The findings of catalogs as a part of a report, and the answer.
///
/// # Errors
/// When the path cannot be read.
pub(crate) fn checked(path: &Path, opm: OpmArguments) -> Result<(Vec<Block>, Result<bool, Failure>), Failure> {
    let (mut parts, mut answers): (Vec<Same<Report>>, _) = (Vec::new(), Vec::new());
    for served in read(&[path.to_path_buf()], None)? {
        let (which, folders) = (served.which.clone(), served.folders());
        let loaded = load(served, opm, None)?;
        let found = Found::of(&loaded, &[], which.is_some())?;
        let title = format!("opm: {}", found.summary(&loaded, found.verdict.as_str()));
        let items = found.shown.iter().filter(|view| !view.is_consequence).map(|view| Block::Item(item(&loaded, view)));
        let blocks = std::iter::once(Block::heading(title)).chain(items).collect();
        let report = Report { blocks, ..Report::default() };
        answers.push(found.answer(&[]));
        served::add(&mut parts, which, folders.key(&to_markdown(&report), true), report);
    }
    let parts = parts.into_iter().map(|same| (same.which, same.first)).collect();
    let answer = answers.into_iter().try_fold(true, |is_fine, answer| Ok(answer? && is_fine));
    Ok((served::as_one(parts).blocks, answer))
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

fn is_asked_for(row: &FindingView, rules: &[Rule]) -> bool {
    rules.is_empty() || rules.iter().any(|rule| rule.id() == row.rule)
}
