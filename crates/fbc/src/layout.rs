//! How new text in flow style, as all of JSON is, is put into lines: as what is written next to it.

use crate::text_edit::first_key;
use crate::{Node, Value};

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

    /// Parts in brackets.
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
