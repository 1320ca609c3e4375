//! `opscope explain-message`

use crate::args;
use crate::explanation::lines;
use crate::format::ReportFormat;
use crate::given;
use crate::output::{Failure, write_json, written};
use crate::paths::STDIN;
use crate::places::Inputs;
use report::{Paint, Printer, Terminal};
use std::io::{self, Write};
use std::path::Path;
use views::{ExplainedMessage, MessageName, MessagesView, Verdict};

/// Prints what the messages in a text mean.
///
/// # Errors
/// When the text cannot be read, or has no message that is known.
pub(crate) fn run(arguments: &args::ExplainMessage, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
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
            write(&mut Printer::new(out, terminal, &Inputs::default()), &view).map_err(written)?;
        }
    }
    Ok(true)
}

/// Prints what messages mean, and what would tell more.
pub(crate) fn write(printer: &mut Printer<'_>, view: &MessagesView) -> io::Result<()> {
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
