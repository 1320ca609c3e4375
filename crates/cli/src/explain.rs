//! `opscope explain`

use crate::args::Explain;
use crate::format::ReportFormat;
use crate::output::{Failure, write_json, written};
use report::{Paint, Terminal};
use std::io::{self, Write};
use views::{ComparisonRuleDoc, RuleDoc, RuleExample, Rulebook, Severity};

/// Prints the documentation of a rule, or a list of all rules. Always succeeds.
pub(crate) fn run(arguments: &Explain, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let finding = arguments.rule.as_ref().and_then(|id| id.parse().ok()).map(rulebook::doc);
    let compared = arguments.rule.as_deref().and_then(rulebook::comparison_doc_of);
    match (finding, compared, arguments.format) {
        (Some(doc), _, ReportFormat::Text) => write_doc(out, terminal, &doc).map_err(written)?,
        (Some(doc), _, ReportFormat::Json) => write_json(out, &doc)?,
        (None, Some(doc), ReportFormat::Text) => write_compared(out, terminal, &doc).map_err(written)?,
        (None, Some(doc), ReportFormat::Json) => write_json(out, &doc)?,
        (None, None, ReportFormat::Text) => write_list(out, terminal, &rulebook::all()).map_err(written)?,
        (None, None, ReportFormat::Json) => write_json(out, &rulebook::all())?,
    }
    Ok(true)
}

/// A rule of comparisons, and how its level is changed.
fn write_compared(out: &mut dyn Write, terminal: Terminal, doc: &ComparisonRuleDoc) -> io::Result<()> {
    let title = format!("{}[{}]: {}", doc.level.as_str(), doc.id, doc.about);
    writeln!(out, "{}", terminal.painted(Paint::Bold, &title))?;
    write_paragraph(out, terminal, &doc.effect)?;
    let levels = format!(
        "`opscope compare` reports it. A line such as `{}: off` in the file of `--levels` gives it another level, and a comment `# opscope-ignore: {}` at an entry or channel ignores it there.",
        doc.id, doc.id
    );
    write_paragraph(out, terminal, &levels)
}

fn write_list(out: &mut dyn Write, terminal: Terminal, book: &Rulebook) -> io::Result<()> {
    let docs = &book.findings;
    let width = docs.iter().map(|doc| doc.id.len()).max().unwrap_or_default();
    for doc in docs {
        let padding = width - doc.id.len();
        let severity = format!("{:7}", doc.severity.as_str());
        writeln!(
            out,
            "{}{:padding$}  {}  {}",
            terminal.painted(Paint::Bold, &doc.id),
            "",
            terminal.painted(paint(doc.severity), &severity),
            doc.summary
        )?;
    }
    writeln!(out, "\n{}", terminal.painted(Paint::Bold, "Rules of `opscope compare`"))?;
    let width = book.comparison.iter().map(|doc| doc.id.len()).max().unwrap_or_default();
    let mut rows = book.comparison.iter();
    rows.try_for_each(|doc| writeln!(out, "{:width$}  {:8}  {}", doc.id, doc.level.as_str(), doc.about))
}

fn write_doc(out: &mut dyn Write, terminal: Terminal, doc: &RuleDoc) -> io::Result<()> {
    let title = format!("{}[{}]", doc.severity.as_str(), doc.id);
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

const fn paint(severity: Severity) -> Paint {
    match severity {
        Severity::Error => Paint::Bad,
        Severity::Warning => Paint::Warning,
        Severity::Hint => Paint::Hint,
    }
}
