//! `opscope explain` and `opscope explain-message`, and the documentation of rules for code scanners.

use crate::args::{self, Explain};
use crate::explanation::lines;
use crate::format::ReportFormat;
use crate::given;
use crate::output::{Failure, write_json, written};
use crate::places::{Inputs, STDIN};
use report::sarif::RuleText;
use report::{CATALOG_CHANGE, NOT_COMPARABLE, NOT_SERVED, Paint, Printer, Terminal};
use source::Rule;
use std::io::{self, Write};
use std::path::Path;
use views::{
    ComparisonRuleDoc, ExplainedMessage, Level, MessageName, MessagesView, RuleDoc, RuleExample, Rulebook, Severity,
    Verdict,
};

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

// `opscope explain-message`

/// Prints what the messages in a text mean.
///
/// # Errors
/// When the text cannot be read, or has no message that is known.
pub(crate) fn message(
    arguments: &args::ExplainMessage,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let text = if arguments.text.is_empty() {
        let file = arguments.file.as_deref().unwrap_or(Path::new(STDIN));
        given::text(file, "the command takes messages of OLM, or objects with some", |text| {
            let is_message = || !answers::explain_messages(text).messages.is_empty();
            !text.contains("schema") && (!text.contains("apiVersion") || is_message())
        })?
    } else {
        arguments.text.join(" ")
    };
    let view = answers::explain_messages(&text);
    if view.messages.is_empty() {
        return Err(
            "the text has no message of OLM that Opscope knows; conditions are known by `type`, `status`, `reason` \
                    and `message`"
                .into(),
        );
    }
    match arguments.format {
        ReportFormat::Json => write_json(out, &view)?,
        ReportFormat::Text => {
            write_messages(&mut Printer::new(out, terminal, &Inputs::default()), &view).map_err(written)?;
        }
    }
    Ok(true)
}

/// Prints what messages mean, and what would tell more.
pub(crate) fn write_messages(printer: &mut Printer<'_>, view: &MessagesView) -> io::Result<()> {
    for message in &view.messages {
        one(printer, message)?;
    }
    if !view.more.is_empty() {
        printer.heading(Paint::Bold, "What would tell more")?;
    }
    view.more.iter().try_for_each(|text| printer.line("  - ", Paint::Plain, text))
}

fn one(printer: &mut Printer<'_>, message: &ExplainedMessage) -> io::Result<()> {
    let ExplainedMessage { about, text, meaning, verdict, first, never, sentences, names, age, .. } = message;
    let paint = match verdict {
        Some(Verdict::Waits) | None => Paint::Warning,
        Some(Verdict::Passes | Verdict::Unknown) => Paint::Hint,
        Some(Verdict::Stuck) => Paint::Bad,
        Some(Verdict::Acts) => Paint::Good,
    };
    let lead = match verdict {
        Some(Verdict::Acts) => "no harm",
        Some(verdict) => verdict.as_words(),
        None => "depends",
    };
    printer.gap()?;
    if !about.is_empty() {
        let age = if age.is_empty() { String::new() } else { format!(", {age}") };
        printer.line("", Paint::Bold, &format!("{about}{age}"))?;
    }
    printer.line(&format!("{lead}: "), paint, meaning)?;
    first.as_ref().map_or(Ok(()), |first| printer.line("    first: ", Paint::Bold, first))?;
    never.as_ref().map_or(Ok(()), |never| printer.line("    ", Paint::Plain, never))?;
    named(printer, "    it names: ", names)?;
    if sentences.is_empty() {
        return if text.is_empty() { Ok(()) } else { lines(printer, "    in the text: ", Paint::Dim, text) };
    }
    for (number, sentence) in (1..).zip(sentences) {
        printer.line(&format!("{number:3}. "), Paint::Plain, &sentence.meaning)?;
        printer.line("       ", Paint::Dim, &sentence.text)?;
    }
    Ok(())
}

fn named(printer: &mut Printer<'_>, lead: &str, names: &[MessageName]) -> io::Result<()> {
    let listed: Vec<String> = names.iter().map(|MessageName { kind, name }| format!("{kind} `{name}`")).collect();
    if listed.is_empty() { Ok(()) } else { printer.line(lead, Paint::Plain, &listed.join(", ")) }
}

// The documentation of rules for code scanners.

/// The documentation of the rule with this id.
pub(crate) fn rule_text(id: &str) -> RuleText {
    if let Ok(rule) = id.parse::<Rule>() {
        let doc = rulebook::doc(rule);
        let markdown = rulebook::markdown(&doc);
        return RuleText {
            about: doc.about.join(" "),
            summary: doc.summary,
            markdown,
            severity: Some(rule.severity()),
        };
    }
    let compared = rulebook::comparison_doc_of(id);
    let severity = compared.as_ref().map(|rule| match rule.level {
        Level::Breaking => Severity::Error,
        Level::Risky => Severity::Warning,
        Level::Neutral | Level::Good => Severity::Hint,
    });
    let summary = match (&compared, id) {
        (Some(rule), _) => &*rule.about,
        (None, NOT_COMPARABLE) => "One of the states cannot be compared.",
        (None, NOT_SERVED) => "`opm` rejects the catalog, so a cluster does not serve it.",
        (None, CATALOG_CHANGE) => "A change of a catalog harms what is installed.",
        (None, _) => "A smaller mirror strands nobody.",
    };
    RuleText { summary: summary.to_owned(), severity, ..RuleText::default() }
}
