//! `opscope explain`

use crate::args::{Explain, ReportFormat};
use crate::terminal::{Paint, Terminal};
use crate::{Failure, write_json, written};
use std::io::{self, Write};
use views::{RuleDoc, RuleExample, Severity};

/// Prints the documentation of a rule, or a list of all rules. Always succeeds.
pub(crate) fn run(arguments: &Explain, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    match (arguments.rule.map(rulebook::doc), arguments.format) {
        (Some(doc), ReportFormat::Text) => write_doc(out, terminal, &doc).map_err(written)?,
        (Some(doc), ReportFormat::Json) => write_json(out, &doc)?,
        (None, ReportFormat::Text) => write_list(out, terminal, &rulebook::all()).map_err(written)?,
        (None, ReportFormat::Json) => write_json(out, &rulebook::all())?,
    }
    Ok(true)
}

fn write_list(out: &mut dyn Write, terminal: Terminal, docs: &[RuleDoc]) -> io::Result<()> {
    let width = docs.iter().map(|doc| doc.id.len()).max().unwrap_or_default();
    for doc in docs {
        let padding = width - doc.id.len();
        let severity = format!("{:7}", word(doc.severity));
        writeln!(
            out,
            "{}{:padding$}  {}  {}",
            terminal.painted(Paint::Bold, &doc.id),
            "",
            terminal.painted(paint(doc.severity), &severity),
            doc.summary
        )?;
    }
    Ok(())
}

fn write_doc(out: &mut dyn Write, terminal: Terminal, doc: &RuleDoc) -> io::Result<()> {
    let title = format!("{}[{}]", word(doc.severity), doc.id);
    writeln!(
        out,
        "{}{}",
        terminal.painted(paint(doc.severity), &title),
        terminal.painted(Paint::Bold, &format!(": {}", doc.summary))
    )?;
    for paragraph in &doc.about {
        write_paragraph(out, terminal, paragraph)?;
    }
    write_example(out, terminal, "Fails", &doc.fails)?;
    write_example(out, terminal, "Passes", &doc.passes)?;
    if let Some(since) = &doc.since {
        write_paragraph(out, terminal, &format!("Reported by opm since {since}."))?;
    }
    write_paragraph(out, terminal, &format!("Source: {}", doc.source))
}

fn write_example(out: &mut dyn Write, terminal: Terminal, title: &str, example: &RuleExample) -> io::Result<()> {
    writeln!(out, "\n{}", terminal.painted(Paint::Bold, title))?;
    for paragraph in &example.about {
        write_paragraph(out, terminal, paragraph)?;
    }
    for file in &example.files {
        writeln!(out)?;
        if !file.name.is_empty() {
            writeln!(out, "  {}", terminal.painted(Paint::Bold, &format!("{}:", file.name)))?;
        }
        for line in file.text.lines() {
            writeln!(out, "{}", format!("    {line}").trim_end())?;
        }
    }
    Ok(())
}

/// Writes an empty line and a paragraph.
fn write_paragraph(out: &mut dyn Write, terminal: Terminal, text: &str) -> io::Result<()> {
    writeln!(out, "\n{}", terminal.paragraph("", Paint::Plain, text))
}

const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

const fn paint(severity: Severity) -> Paint {
    match severity {
        Severity::Error => Paint::Bad,
        Severity::Warning => Paint::Warning,
        Severity::Hint => Paint::Hint,
    }
}
