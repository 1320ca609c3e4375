//! How keys and texts are written: plain, in quotes, in flow style, and with which line ends.

use crate::Node;
use crate::text_edit::first_key;

/// How far around a mapping its style is looked up, in bytes.
const AROUND: usize = 4096;

/// How the text around a mapping writes keys and texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    quotes: Quotes,
    /// Whether keys begin with a capital letter, as the fields of Go's structs do and those of many templates.
    is_capital: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotes {
    /// All of them are in double quotes, as in JSON.
    Json,
    /// What needs no quotes stands without, and other texts in this character.
    Yaml(char),
}

impl Style {
    /// That of JSON.
    pub(crate) const JSON: Self = Self { quotes: Quotes::Json, is_capital: false };

    /// How the text around a value is written: in JSON, or with the quotes of the nearest text before it or behind it.
    pub(crate) fn of(text: &str, value: &Node) -> Self {
        let key = first_key(value).map(|key| key.slice(text));
        let around = |from: usize, to: usize| {
            let (from, to) = (text.floor_char_boundary(from), text.ceil_char_boundary(to));
            &text[from..to]
        };
        let (start, end) = (value.span.start as usize, value.span.end as usize);
        let before = around(start.saturating_sub(AROUND), start);
        let behind = around(start, (end + AROUND).min(text.len()));
        let quote = |text: &str, at: usize| text[at + 2..].chars().next().filter(|quote| matches!(quote, '"' | '\''));
        let nearest = (before.rmatch_indices(": ").find_map(|(at, _)| quote(before, at)))
            .or_else(|| behind.match_indices(": ").find_map(|(at, _)| quote(behind, at)));
        let quotes = match (key, nearest) {
            (Some(key), _) if key.starts_with('"') => Quotes::Json,
            (_, Some(quote)) => Quotes::Yaml(quote),
            (_, None) => Quotes::Yaml('\''),
        };
        let is_capital = key.is_some_and(|key| key.trim_start_matches(['"', '\'']).starts_with(char::is_uppercase));
        Self { quotes, is_capital }
    }

    pub(crate) fn key(self, name: &str) -> String {
        let name = match (self.is_capital, name.split_at_checked(1)) {
            (true, Some((first, rest))) => first.to_ascii_uppercase() + rest,
            _ => name.to_owned(),
        };
        if self.quotes == Quotes::Json { quoted(&name) } else { name }
    }

    pub(crate) fn value(self, text: &str) -> String {
        match self.quotes {
            Quotes::Yaml(_) if is_plain(text) => text.to_owned(),
            // Between single quotes nothing else is escaped.
            Quotes::Yaml('\'') if !text.contains(char::is_control) => format!("'{}'", text.replace('\'', "''")),
            Quotes::Yaml(_) | Quotes::Json => quoted(text),
        }
    }

    pub(crate) fn values(self, texts: &[impl AsRef<str>]) -> Vec<String> {
        texts.iter().map(|text| self.value(text.as_ref())).collect()
    }
}

/// Texts as a mapping in flow style, which is JSON, too.
#[must_use]
pub fn flow(fields: &[(&str, &str)]) -> String {
    let members: Vec<String> = fields.iter().map(|(name, value)| format!("{name:?}: {}", quoted(value))).collect();
    format!("{{{}}}", members.join(", "))
}

/// A text in quotes, as JSON and YAML have it. What YAML does not let stand in a text, as the control characters behind those of
/// ASCII, is escaped, too.
pub(crate) fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    let is_escaped =
        |c: char| matches!(c, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    if !json.contains(is_escaped) {
        return json;
    }
    let escaped = |c: char| if is_escaped(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    json.chars().map(escaped).collect()
}

/// A text without quotes, if every reader then reads this text, or else in quotes.
#[must_use]
pub fn plain(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// Whether every reader reads this text where it stands without quotes.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    // A colon inside a word, as in the name of an image, ends no key.
    bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-._/@:".contains(byte))
        && bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && !text.ends_with(':')
        && crate::write::is_plain(text)
}

/// A new text with the line ends of the text around the place where it is put.
#[must_use]
pub fn with_line_ends(text: &str, offset: u32, new: &str) -> String {
    let (before, after) = text.split_at(offset as usize);
    let break_at = after.find('\n').map(|at| at + before.len()).or_else(|| before.rfind('\n'));
    let carriage = break_at.and_then(|at| at.checked_sub(1)).is_some_and(|at| text.as_bytes()[at] == b'\r');
    if carriage { new.replace('\n', "\r\n") } else { new.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_yaml_does_not_let_stand_is_escaped() {
        assert_eq!(quoted("a\u{7f}\u{9f}é"), "\"a\\u007f\\u009fé\"");
    }

    #[test]
    fn new_lines_end_as_those_around_them() {
        assert_eq!(with_line_ends("a\r\nb\r\n", 1, "\nc"), "\r\nc");
        assert_eq!(with_line_ends("a\nb", 3, "\nc"), "\nc");
    }
}
