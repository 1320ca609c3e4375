//! The tree of values with spans that YAML and JSON are read into.

use crate::go_type::{FieldNames, Misfit, go_misfit, of_property};
use crate::parse::Findings;
use crate::raw::Text;
use crate::{json, yaml};
use serde_json::value::RawValue;
use source::{Diagnostic, Rule, Span, Spanned};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// How deep a tree is built; what lies deeper stays [`Value::Unopened`]. Keeps every recursive walk (`Drop` too) short.
pub(crate) const MAX_OPEN_DEPTH: usize = 64;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The text of the value; for an alias the text of the alias.
    pub span: Span,
    pub value: Value,
}

/// A scalar, list or mapping, with scalars resolved by YAML 1.1 as in yaml.v2.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`, `~` or nothing.
    Null,
    /// `true`, `yes`, `on`, ...
    Bool(bool),
    Number(Number),
    String(Box<str>),
    Sequence(Vec<Node>),
    /// Keys and values in the order of the text; of equal keys only the last is kept.
    Mapping(Vec<(Spanned<Box<str>>, Node)>),
    /// A subtree that is not built: its text is the span of the node.
    Unopened,
}

/// A number as Go's `encoding/json` hands it on to catalogs: as `float64`. What it was before that is kept for manifests,
/// whose integers stay exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(
    /// The nearest `float64`.
    pub f64,
    /// What an integer of 64 bits is more than that; absent for other numbers.
    Option<i16>,
);

impl Number {
    /// A number that is not an integer of Go.
    #[must_use]
    pub const fn float(value: f64) -> Self {
        Self(value, None)
    }

    /// An integer: an `i64` or a `u64`.
    pub(crate) fn of_integer(value: i128) -> Self {
        let nearest = value as f64;
        Self(nearest, i16::try_from(value - nearest as i128).ok())
    }

    /// An integer as JSON has it: `-0` is the integer 0, and the number -0 where Go reads it as `float64`.
    pub(crate) fn of_json_integer(value: i64, number: f64) -> Self {
        Self(number, Self::of_integer(value.into()).1)
    }

    /// The integer that YAML or Go's reader of integers takes it for; nothing for numbers with a fraction or an exponent.
    #[must_use]
    pub fn integer(self) -> Option<i128> {
        self.1.map(|more| self.0 as i128 + i128::from(more))
    }
}

impl Node {
    /// The value of a key of a mapping, in exactly this spelling.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Value::Mapping(entries) = &self.value else { return None };
        entries.iter().find(|(name, _)| *name.value == *key).map(|(_, node)| node)
    }

    /// The value that Go's `encoding/json` decodes into the field `name` of a struct, as [`member`] finds it.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Self> {
        self.member(name).map(|(_, node)| node)
    }

    /// The same with its key, in the spelling of the text.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&(Spanned<Box<str>>, Self)> {
        let Value::Mapping(entries) = &self.value else { return None };
        member(entries, name)
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

impl Value {
    /// The name of the kind in the errors of `encoding/json`. For an unopened value, written as `text`, its first byte
    /// decides.
    #[must_use]
    pub fn go_kind(&self, text: &str) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Sequence(_) => "array",
            Self::Mapping(_) => "object",
            Self::Unopened if text.starts_with(['[', '-']) => "array",
            Self::Unopened => "object",
        }
    }
}

/// The key and the value that Go's `encoding/json` decodes into the field `name` of a struct: keys match in any case, and of
/// several the last in byte order wins, because `opm` sorts them first. `null` is no value, but it takes a list away.
#[must_use]
pub fn member<'n>(entries: &'n [(Spanned<Box<str>>, Node)], name: &str) -> Option<&'n (Spanned<Box<str>>, Node)> {
    entries.get(member_at(entries, name)?)
}

/// The index of the [`member`].
pub(crate) fn member_at(entries: &[(Spanned<Box<str>>, Node)], name: &str) -> Option<usize> {
    let mut matching = (0..entries.len()).filter(|at| same_field(&entries[*at].0.value, name));
    let first = matching.next()?;
    let mut all: Vec<usize> = std::iter::once(first).chain(matching).collect();
    all.sort_by(|one, other| entries[*one].0.value.cmp(&entries[*other].0.value));
    all.into_iter().reduce(|kept, next| match (&entries[kept].1.value, &entries[next].1.value) {
        (Value::Sequence(_), Value::Null) => next,
        (_, Value::Null) => kept,
        _ => next,
    })
}

/// The key of an object of JSON that is the [`member`] of this name.
#[must_use]
pub fn json_member<'m>(object: &'m serde_json::Map<String, serde_json::Value>, name: &str) -> Option<&'m String> {
    object.keys().filter(|key| same_field(key, name)).max()
}

