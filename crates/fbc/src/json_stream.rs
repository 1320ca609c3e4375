//! Concatenated JSON values, and what follows when one of them is broken.

use crate::meta::Syntax;
use crate::parse::Reader;
use crate::stream::yaml_pieces;
use crate::{json, stream::Piece};
use serde_json::value::RawValue;

/// Up to how many documents `opm` takes up a broken JSON stream as YAML.
const YAML_AFTER: usize = 1;

/// Where a JSON stream broke.
struct Broken {
    /// The end of the last good document.
    after: usize,
    /// The offending byte.
    at: usize,
    /// Go's words for it.
    go: String,
    /// The text ended too early.
    truncated: bool,
}

impl Reader<'_> {
    /// Reads the text as concatenated JSON.
    pub(crate) fn json(&mut self) {
        let mut from = 0;
        let mut read = 0;
        while let Some(broken) = self.json_until_broken(from, &mut read) {
            if read <= YAML_AFTER && !broken.truncated && self.goes_on_as_yaml(&broken) {
                return;
            }
            let opm = match read <= YAML_AFTER && !broken.truncated {
                true => format!("json: offset {}: {}", broken.at + 1, broken.go),
                false => broken.go.clone(),
            };
            self.broken(broken.after..self.text.len(), broken.at, format!("not valid JSON: {}", broken.go), opm);
            match self.next_start(broken.at.max(from + 1)) {
                Some(next) if self.text[next..].starts_with('{') => from = next,
                Some(next) => return self.yaml(next),
                None => return,
            }
            // Whatever follows was never reached by `opm`; do not try it as YAML.
            read = YAML_AFTER + 1;
        }
    }

    fn json_until_broken(&mut self, from: usize, read: &mut usize) -> Option<Broken> {
        let text = self.text;
        let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter::<&RawValue>();
        let mut after = from;
        while let Some(value) = values.next() {
            match value {
                Ok(raw) => {
                    let open_all = self.trees.is_some();
                    let mut reader = json::Reader::new(self.file, text, open_all);
                    let node = reader.document(raw);
                    self.parse.diagnostics.append(&mut reader.diagnostics);
                    self.document(node, Syntax::Json, &reader.fitting);
                    *read += 1;
                    after = from + values.byte_offset();
                }
                Err(error) => return Some(broken(text, from, after, &error)),
            }
        }
        None
    }

    /// Reads what follows the last good document as YAML if that works for its first document.
    fn goes_on_as_yaml(&mut self, broken: &Broken) -> bool {
        let rest = &self.text[broken.after..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        let newline = usize::from(rest[blanks..].starts_with('\n'));
        let start = broken.after + blanks + newline;
        match yaml_pieces(self.text, start).first() {
            Some(Piece::Chunk(first)) => {
                let first = first.clone();
                if self.chunk(first.clone()).is_err() {
                    return false;
                }
                self.yaml_from_separator(first.end);
                true
            }
            Some(Piece::InvalidSeparator(_)) => false,
            None => true,
        }
    }

    /// Goes on at the separator that ended the last chunk.
    fn yaml_from_separator(&mut self, separator: usize) {
        let line = self.text[separator..].find('\n').map_or(self.text.len(), |at| separator + at + 1);
        self.yaml(line);
    }

    /// The first line from `at` on that looks like the start of a document.
    fn next_start(&self, at: usize) -> Option<usize> {
        let from = self.text.floor_char_boundary(at.saturating_sub(1));
        let mut lines = memchr::memchr_iter(b'\n', &self.text.as_bytes()[from..]).map(|newline| from + newline + 1);
        lines.find(|&line| self.text[line..].starts_with('{') || self.text[line..].starts_with("---"))
    }
}

fn broken(text: &str, from: usize, after: usize, error: &serde_json::Error) -> Broken {
    let truncated = error.is_eof();
    let line = match error.line() {
        0 | 1 => from,
        line => memchr::memchr_iter(b'\n', &text.as_bytes()[from..]).nth(line - 2).map_or(from, |at| from + at + 1),
    };
    let at = if truncated { text.len() } else { (line + error.column().saturating_sub(1)).min(text.len()) };
    let at = text.floor_char_boundary(at);
    Broken { after, at, go: go_words(&error.to_string(), &text[at..]), truncated }
}

/// What Go's scanner says where `serde_json` says `words` about the character at the start of `rest`.
fn go_words(words: &str, rest: &str) -> String {
    let Some(c) = rest.chars().next().filter(|_| !words.starts_with("EOF")) else { return "unexpected EOF".to_owned() };
    let context = match words {
        _ if words.starts_with("key must be a string") => "looking for beginning of object key string",
        _ if words.starts_with("trailing comma") && c == '}' => "looking for beginning of object key string",
        _ if words.starts_with("expected `:`") => "after object key",
        _ if words.starts_with("expected `,` or `}`") => "after object key:value pair",
        _ if words.starts_with("expected `,` or `]`") => "after array element",
        _ if words.starts_with("invalid number") => "in numeric literal",
        _ if words.starts_with("control character") => "in string literal",
        _ if words.starts_with("invalid escape") => "in string escape code",
        _ => "looking for beginning of value",
    };
    format!("invalid character {} {context}", quoted(c))
}

/// A character as Go quotes it in its errors.
fn quoted(c: char) -> String {
    match c {
        '\'' => r"'\''".to_owned(),
        '"' => "'\"'".to_owned(),
        _ => format!("'{}'", c.escape_debug()),
    }
}
