//! Why a document cannot be read, in our words and in those of yaml.v2.

use crate::budget::Spent;
use saphyr_parser::ScanError;

/// A syntax error in one chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The byte at which reading stopped.
    pub(crate) at: usize,
    /// What is wrong.
    pub(crate) message: String,
    /// yaml.v2's words for it.
    pub(crate) go: Go,
}

/// How yaml.v2 words a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Go {
    /// `yaml: line N: ...`, where the scanner counts lines from 1 and the parser from 0.
    Line {
        words: &'static str,
        /// The byte whose line is told.
        at: usize,
        counts_from: u32,
    },
    /// Words without a line.
    Bare(String),
    /// yaml.v2 finds nothing wrong.
    Silent,
}

/// Words of saphyr-parser, words of yaml.v2 (`scannerc.go`, `parserc.go`), and from where that part counts lines.
const WORDS: [(&str, &str, u32); 19] = [
    ("mapping values are not allowed", "mapping values are not allowed in this context", 1),
    ("block sequence entries are not allowed", "block sequence entries are not allowed in this context", 1),
    ("simple key expect", "could not find expected ':'", 1),
    ("scalar, found unexpected end of stream", "found unexpected end of stream", 1),
    ("found unexpected document indicator", "found unexpected document indicator", 1),
    ("unknown escape character", "found unknown escape character", 1),
    ("invalid Unicode character escape", "found invalid Unicode character escape code", 1),
    ("<document start>", "did not find expected <document start>", 0),
    ("<document-start>", "did not find expected <document start>", 0),
    ("trailing content", "did not find expected key", 0),
    ("expected hexadecimal number", "did not find expected hexdecimal number", 1),
    ("plain scalar, found a tab", "found a tab character that violates indentation", 1),
    ("tab", "found character that cannot start any token", 1),
    ("unexpected character", "found character that cannot start any token", 1),
    ("expected alphabetic or numeric", "did not find expected alphabetic or numeric character", 1),
    ("expected ',' or ']'", "did not find expected ',' or ']'", 0),
    ("expected ',' or '}'", "did not find expected ',' or '}'", 0),
    ("expected '-' indicator", "did not find expected '-' indicator", 0),
    ("expected key", "did not find expected key", 0),
];

impl Fault {
    /// A fault without a line in yaml.v2's words.
    pub(crate) fn bare(at: usize, message: impl Into<String>, go: impl Into<String>) -> Self {
        Self { at, message: message.into(), go: Go::Bare(go.into()) }
    }

    /// A scalar that does not fit its tag or that JSON cannot hold, in yaml.v2's words.
    pub(super) fn misfit(at: usize, go: String) -> Self {
        let message = format!("not valid as a catalog value: {}", go.trim_start_matches("json: "));
        Self::bare(at, message, go)
    }

    pub(super) fn control_character(at: usize) -> Self {
        Self::bare(at, "a control character, which YAML does not allow", "control characters are not allowed")
    }

    /// More than we keep.
    pub(super) fn spent(at: usize) -> Self {
        Self { at, message: Spent::MESSAGE.to_owned(), go: Go::Silent }
    }

    /// A bracket that is nested deeper than yaml.v2 reads.
    pub(super) fn too_deep(at: usize) -> Self {
        Self::bare(at, "nested too deeply", "exceeded max depth of 10000")
    }

    /// Text at the column of keys that is none.
    pub(super) fn no_colon(at: usize) -> Self {
        let words = "could not find expected ':'";
        let message = "not valid YAML: what stands at the column of the keys before this line must be a key".to_owned();
        Self { at, message, go: Go::Line { words, at, counts_from: 1 } }
    }

    /// What stands at `at` and yaml.v2 takes no token from, or not this one: `words` of its scanner.
    pub(super) fn scanner(at: usize, message: &str, words: &'static str) -> Self {
        Self { at, message: format!("not valid YAML: {message}"), go: Go::Line { words, at, counts_from: 1 } }
    }

    /// A token at `at` where yaml.v2 expects another one: `words` of its parser.
    pub(super) fn parser(at: usize, message: &str, words: &'static str) -> Self {
        Self { at, message: format!("not valid YAML: {message}"), go: Go::Line { words, at, counts_from: 0 } }
    }

    /// Whether the text itself is wrong, not what it says.
    pub(super) fn is_syntax(&self) -> bool {
        match &self.go {
            Go::Line { .. } => true,
            Go::Bare(words) => words.starts_with("exceeded max depth"),
            Go::Silent => false,
        }
    }

    /// Whether yaml.v2 says on which line it is.
    pub(super) const fn has_line(&self) -> bool {
        matches!(self.go, Go::Line { .. })
    }

