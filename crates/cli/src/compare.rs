//! `opscope compare`

use crate::args::{self, DeniedLevel, Runtime};
use crate::format::CompareFormat;
use crate::git::Revision;
use crate::given::{self, ManifestText};
use crate::json::{self, MemberAnswer};
use crate::output::{self, Failure, write_report, written};
use crate::places::{Inputs, NamedPath, STDIN, file_name, raw_path, shown_path};
use crate::scene::{check_read, check_used, served_to};
use crate::served::{self, Folders, Same, Served, Which, title};
use crate::{folder, image_set, settings};
use answers::ReportScope;
use report::{Comparison, Report, Terminal, to_markdown};
use session::Exchanged;
use std::io::Write;
use std::path::{Path, PathBuf};
use views::{CatalogId, Compared, GraphOptions, GraphView, Level, MirrorView, PackageKey, Presence, SideKey};

/// Prints what becomes of each installed version before and after a change.
pub(crate) fn run(arguments: &args::Compare, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let pairs = Pairs::of(arguments)?;
    pairs.write(arguments.format, pairs.report(), terminal, out)?;
    pairs.answer(arguments.deny)
}

/// The comparisons of a command: one, or one for each catalog of a set.
pub(crate) struct Pairs {
    /// Those with the same answer are one.
    answers: Vec<Same<Pair>>,
    alone: Vec<Alone>,
}

impl Pairs {
    /// Compares what the arguments name.
    ///
    /// # Errors
    /// When something cannot be read, or there is nothing to compare.
    pub(crate) fn of(arguments: &args::Compare) -> Result<Self, Failure> {
        let levels_text = match &arguments.levels_text {
            Some(text) => text.clone(),
            None => levels_text(arguments.levels.as_deref())?,
        };
        let sides: Vec<&PathBuf> = std::iter::once(&arguments.before).chain(&arguments.after).collect();
        if sides.len() > 1 && sides.iter().all(|path| path.as_os_str() == STDIN) {
            return Err("standard input holds one of the states only".to_owned().into());
        }
        let count = sides.len();
        let sides = sides.into_iter().map(|path| (file_name(path), path.clone()));
        let catalogs: Vec<NamedPath> = sides.chain(arguments.catalogs.iter().cloned()).collect();
        let manifests = arguments.cluster.as_deref().map(given::manifests).transpose()?;
        let served = served_to(&catalogs, arguments.openshift, manifests.as_ref())?;
        let (served, alone) = pairs(served, count);
        if served.is_empty() {
            return Err(nothing_to_compare(arguments, &alone));
        }
        let levels = Levels { text: levels_text, manifests };
        let pairs = served.into_iter().map(|served| Pair::of(served, arguments, &levels));
        // A package need not be in the catalogs for all versions.
        let pairs: Vec<Pair> = pairs.collect::<Result<Vec<_>, Failure>>()?.into_iter().flatten().collect();
        let is_missing = |name: &&String| !pairs.iter().any(|pair| pair.has(name));
        if let Some(package) = arguments.packages.iter().find(is_missing) {
            return Err(format!("neither catalog has a package `{package}`").into());
        }
        let mut answers: Vec<Same<Pair>> = Vec::new();
        for pair in pairs {
            served::add(&mut answers, pair.which.clone(), pair.key(), pair);
        }
        Ok(Self { answers, alone })
    }

    /// Each answer with the catalogs that have it.
    fn each(&self) -> impl Iterator<Item = (&[Which], &Pair)> {
        self.answers.iter().map(|same| (&same.which[..], &same.first))
    }

    pub(crate) fn report(&self) -> Report {
        let mut report = self.report_of(self.each().collect());
        report
            .remarks
            .extend(self.alone.iter().map(|(which, side)| format!("{}: only {side} the change", title(which))));
        report
    }

    /// The same without catalogs in which nothing differs.
    pub(crate) fn short_report(&self) -> Report {
        let differs =
            |pair: &Pair| !pair.comparison.packages.is_empty() || !pair.comparison.all.not_comparable.is_empty();
        let differing: Vec<_> = self.each().filter(|(_, pair)| differs(pair)).collect();
        self.report_of(if differing.is_empty() { self.each().take(1).collect() } else { differing })
    }

    fn report_of(&self, answers: Vec<(&[Which], &Pair)>) -> Report {
        let is_one = self.answers.len() == 1;
        let mut parts: Vec<(Vec<Which>, Report)> =
            answers.into_iter().map(|(which, pair)| (which.to_vec(), pair.report())).collect();
        match parts.pop() {
            Some((_, only)) if is_one => only,
            last => report::merged(parts.into_iter().chain(last).collect(), &title),
        }
    }

