//! `opscope list`

use crate::format::ReportFormat;
use crate::output::{Failure, errors, write_json, written};
use crate::places::{Inputs, NamedPath, file_name, shown_path};
use crate::{args, served};
use report::{Cell, Paint, Table, Terminal};
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
    let names: Vec<NamedPath> = arguments.paths.iter().map(|path| (file_name(path), path.clone())).collect();
    let mut of_cluster = ListView::default();
    let mut unread = Vec::new();
    let served = served::read_others(&names, arguments.openshift, |path, given| {
        let [Given::PackageManifests(view)] = given else { return false };
        if arguments.format == ReportFormat::Text {
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
        let inputs = Inputs::of(served, opm);
        let mut view = of_cluster.clone();
        let catalogs = inputs.workbench.catalogs().iter();
        view.sources.extend(catalogs.flat_map(|catalog| answers::list(&inputs.workbench, catalog.id).sources));
        if let Some(wanted) = &arguments.package {
            view.sources.iter_mut().for_each(|source| source.packages.retain(|package| package.name == *wanted));
        }
        view.sources.retain(|source| !source.packages.is_empty());
        if view.sources.is_empty() && unread.is_empty() {
            let paths: Vec<String> = arguments.paths.iter().map(|path| format!("`{}`", shown_path(path))).collect();
            let paths = paths.join(", ");
            return Err(match &arguments.package {
                Some(name) => Failure::from(format!("{paths} has no package `{name}`")).absent(),
                None => format!("{paths} has no package").into(),
            });
        }
        match arguments.format {
            ReportFormat::Json => write_json(out, &view)?,
            ReportFormat::Text => write(out, terminal, &view).map_err(written)?,
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

fn write(out: &mut dyn Write, terminal: Terminal, view: &ListView) -> io::Result<()> {
    for source in &view.sources {
        let ListedCatalog { name, namespace, display_name, publisher, .. } = source;
        let about: Vec<&str> = [&**display_name, &**publisher].into_iter().filter(|text| !text.is_empty()).collect();
        let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
        let title = match namespace.is_empty() {
            true if view.sources.len() == 1 => None,
            true => Some(format!("Catalog {name}")),
            false => Some(format!("CatalogSource {namespace}/{name}{about}")),
        };
        if let Some(title) = title {
            writeln!(out, "{}", terminal.painted(Paint::Bold, &one_line(&title)))?;
        }
        let mut table = Table::new(["package", "channel", "head", "versions", "deprecated"]);
        source.packages.iter().for_each(|package| add_rows(&mut table, package));
        table.write(out, terminal)?;
        if view.sources.len() > 1 || !view.notice.is_empty() {
            writeln!(out)?;
        }
    }
    if !view.notice.is_empty() {
        writeln!(out, "{}", terminal.paragraph("", Paint::Plain, &view.notice))?;
    }
    for source in view.sources.iter().filter(|source| !source.commands.is_empty()) {
        writeln!(out, "\n{}", one_line(&format!("The catalog of {}/{}:", source.namespace, source.name)))?;
        for command in &source.commands {
            writeln!(out, "  # {}", command.purpose)?;
            match &command.command {
                Ok(text) => writeln!(out, "  {}", one_line(text))?,
                Err(reason) => writeln!(out, "  # no command, because {}", one_line(reason))?,
            }
        }
    }
    Ok(())
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
