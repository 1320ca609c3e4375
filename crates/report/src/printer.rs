//! Writes headings, paragraphs and lists of an answer for people.

use crate::item::{Block, Item, Report, Spot};
use crate::table::Table;
use crate::terminal::{Paint, Terminal};
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

/// Writes an answer.
///
/// Its methods fail as its writer does.
pub struct Printer<'p> {
    out: &'p mut dyn Write,
    terminal: Terminal,
    places: &'p dyn Places,
    /// Whether anything was written, so that an empty line separates what follows.
    started: bool,
}

impl<'p> Printer<'p> {
    /// Nothing is written yet.
    pub fn new(out: &'p mut dyn Write, terminal: Terminal, places: &'p dyn Places) -> Self {
        Self { out, terminal, places, started: false }
    }

    /// An empty line, unless it would be the first.
    pub fn gap(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.started, true) { writeln!(self.out) } else { Ok(()) }
    }

    /// An empty line, and a text in bold.
    pub fn heading(&mut self, paint: Paint, text: &str) -> io::Result<()> {
        self.gap()?;
        let shown = self.terminal.paragraph("", Paint::Plain, &one_line(text));
        let lines: Vec<String> = shown.lines().map(|line| self.terminal.painted(paint, line)).collect();
        writeln!(self.out, "{}", lines.join("\n"))
    }

    /// A paragraph behind a label or mark. Its further lines begin below the end of the label.
    pub fn line(&mut self, lead: &str, paint: Paint, text: &str) -> io::Result<()> {
        self.started = true;
        writeln!(self.out, "{}", self.terminal.paragraph(lead, paint, &one_line(text)).trim_end())
    }

    /// A sentence with its place.
    pub fn sentence(&mut self, lead: &str, text: &str, place: Option<Place>) -> io::Result<()> {
        self.labelled(lead, Paint::Plain, text, place)
    }

    /// A sentence with its place, behind a label.
    pub fn labelled(&mut self, lead: &str, paint: Paint, text: &str, place: Option<Place>) -> io::Result<()> {
        let place = place.and_then(|place| self.places.spot(place));
        let place = place.map(|place| format!(" ({})", place.shown())).unwrap_or_default();
        self.line(lead, paint, &(text.to_owned() + &place))
    }

    /// Reasons, an item each.
    pub fn reasons(&mut self, lead: &str, rows: &[ReasonView]) -> io::Result<()> {
        rows.iter().try_for_each(|row| self.sentence(lead, &row.text, row.place))
    }

    /// Text that is printed as it is, behind blanks.
    pub fn verbatim(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| writeln!(self.out, "    {}", one_line(line)))
    }

    /// An empty line, and a table.
    pub fn table(&mut self, table: &Table) -> io::Result<()> {
        self.gap()?;
        table.write(self.out, self.terminal)
    }

    /// A report: its parts, and then its summary and remarks.
    pub fn report(&mut self, report: &Report) -> io::Result<()> {
        self.blocks(&report.blocks)?;
        report.summary.iter().chain(&report.remarks).try_for_each(|sentence| self.heading(Paint::Dim, sentence))
    }

    fn blocks(&mut self, blocks: &[Block]) -> io::Result<()> {
        blocks.iter().try_for_each(|block| match block {
            Block::Heading(title) => self.heading(Paint::Bold, title),
            Block::Line(text) => self.line("", Paint::Plain, text),
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
