//! `opscope validate`

use crate::args::{Denied, OpmArguments, Validate};
use crate::format::FindingsFormat;
use crate::json;
use crate::output::{Failure, write_json, written};
use crate::places::{Inputs, NamedPath, STDIN, file_name, some};
use crate::served::{self, Form, Same, Served, Which};
use crate::{explain, settings};
use report::contract::{self, Judge, Validated};
use report::{Block, Grade, Item, Note, Paint, Spot, Terminal, excerpt, github, sarif, write_with_excerpt};
use session::{CatalogInput, Levels, opm_json, opm_yaml};
use source::{OpenShift, OpmVersion, Rule, name_list};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use views::{FindingView, Level, Place, Severity};

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
    let levels = settings::levels(None)?;
    let form = match arguments.format {
        FindingsFormat::Json => Form::Json,
        FindingsFormat::Text | FindingsFormat::Sarif | FindingsFormat::Github => {
            let all = judged(served, arguments.opm, arguments.openshift, &arguments.rules, &levels)?;
            match arguments.format {
                FindingsFormat::Sarif => {
                    let items: Vec<Item> = grouped(&all).iter().map(Group::item).collect();
                    let log = sarif::log(&items.iter().collect::<Vec<_>>(), None, &explain::rule_text);
                    write_json(out, &log)?;
                }
                FindingsFormat::Github => {
                    let items: Vec<Item> = grouped(&all).iter().map(Group::item).collect();
                    github::write(out, &items).map_err(written)?;
                }
                _ => write_text(&all, out, terminal).map_err(written)?,
            }
            let answer = answer(&all, |judged| judged.answer(&arguments.deny));
            // The process ends soon. Freeing the memory piece by piece would take a tenth of its run time.
            std::mem::forget(all);
            return answer;
        }
        FindingsFormat::OpmJson | FindingsFormat::OpmYaml if served.len() > 1 => {
            return Err("opm validates one catalog at a time: name one with `--openshift`, or its path".into());
        }
        FindingsFormat::OpmJson | FindingsFormat::OpmYaml => Form::Commented("#"),
    };
    served::ask(served, form, terminal, out, |served, out| {
        let judged = Judged::of(served, arguments.opm, arguments.openshift, &arguments.rules, &levels)?;
        judged.write(arguments.format, out)?;
        let answer = match arguments.format {
            FindingsFormat::OpmJson | FindingsFormat::OpmYaml => judged.verdict.answer(&judged.unread, false),
            _ => judged.answer(&arguments.deny),
        };
        std::mem::forget(judged);
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

/// The catalogs at the paths, for each version of OpenShift if there are several. One bundle directory is judged as what it is.
fn read(paths: &[PathBuf], openshift: Option<OpenShift>) -> Result<Vec<Served>, Failure> {
    let name = |path: &PathBuf| if path.as_path() == Path::new(STDIN) { "stdin".to_owned() } else { file_name(path) };
    let named: Vec<NamedPath> = paths.iter().map(|path| (name(path), path.clone())).collect();
    served::read_with_bundles(&named, openshift)
}

fn load(served: Served, opm: OpmArguments, openshift: Option<OpenShift>) -> Result<Inputs, Failure> {
    let of_settings = settings::found()?.settings.openshift.filter(|_| served.which.is_none());
    let version = openshift.or_else(|| served.served_on()).or(of_settings);
    let mut inputs = Inputs::judged_by(opm.release()?.serving(version));
    inputs.workbench.set_openshift(version);
    inputs.add(served);
    Ok(inputs)
}

/// Catalogs, and what was found in them.
struct Judged {
    which: Option<Which>,
    inputs: Inputs,
    shown: Vec<FindingView>,
    verdict: Verdict,
    unread: BTreeSet<String>,
}

/// The catalogs for each version of OpenShift, with the findings of these rules, or all.
fn judged(
    served: Vec<Served>,
    opm: OpmArguments,
    openshift: Option<OpenShift>,
    rules: &[Rule],
    levels: &Levels,
) -> Result<Vec<Judged>, Failure> {
    served.into_iter().map(|one| Judged::of(one, opm, openshift, rules, levels)).collect()
}

impl Judged {
    fn of(
        served: Served,
        opm: OpmArguments,
        openshift: Option<OpenShift>,
        rules: &[Rule],
        levels: &Levels,
    ) -> Result<Self, Failure> {
        let which = served.which.clone();
        let inputs = load(served, opm, openshift)?;
        // What `opm` rejects is no matter of taste.
        let of_levels = |row: FindingView| match row.opm {
            Some(_) => Some(row),
            None => Some(FindingView { severity: levels.severity(&row.rule, row.severity)?, ..row }),
        };
        let rows = answers::all_findings(&inputs.workbench).into_iter();
        let shown: Vec<FindingView> = rows.filter(|row| is_asked_for(row, rules)).filter_map(of_levels).collect();
        let unread = inputs.unread();
        let catalogs = inputs.workbench.catalogs();
        let verdict = match catalogs.iter().all(|catalog| catalog.is_accepted()) {
            false => Verdict::Invalid,
            true if unread.is_empty() && !catalogs.iter().any(CatalogInput::needs_registry) => Verdict::Valid,
            true => Verdict::Unknown,
        };
        Ok(Self { which, inputs, shown, verdict, unread })
    }

    fn packages(&self) -> u32 {
        answers::overview(&self.inputs.workbench).packages.len() as u32
    }

    /// Writes what is about one catalog.
    fn write(&self, format: FindingsFormat, out: &mut dyn Write) -> Result<(), Failure> {
        let inputs = &self.inputs;
        let opm_error = || match (self.verdict, inputs.workbench.catalogs()) {
            (Verdict::Unknown, _) => Ok(None),
            (_, [catalog]) => Ok(Some(catalog.rejection_text())),
            _ => Err(Failure::from("opm validates one catalog at a time: give the path of one")),
        };
        match format {
            FindingsFormat::OpmJson | FindingsFormat::OpmYaml => {
                let print = if format == FindingsFormat::OpmJson { opm_json } else { opm_yaml };
                match opm_error()? {
                    Some(error) => write!(out, "{}", print(error.as_deref())).map_err(written),
                    None => Ok(()),
                }
            }
            _ => {
                let finding =
                    |view: &FindingView| contract::Finding::of(view.clone(), inputs.file(view.catalog, &view.path));
                let openshift = inputs.workbench.openshift().map(|version| version.to_string());
                let opm = Some(inputs.workbench.opm()).filter(|opm| *opm != OpmVersion::NEWEST);
                let validated = Validated {
                    valid: self.verdict == Verdict::Valid,
                    unread: self.unread.iter().cloned().collect(),
                    packages: self.packages(),
                    judge: Judge { opm: opm.map(|opm| opm.to_string()), openshift },
                    findings: self.shown.iter().map(finding).collect(),
                };
                json::print(out, &validated)
            }
        }
    }

    /// Who judges, and the numbers of packages and of different findings.
    fn summary(&self) -> String {
        let mut known = BTreeSet::new();
        let mut count = |severity| {
            let of_severity = self.shown.iter().filter(|view| view.severity == severity);
            of_severity.filter(|view| known.insert(contract::group(view))).count() as u32
        };
        let [errors, warnings, hints] = [Severity::Error, Severity::Warning, Severity::Hint].map(&mut count);
        let (packages, errors) = (counted(self.packages(), "package"), counted(errors, "error"));
        let (warnings, hints) = (counted(warnings, "warning"), counted(hints, "hint"));
        format!("{packages}, {errors}, {warnings}, {hints}")
    }

    /// The `opm` that judges a catalog that no other was given with.
    fn judge(&self) -> String {
        let opm = self.inputs.workbench.opm().named();
        match self.inputs.workbench.openshift() {
            Some(version) => format!("OpenShift {version} ({opm})"),
            None => opm,
        }
    }

    /// Whether `opm` accepts the catalogs, and nothing is an error that others find: a cluster, or the pipelines.
    fn answer(&self, deny: &[Denied]) -> Result<bool, Failure> {
        let denies_warnings = deny.contains(&Denied::Warnings);
        let is_denied = self.shown.iter().any(|view| match view.severity {
            Severity::Error => true,
            Severity::Warning => denies_warnings,
            Severity::Hint => false,
        });
        self.verdict.answer(&self.unread, is_denied)
    }
}

/// The answer about all catalogs.
fn answer<'j>(
    all: impl IntoIterator<Item = &'j Judged>,
    of: impl Fn(&Judged) -> Result<bool, Failure>,
) -> Result<bool, Failure> {
    let mut failed: BTreeMap<String, Vec<Which>> = BTreeMap::new();
    let mut is_fine = true;
    for judged in all {
        match (of(judged), &judged.which) {
            (Ok(answer), _) => is_fine &= answer,
            (Err(failure), None) => return Err(failure),
            (Err(failure), Some(which)) => failed.entry(failure.text()).or_default().push(which.clone()),
        }
    }
    if failed.is_empty() {
        return Ok(is_fine);
    }
    Err(Failure::of_lines(failed.into_iter().map(|(text, which)| format!("{}: {text}", served::title(&which)))))
}

/// The verdicts, each once, with the catalogs that it is about.
fn summaries(all: &[Judged]) -> Vec<(Verdict, String)> {
    let mut same: Vec<Same<Verdict>> = Vec::new();
    for judged in all {
        let openshift = judged.which.as_ref().and_then(Which::openshift);
        let key = format!("{}{}{}", judged.verdict.as_str(), openshift.is_some(), judged.summary());
        served::add(&mut same, judged.which.clone(), key, judged.verdict);
    }
    let summary = |one: Same<Verdict>| {
        let judged = all.iter().find(|judged| one.is_of(judged.which.as_ref()))?;
        let judge = match &one.which[..] {
            [] => format!("for {}", judged.judge()),
            which if which.iter().all(|which| which.openshift().is_some()) => format!("for {}", served::title(which)),
            which => format!("for {} in {}", judged.judge(), served::title(which)),
        };
        let has_error = judged.shown.iter().any(|view| view.severity == Severity::Error);
        let but = if one.first == Verdict::Valid && has_error { ", with errors that `opm` does not find" } else { "" };
        Some((one.first, format!("{judge}{but}: {}", judged.summary())))
    };
    same.into_iter().filter_map(summary).collect()
}

/// Writes each thing that was found with its lines of the file and help, and the verdicts at the end.
fn write_text(all: &[Judged], out: &mut dyn Write, terminal: Terminal) -> io::Result<()> {
    let groups = grouped(all);
    for group in &groups {
        let (judged, view) = group.first;
        let labels: Vec<(Place, &str)> = view.labels.iter().map(|label| (label.place, &*label.message)).collect();
        let file = judged.inputs.workbench.file(view.place.file);
        let excerpt = file.and_then(|(_, file)| excerpt(&file.text, view.place, &labels));
        write_with_excerpt(out, terminal, &group.item(), excerpt)?;
    }
    // A hint for people; a log has no use for it.
    if let Some(group) = groups.first().filter(|_| io::stdout().is_terminal()) {
        writeln!(
            out,
            "Run `opscope explain {}` for more about this rule, `opscope explain` for a list of all rules\n",
            group.first.1.rule
        )?;
    }
    if io::stdout().is_terminal() && all.iter().filter_map(|judged| judged.which.as_ref()?.openshift()).count() > 1 {
        writeln!(out, "Run `opscope set` with the same path for what updates of OpenShift do\n")?;
    }
    for (verdict, text) in summaries(all) {
        let paint = if verdict == Verdict::Valid { Paint::Good } else { Paint::Bad };
        writeln!(out, "{} {text}", terminal.painted(paint, verdict.as_str()))?;
    }
    Ok(())
}

/// What was found of one thing, wherever it is.
struct Group<'j> {
    first: (&'j Judged, &'j FindingView),
    others: Vec<(&'j Judged, &'j FindingView)>,
    /// Whether there are catalogs for several versions of OpenShift.
    is_of_several: bool,
}

