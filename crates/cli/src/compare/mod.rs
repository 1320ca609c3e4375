//! `opscope compare`

pub(crate) mod cluster;
mod github;
mod json;
mod mirror;
mod sarif;
mod text;

use self::cluster::ComparedCluster;
use self::mirror::Mirror;
use crate::args::{self, CompareFormat, Runtime};
use crate::folder;
use crate::image_set;
use crate::output::{Failure, write_json, written};
use crate::paths::{NamedPath, STDIN, file_name, shown_path};
use crate::places::Inputs;
use crate::printer::Printer;
use crate::terminal::Terminal;
use compare::{Levels, Rule};
use std::io::Write;
use std::path::{Path, PathBuf};
use views::MirrorView;
use workbench::comparison::{Comparison, NotComparable, Scope, Side, markdown};

/// Prints what becomes of each installed version before and after a change.
pub(crate) fn run(arguments: &args::Compare, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let levels_text = arguments
        .levels
        .as_deref()
        .map(|path| folder::text(path, "levels are one file"))
        .transpose()?
        .unwrap_or_default();
    let levels = read_levels(arguments.levels.as_deref(), &levels_text)?;
    let sides: Vec<&PathBuf> = std::iter::once(&arguments.before).chain(&arguments.after).collect();
    if sides.len() > 1 && sides.iter().all(|path| path.as_os_str() == STDIN) {
        return Err("standard input holds one of the states only".to_owned().into());
    }
    let sides = sides.into_iter().map(|path| (file_name(path), path.clone()));
    let catalogs: Vec<NamedPath> = sides.chain(arguments.catalogs.iter().cloned()).collect();
    let mut inputs = Inputs::open(&catalogs)?;
    let manifests = arguments.cluster.as_deref().map(|path| inputs.read_manifests(path)).transpose()?;
    let mirrored = mirrored(&mut inputs, &arguments.image_set, manifests.as_deref())?;
    let mirror = arguments.image_set.image_set.as_deref().zip(mirrored.as_ref());
    let mirror = mirror.map(|(config, view)| Mirror { config, view });
    let cluster = arguments
        .cluster
        .as_deref()
        .zip(manifests)
        .map(|given| cluster::compare(&mut inputs, given, &arguments.catalogs, levels_text.clone()));
    let cluster = cluster.transpose()?;
    let of_v1 = cluster.as_ref().map(ComparedCluster::of_v1);
    let cluster = cluster.as_ref().map(|cluster| cluster.view.as_ref());
    // Without a CatalogSource for it, OLM v0 does not use the catalog.
    let default = if cluster == Some(None) { Runtime::V1 } else { Runtime::V0 };
    let (cluster, runtime) = (cluster.flatten(), arguments.runtime.unwrap_or(default).into());
    let [before, after, ..] = &inputs.ids()[..] else {
        return Err("one of the catalogs is not open".to_owned().into());
    };
    let (Some(before), Some(after)) = (inputs.workbench.catalog(*before), inputs.workbench.catalog(*after)) else {
        return Err("one of the catalogs is not open".to_owned().into());
    };
    let is_known = |name: &String| [before, after].iter().any(|input| input.analysis.catalog.package(name).is_some());
    if let Some(unknown) = arguments.package.as_ref().filter(|name| !is_known(name)) {
        return Err(format!("neither catalog has a package `{unknown}`").into());
    }
    let all_rows = matches!(arguments.format, CompareFormat::Json);
    let (others, package) = (inputs.workbench.catalogs(), arguments.package.as_deref());
    let scope = Scope { others, package, all_rows, runtime, cluster: of_v1, budget: inputs.workbench.budget() };
    let comparison = Comparison::of(Side::present(before), Side::present(after), &levels, scope);
    match arguments.format {
        CompareFormat::Json => write_json(out, &json::report(&inputs, &comparison, cluster, mirror))?,
        CompareFormat::Text => {
            let printer = &mut Printer::new(out, terminal, &inputs);
            text::write(printer, &comparison, cluster).map_err(written)?;
            mirror.map_or(Ok(()), |mirror| mirror.text(printer)).map_err(written)?;
        }
        CompareFormat::Markdown => {
            markdown::write(out, &comparison, cluster, &|place| inputs.shown(place)).map_err(written)?;
            mirror.map_or(Ok(()), |mirror| mirror.markdown(out)).map_err(written)?;
        }
        CompareFormat::Sarif => {
            write_json(out, &sarif::log(&inputs, &comparison, cluster))?;
            mirror.map_or(Ok(()), |mirror| image_set::report(mirror.config, mirror.view)).map_err(written)?;
        }
        CompareFormat::Github => {
            github::write(out, &inputs, &comparison, cluster).map_err(written)?;
            mirror.map_or(Ok(()), |mirror| mirror.github(out)).map_err(written)?;
        }
    }
    if !comparison.is_read {
        let reasons: Vec<String> = comparison.not_comparable.iter().map(NotComparable::text).collect();
        return Err(format!("cannot compare: {}", reasons.join("; ")).into());
    }
    let rows = || cluster.iter().flat_map(|found| &found.subscriptions);
    let is_unknown = rows().any(|row| row.rule == Rule::NotCompared.id());
    let is_denied = |deny: args::DeniedLevel| {
        is_unknown
            || !comparison.not_comparable.is_empty()
            || comparison.packages.iter().any(|found| comparison.worst(found) >= Some(deny.level()))
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
fn mirrored(
    inputs: &mut Inputs,
    arguments: &args::ImageSetArguments,
    manifests: Option<&str>,
) -> Result<Option<MirrorView>, Failure> {
    let Some((config, catalog)) = arguments.image_set.as_deref().zip(inputs.ids().first().copied()) else {
        return Ok(None);
    };
    let installed = manifests.map(cluster::installed).unwrap_or_default();
    let Some(view) = image_set::mirror(inputs, catalog, arguments, installed)? else { return Ok(None) };
    let mirrored = view.mirrored.ok_or_else(|| image_set::failure(config, &view))?;
    inputs.insert_mirrored(mirrored);
    Ok(Some(view))
}

/// The user's levels in the text of a file; all that is wrong in it is named.
fn read_levels(path: Option<&Path>, text: &str) -> Result<Levels, Failure> {
    Levels::parse(text).map_err(|faults| {
        let path = path.unwrap_or(Path::new(STDIN));
        let lines = faults
            .iter()
            .map(|fault| format!("{}:{}:{}: {}", shown_path(path), fault.line, fault.column, fault.message));
        Failure::of_lines(lines)
    })
}