    /// Which catalogs are not compared, because only one of the states has them.
    pub(crate) fn alone_texts(&self) -> impl Iterator<Item = String> {
        self.alone.iter().map(|(which, side)| format!("{}, which is there only {side} the change", title(which)))
    }

    /// Writes a report, of which the comparison is a part.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(
        &self,
        format: CompareFormat,
        report: Report,
        terminal: Terminal,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        match format {
            CompareFormat::Json => self.write_json(out),
            CompareFormat::Html => {
                write!(out, "{}", output::document(&report, &|name| self.graph(name))).map_err(written)
            }
            format => write_report(out, terminal, format, &report),
        }
    }

    /// Writes the comparison for programs.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write_json(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let answers: Vec<_> = self.each().collect();
        if let [([], only)] = answers[..] {
            return json::write(out, &only.inputs, &only.comparison.json());
        }
        let answer = |(which, pair): (&[Which], &Pair)| {
            Ok(MemberAnswer::of(which, Ok(json::of(&pair.inputs, &pair.comparison.json())?)))
        };
        json::write_members(out, answers.into_iter().map(answer).collect::<Result<Vec<_>, Failure>>()?)
    }

    /// The drawing of a package, which a report of several catalogs names with their title.
    fn graph(&self, name: &str) -> Option<GraphView> {
        let is_one = self.answers.len() == 1;
        self.each().find_map(|(which, pair)| match is_one {
            true => pair.graph(name),
            false => pair.graph(name.strip_suffix(&format!(" ({})", title(which)))?),
        })
    }

    /// Whether nothing is denied.
    ///
    /// # Errors
    /// When there is no complete answer.
    pub(crate) fn answer(&self, deny: Option<DeniedLevel>) -> Result<bool, Failure> {
        self.each().map(|(_, pair)| pair.answer(deny)).try_fold(true, |is_fine, answer| Ok(is_fine && answer?))
    }

    /// What is denied, a text for each package, with the catalogs that have it.
    pub(crate) fn denied(&self, deny: Level) -> Vec<String> {
        let mut all: Vec<(String, Vec<Which>)> = Vec::new();
        for (which, pair) in self.each() {
            for text in pair.denied(deny) {
                match all.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, of)) => of.extend(which.iter().cloned()),
                    None => all.push((text, which.to_vec())),
                }
            }
        }
        let told = |(text, which): (String, Vec<Which>)| match &which[..] {
            [] => text,
            which => format!("{text} ({})", title(which)),
        };
        all.into_iter().map(told).collect()
    }

    /// The worst level of a difference.
    pub(crate) fn worst(&self) -> Option<Level> {
        self.each().filter_map(|(_, pair)| pair.comparison.all.levels.worst()).max()
    }
}

/// The levels of the user: those in a file, or those of the settings.
///
/// # Errors
/// When the file cannot be read, or something is wrong in it.
pub(crate) fn levels_text(path: Option<&Path>) -> Result<String, Failure> {
    let Some(path) = path else { return Ok(settings::found()?.text.clone()) };
    let text = folder::text(path, "levels are one file")?;
    check_levels(path, &text)?;
    Ok(text)
}

/// What all comparisons of a command have.
struct Levels {
    text: String,
    manifests: Option<ManifestText>,
}

