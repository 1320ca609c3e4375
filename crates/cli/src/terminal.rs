//! Text for people: its colours and its width.

use crate::args::ColourChoice;
use std::io::{self, IsTerminal};

/// The width where nobody says one, as in a pipe, and the largest width of a paragraph.
const WIDTH: usize = 100;
/// The smallest width that is kept; text that is broken more often cannot be read.
const NARROWEST: usize = 24;

/// How text is written.
#[derive(Clone, Copy)]
pub(crate) struct Terminal {
    /// Whether it has colours.
    pub(crate) has_colour: bool,
    /// The number of characters in a line.
    pub(crate) width: usize,
}

/// The look of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    Plain,
    Bold,
    Dim,
    Good,
    Warning,
    Bad,
    Hint,
}

impl Terminal {
    /// Standard output, with or without colours.
    pub(crate) fn of_stdout(colour: ColourChoice) -> Self {
        let has_colour = match colour {
            ColourChoice::Always => true,
            ColourChoice::Never => false,
            ColourChoice::Auto => wants_colour(),
        };
        Self { has_colour, width: columns().unwrap_or(WIDTH).max(NARROWEST) }
    }

    pub(crate) fn painted(self, paint: Paint, text: &str) -> String {
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
    pub(crate) fn paragraph(self, lead: &str, paint: Paint, text: &str) -> String {
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
