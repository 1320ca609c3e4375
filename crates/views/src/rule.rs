//! What there is to know about a rule.

use crate::Severity;
use serde::{Deserialize, Serialize};

/// A rule: what it tells, why, how a catalog fails and passes it, and whose word that is. Names are in backticks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleDoc {
    /// The kebab-case id.
    pub id: String,
    /// How bad a finding of it is, unless the rule says otherwise.
    pub severity: Severity,
    /// What it finds, in a sentence.
    pub summary: String,
    /// What it tells and why it matters, paragraph by paragraph.
    pub about: Vec<String>,
    /// A minimal example that fails.
    pub fails: RuleExample,
    /// The same, mended.
    pub passes: RuleExample,
    /// The first release of `opm` that reports it, `v1.47.0` say, where older ones accept the catalog.
    pub since: Option<String>,
    /// Where that is written, upstream.
    pub source: String,
}

/// An example of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleExample {
    /// What is done in it, paragraph by paragraph.
    pub about: Vec<String>,
    /// Its files. Of a catalog only what the rule is about: packages, channels and bundles that it merely needs are left out.
    pub files: Vec<RuleFile>,
}

/// A file of an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleFile {
    /// Its path, or what it is; empty for the only file of a catalog.
    pub name: String,
    /// Its text. A line with `^^^ warning[rule]` points at what the rule finds in the line before it.
    pub text: String,
}