/// Catalogs, and the only side of the change that has them: `before` or `after`.
type Alone = (Vec<Which>, &'static str);

/// The catalogs of which both states are there, and those that only one of them has. Two catalogs for different versions of OpenShift
/// are compared with each other.
fn pairs(served: Vec<Served>, sides: usize) -> (Vec<Served>, Vec<Alone>) {
    let has = |served: &Served, side| served.catalogs.iter().any(|named| named.argument == side);
    let is_whole = |served: &Served| (0..sides).all(|side| has(served, side));
    let (whole, parts): (Vec<Served>, Vec<Served>) = served.into_iter().partition(is_whole);
    let of_side = |side| parts.iter().filter(|part| has(part, side)).count();
    if whole.is_empty() && sides == 2 && (of_side(0), of_side(1)) == (1, 1) {
        let mut catalogs: Vec<_> = parts.into_iter().flat_map(|part| part.catalogs).collect();
        catalogs.sort_by_key(|named| named.argument);
        return (vec![Served { which: None, catalogs }], Vec::new());
    }
    let alone = [(0, "before"), (1, "after")].into_iter().filter_map(|(side, name)| {
        let which: Vec<Which> =
            parts.iter().filter(|part| has(part, side)).filter_map(|part| part.which.clone()).collect();
        (!which.is_empty()).then_some((which, name))
    });
    (whole, alone.collect())
}

/// The failure of two states that have no catalog for the same version of OpenShift.
fn nothing_to_compare(arguments: &args::Compare, alone: &[Alone]) -> Failure {
    let after = arguments.after.as_ref().unwrap_or(&arguments.before);
    let paths = [&arguments.before, after].map(|path| shown_path(path));
    let has = alone.iter().map(|(which, side)| format!("  {side}: {}", title(which)));
    let first = format!(
        "no answer: `{}` and `{}` have no catalogs for the same version of OpenShift; name one of each:",
        paths[0], paths[1]
    );
    Failure::of_lines(std::iter::once(first).chain(has))
}

/// Two states of a catalog, compared.
struct Pair {
    which: Option<Which>,
    folders: Folders,
    inputs: Inputs,
    before: CatalogId,
    after: CatalogId,
    comparison: Comparison,
}

impl Pair {
    /// Compares the first two catalogs. `None` if neither has any of the wanted packages.
    fn of(served: Served, arguments: &args::Compare, levels: &Levels) -> Result<Option<Self>, Failure> {
        let (which, folders, names) = (served.which.clone(), served.folders(), served.names());
        let others = &names[if arguments.after.is_some() { 2 } else { 1 }..];
        let mut inputs = Inputs::of(served, arguments.opm.release()?);
        if let Some(manifests) = &levels.manifests {
            inputs.set_manifests(manifests, &arguments.facts);
        }
        let mirrored = mirrored(&mut inputs, &arguments.image_set)?;
        let [before, after, ..] = inputs.ids()[..] else {
            return Err("one of the catalogs is not open".to_owned().into());
        };
        let has = |name: &String| {
            [before, after].iter().any(|catalog| answers::has_package(&inputs.workbench, *catalog, name))
        };
        if !arguments.packages.is_empty() && !arguments.packages.iter().any(has) {
            return Ok(None);
        }
        let exchanged = arguments.cluster.as_deref().map(|path| exchange(&mut inputs, path, others));
        let exchanged = exchanged.transpose()?;
        // Without a CatalogSource for it, OLM v0 does not use the catalog.
        let is_v1 = exchanged.as_ref().is_some_and(|exchanged| !exchanged.is_source);
        let default = if is_v1 { Runtime::V1 } else { Runtime::V0 };
        let side = |catalog| SideKey { catalog, is_opened: false };
        let runtime = arguments.runtime.unwrap_or(default).into();
        let (before, after) = (side(before), side(after));
        // An earlier revision of something is no index that it is published in, and a CatalogSource has one catalog at a time.
        let is_whole = Revision::of(&arguments.before).is_some() || exchanged.is_some();
        let compared = Compared {
            before,
            after,
            levels: levels.text.clone(),
            day: settings::today(),
            runtime,
            is_whole,
            by_comments_before: arguments.by_comments_before,
        };
        inputs.workbench.set_comparison(compared);
        let with_cluster = exchanged.is_some() && !is_v1;
        if let Some(exchanged) = exchanged {
            inputs.workbench.compare_with_cluster_catalogs(exchanged.cluster_catalog);
        }
        let has_all_rows = matches!(arguments.format, CompareFormat::Json);
        let scope = ReportScope { with_cluster, packages: arguments.packages.clone(), has_all_rows };
        let comparison = answers::compare_all(&inputs.workbench, scope).ok_or("one of the catalogs is not open")?;
        let mirror = arguments.image_set.image_set.as_deref().map(raw_path).zip(mirrored);
        let (before, after, comparison) = (before.catalog, after.catalog, Comparison { mirror, ..comparison });
        Ok(Some(Self { which, folders, inputs, before, after, comparison }))
    }

    /// Whether one of the catalogs has the package.
    fn has(&self, package: &str) -> bool {
        let has = |catalog| answers::has_package(&self.inputs.workbench, catalog, package);
        has(self.before) || has(self.after)
    }

    fn report(&self) -> Report {
        self.comparison.report(&self.inputs)
    }

    /// What tells the answer from others: without the folders and lines that differ.
    fn key(&self) -> String {
        let rows = serde_json::to_string(&self.comparison.json()).unwrap_or_default();
        let unread = source::name_list(self.inputs.unread().iter().map(String::as_str));
        self.folders.key(&(to_markdown(&self.report()) + &rows + &unread), true)
    }

    fn graph(&self, package: &str) -> Option<GraphView> {
        let key = PackageKey { catalog: self.after, package: package.to_owned() };
        let options = GraphOptions { compares: Some(Presence::Both), ..GraphOptions::default() };
        answers::compared_graph(&self.inputs.workbench, &key, &options)
    }

    /// What is denied, a text for each package.
    fn denied(&self, deny: Level) -> Vec<String> {
        let all = &self.comparison.all;
        let not_comparable = all.not_comparable.first().cloned();
        let packages = self.comparison.packages.iter().filter_map(|package| {
            let is_row = package.groups.iter().any(|group| group.level >= deny);
            let of_change = || package.changes.iter().find(|change| change.level >= deny);
            let text = match is_row {
                true => package.sentence.split("; ").next().unwrap_or_default().to_owned(),
                false => of_change()?.text.clone(),
            };
            Some(format!("`{}`: {text}", package.package))
        });
        not_comparable.into_iter().chain(packages).collect()
    }

    /// Whether nothing is denied.
    fn answer(&self, deny: Option<DeniedLevel>) -> Result<bool, Failure> {
        let all = &self.comparison.all;
        if !all.is_read {
            return Err(format!("cannot compare: {}", all.not_comparable.join("; ")).into());
        }
        let rows = || self.comparison.cluster.iter().flat_map(|found| &found.subscriptions);
        let is_unknown = rows().any(|row| row.is_unknown());
        let is_denied = |deny: DeniedLevel| {
            is_unknown
                || !all.not_comparable.is_empty()
                || all.levels.worst() >= Some(deny.level())
                || rows().any(|row| row.level >= deny.level())
        };
        if deny.is_some_and(is_denied) {
            return Ok(false);
        }
        if is_unknown {
            return Err(Failure::cannot_tell());
        }
        self.inputs.answer(true)
    }
}

/// What a mirror has of the catalog, as the second of the inputs.
fn mirrored(inputs: &mut Inputs, arguments: &args::ImageSetArguments) -> Result<Option<MirrorView>, Failure> {
    let Some((config, catalog)) = arguments.image_set.as_deref().zip(inputs.ids().first().copied()) else {
        return Ok(None);
    };
    let installed = inputs.workbench.installed_csvs();
    let Some(view) = image_set::mirror(inputs, catalog, arguments, installed)? else { return Ok(None) };
    let mirrored = view.mirrored.ok_or_else(|| image_set::failure(config, &view))?;
    inputs.insert_mirrored(mirrored);
    Ok(Some(view))
}

/// Checks the user's levels in the text of a file; all that is wrong in it is named.
fn check_levels(path: &Path, text: &str) -> Result<(), Failure> {
    let faults = session::level_faults(text);
    let path = shown_path(path);
    let lines: Vec<String> = faults.iter().map(|fault| format!("{path}:{fault}")).collect();
    if lines.is_empty() { Ok(()) } else { Err(Failure::of_lines(lines)) }
}

// What becomes of a cluster when the catalog is exchanged: of its Subscriptions, and which of its ClusterCatalogs
// count.

/// Finds what the first two catalogs, the states before and after, are in the cluster of the manifests, which messages name `path`; the others have the
/// names of their CatalogSources or ClusterCatalogs.
///
/// # Errors
/// When the manifests are wrong, or have no CatalogSource and no ClusterCatalog for one of the catalogs.
fn exchange(inputs: &mut Inputs, path: &Path, others: &[NamedPath]) -> Result<Exchanged, Failure> {
    let [before, after, ..] = inputs.ids()[..] else {
        return Err("one of the catalogs is not open".to_owned().into());
    };
    inputs.workbench.set_baseline(before, true);
    inputs.take_names(others)?;
    let workbench = &inputs.workbench;
    check_read(workbench, path)?;
    let exchanged = workbench.exchange_of(before, after).ok_or("one of the catalogs is not open")?;
    check_used(workbench, exchanged.unused.clone(), path)?;
    if !exchanged.is_source && exchanged.cluster_catalog.is_none() {
        let path = shown_path(path);
        return Err(format!("`{path}` has no CatalogSource or ClusterCatalog for the compared catalog").into());
    }
    Ok(exchanged)
}
