//! Tables that keep to the width of the terminal: columns that do not fit become further blocks, and long cells are broken
//! over several lines. Nothing is left out.

use crate::printer::{Paint, Terminal};
use source::{markdown, one_line};
use std::io::{self, Write};

/// Blanks between two columns.
const GAP: usize = 2;
/// The smallest width of a column.
const NARROWEST: usize = 8;

/// A table whose first column labels the rows.
#[derive(Default)]
pub struct Table {
    titles: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// A cell.
pub struct Cell {
    text: String,
    paint: Paint,
}

impl Cell {
    /// A cell whose control characters are escaped.
    pub fn new(paint: Paint, text: &str) -> Self {
        Self { text: one_line(text).into_owned(), paint }
    }

    /// A cell without a colour.
    pub fn plain(text: &str) -> Self {
        Self::new(Paint::Plain, text)
    }
}

impl Table {
    /// A table with these titles.
    pub fn new<'t>(titles: impl IntoIterator<Item = &'t str>) -> Self {
        Self::with_titles(titles.into_iter().map(|title| vec![title]))
    }

    /// A table with titles of several lines.
    pub fn with_titles<'t>(titles: impl IntoIterator<Item = Vec<&'t str>>) -> Self {
        let title = |lines: Vec<&str>| lines.into_iter().map(one_line).collect::<Vec<_>>().join("\n");
        Self { titles: titles.into_iter().map(title).collect(), rows: Vec::new() }
    }

    /// Adds a row, which has a cell for each title.
    pub fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the table, with as many blocks of columns side by side as the terminal is wide.
    pub fn write(&self, out: &mut dyn Write, terminal: Terminal) -> io::Result<()> {
        for (number, columns) in self.blocks(terminal.width).into_iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            self.write_block(out, terminal, &columns)?;
        }
        Ok(())
    }

    /// The table in Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let titles = line(self.titles.iter().map(|title| markdown(title)).collect());
        let rule = line(vec!["---".to_owned(); self.titles.len()]);
        let rows = self.rows.iter().map(|row| line(row.iter().map(|cell| markdown(&cell.text)).collect()));
        [titles, rule].into_iter().chain(rows).collect()
    }

    /// The columns of each block; the first column is in all of them.
    fn blocks(&self, most: usize) -> Vec<Vec<usize>> {
        let mut blocks: Vec<Vec<usize>> = vec![vec![0]];
        let mut width = self.natural_width(0);
        for column in 1..self.titles.len() {
            let more = GAP + self.natural_width(column);
            let last = blocks.len() - 1;
            if width + more > most && blocks[last].len() > 1 {
                blocks.push(vec![0, column]);
                width = self.natural_width(0) + more;
            } else {
                blocks[last].push(column);
                width += more;
            }
        }
        blocks
    }

    fn natural_width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.text.as_str());
        let lines = cells.chain([self.titles[column].as_str()]).flat_map(str::lines);
        lines.map(|line| line.chars().count()).max().unwrap_or_default()
    }

    /// The widths of the columns, of which the widest give way until all fit.
    fn widths(&self, columns: &[usize], most: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = columns.iter().map(|&column| self.natural_width(column)).collect();
        let mut excess = (widths.iter().sum::<usize>() + GAP * (widths.len() - 1)).saturating_sub(most);
        while let Some(widest) = widths.iter_mut().max().filter(|widest| excess > 0 && **widest > NARROWEST) {
            *widest -= 1;
            excess -= 1;
        }
        widths
    }

    fn write_block(&self, out: &mut dyn Write, terminal: Terminal, columns: &[usize]) -> io::Result<()> {
        let widths = self.widths(columns, terminal.width);
        let titles = columns.iter().map(|&column| (self.titles[column].as_str(), Paint::Bold)).collect();
        write_row(out, terminal, titles, &widths)?;
        for row in &self.rows {
            let cells = columns.iter().filter_map(|&column| row.get(column));
            write_row(out, terminal, cells.map(|cell| (cell.text.as_str(), cell.paint)).collect(), &widths)?;
        }
        Ok(())
    }
}

