//! Standard output and standard error. Whatever is written to them is made harmless on the way, and a reader that closes
//! standard output, as `head` does when it has seen enough, is noticed.

use crate::args::ColourChoice;
use crate::explain;
use crate::format::CompareFormat;
use crate::json::{self, Failed};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use opscope_drawing::shape::escaped;
use pulldown_cmark::{Options, Parser, html};
use report::{Printer, Report, Terminal, github, sarif, to_markdown, to_markdown_for_html};
use source::{is_control, one_line, push_escaped};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, ErrorKind, IsTerminal, StderrLock, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use views::GraphView;

/// The exit code that a shell reports for a process ended by SIGPIPE.
pub(crate) const CLOSED_PIPE: u8 = 128 + 13;

/// Why there is no answer: lines for standard error, of which those that begin with blanks belong to the line before.
#[derive(Clone)]
pub(crate) struct Failure {
    lines: Vec<String>,
    /// Whether the catalogs do not have what the question is about, such as its package.
    is_absence: bool,
}

impl Failure {
    pub(crate) fn of_lines(lines: impl IntoIterator<Item = String>) -> Self {
        Self { lines: lines.into_iter().collect(), is_absence: false }
    }

    /// The same of something that is not there: other catalogs may have it.
    pub(crate) fn absent(self) -> Self {
        Self { is_absence: true, ..self }
    }

    /// Whether the catalogs do not have what the question is about, such as its package.
    pub(crate) const fn is_absence(&self) -> bool {
        self.is_absence
    }

    pub(crate) fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Of a simulation without an answer, after what is known was printed.
    pub(crate) fn cannot_tell() -> Self {
        "Opscope cannot tell what OLM does, so the answer is not complete".into()
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self::of_lines([text])
    }
}

impl From<&str> for Failure {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// A writer that remembers whether its reader closed it.
pub(crate) struct Output<W> {
    to: W,
    /// Whether the reader closed it.
    pub(crate) is_closed: bool,
    /// Whether anything was written.
    is_used: bool,
}

impl<W> Output<W> {
    pub(crate) const fn new(to: W) -> Self {
        Self { to, is_closed: false, is_used: false }
    }

    fn noticed<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        self.is_closed |= matches!(&result, Err(error) if error.kind() == ErrorKind::BrokenPipe);
        result
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_used |= !bytes.is_empty();
        let result = self.to.write(bytes);
        self.noticed(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.to.flush();
        self.noticed(result)
    }
}

/// What is written, and so what in it is harmful.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Text for people, JSON, or a drawing as text. Nothing in it is a workflow command of GitHub Actions.
    Text {
        /// Whether it has the colours of this program.
        has_colour: bool,
    },
    /// Workflow commands, which GitHub Actions obeys.
    Commands,
    /// A document for another program, whose bytes have to stay as they are.
    Document,
}

/// A writer that escapes control characters other than line breaks. `\u001b` is right in text for people and in JSON.
pub(crate) struct Harmless<W> {
    to: W,
    form: Form,
    /// What was written of the present line: nothing but blanks, with a colon or two behind them, or more.
    line: Line,
    /// The bytes of a character of which the rest has not come yet.
    rest: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Blank,
    Colon,
    /// The second colon is not written yet: what follows decides how.
    Colons,
    Text,
}

impl<W: Write> Harmless<W> {
    pub(crate) const fn new(to: W, form: Form) -> Self {
        Self { to, form, line: Line::Blank, rest: Vec::new() }
    }

    pub(crate) const fn get_ref(&self) -> &W {
        &self.to
    }

    fn write_text(&mut self, text: &str) -> io::Result<()> {
        let mut shown = String::with_capacity(text.len());
        let mut chars = text.char_indices();
        while let Some((at, character)) = chars.next() {
            let colour = self.colour(&text[at..]);
            // GitHub Actions obeys a line that begins with two colons and a name, behind any blanks.
            match self.line {
                Line::Colons if colour.is_none() && character.is_alphanumeric() => push_escaped(&mut shown, ':'),
                Line::Colons => shown.push(':'),
                Line::Blank | Line::Colon | Line::Text => {}
            }
            if let Some(colour) = colour {
                shown.push_str(colour);
                chars.by_ref().take(colour.len() - 1).for_each(drop);
                self.line = if self.line == Line::Colons { Line::Text } else { self.line };
                continue;
            }
            self.line = match (self.line, character) {
                (_, '\n') => Line::Blank,
                (Line::Blank, character) if character.is_whitespace() => Line::Blank,
                (Line::Blank, ':') if self.form != Form::Commands => Line::Colon,
                (Line::Colon, ':') => Line::Colons,
                _ => Line::Text,
            };
            match character {
                _ if self.line == Line::Colons => {}
                '\n' => shown.push('\n'),
                _ if is_control(character) => push_escaped(&mut shown, character),
                _ => shown.push(character),
            }
        }
        self.to.write_all(shown.as_bytes())
    }