/// The findings that people read, those of one thing together, in the order of the first of each.
fn grouped(all: &[Judged]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: BTreeMap<(Severity, String), usize> = BTreeMap::new();
    for judged in all {
        for view in judged.shown.iter().filter(|view| !view.is_consequence) {
            match known.entry((view.severity, contract::group(view))) {
                Entry::Occupied(at) => groups[*at.get()].others.push((judged, view)),
                Entry::Vacant(new) => {
                    new.insert(groups.len());
                    groups.push(Group { first: (judged, view), others: Vec::new(), is_of_several: all.len() > 1 });
                }
            }
        }
    }
    groups.sort_by_key(|group| group.first.1.severity);
    groups
}

impl Group<'_> {
    fn key(&self) -> (Severity, String) {
        (self.first.1.severity, contract::group(self.first.1))
    }

    /// The first finding with its places, help, and what `opm` says, and where the others are.
    fn item(&self) -> Item {
        let (judged, view) = self.first;
        let labels = view.labels.iter().map(|label| (label.place, &*label.message));
        let places = std::iter::once((view.place, "")).chain(labels);
        let spots = places.map(|(place, label)| Spot { label: label.to_owned(), ..judged.inputs.spot_of(place) });
        let others = self.others.iter().map(|(judged, view)| judged.inputs.spot_of(view.place));
        let mut item = Item::new(Grade::Finding(view.severity), &view.rule, &*view.message);
        item.notes.extend(view.help.iter().map(|help| Note::of("help", &**help)));
        let follow = match view.follow {
            0 => None,
            1 => Some("1 more finding follows from it; `--format json` lists it".to_owned()),
            more => Some(format!("{more} more findings follow from it; `--format json` lists them")),
        };
        item.notes.extend(follow.map(|text| Note::aside("note", text)));
        item.notes.extend(view.opm_notes.iter().map(|text| Note::of("note", &**text)));
        item.notes.extend(self.counted().map(|text| Note::of("note", text)));
        item.at(spots.chain(others))
    }

    /// How often it was found, and in which of several catalogs.
    fn counted(&self) -> Option<String> {
        let found = std::iter::once(&self.first).chain(&self.others).filter(|_| self.is_of_several);
        let mut which: Vec<Which> = found.filter_map(|(judged, _)| judged.which.clone()).collect();
        which.dedup();
        let count = self.others.len() + 1;
        let is_same = self.others.iter().all(|(_, view)| view.message == self.first.1.message);
        let list = if is_same { "" } else { "; `--format json` lists all" };
        match (which.is_empty(), count) {
            (true, 1) => None,
            (true, _) => Some(format!("{count} places have it{list}")),
            (false, _) if count == which.len() => Some(format!("in {}{list}", served::title(&which))),
            (false, _) => Some(format!("{count} places have it, in {}{list}", served::title(&which))),
        }
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

/// The catalogs at a path, judged.
pub(crate) struct Judgement(Vec<Judged>);

/// The findings of catalogs at a path as these levels have them.
///
/// # Errors
/// When the path cannot be read.
pub(crate) fn judge(path: &Path, opm: OpmArguments, levels: &Levels) -> Result<Judgement, Failure> {
    Ok(Judgement(judged(read(&[path.to_path_buf()], None)?, opm, None, &[], levels)?))
}

/// What is wrong with the catalogs of a review. Of what is no error, those that were there before are only counted.
pub(crate) struct Checked {
    /// Each with whether `opm` rejects the catalog for it.
    items: Vec<(bool, Item)>,
    verdicts: Vec<String>,
    remarks: Vec<String>,
    /// Whether `opm` accepts all catalogs.
    pub(crate) answer: Result<bool, Failure>,
}

impl Checked {
    /// For what `opm` rejects the catalogs, a text each.
    pub(crate) fn rejections(&self) -> impl Iterator<Item = String> {
        let rejected = self.items.iter().filter(|(is_of_opm, _)| *is_of_opm);
        rejected.map(|(_, item)| format!("opm rejects the catalog: {}", with_place(item)))
    }

    /// What else is denied, a text each.
    pub(crate) fn denied(&self, deny: Level) -> impl Iterator<Item = String> {
        let least = if deny == Level::Risky { Severity::Warning } else { Severity::Error };
        let is_denied = move |item: &Item| matches!(item.grade, Grade::Finding(severity) if severity <= least);
        let denied = self.items.iter().filter(move |(is_of_opm, item)| !is_of_opm && is_denied(item));
        denied.map(|(_, item)| with_place(item))
    }

    /// As a part of a report.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Block> {
        let items = self.items.iter().map(|(_, item)| Block::Item(item.clone()));
        items.chain([Block::Gap]).chain(self.verdicts.iter().chain(&self.remarks).map(Block::line))
    }
}

