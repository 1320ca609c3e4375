//! The lines with `-` and `+` in the report of go-cmp: `cmp/report_compare.go`, `report_reflect.go` and `report_text.go` of
//! github.com/google/go-cmp.
//!
//! Its authors change the layout on purpose, so this follows it where values are short and leaves out its rarer forms: texts
//! of several lines, and how it cuts long texts that differ into pieces.

use super::Go;
use super::tree::Pair;
use fbc::float_with_v;

/// A line of the report that is in one of the values only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedLine {
    /// Whether the new value has it; otherwise the old one.
    pub is_new: bool,
    /// The line without its sign and the blanks around it.
    pub text: String,
}

/// The lines in which two values differ.
pub(crate) fn changed_lines(old: &Go, new: &Go) -> Vec<ChangedLine> {
    let mut lines = Vec::new();
    parts(&Pair::of(old, new), &mut lines);
    lines
}

/// From this length on, texts are compared in pieces.
const LONG: usize = 32;
/// The longest list that a line holds.
const COLUMNS: usize = 80;
/// How many fields and elements are printed, and how deep: what go-cmp calls verbosity.
const VERBOSITY: u32 = 3;
const ELLIPSIS: &str = "...";

fn parts(pair: &Pair<'_>, lines: &mut Vec<ChangedLine>) {
    let mode = match pair.old {
        Some(Go::Struct(..)) => TypeMode::Auto,
        _ => TypeMode::Elided,
    };
    for (key, part) in pair.parts.iter().filter(|(_, part)| part.different > 0) {
        let key = match pair.old {
            Some(Go::Map(..)) => go_string(key),
            _ => key.clone(),
        };
        match (part.old, part.new) {
            (Some(Go::Text(old)), Some(Go::Text(new))) if old.len() >= LONG && new.len() >= LONG => {
                pieces(old, new, lines);
            }
            (Some(Go::Bytes(old)), Some(Go::Bytes(new))) if part.depth > 0 => {
                if part.different > part.same || (old.len() >= LONG && new.len() >= LONG) {
                    pieces(old, new, lines);
                }
            }
            _ if part.size == part.depth => {
                for (is_new, value) in [(false, part.old), (true, part.new)] {
                    let Some(value) = value else { continue };
                    let text = if part.depth == 0 { text(value, mode, VERBOSITY) } else { opened(value, mode) };
                    Record::new(&key, text).write(is_new, lines);
                }
            }
            _ => parts(part, lines),
        }
    }
}

/// A value in which a single leaf differs. Other than in a value that differs as a whole, pointers are followed and bytes are
/// numbers.
fn opened(value: &Go, mode: TypeMode) -> Text {
    match value {
        Go::Reference(Some(to)) => opened(to, TypeMode::Auto).prefixed("&"),
        Go::Struct(name, fields) => {
            let given = fields.iter().filter(|(_, value)| !value.is_zero());
            braces(
                name,
                mode,
                given.map(|(field, value)| Record::new(field, opened(value, TypeMode::Auto))),
                usize::MAX,
            )
        }
        Go::List(name, items) => {
            braces(name, mode, items.iter().map(|item| Record::new("", opened(item, TypeMode::Elided))), usize::MAX)
        }
        Go::Bytes(bytes) if !bytes.is_empty() => {
            let bytes: Vec<String> = bytes.bytes().map(|byte| format!("{byte:#04x}")).collect();
            Text::Line(format!("[]uint8{{{}}}", bytes.join(", ")))
        }
        _ => text(value, mode, VERBOSITY),
    }
}

