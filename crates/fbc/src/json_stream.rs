//! Concatenated JSON values, and what follows when one of them is broken.

use crate::json;
use crate::meta::Syntax;
use crate::parse::Reader;
use crate::reading::Place;
use crate::stream::{Piece, yaml_piece};
use serde_json::value::RawValue;

/// Up to how many documents `opm` takes up a broken JSON stream as YAML.
const YAML_AFTER: usize = 1;

/// Where in a stream of JSON values reading goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct JsonStream {
    /// The first byte behind the last value.
    pub(crate) from: usize,
    /// How many values were read.
    read: usize,
}

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
    /// Reads one of concatenated JSON values. Where reading goes on; nothing at the end.
    pub(crate) fn json(&mut self, stream: JsonStream) -> Option<Place> {
        let JsonStream { from, read } = stream;
        let text = self.text;
        let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter::<&RawValue>();
        match values.next()? {
            Ok(raw) => {
                let mut reader = json::Reader::new(self.file, text, self.found.trees.is_some());
                let node = reader.document(raw);
                match reader.is_spent() {
                    true => self.left_out(node.span),
                    false => self.document(node, Syntax::Json, &reader.fitting, reader.diagnostics),
                }
                Some(Place::Json(JsonStream { from: from + values.byte_offset(), read: read + 1 }))
            }
            Err(error) => self.json_broke(&broken(text, from, &error), read),
        }
    }

    /// Goes on behind what `opm` rejects, or as YAML where `opm` does.
    fn json_broke(&mut self, broken: &Broken, read: usize) -> Option<Place> {
        let is_early = read <= YAML_AFTER && !broken.truncated;
        if is_early && let Some(next) = self.goes_on_as_yaml(broken) {
            return Some(Place::Yaml(next));
        }
        let opm = match is_early {
            true => format!("json: offset {}: {}", broken.at + 1, broken.go),
            false => broken.go.clone(),
        };
        self.broken(broken.after..self.text.len(), broken.at, format!("not valid JSON: {}", broken.go), Some(opm));
        match self.next_start(broken.at.max(broken.after + 1))? {
            // Whatever follows was never reached by `opm`; do not try it as YAML.
            next if self.text[next..].starts_with('{') => {
                Some(Place::Json(JsonStream { from: next, read: YAML_AFTER + 1 }))
            }
            next => Some(Place::Yaml(next)),
        }
    }

    /// Reads what follows the last good document as YAML if that works for its first document. Where reading goes on.
    fn goes_on_as_yaml(&mut self, broken: &Broken) -> Option<usize> {
        let rest = &self.text[broken.after..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        let newline = usize::from(rest[blanks..].starts_with('\n'));
        let start = broken.after + blanks + newline;
        match yaml_piece(self.text, start) {
            Some(Piece { chunk, invalid_separator: None, next }) => self.chunk(chunk).ok().map(|()| next),
            Some(_) => None,
            None => Some(start),
        }
    }

    /// The first line from `at` on that looks like the start of a document.
    fn next_start(&self, at: usize) -> Option<usize> {
        let from = self.text.floor_char_boundary(at.saturating_sub(1));
        let mut lines = memchr::memchr_iter(b'\n', &self.text.as_bytes()[from..]).map(|newline| from + newline + 1);
        lines.find(|&line| self.text[line..].starts_with('{') || self.text[line..].starts_with("---"))
    }
}

fn broken(text: &str, from: usize, error: &serde_json::Error) -> Broken {
    let truncated = error.is_eof();
    let line = match error.line() {
        0 | 1 => from,
        line => memchr::memchr_iter(b'\n', &text.as_bytes()[from..]).nth(line - 2).map_or(from, |at| from + at + 1),
    };
    let at = if truncated { text.len() } else { (line + error.column().saturating_sub(1)).min(text.len()) };
    let at = text.floor_char_boundary(at);
    Broken { after: from, at, go: go_words(&error.to_string(), &text[at..]), truncated }
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