    /// The colour with which a text begins, if it is one of those that this program writes.
    fn colour<'t>(&self, text: &'t str) -> Option<&'t str> {
        let codes = text.strip_prefix("\x1b[").filter(|_| self.form == Form::Text { has_colour: true })?;
        let (codes, rest) = codes.split_once('m')?;
        let is_known = |code: &str| matches!(code, "0" | "1" | "2" | "33" | "91" | "92" | "93" | "94" | "95" | "96");
        codes.split(';').all(is_known).then(|| &text[..text.len() - rest.len()])
    }
}

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.form == Form::Document {
            return self.to.write(bytes);
        }
        self.rest.extend_from_slice(bytes);
        let rest = std::mem::take(&mut self.rest);
        let whole = match std::str::from_utf8(&rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => rest.len(),
        };
        self.write_text(&String::from_utf8_lossy(&rest[..whole]))?;
        self.rest = rest[whole..].to_vec();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.line == Line::Colons {
            self.line = Line::Text;
            self.to.write_all(b":")?;
        }
        self.to.flush()
    }
}

pub(crate) fn errors() -> Harmless<StderrLock<'static>> {
    Harmless::new(io::stderr().lock(), Form::Text { has_colour: false })
}

/// Whether nothing but failures is said.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Says nothing from now on but why there is no answer, if that is wanted.
pub(crate) fn be_quiet(is_wanted: bool) {
    IS_QUIET.store(is_wanted, Ordering::Relaxed);
}

/// Says something on standard error, in one line.
pub(crate) fn say(text: &str) {
    if !IS_QUIET.load(Ordering::Relaxed) {
        say_anyway(text);
    }
}

/// Says something on standard error, unless it has been said before: a command may read a path several times.
pub(crate) fn say_once(text: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if SAID.lock().is_ok_and(|mut said| said.insert(text.to_owned())) {
        say(text);
    }
}

fn say_anyway(text: &str) {
    // There is no other place to say that standard error is closed.
    drop(writeln!(errors(), "opscope: {}", one_line(text)));
}

/// Says on standard error why there is no answer.
pub(crate) fn say_failure(Failure { lines, .. }: &Failure) {
    for line in lines {
        if line.starts_with(' ') {
            drop(writeln!(errors(), "{}", one_line(line)));
        } else {
            say_anyway(line);
        }
    }
}

/// Writes a failure as JSON, in the place of an answer of which nothing is written.
pub(crate) fn write_failure<W: Write>(
    out: &mut Harmless<io::BufWriter<Output<W>>>,
    failure: &Failure,
) -> Result<(), Failure> {
    if out.get_ref().get_ref().is_used {
        return Ok(());
    }
    json::print(out, &Failed { error: failure.text() })?;
    out.flush().map_err(written)
}

pub(crate) fn write_json(out: &mut dyn Write, value: &impl serde::Serialize) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, value)
        .map_err(io::Error::from)
        .and_then(|()| writeln!(out))
        .map_err(written)
}

/// Writes a report in a format; JSON is not one of a report, and gets text.
pub(crate) fn write_report(
    out: &mut dyn Write,
    terminal: Terminal,
    format: CompareFormat,
    report: &Report,
) -> Result<(), Failure> {
    match format {
        CompareFormat::Html => write!(out, "{}", document(report, &|_| None)).map_err(written),
        CompareFormat::Text | CompareFormat::Json => Printer::new(out, terminal).report(report).map_err(written),
        CompareFormat::Markdown => write!(out, "{}", to_markdown(report)).map_err(written),
        CompareFormat::Sarif => {
            write_json(out, &sarif::log(&report.items(), report.start.as_ref(), &explain::rule_text))
        }
        CompareFormat::Github => github::write_report(out, report).map_err(written),
    }
}

/// The failure of an answer that cannot be written.
pub(crate) fn written(error: io::Error) -> Failure {
    format!("cannot write the answer: {error}").into()
}

// Reports as one HTML file, without scripts and without anything from elsewhere.

const STYLE: &str = include_str!("html.css");

