//! `opscope inventory`

use crate::args;
use crate::format::ReportFormat;
use crate::given;
use crate::output::{Failure, errors, write_json, written};
use crate::paths::shown_path;
use report::{Cell, Paint, Table, Terminal};
use session::{Given, Purpose, inventory};
use source::{OpmVersion, one_line};
use std::io::{self, Write};
use std::path::Path;
use views::{InventoryPackageView, InventorySourceView, InventoryView, ManifestFinding, Severity};

/// Prints what the CatalogSources of a cluster offer.
///
/// # Errors
/// When there are no PackageManifests, or a part of them cannot be read; what can be read is printed before.
pub(crate) fn run(arguments: &args::Inventory, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let read = given::only(&arguments.file, Purpose::Any, OpmVersion::NEWEST)?;
    let view = match read.given() {
        [Given::Inventory(view)] => view.clone(),
        // Of a text with a fault it is not known.
        _ => inventory(&given::text(&arguments.file, "the command takes PackageManifests", |text| {
            text.contains("PackageManifest")
        })?),
    };
    let is_read = view.findings.iter().all(|finding| finding.severity != Severity::Error);
    if view.sources.is_empty() && is_read {
        let path = shown_path(&arguments.file);
        return Err(format!(
            "`{path}` has no PackageManifests; `kubectl get packagemanifests -A -o json > FILE` writes them"
        )
        .into());
    }
    match arguments.format {
        ReportFormat::Json => write_json(out, &view)?,
        ReportFormat::Text => {
            write_findings(&mut errors(), &arguments.file, &view.findings).map_err(written)?;
            write(out, terminal, &view).map_err(written)?;
        }
    }
    let path = shown_path(&arguments.file);
    if is_read {
        Ok(true)
    } else {
        Err(format!("the answer is not complete: a part of `{path}` cannot be read").into())
    }
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

fn write(out: &mut dyn Write, terminal: Terminal, view: &InventoryView) -> io::Result<()> {
    for source in &view.sources {
        let InventorySourceView { name, namespace, display_name, publisher, .. } = source;
        let about: Vec<&str> = [&**display_name, &**publisher].into_iter().filter(|text| !text.is_empty()).collect();
        let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
        let title = format!("CatalogSource {namespace}/{name}{about}");
        writeln!(out, "{}", terminal.painted(Paint::Bold, &one_line(&title)))?;
        let mut table = Table::new(["package", "channel", "head", "versions", "deprecated"]);
        source.packages.iter().for_each(|package| add_rows(&mut table, package));
        table.write(out, terminal)?;
        writeln!(out)?;
    }
    writeln!(out, "{}", terminal.paragraph("", Paint::Plain, &view.notice))?;
    for source in &view.sources {
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

fn add_rows(table: &mut Table, package: &InventoryPackageView) {
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
