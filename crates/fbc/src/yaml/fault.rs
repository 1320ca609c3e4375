//! Why a document cannot be read, in our words and in those of yaml.v2.

use crate::budget::Spent;

/// yaml.v2's words for a character that it does not allow.
pub(super) const CONTROL_CHARACTER: &str = "control characters are not allowed";

/// What keeps a document from being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The byte that is shown to the user.
    pub(crate) at: usize,
    pub(crate) message: String,
    /// yaml.v2's words for it.
    go: Go,
}

/// How yaml.v2 words a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Go {
    /// An error at a place, whose line is counted last.
    At {
        words: &'static str,
        /// The byte whose line is named.
        at: usize,
        /// Whether one line more is counted, because the text ends in a line without a break.
        is_line_added: bool,
        /// The number of the first line.
        first: usize,
    },
    /// The whole text of an error.
    Text(String),
    /// yaml.v2 finds nothing wrong.
    Silent,
}

impl Fault {
    /// A fault without a line in yaml.v2's words.
    pub(crate) fn bare(at: usize, message: impl Into<String>, go: impl Into<String>) -> Self {
        Self { at, message: message.into(), go: Go::Text(go.into()) }
    }

    /// A value that does not fit its tag or that JSON cannot hold, in yaml.v2's words.
    pub(super) fn misfit(at: usize, go: String) -> Self {
        let message = format!("not valid as a catalog value: {}", go.trim_start_matches("json: "));
        Self::bare(at, message, go)
    }

    /// A character that yaml.v2 does not decode, in its words.
    pub(super) fn undecoded(at: usize, words: &'static str) -> Self {
        match words {
            CONTROL_CHARACTER => Self::bare(at, "a control character, which YAML does not allow", words),
            _ => Self::bare(at, format!("not valid YAML: {words}"), words),
        }
    }

    /// The document takes more memory than we allow.
    pub(super) fn spent(at: usize) -> Self {
        Self { at, message: format!("the document {} and is left out", Spent::MESSAGE), go: Go::Silent }
    }

    /// Whether that is the fault.
    pub(crate) fn is_spent(&self) -> bool {
        self.go == Go::Silent
    }

    /// An error of the scanner, shown at `place`; yaml.v2 names the line of `at`, counted from 1.
    pub(super) fn scanner(place: usize, words: &'static str, at: usize, is_line_added: bool) -> Self {
        let message = match words {
            _ if words.contains("a tab character") => Self::TAB.to_owned(),
            "exceeded max depth of 10000" => "nested too deeply".to_owned(),
            _ => format!("not valid YAML: {words}"),
        };
        Self { at: place, message, go: Go::At { words, at, is_line_added, first: 1 } }
    }

    /// A token at `at` where yaml.v2's parser, which counts lines from 0, expects another one.
    pub(super) fn parser(at: usize, words: &'static str, is_line_added: bool) -> Self {
        Self { at, message: format!("not valid YAML: {words}"), go: Go::At { words, at, is_line_added, first: 0 } }
    }

    const TAB: &str = "a tab, where YAML allows only spaces";

    /// Says that a tab is at fault.
    pub(super) fn of_tab(self) -> Self {
        Self { message: Self::TAB.to_owned(), ..self }
    }

    /// Adds the number of the line, and moves the fault to a byte of the file; the document is read from `text[start..]`.
    pub(super) fn name_line(self, text: &str, start: usize, lines: Lines) -> Self {
        let Go::At { words, at, is_line_added, first } = self.go else { return self };
        let number = lines.count(&text[start..at]) + usize::from(is_line_added);
        // yaml.v2 does not name the first line (`decode.go`, `fail`).
        let go = if number == 0 { words.to_owned() } else { format!("line {}: {words}", number + first) };
        Self { go: Go::Text(go), ..self }
    }

