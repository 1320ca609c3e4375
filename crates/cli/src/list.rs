//! `opscope list`

use crate::format::AnswerFormat;
use crate::json;
use crate::output::{Failure, errors, write_report};
use crate::places::{Inputs, NamedPath, file_name, shown_path};
use crate::{args, names, served};
use report::{Answer, Block, Cell, Paint, Report, Table, Terminal};
use session::Given;
use source::one_line;
use std::io::{self, Write};
use std::path::Path;
use views::{ListView, ListedCatalog, ListedPackage, ManifestFinding, Severity};

/// Prints the packages of catalogs with their channels, heads and versions.
///
/// # Errors
/// When there are none, or a part of what was given cannot be read; what can be read is printed before.
pub(crate) fn run(arguments: &args::List, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let opm = arguments.opm.release()?;
    let paths: Vec<NamedPath> = arguments.paths.iter().map(|path| (file_name(path), path.clone())).collect();
    let mut of_cluster = ListView::default();
    let mut unread = Vec::new();
    let served = served::read_others(&paths, arguments.openshift, |path, given| {
        let [Given::PackageManifests(view)] = given else { return false };
        if arguments.format != AnswerFormat::Json {
            // A finding that cannot be written changes no answer.
            _ = write_findings(&mut errors(), path, &view.findings);
        }
        if view.findings.iter().any(|finding| finding.severity == Severity::Error) {
            unread.push(format!("the answer is not complete: a part of `{}` cannot be read", shown_path(path)));
        }
        of_cluster.notice.clone_from(&view.notice);
        of_cluster.sources.extend(view.sources.iter().cloned());
        of_cluster.skipped += view.skipped;
        of_cluster.findings.extend(view.findings.iter().cloned());
        true
    })?;
    let yes = served::ask(served, arguments.format.into(), terminal, out, |served, out| {
        let is_of_set = served.which.is_some();
        let inputs = Inputs::of(served, opm);
        let mut view = of_cluster.clone();
        let catalogs = inputs.workbench.catalogs().iter();
        view.sources.extend(catalogs.flat_map(|catalog| answers::list(&inputs.workbench, catalog.id).sources));
        let wanted = &arguments.packages;
        let there = view.sources.iter().flat_map(|source| &source.packages).map(|package| &*package.name);
        names::check_packages(wanted, &there.collect::<Vec<_>>(), is_of_set || !unread.is_empty())?;
        let is_wanted = |package: &ListedPackage| wanted.is_empty() || wanted.contains(&package.name);
        view.sources.iter_mut().for_each(|source| source.packages.retain(is_wanted));
        view.sources.retain(|source| !source.packages.is_empty());
        if view.sources.is_empty() && unread.is_empty() {
            let paths: Vec<String> = arguments.paths.iter().map(|path| format!("`{}`", shown_path(path))).collect();
            return Err(format!("{} has no package", paths.join(", ")).into());
        }
        match arguments.format {
            AnswerFormat::Json => json::print(out, &view)?,
            format => write_report(out, terminal, format.into(), &report(&view))?,
        }
        inputs.answer(true)
    })?;
    if unread.is_empty() { Ok(yes) } else { Err(Failure::of_lines(unread)) }
}

fn write_findings(out: &mut dyn Write, path: &Path, findings: &[ManifestFinding]) -> io::Result<()> {
    for finding in findings {
        writeln!(out, "{}: {}", finding.severity.as_str(), one_line(&finding.message))?;
        writeln!(out, "  --> {}:{}:{}", shown_path(path), finding.place.line, finding.place.column)?;
        if let Some(help) = &finding.help {
            writeln!(out, "  help: {}", one_line(help))?;
        }
    }
    Ok(())
}

fn report(view: &ListView) -> Report {
    let mut answer = Answer::new(&());
    for source in &view.sources {
        let ListedCatalog { name, namespace, display_name, publisher, .. } = source;
        let about: Vec<&str> = [&**display_name, &**publisher].into_iter().filter(|text| !text.is_empty()).collect();
        let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
        match namespace.is_empty() {
            true if view.sources.len() == 1 => {}
            true => answer.heading(Paint::Bold, &format!("Catalog {name}")),
            false => answer.heading(Paint::Bold, &format!("CatalogSource {namespace}/{name}{about}")),
        }
        let mut table = Table::new(["package", "channel", "head", "versions", "deprecated"]);
        source.packages.iter().for_each(|package| add_rows(&mut table, package));
        answer.blocks([Block::Table(table)]);
    }
    if !view.notice.is_empty() {
        answer.gap();
        answer.line("", Paint::Plain, &view.notice);
    }
    for source in view.sources.iter().filter(|source| !source.commands.is_empty()) {
        answer.heading(Paint::Bold, &format!("The catalog of {}/{}:", source.namespace, source.name));
        let lines = source.commands.iter().map(|command| match (&command.command, &command.reason) {
            (Some(text), _) => format!("# {}\n{text}", command.purpose),
            (None, reason) => {
                format!("# {}\n# no command, because {}", command.purpose, reason.as_deref().unwrap_or_default())
            }
        });
        answer.verbatim(&lines.collect::<Vec<_>>().join("\n"));
    }
    answer.into_report()
}

fn add_rows(table: &mut Table, package: &ListedPackage) {
    let mut title = package.name.as_str();
    for channel in &package.channels {
        let default = if channel.is_default { " (default)" } else { "" };
        let entries = channel.entries.iter().map(|entry| {
            let mark = if entry.deprecated.is_some() { "!" } else { "" };
            let version = if entry.version.is_empty() { &entry.name } else { &entry.version };
            format!("{version}{mark}")
        });
        let entries: Vec<String> = entries.collect();
        let messages = [("package", &package.deprecated), ("channel", &channel.deprecated)];
        let messages =
            messages.into_iter().filter_map(|(what, message)| Some(format!("{what}: {}", message.as_ref()?)));
        let entry_messages = channel.entries.iter().filter_map(|entry| Some((entry, entry.deprecated.as_ref()?)));
        let entry_messages = entry_messages.map(|(entry, message)| format!("{}: {message}", entry.name));
        let deprecated: Vec<String> = messages.chain(entry_messages).collect();
        let cells = [
            Cell::new(Paint::Bold, title),
            Cell::plain(&format!("{}{default}", channel.name)),
            Cell::plain(&channel.head),
            Cell::plain(&entries.join(" ")),
            Cell::plain(&deprecated.join("; ")),
        ];
        table.push(cells.into());
        title = "";
    }
    if package.channels.is_empty() {
        table.push([Cell::new(Paint::Bold, title), Cell::plain("no channel")].into());
    }
}
