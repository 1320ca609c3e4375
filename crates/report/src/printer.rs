//! Writes headings, paragraphs and lists of an answer for people.

use crate::item::{Block, Item, Report, Spot};
use crate::table::Table;
use source::one_line;
use std::io::{self, Write};
use views::{Place, ReasonView};

/// Says where places are.
pub trait Places {
    /// A place as the user can open it; `None` if nobody can.
    fn spot(&self, place: Place) -> Option<Spot>;
}

/// Knows no places, for answers without any.
impl Places for () {
    fn spot(&self, _: Place) -> Option<Spot> {
        None
    }
}

/// An answer for people, which is written part by part.
pub struct Answer<'p> {
    report: Report,
    places: &'p dyn Places,
}

impl<'p> Answer<'p> {
    /// Nothing is said yet.
    #[must_use]
    pub fn new(places: &'p dyn Places) -> Self {
        Self { report: Report::default(), places }
    }

    /// What was said.
    #[must_use]
    pub fn into_report(self) -> Report {
        self.report
    }

    /// An empty line.
    pub fn gap(&mut self) {
        self.report.blocks.push(Block::Gap);
    }

    /// The title of what follows.
    pub fn heading(&mut self, paint: Paint, text: &str) {
        self.report.blocks.push(Block::Heading(paint, text.to_owned()));
    }

    /// A text behind a label or mark.
    pub fn line(&mut self, lead: &str, paint: Paint, text: &str) {
        self.report.blocks.push(Block::Text { lead: lead.to_owned(), paint, text: text.to_owned() });
    }

    /// A sentence with its place.
    pub fn sentence(&mut self, lead: &str, text: &str, place: Option<Place>) {
        self.labelled(lead, Paint::Plain, text, place);
    }

    /// A sentence with its place, behind a label.
    pub fn labelled(&mut self, lead: &str, paint: Paint, text: &str, place: Option<Place>) {
        let place = place.and_then(|place| self.places.spot(place));
        let place = place.map(|place| format!(" ({})", place.shown())).unwrap_or_default();
        self.line(lead, paint, &(text.to_owned() + &place));
    }

    /// Reasons, a sentence each.
    pub fn reasons(&mut self, lead: &str, rows: &[ReasonView]) {
        rows.iter().for_each(|row| self.sentence(lead, &row.text, row.place));
    }

    /// Text of another program, as it is.
    pub fn verbatim(&mut self, text: &str) {
        self.report.blocks.push(Block::Verbatim(text.to_owned()));
    }

    /// Parts that are made elsewhere.
    pub fn blocks(&mut self, blocks: impl IntoIterator<Item = Block>) {
        self.report.blocks.extend(blocks);
    }
}

/// Writes a report on a terminal.
///
/// Its methods fail as its writer does.
pub struct Printer<'p> {
    out: &'p mut dyn Write,
    terminal: Terminal,
    /// Whether anything was written, so that an empty line separates what follows.
    started: bool,
}

impl<'p> Printer<'p> {
    /// Nothing is written yet.
    pub fn new(out: &'p mut dyn Write, terminal: Terminal) -> Self {
        Self { out, terminal, started: false }
    }

