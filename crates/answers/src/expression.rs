//! Questions about a text alone: what a CEL rule says of properties, and which versions a range matches.

use cel::{EvalError, Fuel, Program, PropertyValue};
use go_semver::blang::{Range, Version};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A rule and the properties of a bundle.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct RuleQuestion {
    pub rule: String,
    #[serde(default)]
    pub properties: Vec<PropertyText>,
}

/// A property of a bundle.
#[derive(Clone, Debug, Deserialize)]
pub struct PropertyText {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    value: Value,
}

/// What a rule says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RuleAnswer {
    Result(bool),
    /// cel-go refuses the rule: OLM gives up on the namespace.
    CompileError(String),
    /// cel-go fails to evaluate the rule: OLM takes that for `false`.
    EvalError(String),
    /// The result in cel-go is not known.
    NotKnown(String),
}

impl RuleQuestion {
    /// Evaluates the rule as OLM does.
    #[must_use]
    pub fn answer(&self) -> RuleAnswer {
        let program = match Program::compile(&self.rule) {
            Ok(program) => program,
            Err(error) => return RuleAnswer::CompileError(error.to_string()),
        };
        let properties: Vec<cel::Property<'_>> = self
            .properties
            .iter()
            .map(|property| cel::Property { kind: &property.kind, value: PropertyValue::Json(&property.value) })
            .collect();
        match program.evaluate(&properties, &mut Fuel::default()) {
            Ok(result) => RuleAnswer::Result(result),
            Err(EvalError::Failed(text)) => RuleAnswer::EvalError(text.into()),
            Err(EvalError::NotKnown(why)) => RuleAnswer::NotKnown(why.to_string()),
        }
    }
}

/// A range and some versions.
#[derive(Clone, Debug, Deserialize)]
pub struct RangeQuestion {
    pub range: String,
    #[serde(default)]
    pub versions: Vec<String>,
}

/// Which versions a range matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RangeAnswer {
    Match(BTreeMap<String, RangeMatch>),
    Error(String),
}

/// Whether a range matches a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum RangeMatch {
    Answer(bool),
    /// OLM crashes on the range, or the version is invalid.
    Word(&'static str),
}

impl RangeQuestion {
    /// Parses and matches the range as OLM does.
    #[must_use]
    pub fn answer(&self) -> RangeAnswer {
        let range = match Range::parse(&self.range) {
            Ok(range) => range,
            Err(error) => return RangeAnswer::Error(error.to_string()),
        };
        let of = |version: &str| match Version::parse(version).map(|version| range.matches(&version)) {
            Ok(Ok(matches)) => RangeMatch::Answer(matches),
            Ok(Err(_)) => RangeMatch::Word("panic"),
            Err(_) => RangeMatch::Word("not a version"),
        };
        RangeAnswer::Match(self.versions.iter().map(|version| (version.clone(), of(version))).collect())
    }

    /// The range in the form of the library; `None` if it is not valid.
    #[must_use]
    pub fn normalised(&self) -> Option<String> {
        Some(Range::parse(&self.range).ok()?.normalised())
    }
}