fn with_place(item: &Item) -> String {
    let place = item.places.first().map(|spot| format!(" ({})", spot.shown()));
    format!("{}{}", item.sentence, place.unwrap_or_default())
}

impl Judgement {
    /// The names of the packages.
    pub(crate) fn packages(&self) -> Vec<String> {
        let all = self.0.iter().flat_map(|judged| answers::overview(&judged.inputs.workbench).packages);
        let names: BTreeSet<String> = all.map(|package| package.key.package).collect();
        names.into_iter().collect()
    }

    /// Whether a file has a document of OLM.
    pub(crate) fn has_documents(&self) -> bool {
        let mut files = self.0.iter().flat_map(|judged| judged.inputs.workbench.catalogs()).flat_map(|of| &of.files);
        files.any(|file| file.text.contains("olm."))
    }

    /// What is new of it, if these were the catalogs before.
    pub(crate) fn checked(&self, before: Option<&Self>) -> Checked {
        let all = &self.0;
        let verdicts = summaries(all).into_iter().map(|(verdict, text)| format!("opm: {} {text}", verdict.as_str()));
        let mut groups = grouped(all);
        let mut remarks = Vec::new();
        if let Some(Self(before)) = before {
            let (known, found) = (most_places(before), most_places(all));
            let count = groups.len();
            groups.retain(|group| match known.get(&group.key()) {
                Some(places) => group.first.1.opm.is_some() || places < &found[&group.key()],
                None => true,
            });
            remarks.extend(match count - groups.len() {
                0 => None,
                1 => Some("1 finding that was there before is not listed.".to_owned()),
                many => Some(format!("{many} findings that were there before are not listed.")),
            });
            remarks.extend(gone(all, before).map(|rules| format!("Gone: {rules}.")));
        }
        let items = groups.iter().map(|group| (group.first.1.opm.is_some(), group.item())).collect();
        // Nothing is due to the change that was as unknown before.
        let was = |judged: &Judged| before?.0.iter().find(|before| before.which == judged.which);
        let verdict = |judged: &Judged| judged.verdict.answer(&judged.unread, false);
        let failure = |judged: &Judged| verdict(judged).err().map(|failure| failure.text());
        let is_due = |judged: &&Judged| failure(judged).is_none() || was(judged).and_then(failure) != failure(judged);
        Checked { items, verdicts: verdicts.collect(), remarks, answer: answer(all.iter().filter(is_due), verdict) }
    }
}

