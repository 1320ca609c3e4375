//! `opscope compare`

mod cluster;

use crate::args::{self, Runtime};
use crate::folder;
use crate::format::CompareFormat;
use crate::html;
use crate::image_set;
use crate::output::{Failure, write_json, write_report, written};
use crate::paths::{NamedPath, STDIN, file_name, raw_path, shown_path};
use crate::places::Inputs;
use crate::settings;
use report::{Block, Comparison, Terminal};
use std::io::Write;
use std::path::{Path, PathBuf};
use views::{Compared, GraphOptions, MirrorView, PackageKey, Presence, SideKey};
use workbench::ReportScope;

/// Prints what becomes of each installed version before and after a change.
pub(crate) fn run(arguments: &args::Compare, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    run_with(&mut Vec::new(), arguments, terminal, out)
}

/// The same with other parts of a report behind it, which are taken when there is one.
pub(crate) fn run_with(
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
    let sides = sides.into_iter().map(|path| (file_name(path), path.clone()));
    let catalogs: Vec<NamedPath> = sides.chain(arguments.catalogs.iter().cloned()).collect();
    let mut inputs = Inputs::open(&catalogs, arguments.opm.release()?)?;
    if let Some(path) = &arguments.cluster {
        inputs.read_manifests(path, &arguments.facts)?;
    }
    let mirrored = mirrored(&mut inputs, &arguments.image_set)?;
    let [before, after, ..] = inputs.ids()[..] else {
        return Err("one of the catalogs is not open".to_owned().into());
    };
    if let Some(unknown) = arguments
        .package
        .as_ref()
        .filter(|name| [before, after].iter().all(|catalog| !inputs.workbench.has_package(*catalog, name)))
    {
        return Err(format!("neither catalog has a package `{unknown}`").into());
    }
    let exchanged = arguments.cluster.as_deref().map(|path| cluster::exchange(&mut inputs, path, &arguments.catalogs));
    let exchanged = exchanged.transpose()?;
    // Without a CatalogSource for it, OLM v0 does not use the catalog.
    let is_v1 = exchanged.as_ref().is_some_and(|exchanged| !exchanged.is_source);
    let default = if is_v1 { Runtime::V1 } else { Runtime::V0 };
    let side = |catalog| SideKey { catalog, is_opened: false };
    let runtime = arguments.runtime.unwrap_or(default).into();
    let compared =
        Compared { before: side(before), after: side(after), levels: levels_text, day: settings::today(), runtime };
    inputs.workbench.set_comparison(compared);
    let with_cluster = exchanged.is_some() && !is_v1;
    if let Some(exchanged) = exchanged {
        inputs.workbench.compare_with_cluster_catalogs(exchanged.cluster_catalog);
    }
    let has_all_rows = matches!(arguments.format, CompareFormat::Json);
    let scope = ReportScope { with_cluster, package: arguments.package.clone(), has_all_rows };
    let comparison = inputs.workbench.compare_all(scope).ok_or("one of the catalogs is not open")?;
    let mirror = arguments.image_set.image_set.as_deref().map(raw_path).zip(mirrored);
    let comparison = Comparison { mirror, ..comparison };
    let mut report = comparison.report(&inputs);
    report.blocks.append(others);
    let graph = |package: &str| {
        let key = PackageKey { catalog: after, package: package.to_owned() };
        inputs
            .workbench
            .compared_graph(&key, &GraphOptions { compares: Some(Presence::Both), ..GraphOptions::default() })
    };
    match arguments.format {
        CompareFormat::Json => write_json(out, &comparison.json())?,
        CompareFormat::Html => write!(out, "{}", html::document(&report, &graph)).map_err(written)?,
        format => write_report(out, terminal, format, &report, &inputs)?,
    }
    let all = &comparison.all;
    if !all.is_read {
        return Err(format!("cannot compare: {}", all.not_comparable.join("; ")).into());
    }
    let rows = || comparison.cluster.iter().flat_map(|found| &found.subscriptions);
    let is_unknown = rows().any(|row| row.is_unknown());
    let is_denied = |deny: args::DeniedLevel| {
        is_unknown
            || !all.not_comparable.is_empty()
            || all.levels.worst() >= Some(deny.level())
            || rows().any(|row| row.level >= deny.level())
    };
    if arguments.deny.is_some_and(is_denied) {
        return Ok(false);
    }
    if is_unknown {
        return Err(Failure::cannot_tell());
    }
    inputs.answer(true)
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
    let faults = workbench::level_faults(text);
    let path = shown_path(path);
    let lines: Vec<String> = faults.iter().map(|fault| format!("{path}:{fault}")).collect();
    if lines.is_empty() { Ok(()) } else { Err(Failure::of_lines(lines)) }
}