    /// An empty line, unless it would be the first.
    fn gap(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.started, true) { writeln!(self.out) } else { Ok(()) }
    }

    /// An empty line, and a text in bold.
    fn heading(&mut self, paint: Paint, text: &str) -> io::Result<()> {
        self.gap()?;
        let shown = self.terminal.paragraph("", Paint::Plain, &one_line(text));
        let lines: Vec<String> = shown.lines().map(|line| self.terminal.painted(paint, line)).collect();
        writeln!(self.out, "{}", lines.join("\n"))
    }

    /// A paragraph behind a label or mark. Its further lines begin below the end of the label.
    fn line(&mut self, lead: &str, paint: Paint, text: &str) -> io::Result<()> {
        self.started = true;
        writeln!(self.out, "{}", self.terminal.paragraph(lead, paint, &one_line(text)).trim_end())
    }

    /// Text that is printed as it is, behind blanks.
    fn verbatim(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| writeln!(self.out, "    {}", one_line(line)))
    }

    /// An empty line, and a table.
    fn table(&mut self, table: &Table) -> io::Result<()> {
        self.gap()?;
        table.write(self.out, self.terminal)
    }

    /// A report: its parts, and then its summary and remarks.
    pub fn report(&mut self, report: &Report) -> io::Result<()> {
        if let Some(paint) = report.decision {
            self.heading(paint, &report.title)?;
            if !report.about.is_empty() {
                self.line("", Paint::Plain, &report.about)?;
            }
            if !report.blocks.is_empty() {
                self.gap()?;
            }
            self.started = false;
        }
        self.blocks(&report.blocks)?;
        report.summary.iter().chain(&report.remarks).try_for_each(|sentence| self.heading(Paint::Dim, sentence))
    }

    fn blocks(&mut self, blocks: &[Block]) -> io::Result<()> {
        blocks.iter().try_for_each(|block| match block {
            Block::Heading(paint, title) => self.heading(*paint, title),
            Block::Text { lead, paint, text } => self.line(lead, *paint, text),
            Block::Gap => self.gap(),
            Block::Item(item) => self.item(item),
            Block::Table(table) => self.table(table),
            Block::Verbatim(text) => self.verbatim(text),
            Block::Folded { blocks, .. } => {
                self.gap()?;
                self.started = false;
                self.blocks(blocks)
            }
            Block::InMarkdown(_) | Block::Mermaid(_) | Block::Picture(_) => Ok(()),
        })
    }

    fn item(&mut self, item: &Item) -> io::Result<()> {
        let (sign, paint) = item.grade.sign();
        let rule = item.known_rule().map(|rule| format!(" ({rule})")).unwrap_or_default();
        let sentence = item.sentence.clone() + &rule;
        match &item.places[..] {
            [only] => self.line(&sign, paint, &format!("{sentence} ({})", only.shown()))?,
            _ => self.line(&sign, paint, &sentence)?,
        }
        for note in &item.notes {
            let label = if note.label.is_empty() { "    ".to_owned() } else { format!("    {}: ", note.label) };
            let place = note.place.as_ref().map(|place| format!(" ({})", place.shown())).unwrap_or_default();
            self.line(&label, Paint::Plain, &(note.text.clone() + &place))?;
        }
        if item.places.len() > 1 {
            self.line("    ", Paint::Plain, &item.all_places())?;
        }
        self.verbatim(&item.diff)?;
        item.commands.iter().try_for_each(|command| self.verbatim(command))
    }
}

// Text for people: its colours and its width.

/// The largest width of a paragraph.
const WIDTH: usize = 100;

/// How text is written.
#[derive(Clone, Copy)]
pub struct Terminal {
    /// Whether it has colours.
    pub has_colour: bool,
    /// The number of characters in a line.
    pub width: usize,
}

/// The look of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    Plain,
    Bold,
    Dim,
    Good,
    Warning,
    Bad,
    Hint,
}

impl Terminal {
    /// The text in a colour, if there are colours.
    #[must_use]
    pub fn painted(self, paint: Paint, text: &str) -> String {
        let code = match paint {
            Paint::Plain => return text.to_owned(),
            Paint::Bold => "1",
            Paint::Dim => "2",
            Paint::Good => "1;92",
            Paint::Warning => "1;33",
            Paint::Bad => "1;91",
            Paint::Hint => "1;96",
        };
        if self.has_colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// The text in lines, the first behind `lead`, the others below its end.
    #[must_use]
    pub fn paragraph(self, lead: &str, paint: Paint, text: &str) -> String {
        let indent = lead.chars().count();
        let most = self.width.min(WIDTH);
        let mut shown = self.painted(paint, lead);
        let mut column = indent;
        for (at, word) in text.split(' ').enumerate() {
            let length = word.chars().count();
            if at > 0 && column + 1 + length > most {
                shown += &format!("\n{:indent$}", "");
                column = indent;
            } else if at > 0 {
                shown.push(' ');
                column += 1;
            }
            shown.push_str(word);
            column += length;
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_keeps_to_the_width_below_its_lead() {
        let terminal = Terminal { has_colour: false, width: 24 };
        let shown = terminal.paragraph("  1. ", Paint::Bold, "`etcd.v1.1.0` requires package `store` twice");
        assert_eq!(shown, "  1. `etcd.v1.1.0`\n     requires package\n     `store` twice");
        assert!(shown.lines().all(|line| line.chars().count() <= 24));
        assert_eq!(terminal.paragraph("- ", Paint::Plain, ""), "- ");
    }

    #[test]
    fn only_a_terminal_with_colours_is_painted() {
        let plain = Terminal { has_colour: false, width: 80 };
        assert_eq!(plain.painted(Paint::Bad, "no"), "no");
        let coloured = Terminal { has_colour: true, width: 80 };
        assert_eq!(coloured.painted(Paint::Bad, "no"), "\x1b[1;91mno\x1b[0m");
        assert_eq!(coloured.painted(Paint::Bad, ""), "");
    }
}