fn write_row(out: &mut dyn Write, terminal: Terminal, cells: Vec<(&str, Paint)>, widths: &[usize]) -> io::Result<()> {
    let cells: Vec<(Vec<&str>, Paint)> =
        cells.into_iter().zip(widths).map(|((text, paint), width)| (broken(text, *width), paint)).collect();
    let height = cells.iter().map(|(lines, _)| lines.len()).max().unwrap_or(1);
    for line in 0..height {
        let (mut shown, mut blanks) = (String::new(), 0);
        for ((lines, paint), width) in cells.iter().zip(widths) {
            let text = lines.get(line).copied().unwrap_or_default();
            if !text.is_empty() {
                shown += &" ".repeat(std::mem::take(&mut blanks));
                shown += &terminal.painted(*paint, text);
            }
            blanks += width.saturating_sub(text.chars().count()) + GAP;
        }
        writeln!(out, "{shown}")?;
    }
    Ok(())
}

/// The lines of a text, each cut into pieces of at most `width` characters, behind a blank, or else behind a mark of punctuation
/// that does not stand in a version.
fn broken(text: &str, width: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    for mut line in text.lines() {
        while let Some((end, _)) = line.char_indices().nth(width) {
            let head = &line[..end];
            let is_in_version = |at: usize| {
                line[at..].starts_with('.') && line[at + 1..].starts_with(|next: char| next.is_ascii_digit())
            };
            let mut marks =
                head.rmatch_indices(['.', '-', '/', ',']).map(|(at, _)| at).filter(|at| !is_in_version(*at));
            let cut = head.rfind(' ').or_else(|| marks.next()).map_or(end, |at| at + 1);
            pieces.push(line[..cut].trim_end());
            line = &line[cut..];
        }
        pieces.push(line);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(table: &Table, width: usize) -> String {
        let mut out = Vec::new();
        table.write(&mut out, Terminal { has_colour: false, width }).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn table(titles: &[&[&str]], rows: &[&[&str]]) -> Table {
        let mut table = Table::with_titles(titles.iter().map(|lines| lines.to_vec()));
        rows.iter().for_each(|row| table.push(row.iter().map(|text| Cell::plain(text)).collect()));
        table
    }

    #[test]
    fn columns_are_aligned() {
        let table =
            table(&[&["step"], &["installs"], &["from"]], &[&["1", "etcd.v1.0.0", "stable"], &["2", "", "beta"]]);
        let expected = "step  installs     from\n1     etcd.v1.0.0  stable\n2                  beta\n";
        assert_eq!(shown(&table, 80), expected);
    }

    #[test]
    fn columns_that_do_not_fit_become_another_block() {
        let table = table(&[&["installed"], &["stable", "1.1.0"], &["fast", "2.0.0"]], &[&["1.0.0", "1", "no path"]]);
        let expected = "installed  stable\n           1.1.0\n1.0.0      1\n\ninstalled  fast\n           2.0.0\n1.0.0      no path\n";
        assert_eq!(shown(&table, 24), expected);
    }

    #[test]
    fn a_long_cell_is_broken() {
        let table = table(&[&["step"], &["installs"]], &[&["1", "a-very-long-operator.v1.0.0-nightly-2024"]]);
        let expected = "step  installs\n1     a-very-long-\n      operator.v1.0.0-\n      nightly-2024\n";
        assert_eq!(shown(&table, 24), expected);
    }

    #[test]
    fn a_version_stays_in_one_piece() {
        let table = table(
            &[&["package"], &["heads"]],
            &[&["brine", "4.20 2.12.6 ✕, 4.21–4.22 2.13.0"], &["b", "brine.v2.13.0"]],
        );
        let expected =
            "package  heads\nbrine    4.20 2.12.6\n         ✕, 4.21–4.22\n         2.13.0\nb        brine.v2.13.0\n";
        assert_eq!(shown(&table, 22), expected);
    }

    #[test]
    fn markdown_shows_texts_as_they_are() {
        let shown = table(&[&["a|b"]], &[&["c|<d>"]]).to_markdown();
        assert_eq!(shown, "| a\\|b |\n| --- |\n| c\\|&lt;d&gt; |\n");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_terminal_and_no_text_is_lost(
            texts in proptest::collection::vec(proptest::collection::vec("[a-z.é-]{1,30}", 3), 0..6),
            width in 24usize..90,
        ) {
            let rows: Vec<Vec<&str>> = texts.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
            let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
            let shown = shown(&table(&[&["one"], &["two"], &["three"]], &rows), width);
            prop_assert!(shown.lines().all(|line| line.chars().count() <= width), "{}", shown);
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
            let (blocks, title) = (shown.split("\n\n").count(), letters("onetwothree"));
            let first: usize = texts.iter().map(|row| letters(&row[0])).sum();
            let all: usize = texts.iter().flatten().map(|text| letters(text)).sum();
            prop_assert_eq!(letters(&shown), title + all + (blocks - 1) * (first + letters("one")));
        }
    }
}
