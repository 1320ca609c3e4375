//! A set for people.

use super::{Checked, versions};
use crate::table::{Cell, Table};
use crate::terminal::{Paint, Terminal};
use catalog_set::{Finding, matrix};
use compare::Level;
use source::{Severity, one_line};
use std::io::{self, Write};

/// The most places that a finding lists.
const PLACES: usize = 3;

pub(super) fn write(out: &mut dyn Write, terminal: Terminal, sets: &[Checked]) -> io::Result<()> {
    for (at, of) in sets.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        write_set(out, terminal, of)?;
    }
    Ok(())
}

fn write_set(out: &mut dyn Write, terminal: Terminal, of: &Checked) -> io::Result<()> {
    let mut line = |lead: &str, paint: Paint, text: &str| {
        writeln!(out, "{}", terminal.paragraph(lead, paint, &one_line(text)).trim_end())
    };
    line("", Paint::Bold, &of.sentence)?;
    line("", Paint::Dim, &format!("{}: {}", of.read.shown(&of.read.set.pattern), versions(&of.read.set)))?;
    of.rejected().iter().try_for_each(|text| line("✕ ", Paint::Bad, text))?;
    for (level, text) in of.changes().0 {
        let (sign, paint) = match level {
            Some(Level::Breaking) => sign(Severity::Error),
            Some(Level::Risky) => sign(Severity::Warning),
            _ => sign(Severity::Hint),
        };
        line(sign, paint, &text)?;
    }
    writeln!(out)?;
    table(of).write(out, terminal)?;
    for finding in &of.findings {
        write_finding(out, terminal, of, finding)?;
    }
    writeln!(out)?;
    for text in of.limits() {
        writeln!(out, "{}", terminal.paragraph("", Paint::Dim, &text).trim_end())?;
    }
    Ok(())
}

/// Each package with the heads of its default channel.
fn table(of: &Checked) -> Table {
    let mut table = Table::new(["package", "head of the default channel"]);
    for row in matrix(&of.read.set, &of.findings) {
        let cells = row.cells.iter().map(|cell| {
            let versions =
                if cell.from == cell.to { cell.from.to_string() } else { format!("{}–{}", cell.from, cell.to) };
            let head = cell.head.as_ref().map(|head| short(head.as_str(), row.package.as_str()));
            let head = head.unwrap_or(cell.without_head());
            let mark = cell.worst.filter(|worst| *worst != Severity::Hint).map(|worst| sign(worst).0.trim_end());
            format!("{versions} {head}{}", mark.map(|mark| format!(" {mark}")).unwrap_or_default())
        });
        let worst = row.cells.iter().filter_map(|cell| cell.worst).min();
        let paint = worst.filter(|worst| *worst != Severity::Hint).map_or(Paint::Plain, |worst| sign(worst).1);
        table.push(vec![Cell::new(paint, row.package.as_str()), Cell::plain(&cells.collect::<Vec<_>>().join(", "))]);
    }
    table
}

/// The name of a bundle without that of its package.
pub(super) fn short<'n>(bundle: &'n str, package: &str) -> &'n str {
    let rest = bundle.strip_prefix(package).and_then(|rest| rest.strip_prefix('.'));
    rest.map_or(bundle, |version| version.strip_prefix('v').unwrap_or(version))
}

fn write_finding(out: &mut dyn Write, terminal: Terminal, of: &Checked, finding: &Finding) -> io::Result<()> {
    let (sign, paint) = sign(finding.severity);
    let subject = finding.subject();
    let comma = if subject.is_empty() { "" } else { ", " };
    let text = format!("{subject}{comma}{}: {} ({})", finding.versions(), finding.message, finding.rule);
    writeln!(out)?;
    let mut line = |lead: &str, paint: Paint, text: &str| {
        writeln!(out, "{}", terminal.paragraph(lead, paint, &one_line(text)).trim_end())
    };
    line(sign, paint, &text)?;
    finding.installed().iter().try_for_each(|text| line("    ", Paint::Plain, text))?;
    finding.way_out.iter().try_for_each(|way| line("    way out: ", Paint::Plain, &way.to_string()))?;
    let mut places = of.places(finding);
    let more = places.len().saturating_sub(PLACES);
    places.truncate(PLACES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    if places.is_empty() { Ok(()) } else { line("    ", Paint::Dim, &(places.join(", ") + &more)) }
}

const fn sign(severity: Severity) -> (&'static str, Paint) {
    match severity {
        Severity::Error => ("✕ ", Paint::Bad),
        Severity::Warning => ("▲ ", Paint::Warning),
        Severity::Hint => ("· ", Paint::Plain),
    }
}
