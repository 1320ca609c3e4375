//! Findings as rows.

use crate::{CatalogId, EntryKey, Place};
use serde::{Deserialize, Serialize};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// `opm` rejects the catalog, or OLM cannot use it.
    Error,
    /// Accepted, and very likely not what was meant.
    Warning,
    /// Accepted, worth knowing.
    Hint,
}

/// How many findings of each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Errors.
    pub errors: u32,
    /// Warnings.
    pub warnings: u32,
    /// Hints.
    pub hints: u32,
}

impl Counts {
    /// All of them.
    #[must_use]
    pub const fn total(self) -> u32 {
        self.errors + self.warnings + self.hints
    }
}

/// A list of findings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FindingsView {
    /// How many there are, of which `rows` are the first.
    pub total: u32,
    /// Worst first, of them what is about files as a whole, then by file and place.
    pub rows: Vec<FindingView>,
    /// The rules that have findings in the scope, whatever the text asked for, and those that are switched off.
    pub rules: Vec<RuleCount>,
}

/// How many findings a rule has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleCount {
    /// Its kebab-case id.
    pub rule: String,
    /// How bad.
    pub severity: Severity,
    /// How many findings there are.
    pub count: u32,
    /// How many of them stand for errors of `opm`, which are shown even if the rule is switched off.
    pub opm: u32,
    /// The user switched it off.
    pub off: bool,
}

impl RuleCount {
    /// How many findings are not shown because of it.
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
    /// How bad.
    pub severity: Severity,
    /// What is wrong or risky; names are in backticks.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The line that `opm validate` prints for it.
    pub opm: Option<String>,
    /// The first release of `opm` that prints it, where older ones accept the catalog.
    pub opm_since: Option<String>,
    /// The catalog.
    pub catalog: CatalogId,
    /// The file's path in its catalog.
    pub path: String,
    /// Where.
    pub place: Place,
    /// The package it is about.
    pub package: Option<String>,
    /// The entry it is about.
    pub entry: Option<EntryKey>,
    /// Other places.
    pub labels: Vec<LabelView>,
}

/// A second place of a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelView {
    /// What it has to do with the finding.
    pub message: String,
    /// The catalog that it is in.
    pub catalog: CatalogId,
    /// The file's path in its catalog.
    pub path: String,
    /// Where.
    pub place: Place,
}
