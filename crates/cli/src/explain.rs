//! `opscope explain`

use crate::args::{Explain, ReportFormat};
use crate::output::has_colour;
use crate::{Failure, write_json, written};
use std::io::{self, Write};
use views::{RuleDoc, RuleExample, Severity};

/// The width that paragraphs are wrapped to.
const WIDTH: usize = 100;

/// Whether headings and severities have colours.
#[derive(Clone, Copy)]
struct Style {
    coloured: bool,
}

/// Prints the documentation of a rule, or a list of all rules. Always succeeds.
pub(crate) fn run(arguments: &Explain, out: &mut dyn Write) -> Result<bool, Failure> {
    let style = Style { coloured: has_colour() };
    match (arguments.rule.map(rulebook::doc), arguments.format) {
        (Some(doc), ReportFormat::Text) => write_doc(out, style, &doc).map_err(written)?,
        (Some(doc), ReportFormat::Json) => write_json(out, &doc)?,
        (None, ReportFormat::Text) => write_list(out, style, &rulebook::all()).map_err(written)?,
        (None, ReportFormat::Json) => write_json(out, &rulebook::all())?,
    }
    Ok(true)
}

fn write_list(out: &mut dyn Write, style: Style, docs: &[RuleDoc]) -> io::Result<()> {
    let width = docs.iter().map(|doc| doc.id.len()).max().unwrap_or_default();
    for doc in docs {
        let padding = width - doc.id.len();
        let severity = format!("{:7}", word(doc.severity));
        writeln!(out, "{}{:padding$}  {}  {}", style.bold(&doc.id), "", style.severity(doc, &severity), doc.summary)?;
    }
    Ok(())
}

fn write_doc(out: &mut dyn Write, style: Style, doc: &RuleDoc) -> io::Result<()> {
    let title = format!("{}[{}]", word(doc.severity), doc.id);
    writeln!(out, "{}{}", style.severity(doc, &title), style.bold(&format!(": {}", doc.summary)))?;
    for paragraph in &doc.about {
        write_paragraph(out, paragraph)?;
    }
    write_example(out, style, "Fails", &doc.fails)?;
    write_example(out, style, "Passes", &doc.passes)?;
    if let Some(since) = &doc.since {
        write_paragraph(out, &format!("Reported by opm since {since}."))?;
    }
    write_paragraph(out, &format!("Source: {}", doc.source))
}

fn write_example(out: &mut dyn Write, style: Style, title: &str, example: &RuleExample) -> io::Result<()> {
    writeln!(out, "\n{}", style.bold(title))?;
    for paragraph in &example.about {
        write_paragraph(out, paragraph)?;
    }
    for file in &example.files {
        writeln!(out)?;
        if !file.name.is_empty() {
            writeln!(out, "  {}", style.bold(&format!("{}:", file.name)))?;
        }
        for line in file.text.lines() {
            writeln!(out, "{}", format!("    {line}").trim_end())?;
        }
    }
    Ok(())
}

/// Writes an empty line and a paragraph.
fn write_paragraph(out: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(out)?;
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.chars().count() + word.chars().count() >= WIDTH {
            writeln!(out, "{line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "{line}")
}

const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

impl Style {
    fn bold(self, text: &str) -> String {
        self.painted("1", text)
    }

    /// The text in the colour of the rule's severity.
    fn severity(self, doc: &RuleDoc, text: &str) -> String {
        self.painted(
            match doc.severity {
                Severity::Error => "1;91",
                Severity::Warning => "1;33",
                Severity::Hint => "1;96",
            },
            text,
        )
    }

    fn painted(self, code: &str, text: &str) -> String {
        if self.coloured { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
