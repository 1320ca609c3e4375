//! Writes headings, paragraphs and lists of an answer for people.

use crate::places::Inputs;
use crate::table::Table;
use crate::terminal::{Paint, Terminal};
use source::one_line;
use std::io::{self, Write};
use views::{Place, ReasonView};

/// Writes an answer.
pub(crate) struct Printer<'p> {
    out: &'p mut dyn Write,
    terminal: Terminal,
    inputs: &'p Inputs,
    /// Whether anything was written, so that an empty line separates what follows.
    started: bool,
}

impl<'p> Printer<'p> {
    pub(crate) fn new(out: &'p mut dyn Write, terminal: Terminal, inputs: &'p Inputs) -> Self {
        Self { out, terminal, inputs, started: false }
    }

    /// An empty line, unless it would be the first.
    pub(crate) fn gap(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.started, true) { writeln!(self.out) } else { Ok(()) }
    }

    /// An empty line, and a text in bold.
    pub(crate) fn heading(&mut self, paint: Paint, text: &str) -> io::Result<()> {
        self.gap()?;
        let shown = self.terminal.paragraph("", Paint::Plain, &one_line(text));
        let lines: Vec<String> = shown.lines().map(|line| self.terminal.painted(paint, line)).collect();
        writeln!(self.out, "{}", lines.join("\n"))
    }

    /// A paragraph behind a label or mark. Its further lines begin below the end of the label.
    pub(crate) fn line(&mut self, lead: &str, paint: Paint, text: &str) -> io::Result<()> {
        self.started = true;
        writeln!(self.out, "{}", self.terminal.paragraph(lead, paint, &one_line(text)).trim_end())
    }

    /// A sentence with its place.
    pub(crate) fn sentence(&mut self, lead: &str, text: &str, place: Option<Place>) -> io::Result<()> {
        self.labelled(lead, Paint::Plain, text, place)
    }

    /// A sentence with its place, behind a label.
    pub(crate) fn labelled(&mut self, lead: &str, paint: Paint, text: &str, place: Option<Place>) -> io::Result<()> {
        let place = place.filter(|place| !self.inputs.is_without_file(*place));
        let place = place.map(|place| format!(" ({})", self.inputs.shown(place))).unwrap_or_default();
        self.line(lead, paint, &(text.to_owned() + &place))
    }

    /// Reasons, an item each.
    pub(crate) fn reasons(&mut self, lead: &str, rows: &[ReasonView]) -> io::Result<()> {
        rows.iter().try_for_each(|row| self.sentence(lead, &row.text, row.place))
    }

    /// Text that is printed as it is, behind blanks.
    pub(crate) fn verbatim(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| writeln!(self.out, "    {}", one_line(line)))
    }

    /// An empty line, and a table.
    pub(crate) fn table(&mut self, table: &Table) -> io::Result<()> {
        self.gap()?;
        table.write(self.out, self.terminal)
    }
}