/// The rules of which nothing is found any more in packages that are still there.
fn gone(all: &[Judged], before: &[Judged]) -> Option<String> {
    let has = |judged: &Judged, name: &str| {
        let ids = judged.inputs.ids();
        ids.iter().any(|catalog| answers::has_package(&judged.inputs.workbench, *catalog, name))
    };
    let is_here = |group: &&Group<'_>| match group.first.1.package.as_deref() {
        Some(name) => all.iter().any(|judged| has(judged, name)),
        None => true,
    };
    let gone = grouped(before);
    let still: BTreeSet<&str> = all.iter().flat_map(|judged| &judged.shown).map(|view| &*view.rule).collect();
    let rules: BTreeSet<&str> = gone.iter().filter(is_here).map(|group| &*group.first.1.rule).collect();
    let rules: BTreeSet<&str> = rules.difference(&still).copied().collect();
    (!rules.is_empty()).then(|| name_list(rules))
}

/// The most places in one of the catalogs that have each thing which is found in any of them.
fn most_places(all: &[Judged]) -> BTreeMap<(Severity, String), usize> {
    let mut most: BTreeMap<(Severity, String), usize> = BTreeMap::new();
    for one in all {
        for group in grouped(std::slice::from_ref(one)) {
            let places = most.entry(group.key()).or_default();
            *places = (*places).max(group.others.len() + 1);
        }
    }
    most
}

fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn is_asked_for(row: &FindingView, rules: &[Rule]) -> bool {
    rules.is_empty() || rules.iter().any(|rule| rule.id() == row.rule)
}
