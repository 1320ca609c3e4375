//! `opscope explain`, and the documentation of rules for code scanners.

use crate::args::Explain;
use crate::explanation::lines;
use crate::format::AnswerFormat;
use crate::output::{Failure, write_report, written};
use crate::places::STDIN;
use crate::{given, json, names};
use report::sarif::RuleText;
use report::{Answer, CATALOG_CHANGE, NOT_COMPARABLE, NOT_SERVED, Paint, Report, Terminal};
use source::{Rule, StateId};
use std::io::{self, Write};
use std::path::Path;
use views::{
    ComparisonRuleDoc, ExplainedMessage, Level, MessageName, MessagesView, RuleDoc, RuleExample, Rulebook, Severity,
    Verdict,
};

/// Prints what a rule, a state, or a message means, or a list of all rules and states.
///
/// # Errors
/// When there is no such rule, state or message, or a file cannot be read.
pub(crate) fn run(arguments: &Explain, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let format = arguments.format;
    let id = match &arguments.what[..] {
        [] if arguments.file.is_none() => {
            match format {
                AnswerFormat::Json => json::print(out, &rulebook::all())?,
                _ => write_list(out, terminal, &rulebook::all()).map_err(written)?,
            }
            return Ok(true);
        }
        [id] => &**id,
        _ => return messages(arguments, terminal, out),
    };
    let state = || StateId::ALL.iter().copied().find(|state| state.id() == id);
    if let Some(doc) = id.parse().ok().map(rulebook::doc) {
        match format {
            AnswerFormat::Json => json::print(out, &doc)?,
            AnswerFormat::Markdown => write!(out, "{}", rulebook::markdown(&doc)).map_err(written)?,
            AnswerFormat::Text => write_doc(out, terminal, &doc).map_err(written)?,
        }
    } else if let Some(doc) = rulebook::comparison_doc_of(id) {
        match format {
            AnswerFormat::Json => json::print(out, &doc)?,
            format => write_report(out, terminal, format.into(), &compared_report(&doc))?,
        }
    } else if let Some(state) = state() {
        let view = MessagesView { messages: vec![answers::explain_state(state)], more: Vec::new() };
        print_messages(&view, format, terminal, out)?;
    } else {
        return messages(arguments, terminal, out);
    }
    Ok(true)
}

/// A rule of comparisons, and how its level is changed.
fn compared_report(doc: &ComparisonRuleDoc) -> Report {
    let levels = format!(
        "`opscope compare` reports it. A line such as `{}: off` in the file of `--levels` gives it another level, and a comment `# opscope-ignore: {}` at an entry or channel ignores it there.",
        doc.id, doc.id
    );
    let mut answer = Answer::new(&());
    answer.heading(Paint::Bold, &format!("{}[{}]: {}", doc.level.as_str(), doc.id, doc.about));
    for paragraph in [&doc.effect, &levels] {
        answer.gap();
        answer.line("", Paint::Plain, paragraph);
    }
    answer.into_report()
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
    rows.try_for_each(|doc| writeln!(out, "{:width$}  {:8}  {}", doc.id, doc.level.as_str(), doc.about))?;
    writeln!(out, "\n{}", terminal.painted(Paint::Bold, "States of namespaces"))?;
    let states = || StateId::ALL.iter().map(|state| (state.id(), state.verdict().as_words()));
    let width = states().map(|(id, _)| id.len()).max().unwrap_or_default();
    states().try_for_each(|(id, verdict)| writeln!(out, "{id:width$}  {verdict}"))
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

// Messages and states.

/// Prints what the messages in a text mean: in the words that are given, or in the file that they name.
///
/// # Errors
/// When the text cannot be read, or has no message that is known.
pub(crate) fn messages(arguments: &Explain, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let file = arguments.file.as_deref().or(match &arguments.what[..] {
        [] => Some(Path::new(STDIN)),
        [only] => Some(Path::new(only)).filter(|path| *path == Path::new(STDIN) || path.exists()),
        _ => None,
    });
    let text = match file {
        None => arguments.what.join(" "),
        Some(file) => given::text(file, "the command takes messages of OLM, or objects with some", |text| {
            let is_message = || !answers::explain_messages(text).messages.is_empty();
            !session::has_schema(text) && (!text.contains("apiVersion") || is_message())
        })?,
    };
    let view = answers::explain_messages(&text);
    if view.messages.is_empty() {
        return Err(match &arguments.what[..] {
            [word] if file.is_none() && !word.contains(' ') => {
                let rules = Rule::ALL.iter().map(|rule| rule.id()).chain(rulebook::comparison_ids());
                let names: Vec<&str> = rules.chain(StateId::ALL.iter().map(|state| state.id())).collect();
                let near = session::proposed(word, names.iter().copied());
                names::did_you_mean(&format!("`{word}` is no rule, state, file or message of OLM that Opscope knows; `opscope explain` lists rules and states"), &near)
            }
            _ => "the text has no message of OLM that Opscope knows; conditions are known by `type`, `status`, `reason` and `message`"
                .into(),
        });
    }
    print_messages(&view, arguments.format, terminal, out)?;
    Ok(true)
}

fn print_messages(
    view: &MessagesView,
    format: AnswerFormat,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if format == AnswerFormat::Json {
        return json::print(out, view);
    }
    let mut answer = Answer::new(&());
    write_messages(&mut answer, view);
    write_report(out, terminal, format.into(), &answer.into_report())
}

/// Prints what messages mean, and what would tell more.
pub(crate) fn write_messages(answer: &mut Answer<'_>, view: &MessagesView) {
    for message in &view.messages {
        one(answer, message);
    }
    if !view.more.is_empty() {
        answer.heading(Paint::Bold, "What would tell more");
    }
    view.more.iter().for_each(|text| answer.line("  - ", Paint::Plain, text));
}

fn one(answer: &mut Answer<'_>, message: &ExplainedMessage) {
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
    answer.gap();
    if !about.is_empty() {
        let age = if age.is_empty() { String::new() } else { format!(", {age}") };
        answer.line("", Paint::Bold, &format!("{about}{age}"));
    }
    answer.line(&format!("{lead}: "), paint, meaning);
    first.iter().for_each(|first| answer.line("    first: ", Paint::Bold, first));
    never.iter().for_each(|never| answer.line("    ", Paint::Plain, never));
    named(answer, "    it names: ", names);
    if sentences.is_empty() && !text.is_empty() {
        lines(answer, "    in the text: ", Paint::Dim, text);
    }
    for (number, sentence) in (1..).zip(sentences) {
        answer.line(&format!("{number:3}. "), Paint::Plain, &sentence.meaning);
        answer.line("       ", Paint::Dim, &sentence.text);
    }
}

fn named(answer: &mut Answer<'_>, lead: &str, names: &[MessageName]) {
    let listed: Vec<String> = names.iter().map(|MessageName { kind, name }| format!("{kind} `{name}`")).collect();
    if !listed.is_empty() {
        answer.line(lead, Paint::Plain, &listed.join(", "));
    }
}

// The documentation of rules for code scanners.

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