/// Whether a key is the field `name` to Go's `encoding/json`, which matches field names with simple Unicode folding: two
/// characters outside ASCII equal ASCII letters.
#[must_use]
pub fn same_field(key: &str, name: &str) -> bool {
    // Most keys are written as the name, or differ from it in the first letter. One outside ASCII may stand for any letter.
    let is_other_letter = |(key, name): (&u8, &u8)| key.is_ascii() && !key.eq_ignore_ascii_case(name);
    key == name
        || !key.as_bytes().first().zip(name.as_bytes().first()).is_some_and(is_other_letter)
            && match key.len().cmp(&name.len()) {
                Ordering::Less => false,
                Ordering::Equal => key.eq_ignore_ascii_case(name),
                // Both characters take more bytes than the letters. Most keys are plain ASCII.
                Ordering::Greater => {
                    !key.is_ascii() && key.replace('ſ', "s").replace('\u{212a}', "k").eq_ignore_ascii_case(name)
                }
            }
}

// Removes keys of a mapping that a later equal key replaces.

/// A key and its value; `merged` when YAML's `<<` brought it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Text,
    pub(crate) node: Node,
    pub(crate) merged: bool,
}

/// The entries without those that a later equal key replaces, which are reported. yaml.v2 (not strict) and
/// `encoding/json` both let the last one win.
pub(crate) fn last_of_each(entries: Vec<Entry>, diagnostics: &mut Findings) -> Vec<(Text, Node)> {
    let replaced = if distinct(&entries) { Vec::new() } else { replaced(&entries, diagnostics) };
    let kept_count = entries.len() - replaced.iter().filter(|&&gone| gone).count();
    let kept = entries.into_iter().enumerate().filter(|(index, _)| !replaced.get(*index).is_some_and(|&gone| gone));
    // Not collected in place, which would keep memory that the larger entries took.
    let mut pairs = Vec::with_capacity(kept_count);
    pairs.extend(kept.map(|(_, entry)| (entry.key, entry.node)));
    pairs
}

fn distinct(entries: &[Entry]) -> bool {
    const FEW: usize = 16;
    if entries.len() > FEW {
        let mut seen = HashSet::with_capacity(entries.len());
        return entries.iter().all(|entry| seen.insert(&*entry.key.value));
    }
    let rest = |index: usize| &entries[index + 1..];
    entries.iter().enumerate().all(|(index, entry)| rest(index).iter().all(|other| other.key.value != entry.key.value))
}

fn replaced(entries: &[Entry], diagnostics: &mut Findings) -> Vec<bool> {
    let mut replaced = vec![false; entries.len()];
    let mut latest: HashMap<&str, usize> = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let Some(earlier) = latest.insert(&entry.key.value, index) else { continue };
        replaced[earlier] = true;
        if !entry.merged && !entries[earlier].merged {
            diagnostics.report(false, || duplicate_key(&entries[earlier].key, &entry.key));
        }
    }
    replaced
}

fn duplicate_key(earlier: &Text, later: &Text) -> Diagnostic {
    Diagnostic::new(Rule::DuplicateKey, later.span, format!("the key `{later}` occurs twice; the last one wins"))
        .with_label(earlier.span, "this one is ignored")
        .with_help("remove one of them")
}

// Opens values that were left unopened, converts values to JSON, and checks those of properties.

/// The text of an unopened value cannot be read by itself: an alias in it names an anchor outside, it is nested too
/// deeply, or it is not the text that the value was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenError {
    pub span: Span,
    /// Why.
    pub message: String,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot open the value: {}", self.message)
    }
}

impl std::error::Error for OpenError {}

/// How many values within each other are opened to make JSON of the outermost.
const MAX_OPENED: u32 = 5;

impl Node {
    /// This value with one more part of the tree built, if it is unopened; `text` is the text of its file.
    pub fn open(&self, text: &str) -> Result<Self, OpenError> {
        if self.value != Value::Unopened {
            return Ok(self.clone());
        }
        let slice = self.span.slice(text);
        if let Ok(raw) = serde_json::from_str::<&RawValue>(slice) {
            let mut reader = json::Reader::new(self.span.file, text, true);
            return Ok(reader.document(raw));
        }
        self.open_yaml(text)
    }

    /// Reads the value as the only one of a text, at the same column as in the file.
    fn open_yaml(&self, text: &str) -> Result<Self, OpenError> {
        let before = text.get(..self.span.start as usize).unwrap_or_default();
        let line = before.rsplit(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).next().unwrap_or_default();
        let slice = self.span.slice(text);
        let column = if slice.starts_with(['{', '[', '"', '\'']) { 0 } else { line.chars().count() };
        let alone = " ".repeat(column) + slice + blanks_behind(self.span, text);
        let fail = |fault: yaml::Fault| OpenError { span: self.span, message: fault.message };
        let document = yaml::read(self.span.file, &alone, 0..alone.len(), yaml::Open::All).map_err(fail)?;
        let mut node = document.node;
        node.shift(i64::from(self.span.start) - column as i64);
        Ok(node)
    }

