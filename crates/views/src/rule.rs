//! The documentation of a rule.

use crate::{Level, Severity};
use serde::{Deserialize, Serialize};

/// The documentation of all rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rulebook {
    pub findings: Vec<RuleDoc>,
    pub comparison: Vec<ComparisonRuleDoc>,
}

/// The documentation of a rule of comparisons. Names are in backticks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparisonRuleDoc {
    /// The kebab-case id.
    pub id: String,
    /// Its level, unless the user chose another one.
    pub level: Level,
    /// What it says, as a sentence.
    pub about: String,
    /// What clusters do and show, and what helps.
    pub effect: String,
}

/// The documentation of a rule: what it finds and why, examples, and its source. Names are in backticks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleDoc {
    /// The kebab-case id.
    pub id: String,
    /// The severity of its findings, if the rule does not choose another.
    pub severity: Severity,
    /// What it finds, in one sentence.
    pub summary: String,
    /// What it finds and why that matters, a text for each paragraph.
    pub about: Vec<String>,
    pub fails: RuleExample,
    /// The same example, corrected.
    pub passes: RuleExample,
    /// The first release of `opm` that reports it, for example `v1.47.0`; older ones accept the catalog.
    pub since: Option<String>,
    pub source: String,
}

/// An example of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleExample {
    /// The explanation, a text for each paragraph.
    pub about: Vec<String>,
    /// Its files. They have only what the rule is about, without packages, channels and bundles that are needed besides.
    pub files: Vec<RuleFile>,
}

/// A file of an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleFile {
    /// Its path or title; empty for the only file of a catalog.
    pub name: String,
    /// Its text. A line with `^^^ warning[rule]` marks what the rule finds in the line above.
    pub text: String,
}
