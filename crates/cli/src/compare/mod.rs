//! `opscope compare`

mod cluster;
mod github;
mod json;
mod sarif;
mod text;

use crate::args::{self, CompareFormat};
use crate::folder::{self, STDIN, file_name};
use crate::places::{Inputs, NamedPath};
use crate::printer::Printer;
use crate::terminal::Terminal;
use crate::{Failure, write_json, written};
use std::io::Write;
use std::path::{Path, PathBuf};
use workbench::comparison::levels::Levels;
use workbench::comparison::{Comparison, NotComparable, Scope, Side, markdown};

/// Prints what becomes of each installed version before and after a change.
pub(crate) fn run(arguments: &args::Compare, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let levels_text = arguments.levels.as_deref().map_or_else(|| Ok(String::new()), folder::text)?;
    let levels = read_levels(arguments.levels.as_deref(), &levels_text)?;
    if [&arguments.before, &arguments.after].iter().all(|path| path.as_os_str() == STDIN) {
        return Err("standard input holds one of the states only".to_owned());
    }
    let named = |path: &PathBuf| (file_name(path), path.clone());
    let sides = [named(&arguments.before), named(&arguments.after)];
    let catalogs: Vec<NamedPath> = sides.into_iter().chain(arguments.catalogs.iter().cloned()).collect();
    let mut inputs = Inputs::open(&catalogs)?;
    let cluster = arguments
        .cluster
        .as_deref()
        .map(|path| cluster::compare(&mut inputs, path, &arguments.catalogs, levels_text.clone()));
    let cluster = cluster.transpose()?;
    let [before, after, ..] = &inputs.ids()[..] else { return Err("one of the catalogs is not open".to_owned()) };
    let (Some(before), Some(after)) = (inputs.workbench.catalog(*before), inputs.workbench.catalog(*after)) else {
        return Err("one of the catalogs is not open".to_owned());
    };
    let is_known = |name: &String| [before, after].iter().any(|input| input.analysis.catalog.package(name).is_some());
    if let Some(unknown) = arguments.package.as_ref().filter(|name| !is_known(name)) {
        return Err(format!("neither catalog has a package `{unknown}`"));
    }
    let all_rows = matches!(arguments.format, CompareFormat::Json);
    let scope = Scope { others: inputs.workbench.catalogs(), package: arguments.package.as_deref(), all_rows };
    let comparison = Comparison::of(Side::present(before), Side::present(after), &levels, scope);
    match arguments.format {
        CompareFormat::Json => write_json(out, &json::report(&inputs, &comparison, cluster.as_ref()))?,
        CompareFormat::Text => {
            let printer = &mut Printer::new(out, terminal, &inputs);
            text::write(printer, &comparison, cluster.as_ref()).map_err(written)?;
        }
        CompareFormat::Markdown => {
            markdown::write(out, &comparison, cluster.as_ref(), &|place| inputs.shown(place)).map_err(written)?;
        }
        CompareFormat::Sarif => write_json(out, &sarif::log(&inputs, &comparison, cluster.as_ref()))?,
        CompareFormat::Github => github::write(out, &inputs, &comparison, cluster.as_ref()).map_err(written)?,
    }
    if !comparison.is_read() {
        let reasons: Vec<String> = comparison.not_comparable.iter().map(NotComparable::text).collect();
        return Err(format!("cannot compare: {}", reasons.join("; ")));
    }
    let is_denied = |deny: args::DeniedLevel| {
        !comparison.not_comparable.is_empty()
            || comparison.packages.iter().any(|found| comparison.worst(found) >= Some(deny.level()))
            || cluster.iter().flat_map(|found| &found.subscriptions).any(|row| row.level <= deny.level_view())
    };
    Ok(!arguments.deny.is_some_and(is_denied))
}

/// The user's levels in the text of a file; all that is wrong in it is named.
fn read_levels(path: Option<&Path>, text: &str) -> Result<Levels, Failure> {
    Levels::parse(text).map_err(|faults| {
        let path = path.unwrap_or(Path::new(STDIN));
        let lines =
            faults.iter().map(|fault| format!("{}:{}:{}: {}", path.display(), fault.line, fault.column, fault.message));
        lines.collect::<Vec<_>>().join("\nopscope: ")
    })
}
