//! How keys and texts are written: plain, in quotes, in flow style, and with which line ends.

use crate::text_edit::first_key;
use crate::{Node, Value};

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

// How new text in flow style, as all of JSON is, is put into lines: as what is written next to it.

/// How the parts of a list or of a mapping in brackets follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// On one line, with a blank behind each comma and colon.
    Line,
    /// On one line without blanks.
    Compact,
    /// Each on a line of its own.
    Lines {
        /// What stands before the closing bracket.
        indent: String,
        /// What stands before each part besides.
        unit: String,
    },
}

impl Layout {
    /// The layout of a list or a mapping in brackets.
    pub(crate) fn of(text: &str, node: &Node) -> Self {
        let items = match &node.value {
            Value::Sequence(items) => &items[..],
            _ => &[],
        };
        let first = first_key(node).map(|key| key.start).or_else(|| Some(items.first()?.span.start));
        let Some(first) = first.filter(|first| *first > node.span.start) else { return Self::Line };
        if text[node.span.start as usize..first as usize].contains('\n') {
            let indent = indent_at(text, node.span.start);
            let unit = indent_at(text, first).strip_prefix(indent).filter(|unit| !unit.is_empty()).unwrap_or("  ");
            return Self::Lines { indent: indent.to_owned(), unit: unit.to_owned() };
        }
        match (first_key(node), items) {
            (Some(key), _) => Self::on_a_line(&text[key.end as usize..]),
            (None, [one, two, ..]) => {
                let between = &text[one.span.end as usize..two.span.start as usize];
                if between.contains([' ', '\t', '\n']) { Self::Line } else { Self::Compact }
            }
            (None, [only]) => match Self::of(text, only) {
                Self::Compact => Self::Compact,
                Self::Line | Self::Lines { .. } => Self::Line,
            },
            (None, []) => Self::Line,
        }
    }

    /// The layout of the first document of a text, which is JSON.
    fn of_document(text: &str) -> Self {
        let parts = text.trim_start().trim_start_matches('{');
        let blanks = &parts[..parts.len() - parts.trim_start().len()];
        match blanks.rsplit_once('\n') {
            Some((_, unit)) => Self::Lines { indent: String::new(), unit: unit.to_owned() },
            None => Self::on_a_line(parts.find("\":").map_or("", |at| &parts[at + 1..])),
        }
    }

    /// The layout of a mapping on one line, by what stands behind one of its keys.
    fn on_a_line(behind_key: &str) -> Self {
        let value = behind_key.strip_prefix(':');
        match value.is_some_and(|value| !value.starts_with(char::is_whitespace)) {
            true => Self::Compact,
            false => Self::Line,
        }
    }

    /// The layout of a part.
    pub(crate) fn inner(&self) -> Self {
        match self {
            Self::Line => Self::Line,
            Self::Compact => Self::Compact,
            Self::Lines { indent, unit } => Self::Lines { indent: format!("{indent}{unit}"), unit: unit.clone() },
        }
    }

    const fn comma(&self) -> &'static str {
        match self {
            Self::Line => ", ",
            Self::Compact | Self::Lines { .. } => ",",
        }
    }

    /// What stands between two parts.
    pub(crate) fn separator(&self) -> String {
        match self {
            Self::Lines { indent, unit } => format!(",\n{indent}{unit}"),
            Self::Line | Self::Compact => self.comma().to_owned(),
        }
    }

    /// What stands between a key and its value.
    pub(crate) const fn colon(&self) -> &'static str {
        match self {
            Self::Compact => ":",
            Self::Line | Self::Lines { .. } => ": ",
        }
    }

    pub(crate) fn bracketed(&self, [open, close]: [char; 2], parts: &[String]) -> String {
        let joined = parts.join(&self.separator());
        match self {
            Self::Lines { indent, unit } if !parts.is_empty() => {
                format!("{open}\n{indent}{unit}{joined}\n{indent}{close}")
            }
            _ => format!("{open}{joined}{close}"),
        }
    }
}

/// The blanks at the beginning of the line of a place.
fn indent_at(text: &str, at: u32) -> &str {
    let start = text[..at as usize].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// A document of JSON in the layout of the first document of a text.
///
/// ```
/// let document = r#"{"a":[1,2]}"#;
/// assert_eq!(fbc::json_like("{\n\t\"b\": 1\n}\n", document), "{\n\t\"a\": [\n\t\t1,\n\t\t2\n\t]\n}");
/// assert_eq!(fbc::json_like("{\"b\": 1}", document), "{\"a\": [1, 2]}");
/// assert_eq!(fbc::json_like("{\"b\":1}", document), document);
/// ```
#[must_use]
pub fn json_like(text: &str, json: &str) -> String {
    laid_out(json, &Layout::of_document(text))
}

/// JSON with other blanks between its parts.
pub(crate) fn laid_out(json: &str, layout: &Layout) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut is_text, mut is_escaped, mut is_opened) = (0usize, false, false, false);
    let line = |out: &mut String, depth: usize| {
        if let Layout::Lines { indent, unit } = layout {
            out.push('\n');
            out.push_str(indent);
            out.extend(std::iter::repeat_n(unit.as_str(), depth));
        }
    };
    for c in json.chars() {
        if is_text {
            out.push(c);
            is_text = is_escaped || c != '"';
            is_escaped = !is_escaped && c == '\\';
            continue;
        }
        if matches!(c, ' ' | '\t' | '\n' | '\r') {
            continue;
        }
        let closes = matches!(c, '}' | ']');
        depth -= usize::from(closes && depth > 0);
        if is_opened != closes {
            line(&mut out, depth);
        }
        is_opened = matches!(c, '{' | '[');
        depth += usize::from(is_opened);
        is_text = c == '"';
        match c {
            ',' => {
                out.push_str(layout.comma());
                line(&mut out, depth);
            }
            ':' => out.push_str(layout.colon()),
            _ => out.push(c),
        }
    }
    out
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
