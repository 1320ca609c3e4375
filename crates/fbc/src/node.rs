//! The tree of values with spans that YAML and JSON are read into.

use source::{Span, Spanned};
use std::cmp::Ordering;

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