/// The pieces in which two long texts differ, here always one.
fn pieces(old: &str, new: &str, lines: &mut Vec<ChangedLine>) {
    let mut start = old.bytes().zip(new.bytes()).take_while(|(one, other)| one == other).count();
    start = old.floor_char_boundary(start).min(new.floor_char_boundary(start));
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.bytes().rev().zip(new.bytes().rev()).take_while(|(one, other)| one == other).count();
    let ends = |text: &str| text.ceil_char_boundary(text.len() - end);
    for (is_new, piece) in [(false, &old[..ends(old)]), (true, &new[..ends(new)])] {
        if !piece.is_empty() {
            lines.push(ChangedLine { is_new, text: go_string(piece) });
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TypeMode {
    /// The types of structs, lists and maps are printed.
    Auto,
    /// No type is printed.
    Elided,
}

/// A printed value, in one line or in several.
enum Text {
    Line(String),
    Braces { prefix: String, records: Vec<Record> },
}

impl Text {
    fn prefixed(self, sign: &str) -> Self {
        match self {
            Self::Line(line) => Self::Line(format!("{sign}{line}")),
            Self::Braces { prefix, records } => Self::Braces { prefix: format!("{sign}{prefix}"), records },
        }
    }
}

struct Record {
    /// A name or key; empty for elements.
    key: String,
    text: Text,
    has_comma: bool,
}

impl Record {
    fn new(key: &str, text: Text) -> Self {
        Self { key: key.to_owned(), text, has_comma: true }
    }

    fn ellipsis() -> Self {
        Self { key: String::new(), text: Text::Line(ELLIPSIS.to_owned()), has_comma: false }
    }

    fn start(&self) -> String {
        if self.key.is_empty() { String::new() } else { format!("{}: ", self.key) }
    }

    /// Writes the record in as many lines as it needs.
    fn write(&self, is_new: bool, lines: &mut Vec<ChangedLine>) {
        let comma = if self.has_comma { "," } else { "" };
        let mut line = |text: String| lines.push(ChangedLine { is_new, text });
        match &self.text {
            Text::Line(text) => line(format!("{}{text}{comma}", self.start())),
            Text::Braces { prefix, records } => {
                line(format!("{}{prefix}{{", self.start()));
                write_records(records, is_new, lines);
                lines.push(ChangedLine { is_new, text: format!("}}{comma}") });
            }
        }
    }
}

fn write_records(records: &[Record], is_new: bool, lines: &mut Vec<ChangedLine>) {
    let simple: Option<Vec<&str>> = records
        .iter()
        .map(|record| match &record.text {
            Text::Line(text) if record.key.is_empty() => Some(text.as_str()),
            Text::Line(_) | Text::Braces { .. } => None,
        })
        .collect();
    let Some(simple) = simple else {
        return records.iter().for_each(|record| record.write(is_new, lines));
    };
    // Several short elements share a line.
    let mut batch = String::new();
    for text in simple {
        if batch.len() + text.len() + 2 > COLUMNS && !batch.is_empty() {
            lines.push(ChangedLine { is_new, text: batch.trim_end().to_owned() });
            batch.clear();
        }
        batch += &format!("{text}, ");
    }
    lines.push(ChangedLine { is_new, text: batch.trim_end().to_owned() });
}

/// A value that only one side has.
fn text(value: &Go, mode: TypeMode, verbosity: u32) -> Text {
    let inner = verbosity.saturating_sub(1);
    let most = ((1usize << verbosity) >> 1) << 2;
    match value {
        Go::Text(text) => Text::Line(cut("", text, verbosity)),
        Go::Bool(flag) => Text::Line(flag.to_string()),
        Go::Int(number) => Text::Line(number.to_string()),
        Go::Float(number) => Text::Line(float_with_v(*number)),
        Go::Pointer(None) | Go::Reference(None) => Text::Line("nil".to_owned()),
        Go::Pointer(Some(to)) => text(to, mode, verbosity).prefixed("&"),
        Go::Reference(Some(to)) => Text::Line(cut("s", &super::dump(to).0, verbosity)),
        Go::Bytes(bytes) if bytes.is_empty() => Text::Line("nil".to_owned()),
        Go::Bytes(bytes) => Text::Line(format!("[]uint8({})", cut("", bytes, verbosity))),
        Go::List(_, items) if items.is_empty() => Text::Line("nil".to_owned()),
        Go::List(name, items) => {
            let records = items.iter().map(|item| Record::new("", text(item, TypeMode::Elided, inner)));
            braces(name, mode, records, most)
        }
        Go::Map(_, entries) if entries.is_empty() => Text::Line("nil".to_owned()),
        Go::Map(name, entries) => {
            let records =
                entries.iter().map(|(key, value)| Record::new(&go_string(key), text(value, TypeMode::Elided, inner)));
            braces(name, mode, records, most)
        }
        Go::Struct(name, fields) => {
            let given = fields.iter().filter(|(_, value)| !value.is_zero());
            let records = given.map(|(field, value)| Record::new(field, text(value, TypeMode::Auto, inner)));
            braces(name, mode, records, most)
        }
    }
}

/// The records in braces: in one line if all of them are short.
fn braces(name: &str, mode: TypeMode, records: impl Iterator<Item = Record>, most: usize) -> Text {
    let mut shown: Vec<Record> = Vec::new();
    for record in records {
        if shown.len() == most {
            shown.push(Record::ellipsis());
            break;
        }
        shown.push(record);
    }
    let prefix = if mode == TypeMode::Auto { qualified(name) } else { String::new() };
    let line = |record: &Record| match &record.text {
        Text::Line(text) => Some(format!("{}{text}", record.start())),
        Text::Braces { .. } => None,
    };
    let lines: Option<Vec<String>> = shown.iter().map(line).collect();
    match lines.map(|lines| lines.join(", ")) {
        Some(line) if line.len() <= COLUMNS => Text::Line(format!("{prefix}{{{line}}}")),
        _ => Text::Braces { prefix, records: shown },
    }
}

/// A type with its package.
fn qualified(name: &str) -> String {
    match name.rfind(']') {
        _ if name.ends_with("string") => name.to_owned(),
        Some(at) => format!("{}v1.{}", &name[..=at], &name[at + 1..]),
        None => format!("v1.{name}"),
    }
}

/// A text in quotes, or what the verbosity leaves of it.
fn cut(prefix: &str, text: &str, verbosity: u32) -> String {
    let most = (1usize << verbosity) << 5;
    match text.len() > most + ELLIPSIS.len() {
        true => format!("{prefix}{}{ELLIPSIS}", go_string(&text[..text.floor_char_boundary(most)])),
        false => format!("{prefix}{}", go_string(text)),
    }
}

/// A text in double quotes, or in backquotes where these need no escapes.
fn go_string(text: &str) -> String {
    let quoted = fbc::quoted(text);
    let is_plain = |c: char| c != '`' && (c == '\t' || !c.is_control());
    match quoted.len() == text.len() + 2 || !text.chars().all(is_plain) {
        true => quoted,
        false => format!("`{text}`"),
    }
}
