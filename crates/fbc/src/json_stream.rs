//! Concatenated JSON values, and what follows when one of them is broken.

use crate::go_syntax::{StreamFault, is_too_deep, stream_fault};
use crate::json;
use crate::meta::Syntax;
use crate::parse::Reader;
use crate::reading::Place;
use crate::stream::{Piece, yaml_piece};
use serde_json::value::RawValue;

/// Up to how many documents `opm` takes up a broken JSON stream as YAML.
const YAML_AFTER: usize = 1;

impl Reader<'_> {
    /// Reads one of concatenated JSON values. Returns where reading goes on; `None` at the end.
    pub(crate) fn json(&mut self, from: usize, read: usize) -> Option<Place> {
        let text = self.text;
        let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter::<&RawValue>();
        match values.next()? {
            Ok(raw) if !is_too_deep(raw.get()) => {
                let mut reader = json::Reader::new(self.file, text, self.found.trees.is_some());
                let node = reader.document(raw);
                // A number that JSON cannot hold may be a text to YAML.
                let is_rejected = reader.diagnostics.has_error() && read <= YAML_AFTER;
                if is_rejected && let Some(next) = self.goes_on_as_yaml(from) {
                    return Some(Place::Yaml(next));
                }
                match reader.is_spent() {
                    true => self.too_large(node.span),
                    false => self.document(node, Syntax::Json, &reader.fitting, reader.diagnostics),
                }
                Some(Place::Json { from: from + values.byte_offset(), read: read + 1 })
            }
            Ok(_) | Err(_) => {
                let mut fault = stream_fault(&text[from..])?;
                fault.at += from;
                self.json_broke(from, &fault, read)
            }
        }
    }

    /// Goes on behind JSON that `opm` rejects, or as YAML where `opm` does. The last good document ends at `after`.
    fn json_broke(&mut self, after: usize, fault: &StreamFault, read: usize) -> Option<Place> {
        let StreamFault { at, words } = fault;
        let is_early = read <= YAML_AFTER && *at < self.text.len();
        if is_early && let Some(next) = self.goes_on_as_yaml(after) {
            return Some(Place::Yaml(next));
        }
        let opm = if is_early { format!("json: offset {}: {words}", at + 1) } else { words.clone() };
        let next = self.next_start((*at).max(after + 1));
        self.broken(after..next.unwrap_or(self.text.len()), *at, format!("not valid JSON: {words}"), Some(opm));
        match next? {
            // Whatever follows was never reached by `opm`; do not try it as YAML.
            next if self.text[next..].starts_with('{') => Some(Place::Json { from: next, read: YAML_AFTER + 1 }),
            next => Some(Place::Yaml(next)),
        }
    }

    /// Reads what follows the last good document, which ends at `after`, as YAML if that works for its first document. Where
    /// reading goes on.
    fn goes_on_as_yaml(&mut self, after: usize) -> Option<usize> {
        let rest = &self.text[after..];
        let blanks = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n').len();
        let newline = usize::from(rest[blanks..].starts_with('\n'));
        let start = after + blanks + newline;
        let Some(Piece { chunk, invalid_separator, next }) = yaml_piece(self.text, start) else { return Some(start) };
        let before = self.found.clone();
        let known = before.parse.diagnostics.len();
        let is_read = invalid_separator.is_none() && self.chunk(chunk).is_ok();
        let mut new = self.found.parse.diagnostics[known..].iter().filter_map(|finding| finding.opm.as_deref());
        if is_read && !new.any(|opm| opm.starts_with(Syntax::Yaml.prefix())) {
            return Some(next);
        }
        *self.found = before;
        None
    }

    /// The first line from `at` on that looks like the start of a document.
    fn next_start(&self, at: usize) -> Option<usize> {
        let from = self.text.floor_char_boundary(at.saturating_sub(1));
        let mut lines = memchr::memchr_iter(b'\n', &self.text.as_bytes()[from..]).map(|newline| from + newline + 1);
        lines.find(|&line| self.text[line..].starts_with('{') || self.text[line..].starts_with("---"))
    }
}