    /// Whether yaml.v2 finds it while it looks for tokens, before it puts them together.
    pub(super) fn is_of_scanner(&self) -> bool {
        matches!(self.go, Go::Line { counts_from: 1, .. })
    }

    /// The same fault of a text that stands at `base`.
    pub(super) fn shifted(self, base: usize) -> Self {
        self.moved(|at| base + at)
    }

    /// The same fault of a text whose bytes stand elsewhere.
    pub(super) fn moved(mut self, place: impl Fn(usize) -> usize) -> Self {
        self.at = place(self.at);
        if let Go::Line { at, .. } = &mut self.go {
            *at = place(*at);
        }
        self
    }

    /// A fault that the event parser found at the byte `at` of a chunk that begins at `base`.
    pub(super) fn scan(at: usize, base: usize, chunk: &str, error: &ScanError) -> Self {
        let info = error.info();
        if info.contains("unknown anchor") {
            let name = anchor_name(&chunk[at - base..]);
            let go = format!("unknown anchor '{name}' referenced");
            return Self::bare(at, format!("no anchor `&{name}` stands before this alias"), go);
        }
        if info.contains("recursion limit") {
            return Self::too_deep(at);
        }
        let known = WORDS.iter().find(|(words, ..)| info.contains(words));
        let (words, counts_from) =
            known.map_or(("did not find expected node content", 0), |&(_, words, from)| (words, from));
        if !info.contains("tab") {
            // The place of text that never ends is its start, but yaml.v2 tells where it looked last.
            let told = if words == "found unexpected end of stream" { base + chunk.len() } else { at };
            let go = Go::Line { words, at: told, counts_from };
            return Self { at, message: format!("not valid YAML: {words}"), go };
        }
        let at = base + tab_near(chunk, at - base);
        let go = Go::Line { words, at, counts_from };
        Self { at, message: "a tab, where YAML allows only spaces".to_owned(), go }
    }

    /// The text that `opm` prints, if it does; `chunk` is the text of the chunk, in which it counts lines, and `start` its
    /// first byte.
    pub(crate) fn opm(&self, chunk: &str, start: usize) -> Option<String> {
        Some(format!("error converting YAML to JSON: {}", self.go_words(chunk, start)?))
    }

    /// What sigs.k8s.io/yaml says.
    pub(crate) fn go_words(&self, chunk: &str, start: usize) -> Option<String> {
        Some(match &self.go {
            Go::Silent => return None,
            Go::Bare(words) if words.starts_with("json: ") || words.starts_with("unsupported map key") => words.clone(),
            Go::Bare(words) => format!("yaml: {words}"),
            Go::Line { words, at, counts_from } => {
                let before = &chunk.as_bytes()[..(at - start).min(chunk.len())];
                let feeds = before.iter().filter(|&&byte| byte == b'\n').count();
                // The first line is never told (yaml.v2 `decode.go`, `fail`).
                match (feeds + super::breaks::count(before)) as u32 {
                    0 => format!("yaml: {words}"),
                    line => format!("yaml: line {}: {words}", line + counts_from),
                }
            }
        })
    }
}

/// The offending tab: the last one before `at` on its line, or else, because the mark may be that of the scalar that the
/// tab ends, the first one behind it.
fn tab_near(chunk: &str, at: usize) -> usize {
    let line = chunk[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let before = chunk[line..at].rfind('\t').map(|tab| line + tab);
    before.or_else(|| chunk[at..].find('\t').map(|tab| at + tab)).unwrap_or(at)
}

/// The name of the anchor or alias at the start of `text`.
pub(super) fn anchor_name(text: &str) -> &str {
    let name = text.trim_start_matches(['*', '&']);
    name.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_')).next().unwrap_or_default()
}

/// The first byte of a character that yaml.v2 does not allow in a stream (`readerc.go`).
pub(super) fn unprintable(text: &str) -> Option<usize> {
    const BLOCK: usize = 256;
    let blocks = text.as_bytes().chunks(BLOCK).enumerate();
    let mut dirty = blocks.filter(|(_, block)| block.iter().fold(false, |dirty, &byte| dirty | suspicious(byte)));
    dirty.find_map(|(index, _)| {
        let start = text.floor_char_boundary(index * BLOCK);
        let end = text.ceil_char_boundary((index + 1) * BLOCK);
        text[start..end].char_indices().find(|&(_, c)| forbidden(c)).map(|(at, _)| start + at)
    })
}

/// Whether the byte can begin a forbidden character; without branches, so that many bytes are looked at at once.
const fn suspicious(byte: u8) -> bool {
    let control = (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r');
    control | (byte == 0x7f) | (byte == 0xc2) | (byte == 0xef)
}

fn forbidden(c: char) -> bool {
    matches!(c, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\x7f'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
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
