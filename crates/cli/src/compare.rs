//! `opscope compare` and `opscope review`

use crate::args::{self, Compare, Review, Runtime};
use crate::format::CompareFormat;
use crate::git::Revision;
use crate::given::{self, ManifestText};
use crate::json::{Json, MemberAnswer, Printed};
use crate::output::{self, Failure, say, write_report, written};
use crate::places::{Inputs, NamedPath, STDIN, file_name, raw_path, shown_path};
use crate::scene::{check_read, check_used, served_to};
use crate::served::{self, Folders, Same, Served, Which, title};
use crate::{folder, image_set, json, set, settings, validate};
use answers::ReportScope;
use report::contract::Validated;
use report::{Block, ComparedCatalogs, Comparison, Report, Terminal, to_markdown};
use schemars::JsonSchema;
use serde::Serialize;
use session::Exchanged;
use std::io::Write;
use std::path::{Path, PathBuf};
use views::{CatalogId, Compared, GraphOptions, GraphView, MirrorView, PackageKey, Presence, SetView, SideKey};

/// Prints what becomes of each installed version before and after a change.
pub(crate) fn run(arguments: &args::Compare, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    run_with(&mut Vec::new(), arguments, terminal, out)
}

/// The same with other parts of a report behind it, which are taken when there is one.
fn run_with(
    others: &mut Vec<Block>,
    arguments: &args::Compare,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let levels_text = match arguments.levels.as_deref() {
        Some(path) => {
            let text = folder::text(path, "levels are one file")?;
            check_levels(path, &text)?;
            text
        }
        None => settings::found()?.text.clone(),
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
    let pairs =
        served.into_iter().map(|served| Pair::of(served, arguments, &levels)).collect::<Result<Vec<_>, Failure>>()?;
    // A package need not be in the catalogs for all versions.
    let pairs: Vec<Pair> = pairs.into_iter().flatten().collect();
    let is_missing = |name: &&String| !pairs.iter().any(|pair| pair.has(name));
    if let Some(package) = arguments.packages.iter().find(is_missing) {
        return Err(format!("neither catalog has a package `{package}`").into());
    }
    let mut answers: Vec<Same<&Pair>> = Vec::new();
    pairs.iter().for_each(|pair| served::add(&mut answers, pair.which.clone(), pair.key(), pair));
    let mut report = match &answers[..] {
        [only] => only.first.report(),
        several => {
            let parts = several.iter().map(|same| (same.which.clone(), same.first.report())).collect();
            report::merged(parts, &title)
        }
    };
    let left_out = alone.iter().map(|(which, side)| format!("{}: only {side} the change", title(which)));
    report.remarks.extend(left_out);
    report.blocks.append(others);
    let graph = |name: &str| {
        let of = |same: &Same<&Pair>| match &answers[..] {
            [_] => same.first.graph(name),
            _ => same.first.graph(name.strip_suffix(&format!(" ({})", title(&same.which)))?),
        };
        answers.iter().find_map(of)
    };
    match arguments.format {
        CompareFormat::Json => match &answers[..] {
            [only] if only.which.is_empty() => json::write(out, &only.first.inputs, &only.first.comparison.json())?,
            several => {
                let answer = |same: &Same<&Pair>| {
                    let pair = same.first;
                    Ok(MemberAnswer::of(&same.which, Ok(json::of(&pair.inputs, &pair.comparison.json())?)))
                };
                let answers: Result<Vec<_>, Failure> = several.iter().map(answer).collect();
                json::write_members(out, answers?)?;
            }
        },
        CompareFormat::Html => write!(out, "{}", output::document(&report, &graph)).map_err(written)?,
        format => write_report(out, terminal, format, &report)?,
    }
    let mut is_fine = true;
    for pair in &pairs {
        is_fine &= pair.answer(arguments.deny)?;
    }
    Ok(is_fine)
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
        let compared =
            Compared { before, after, levels: levels.text.clone(), day: settings::today(), runtime, is_whole };
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
        self.folders.key(&(to_markdown(&self.report()) + &rows), true)
    }

    fn graph(&self, package: &str) -> Option<GraphView> {
        let key = PackageKey { catalog: self.after, package: package.to_owned() };
        let options = GraphOptions { compares: Some(Presence::Both), ..GraphOptions::default() };
        answers::compared_graph(&self.inputs.workbench, &key, &options)
    }

    /// Whether nothing is denied.
    fn answer(&self, deny: Option<args::DeniedLevel>) -> Result<bool, Failure> {
        let all = &self.comparison.all;
        if !all.is_read {
            return Err(format!("cannot compare: {}", all.not_comparable.join("; ")).into());
        }
        let rows = || self.comparison.cluster.iter().flat_map(|found| &found.subscriptions);
        let is_unknown = rows().any(|row| row.is_unknown());
        let is_denied = |deny: args::DeniedLevel| {
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

// `opscope review`

/// Prints what is wrong with a catalog, and what its change does. Returns whether `opm` accepts it and no difference is denied.
///
/// # Errors
/// When one of the two has no answer; what the other one found is printed before.
pub(crate) fn review(arguments: &Review, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    if arguments.format == CompareFormat::Json {
        return review_json(arguments, terminal, out);
    }
    let alone = |blocks, out: &mut dyn Write| {
        let title = "What is wrong with the catalog".to_owned();
        write_report(out, terminal, arguments.format, &Report { title, blocks, ..Report::default() })
    };
    let before = arguments.before.as_deref().map(|path| known(path, &arguments.catalog)).transpose()?.flatten();
    let (mut findings, validated) = validate::checked(&arguments.catalog, before, arguments.opm)?;
    let Some(before) = before else {
        alone(findings, out)?;
        return validated;
    };
    let mut printed = Vec::new();
    let opm = arguments.opm;
    let compare = compare_with(before, arguments);
    let (of_updates, is_bad) = set::checked(&arguments.catalog, before, opm.release()?)?;
    findings.splice(..0, of_updates);
    let compared = run_with(&mut findings, &compare, terminal, &mut printed);
    if !findings.is_empty() {
        // There is no comparison that it could be a part of.
        alone(findings, out)?;
    }
    out.write_all(&printed).map_err(crate::output::written)?;
    match (validated, compared) {
        (Ok(is_valid), Ok(is_fine)) => Ok(is_valid && is_fine && !is_bad),
        (Err(one), Err(other)) => Err(Failure::of_lines([one.text(), other.text()])),
        (Err(failure), _) | (_, Err(failure)) => Err(failure),
    }
}

/// The comparison of a review.
fn compare_with(before: &Path, arguments: &Review) -> Compare {
    Compare {
        before: before.to_path_buf(),
        after: Some(arguments.catalog.clone()),
        levels: arguments.levels.clone(),
        deny: Some(arguments.deny),
        opm: arguments.opm,
        format: arguments.format,
        ..Compare::default()
    }
}

/// The answers of `validate`, `compare` and `set` about a change.
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct Reviewed {
    /// What is wrong with the catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Printed<Validated>>")]
    validate: Option<Json>,
    /// What its change does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Printed<ComparedCatalogs<'static>>>")]
    compare: Option<Json>,
    /// What updates of OpenShift do that they did not do before, where there are catalogs for several versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    sets: Option<Vec<SetView>>,
}

/// The answers of `validate`, of `compare` and of `set` as one object.
fn review_json(arguments: &Review, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let mut parts = Reviewed::default();
    let mut printed = Vec::new();
    let mut answers = vec![validate::as_json(&arguments.catalog, arguments.opm, terminal, &mut printed)];
    parts.validate = Json::printed(&printed);
    let before = arguments.before.as_deref().map(|path| known(path, &arguments.catalog)).transpose()?.flatten();
    if let Some(before) = before {
        printed.clear();
        answers.push(run(&compare_with(before, arguments), terminal, &mut printed));
        parts.compare = Json::printed(&printed);
        let sets = set::views(&arguments.catalog, before, arguments.opm.release()?)?;
        answers.push(Ok(!sets.iter().any(SetView::is_bad)));
        parts.sets = Some(sets);
    }
    if parts.validate.is_some() || parts.compare.is_some() || parts.sets.is_some() {
        json::print(out, &parts)?;
    }
    let failed: Vec<String> = answers.iter().filter_map(|answer| Some(answer.as_ref().err()?.text())).collect();
    if failed.is_empty() {
        Ok(answers.into_iter().all(|answer| answer.is_ok_and(|is_fine| is_fine)))
    } else {
        Err(Failure::of_lines(failed))
    }
}

/// The state before, unless it is a revision that does not have the path, which is there now: the catalog is new.
fn known<'p>(before: &'p Path, after: &Path) -> Result<Option<&'p Path>, Failure> {
    match Revision::of(before) {
        Some(revision) if !revision.is_there()? => {
            say(&format!("{} is not there, so `{}` is new", shown_path(before), shown_path(after)));
            Ok(None)
        }
        _ => Ok(Some(before)),
    }
}
