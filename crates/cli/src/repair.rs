//! `opscope repair`

use crate::format::AnswerFormat;
use crate::json::MemberAnswer;
use crate::output::{Failure, say, write_report};
use crate::places::{Inputs, STDIN};
use crate::scene::check_read;
use crate::served::{self, Same};
use crate::target::{Source, Target};
use crate::{args, folder, given, json, names, rewritten};
use answers::{FoundRepairs, RepairRequest};
use report::{Report, Terminal, to_markdown};
use schemars::JsonSchema;
use serde::Serialize;
use session::{Purpose, WrittenFile};
use source::OpmVersion;
use std::io::Write;
use std::path::Path;
use views::{CatalogId, NamespaceState, PackageKey, RefusedView, RepairsView};

/// The repairs of a catalog.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Repairs<'r> {
    packages: &'r [RepairsView],
    /// The namespaces of the cluster as they stand, if manifests are given.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    namespaces: &'r [NamespaceState],
    /// Why the catalog is rejected whatever its channels say.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'r RefusedView>,
}

/// A catalog, and what repairs it.
struct Repaired {
    target: Target,
    /// Whether it is a template that the catalog is ahead of.
    is_outgrown: bool,
    found: FoundRepairs,
}

/// Prints the repairs of each channel, and applies the first ones if that is wanted. The answer is yes if every version of every
/// channel reaches the head, or does so with a repair.
pub(crate) fn run(arguments: &args::Repair, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    if arguments.write {
        folder::check_writable(&arguments.catalog)?;
    }
    let paths = [Some(&arguments.catalog), arguments.before.as_ref()].into_iter().flatten();
    if paths.filter(|path| path.as_os_str() == STDIN).count() > 1 {
        return Err("standard input holds one of the states only".into());
    }
    let openshift = arguments.openshift.map(args::OpenShiftRanges::from);
    let mut targets = Target::catalogs(&arguments.catalog, arguments.opm.release()?, openshift.as_ref())?;
    let before = match &arguments.before {
        Some(path) => add_before(&mut targets, path)?,
        None => targets.iter().map(|_| None).collect(),
    };
    if let Some(path) = &arguments.cluster {
        let manifests = given::manifests(path)?;
        for target in &mut targets {
            target.inputs.set_manifests(&manifests, &arguments.facts);
            check_read(&target.inputs.workbench, path)?;
        }
    }
    check_names(arguments, &targets)?;
    let [packages, channels] = [&arguments.packages, &arguments.channels].map(|names| names.iter().map(String::as_str));
    let (packages, channels): (Vec<&str>, Vec<&str>) = (packages.collect(), channels.collect());
    let mut repaired = Vec::new();
    for (target, before) in targets.into_iter().zip(before) {
        let outgrown = target.inputs.workbench.outgrown(target.id);
        let served = outgrown.as_ref().and(target.inputs.workbench.served(target.id));
        if let Some(text) = &outgrown {
            say(&format!("{}: {text}", target.title()));
        }
        let before = before.or(served);
        let request = RepairRequest { before, packages: &packages, channels: &channels, avoid: &arguments.avoid };
        let mut found = answers::repairs(&target.inputs.workbench, target.id, request)?;
        for fix in found.views.iter_mut().flat_map(|channel| &mut channel.fixes) {
            if let (Some(repair), Some(place)) = (&mut fix.repair, fix.place) {
                repair.set_path(target.inputs.path(place));
            }
        }
        repaired.push(Repaired { is_outgrown: outgrown.is_some(), target, found });
    }
    let is_listed = |avoided: &String| repaired.iter().any(|one| !one.found.unlisted.contains(avoided));
    if let Some(unknown) = arguments.avoid.iter().find(|avoided| !is_listed(avoided)) {
        return Err(format!("no channel lists a version or CSV `{unknown}`").into());
    }
    repaired.first().into_iter().flat_map(|one| &one.found.notices).for_each(|notice| say(notice));
    let unknown = repaired.iter().find_map(Repaired::unknown);
    if let Some(reason) = unknown.clone().filter(|_| repaired.iter().all(|one| one.found.views.is_empty())) {
        return Err(reason.into());
    }
    print(&repaired, arguments.format, terminal, out)?;
    if arguments.write {
        write(&mut repaired, unknown.as_ref())?;
    }
    let mut is_fine = true;
    for one in &repaired {
        let is_rejected = one.found.rejected.is_some() && !(arguments.write && one.found.is_mended);
        is_fine &= one.target.inputs.answer(!one.has_refusal() && !is_rejected && !one.is_outgrown)?;
    }
    unknown.map_or(Ok(is_fine), |reason| Err(reason.into()))
}

