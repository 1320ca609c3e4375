//! Opens values that were left unopened, converts values to JSON, and checks those of properties.

use crate::go_type::{FieldNames, Misfit, go_misfit, of_property};
use crate::{Node, Number, Value, json, yaml};
use serde_json::value::RawValue;
use source::Span;
use std::fmt;

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