    /// The text that `opm` prints, if it does.
    pub(crate) fn opm(&self) -> Option<String> {
        Some(format!("error converting YAML to JSON: {}", self.go_words()?))
    }

    /// The error text of sigs.k8s.io/yaml.
    pub(crate) fn go_words(&self) -> Option<String> {
        match &self.go {
            Go::Silent => None,
            Go::Text(words) if words.starts_with("json: ") || words.starts_with("unsupported map key") => {
                Some(words.clone())
            }
            Go::Text(words) => Some(format!("yaml: {words}")),
            Go::At { words, .. } => Some(format!("yaml: {words}")),
        }
    }
}

/// The first byte of a character that yaml.v2 does not allow in a stream (`readerc.go`).
pub(super) fn unprintable(text: &str) -> Option<usize> {
    const BLOCK: usize = 256;
    let blocks = text.as_bytes().chunks(BLOCK).enumerate();
    let has = |block: &[u8], is: fn(u8) -> bool| block.iter().fold(false, |found, &byte| found | is(byte));
    let mut unusual = blocks.filter(|(_, block)| has(block, is_unusual) && has(block, is_suspicious));
    unusual.find_map(|(index, _)| {
        let start = text.floor_char_boundary(index * BLOCK);
        let end = text.ceil_char_boundary((index + 1) * BLOCK);
        text[start..end].char_indices().find(|&(_, c)| forbidden(c)).map(|(at, _)| start + at)
    })
}

/// Whether the byte is anything but a printable character of ASCII or a line feed. Most blocks have no such byte, and this
/// takes fewer comparisons than [`is_suspicious`]; both do without branches, so that many bytes are looked at at once.
const fn is_unusual(byte: u8) -> bool {
    (byte.wrapping_sub(b' ') > b'~' - b' ') & (byte != b'\n')
}

/// Whether the byte can begin a forbidden character.
const fn is_suspicious(byte: u8) -> bool {
    let control = (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r');
    control | (byte == 0x7f) | (byte == 0xc2) | (byte == 0xef)
}

fn forbidden(c: char) -> bool {
    matches!(c, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\x7f'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
}

// How yaml.v2 gets its input: in blocks, as lines or whole, and what it has seen of it.

/// How many bytes yaml.v2 decodes at once (`readerc.go`, `input_raw_buffer_size`).
pub(crate) const BLOCK: usize = 512;

/// How many characters it looks at behind the first of a token.
pub(super) const AHEAD: usize = 3;

/// How a text comes to yaml.v2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    Whole,
    /// As lines, which lose one `\r` before the line feed.
    PassedOn,
}

impl Lines {
    /// How many lines end in a text, with the line breaks of YAML 1.1.
    pub(super) fn count(self, text: &str) -> usize {
        let breaks =
            text.matches(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).count() - text.matches("\r\n").count();
        match self {
            Self::Whole => breaks,
            Self::PassedOn => breaks - text.matches("\r\r\n").count(),
        }
    }
}

/// What is behind the end of a text, where yaml.v2 cannot decode its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Undecoded {
    /// yaml.v2's words for it.
    pub(crate) words: &'static str,
    /// The byte of the text that is decoded together with it.
    pub(crate) block: usize,
}

impl Undecoded {
    /// Whether yaml.v2 has come to it when its scanner has come to `position` of the text.
    pub(crate) fn is_seen(self, text: &str, position: usize) -> bool {
        let between = text.get(position..self.block).unwrap_or_default();
        between.chars().take(AHEAD).count() < AHEAD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_found_anywhere() {
        let long = "x".repeat(300);
        assert_eq!(unprintable(&format!("{long}\0")), Some(300));
        assert_eq!(unprintable("é: \u{7f}"), Some(4));
        assert_eq!(unprintable("é\u{85}\u{a0}\u{feff}\tß\r\n"), None);
        assert_eq!(unprintable(&format!("{}\u{ffff}", "é".repeat(200))), Some(400));
    }
}
