//! Findings, and the documentation of their rules.

use crate::{CatalogId, EntryKey, FixView, Level, Place};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use source::Severity;

/// The number of findings of each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub errors: u32,
    pub warnings: u32,
    pub hints: u32,
}

impl Counts {
    /// The sum.
    #[must_use]
    pub const fn total(self) -> u32 {
        self.errors + self.warnings + self.hints
    }
}

/// A list of findings. Findings that follow from others are only listed with these.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FindingsView {
    /// The number of findings of each severity, whatever the severity of the filter.
    pub counts: Counts,
    /// The number of findings of the filter; `groups` has the first of them.
    pub total: u32,
    /// Sorted by severity; within one, first those with a finding about a whole file, then by file and place.
    pub groups: Vec<FindingGroup>,
    /// The rules that have findings, whatever the text of the filter, and the rules that are switched off.
    pub rules: Vec<RuleCount>,
}

/// The findings of one rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingGroup {
    /// Its kebab-case id.
    pub rule: String,
    pub severity: Severity,
    /// What to do about each of them, if that is the same for all; their own texts are then empty.
    pub help: Option<String>,
    pub rows: Vec<FindingView>,
}

/// The number of findings of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleCount {
    /// Its kebab-case id.
    pub rule: String,
    pub severity: Severity,
    /// The number of its findings.
    pub count: u32,
    /// How many of them are errors of `opm`. These are shown even if the rule is switched off.
    pub opm: u32,
    /// Whether the user switched it off.
    pub off: bool,
}

impl RuleCount {
    /// The number of findings that are hidden.
    #[must_use]
    pub const fn hidden(&self) -> u32 {
        if self.off { self.count - self.opm } else { 0 }
    }
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingView {
    /// The kebab-case id of its rule.
    pub rule: String,
    pub severity: Severity,
    /// Whether all such findings about a package are one thing to its maintainer.
    pub is_habit: bool,
    /// The message; names are in backticks.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The line that `opm validate` prints for it.
    pub opm: Option<String>,
    /// The first release of `opm` that prints a line, where older ones accept the catalog; `opm` is absent for those.
    pub opm_since: Option<String>,
    /// Whether `opm` prints the line only after what it stops at was corrected.
    pub opm_next: bool,
    /// What `opm validate` says that this finding shows, each as a line: first the error that it stops at.
    pub opm_notes: Vec<String>,
    pub catalog: CatalogId,
    /// The file's path in its catalog.
    pub path: String,
    pub place: Place,
    pub package: Option<String>,
    pub entry: Option<EntryKey>,
    /// Related places.
    pub labels: Vec<LabelView>,
    /// Edits that remove it, the most likely one first.
    pub fixes: Vec<FixView>,
    /// The channel that it is about, if repairs of the channel may remove it.
    pub repaired_channel: Option<String>,
    /// Whether it follows from another finding.
    pub is_consequence: bool,
    /// How many findings follow from it.
    pub follow: u32,
    /// The first of these.
    pub consequences: Vec<FindingView>,
}

/// A related place of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelView {
    /// How it relates to the finding.
    pub message: String,
    pub catalog: CatalogId,
    /// The file's path in its catalog.
    pub path: String,
    pub place: Place,
}

/// A sentence about a package with the versions in place of its bundles' names: within a package its name says nothing.
#[must_use]
pub fn with_short_names(sentence: &str, package: &str) -> String {
    sentence.replace(&format!("`{package}.v"), "`")
}

// The documentation of a rule.

/// The documentation of all rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Rulebook {
    pub findings: Vec<RuleDoc>,
    pub comparison: Vec<ComparisonRuleDoc>,
}

/// The documentation of a rule of comparisons. Names are in backticks.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct RuleExample {
    /// The explanation, a text for each paragraph.
    pub about: Vec<String>,
    /// Its files. They have only what the rule is about, without packages, channels and bundles that are needed besides.
    pub files: Vec<RuleFile>,
}

/// A file of an example.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct RuleFile {
    /// Its path or title; empty for the only file of a catalog.
    pub name: String,
    /// Its text. A line with `^^^ warning[rule]` marks what the rule finds in the line above.
    pub text: String,
}