/// The file. `graph` is the drawing of a package, if there is one.
pub(crate) fn document(report: &Report, graph: &dyn Fn(&str) -> Option<GraphView>) -> String {
    let pictures = RefCell::new(Vec::new());
    // No text of a catalog is a comment of HTML: Markdown escapes it.
    let place = |number: usize| format!("<!--picture {number}-->");
    let markdown = to_markdown_for_html(report, &|package| {
        let Some(graph) = graph(package) else { return String::new() };
        let mut pictures = pictures.borrow_mut();
        pictures.push(picture(package, &graph));
        place(pictures.len())
    });
    let mut body = String::new();
    let extensions = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    html::push_html(&mut body, Parser::new_ext(&markdown, extensions));
    for (picture, number) in pictures.into_inner().iter().zip(1..) {
        body = body.replacen(&place(number), picture, 1);
    }
    let title = if report.title.is_empty() { "Opscope" } else { &report.title };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n<main>\n{body}</main>\n</html>\n",
        escaped(title)
    )
}

/// The drawing as images, whose styles do not meet those of the file or of each other.
fn picture(package: &str, graph: &GraphView) -> String {
    let source = |dark| {
        let svg = opscope_drawing::whole_picture(graph, dark).svg;
        format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(svg))
    };
    let alt = escaped(&format!("Update graph of {package} with what changes in it"));
    format!(
        "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{}\"><img alt=\"{alt}\" src=\"{}\"></picture>",
        source(true),
        source(false)
    )
}

// What standard output is: whether it has colours, and how wide it is.

/// The width where nobody says one, as in a pipe.
const WIDTH: usize = 100;
/// The smallest width that is kept; text that is broken more often cannot be read.
const NARROWEST: usize = 24;

/// Standard output, with or without colours.
pub(crate) fn of_stdout(colour: ColourChoice) -> Terminal {
    let has_colour = match colour {
        ColourChoice::Always => true,
        ColourChoice::Never => false,
        ColourChoice::Auto => wants_colour(),
    };
    Terminal { has_colour, width: columns().unwrap_or(WIDTH).max(NARROWEST) }
}

/// Whether standard output has colours if no option says so: on terminals, and in pipes where `CLICOLOR_FORCE` asks for
/// them (<https://bixense.com/clicolors/>); never where `NO_COLOR` is set (<https://no-color.org>).
// `anstream`, which clap uses, takes `CLICOLOR_FORCE=0` for a yes.
fn wants_colour() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    let is_dumb = set("TERM").is_some_and(|term| term == "dumb");
    let is_refused = set("CLICOLOR").is_some_and(|value| value == "0");
    set("CLICOLOR_FORCE").is_some_and(|value| value != "0") || (io::stdout().is_terminal() && !is_dumb && !is_refused)
}

/// The width that `COLUMNS` says, else that of the terminal.
fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    said.or_else(|| {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(usize::from(width.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(form: Form, pieces: &[&[u8]]) -> String {
        let mut out = Harmless::new(Vec::new(), form);
        pieces.iter().for_each(|piece| out.write_all(piece).unwrap());
        out.flush().unwrap();
        String::from_utf8(out.to).unwrap()
    }

    #[test]
    fn only_line_breaks_and_own_colours_pass() {
        let text = "a\x1b[1;91mred\x1b[0m\x1b[8mhidden\x1b[2J\r\u{9b}\u{202e}\n".as_bytes();
        let plain = "a\\u001b[1;91mred\\u001b[0m\\u001b[8mhidden\\u001b[2J\\r\\u009b\\u202e\n";
        assert_eq!(shown(Form::Text { has_colour: false }, &[text]), plain);
        let coloured = "a\x1b[1;91mred\x1b[0m\\u001b[8mhidden\\u001b[2J\\r\\u009b\\u202e\n";
        assert_eq!(shown(Form::Text { has_colour: true }, &[text]), coloured);
        assert_eq!(shown(Form::Document, &[text]).as_bytes(), text);
    }

    #[test]
    fn a_line_of_text_is_no_workflow_command() {
        let text: [&[u8]; 3] = [b"a::b\n  :", b":stop-commands::x\n", b"::error::y"];
        let expected = "a::b\n  :\\u003astop-commands::x\n:\\u003aerror::y";
        assert_eq!(shown(Form::Text { has_colour: false }, &text), expected);
        assert_eq!(shown(Form::Commands, &text), "a::b\n  ::stop-commands::x\n::error::y");
    }

    /// An excerpt has `:::` where lines are left out.
    #[test]
    fn colons_without_the_name_of_a_command_stay() {
        for text in [" ::: \n", "::\n", ":: a\n", " :::a::b\n", "::"] {
            assert_eq!(shown(Form::Text { has_colour: false }, &[text.as_bytes()]), text);
        }
    }

    #[test]
    fn a_character_may_come_in_pieces() {
        let text = "é\u{9b}".as_bytes();
        assert_eq!(shown(Form::Commands, &[&text[..1], &text[1..3], &text[3..]]), "é\\u009b");
    }
}