/// Adds the state before a change to each catalog: of a set the catalog for the same version of OpenShift, if there is one.
fn add_before(targets: &mut [Target], path: &Path) -> Result<Vec<Option<CatalogId>>, Failure> {
    let mut sources = Source::among(path, given::only(path, Purpose::Catalog, OpmVersion::NEWEST)?, None)?;
    let is_one = targets.len() == 1 && sources.len() == 1;
    let add = |target: &mut Target| {
        let is_it = |source: &Source| is_one || source.which == target.which;
        let at = sources.iter().position(is_it)?;
        Some(sources.swap_remove(at).add_to(&mut target.inputs, path))
    };
    Ok(targets.iter_mut().map(add).collect())
}

/// Checks that a catalog has the packages, and one of them the channels, that are named.
fn check_names(arguments: &args::Repair, targets: &[Target]) -> Result<(), Failure> {
    let mut keys = Vec::new();
    for package in &arguments.packages {
        let has_package = |target: &&Target| names::package(&target.inputs.workbench, package).is_ok();
        let Some(target) = targets.iter().find(has_package).or(targets.first()) else { return Ok(()) };
        keys.push((target, names::package(&target.inputs.workbench, package)?));
    }
    let has_channel = |inputs: &Inputs, package: &String, channel: &str| {
        let key = |catalog| PackageKey { catalog, package: package.clone() };
        inputs.ids().into_iter().any(|id| answers::find_channel(&inputs.workbench, &key(id), Some(channel)).is_ok())
    };
    for channel in &arguments.channels {
        let is_there = targets
            .iter()
            .any(|target| arguments.packages.iter().any(|name| has_channel(&target.inputs, name, channel)));
        if let Some((target, key)) = keys.first().filter(|_| !is_there) {
            names::channel(&target.inputs.workbench, key, Some(channel))?;
        }
    }
    Ok(())
}

/// Prints the repairs, the same of several catalogs once.
fn print(repaired: &[Repaired], format: AnswerFormat, terminal: Terminal, out: &mut dyn Write) -> Result<(), Failure> {
    let [first, ..] = repaired else { return Ok(()) };
    let mut same: Vec<Same<&Repaired>> = Vec::new();
    for one in repaired {
        let text = match format {
            AnswerFormat::Json => serde_json::to_string(&one.json()).unwrap_or_default(),
            AnswerFormat::Text | AnswerFormat::Markdown => to_markdown(&one.report()),
        };
        let key = one.target.folders.key(&text, format != AnswerFormat::Json);
        served::add(&mut same, one.target.which.clone(), key, one);
    }
    match (format, repaired) {
        (AnswerFormat::Json, [only]) => json::write(out, &only.target.inputs, &only.json()),
        (AnswerFormat::Json, _) => {
            let answer = |same: Same<&Repaired>| {
                let repaired = same.first;
                Ok(MemberAnswer::of(&same.which, Ok(json::of(&repaired.target.inputs, &repaired.json())?)))
            };
            let answers: Result<Vec<_>, Failure> = same.into_iter().map(answer).collect();
            json::write_members(out, answers?)
        }
        (format, _) => {
            let mut report = served::as_one(same.into_iter().map(|same| (same.which, same.first.report())).collect());
            // The namespaces of the cluster are those of all.
            report.blocks.splice(..0, ::report::standings(&first.found.namespaces));
            write_report(out, terminal, format.into(), &report)
        }
    }
}

/// Applies the first repair of each channel to the files of all catalogs.
fn write(repaired: &mut [Repaired], unknown: Option<&String>) -> Result<(), Failure> {
    let mut written: Vec<Vec<WrittenFile>> = Vec::new();
    for Repaired { target, found, .. } in &mut *repaired {
        // What was read in part is not written.
        target.inputs.answer(true)?;
        let rejected = found.rejected.as_ref().filter(|_| !found.is_mended);
        if let Some(reason) = unknown.or(rejected.map(|rejected| &rejected.sentence)) {
            return Err(format!("nothing is written: {reason}").into());
        }
        let files = answers::write_repairs(&mut target.inputs.workbench, found);
        written
            .push(files.map_err(|refused| format!("nothing is written: {}; {}", refused.sentence, refused.instead))?);
    }
    let files = repaired.iter().zip(&written).flat_map(|(one, files)| one.target.rewritten(files.iter().collect()));
    rewritten::write(&files.collect::<Vec<_>>())
}

impl Repaired {
    /// Why nobody knows what to repair.
    fn unknown(&self) -> Option<String> {
        let reason = self.found.unknown.as_ref().filter(|_| !self.has_refusal())?;
        Some(format!("cannot tell what to repair: {reason}"))
    }

    fn has_refusal(&self) -> bool {
        self.found.views.iter().any(|channel| channel.reason.is_some())
    }

    fn json(&self) -> Repairs<'_> {
        let FoundRepairs { views, namespaces, rejected, .. } = &self.found;
        Repairs { packages: views, namespaces, reason: rejected.as_ref() }
    }

    fn report(&self) -> Report {
        let FoundRepairs { views, rejected, .. } = &self.found;
        ::report::repairs(rejected.as_ref(), views, &self.target.inputs)
    }
}
