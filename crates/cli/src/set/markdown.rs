//! A set in Markdown, for the comment of a pull request.

use super::text::short;
use super::{Checked, versions};
use catalog_set::{Finding, matrix};
use source::{Severity, markdown};
use std::io::{self, Write};

pub(super) fn write(out: &mut dyn Write, sets: &[Checked]) -> io::Result<()> {
    sets.iter().try_for_each(|of| write_set(out, of))
}

fn write_set(out: &mut dyn Write, of: &Checked) -> io::Result<()> {
    writeln!(out, "### {}\n", markdown(&of.sentence))?;
    writeln!(out, "{}: {}\n", markdown(&of.read.shown(&of.read.set.pattern)), versions(&of.read.set))?;
    for text in of.rejected() {
        writeln!(out, "- **not served**: {}", markdown(&text))?;
    }
    for (level, text) in of.changes().0 {
        let level = level.map(|level| format!("**{}**: ", level.as_str())).unwrap_or_default();
        writeln!(out, "- {level}{}", markdown(&text))?;
    }
    writeln!(out)?;
    for (title, severity) in [("Errors", Severity::Error), ("Warnings", Severity::Warning), ("Hints", Severity::Hint)] {
        let findings: Vec<&Finding> = of.findings.iter().filter(|finding| finding.severity == severity).collect();
        if findings.is_empty() {
            continue;
        }
        writeln!(
            out,
            "<details{}><summary>{title} ({})</summary>\n",
            if severity == Severity::Error { " open" } else { "" },
            findings.len()
        )?;
        findings.iter().try_for_each(|finding| write_finding(out, of, finding))?;
        writeln!(out, "\n</details>\n")?;
    }
    writeln!(out, "<details><summary>All packages</summary>\n\n| package | head of the default channel |\n|---|---|")?;
    for row in matrix(&of.read.set, &of.findings) {
        let cells = row.cells.iter().map(|cell| {
            let versions =
                if cell.from == cell.to { cell.from.to_string() } else { format!("{}–{}", cell.from, cell.to) };
            let head = cell.head.as_ref().map(|head| short(head.as_str(), row.package.as_str()));
            let head = head.unwrap_or(cell.without_head());
            markdown(&format!("{versions} {head}"))
        });
        writeln!(out, "| {} | {} |", markdown(row.package.as_str()), cells.collect::<Vec<_>>().join(", "))?;
    }
    writeln!(out, "\n</details>\n")?;
    of.limits().iter().try_for_each(|text| writeln!(out, "{}\n", markdown(text)))
}

fn write_finding(out: &mut dyn Write, of: &Checked, finding: &Finding) -> io::Result<()> {
    let subject = finding.subject();
    let comma = if subject.is_empty() { "" } else { ", " };
    let text = format!("{subject}{comma}{}: {}", finding.versions(), finding.message);
    writeln!(out, "- {} (`{}`)", markdown(&text), finding.rule)?;
    for text in finding.installed() {
        writeln!(out, "  - {}", markdown(&text))?;
    }
    if let Some(way) = &finding.way_out {
        writeln!(out, "  - way out: {}", markdown(&way.to_string()))?;
    }
    match finding.spans.first() {
        Some(span) => writeln!(out, "  - {}", markdown(&of.place(*span))),
        None => Ok(()),
    }
}