    /// The value as `opm` hands it on: keys sorted, of equal keys the last, numbers through `f64`; opens what is
    /// unopened, and what is unopened in that, down to 320 levels at least.
    pub fn to_json(&self, text: &str) -> Result<serde_json::Value, OpenError> {
        self.json_below(text, MAX_OPENED, |number| number_json(number.0))
    }

    /// The value as sigs.k8s.io/yaml hands it on: as [`to_json`](Self::to_json), with integers of 64 bits as they are.
    pub fn to_exact_json(&self, text: &str) -> Result<serde_json::Value, OpenError> {
        self.json_below(text, MAX_OPENED, |number| match number.integer() {
            Some(whole) => i64::try_from(whole).map_or_else(|_| (whole as u64).into(), Into::into),
            None => number_json(number.0),
        })
    }

    /// The value as JSON, where at most `may_open` values within each other are opened.
    fn json_below(
        &self,
        text: &str,
        may_open: u32,
        number_json: fn(Number) -> serde_json::Value,
    ) -> Result<serde_json::Value, OpenError> {
        Ok(match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Number(number) => number_json(*number),
            Value::String(text) => (**text).into(),
            Value::Sequence(items) => {
                items.iter().map(|item| item.json_below(text, may_open, number_json)).collect::<Result<_, _>>()?
            }
            Value::Mapping(entries) => {
                let entry = |(key, node): &(crate::raw::Text, Self)| {
                    Ok((key.value.to_string(), node.json_below(text, may_open, number_json)?))
                };
                serde_json::Value::Object(entries.iter().map(entry).collect::<Result<_, _>>()?)
            }
            Value::Unopened if may_open > 0 => self.open(text)?.json_below(text, may_open - 1, number_json)?,
            Value::Unopened => {
                let message = "it is nested deeper than Opscope follows".to_owned();
                return Err(OpenError { span: self.span, message });
            }
        })
    }
}

/// The error of Go for the value of a property of type `kind`; `None` when the value fits, or when the type is not one of
/// `olm.csv.metadata`, `olm.bundle.object` and `olm.channel`. `text` is the text of the value's file.
///
/// # Errors
/// When the text of an unopened value cannot be read by itself.
pub fn property_misfit(kind: &str, value: &Node, text: &str) -> Result<Option<Misfit>, OpenError> {
    let Some(go_type) = of_property(kind) else { return Ok(None) };
    let opened = value.open(text)?;
    Ok(go_misfit(&opened, go_type, FieldNames::AnyCase))
}

/// Blanks and blank lines behind a value: the last text in it may keep them, as `|+` does.
fn blanks_behind(span: Span, text: &str) -> &str {
    let behind = text.get(span.end as usize..).unwrap_or_default();
    let blank = &behind[..behind.len() - behind.trim_start_matches([' ', '\t', '\r', '\n']).len()];
    match (blank.rfind('\n'), blank.len() == behind.len()) {
        (_, true) => blank,
        (Some(end), false) => &blank[..=end],
        (None, false) => "",
    }
}

/// Whole numbers without a fraction, as Go prints them.
fn number_json(number: f64) -> serde_json::Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let is_negative_zero = number == 0.0 && number.is_sign_negative();
    match number.fract() == 0.0 && number.abs() <= EXACT && !is_negative_zero {
        true => (number as i64).into(),
        false => number.into(),
    }
}

#[cfg(test)]
mod tests {
    use source::FileId;

    #[test]
    fn a_field_is_found_as_go_finds_it() {
        let node = crate::untyped_values(FileId(0), "{name: c, NAME: a, Name: b, \u{212a}ind: d}").nodes.remove(0);
        let text = |name: &str| node.field(name).and_then(|node| node.as_str());
        assert_eq!((text("name"), text("kind"), text("other")), (Some("c"), Some("d"), None));
        let node = crate::untyped_values(FileId(0), "{a: b, A: c, ſkips: ~, Skips: [x], P: v, p: ~}").nodes.remove(0);
        assert_eq!(node.member("A").map(|(key, _)| &*key.value), Some("a"));
        assert_eq!(node.field("skips").map(|node| &node.value), Some(&crate::Value::Null), "a list is taken away");
        assert_eq!(node.field("p").and_then(|node| node.as_str()), Some("v"), "a text is not");
    }

    #[test]
    fn minus_zero_in_json_is_both_a_float_and_an_integer() {
        let text = "{\"zero\": -0}";
        let node = crate::untyped_values(FileId(0), text).nodes.remove(0);
        let Some(crate::Value::Number(zero)) = node.get("zero").map(|node| &node.value) else { panic!("{node:?}") };
        assert_eq!((zero.0.is_sign_negative(), zero.integer()), (true, Some(0)));
    }
}
