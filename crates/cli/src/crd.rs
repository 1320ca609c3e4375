//! `opscope crd`

use crate::format::ReportFormat;
use crate::output::{Failure, write_json, written};
use crate::places::{Inputs, shown_path};
use crate::{args, given};
use answers::{CrdFault, crd_upgrade};
use report::{Paint, Printer, Terminal};
use std::io::{self, Write};
use std::path::Path;
use views::{ApiLoss, CrdUpgradeView, LostApi};

/// Prints what OLM finds when it upgrades one CRD to the next. Returns whether OLM v1 upgrades it.
pub(crate) fn run(arguments: &args::Crd, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let [old, new] = [&arguments.old, &arguments.new];
    let view = crd_upgrade(&read(old)?, &read(new)?).map_err(|fault| match fault {
        CrdFault::Unreadable { is_new, at, reason } => {
            let path = shown_path(if is_new { new } else { old });
            let at = at.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
            format!("cannot read `{path}{at}`: {reason}")
        }
        CrdFault::Different { old: first, new: second } => format!(
            "expected two states of one CustomResourceDefinition, found `{first}` in `{}` and `{second}` in `{}`",
            shown_path(old),
            shown_path(new)
        ),
    })?;
    match arguments.format {
        ReportFormat::Json => write_json(out, &view)?,
        ReportFormat::Text => write(&mut Printer::new(out, terminal, &Inputs::default()), &view).map_err(written)?,
    }
    Ok(view.findings.is_empty())
}

/// The text of a file, which may be compressed.
fn read(path: &Path) -> Result<String, Failure> {
    given::text(path, "the command takes two states of a CustomResourceDefinition", |text| {
        text.contains("CustomResourceDefinition")
    })
}

fn write(printer: &mut Printer<'_>, view: &CrdUpgradeView) -> io::Result<()> {
    let CrdUpgradeView { name, findings, by_chance, v0, lost_apis, assumptions } = view;
    match findings.len() {
        0 => {
            printer.heading(Paint::Good, &format!("OLM v1 upgrades `{name}`"))?;
        }
        count => {
            printer.heading(Paint::Bad, &format!("OLM v1 does not upgrade `{name}`: {}", counted(count, "finding")))?;
        }
    }
    write_lines(printer, findings)?;
    if !by_chance.is_empty() {
        let text = "In some runs OLM v1 also has these findings, which the old CustomResourceDefinition had before";
        printer.heading(Paint::Warning, text)?;
        write_lines(printer, by_chance)?;
    }
    match (&v0.error, v0.restrictions.len(), v0.only_warns) {
        (Some(error), ..) => {
            printer.heading(Paint::Bad, &format!("OLM v0 does not upgrade `{name}`"))?;
            printer.line("  ", Paint::Plain, error)?;
        }
        (None, 0, _) => printer.heading(Paint::Good, &format!("OLM v0 upgrades `{name}`"))?,
        (None, _, false) => {
            let text =
                format!("OLM v0 upgrades `{name}`, unless an object on the cluster does not fit one of these changes");
            printer.heading(Paint::Warning, &text)?;
        }
        (None, _, true) => {
            let text = format!(
                "OLM v0 upgrades `{name}` and warns of objects that do not fit one of these changes, because the CustomResourceDefinition has a conversion webhook"
            );
            printer.heading(Paint::Warning, &text)?;
        }
    }
    write_lines(printer, &v0.restrictions)?;
    if !lost_apis.is_empty() {
        printer
            .heading(Paint::Warning, "Operators that require one of these APIs fail after the upgrade, or block it")?;
        let line = |api: &LostApi| {
            let loss = match api.loss {
                ApiLoss::Removed => "removed",
                ApiLoss::NotServed => "not served any more",
            };
            format!("{}/{}, {}: {loss}", api.group, api.version, api.kind)
        };
        write_lines(printer, &lost_apis.iter().map(line).collect::<Vec<_>>())?;
    }
    for assumption in assumptions {
        printer.gap()?;
        printer.line("note: ", Paint::Hint, assumption)?;
    }
    Ok(())
}

fn write_lines(printer: &mut Printer<'_>, lines: &[String]) -> io::Result<()> {
    lines.iter().try_for_each(|line| printer.line("  ", Paint::Plain, line))
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
