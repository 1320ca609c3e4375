//! Text for people: its colours and its width.

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
