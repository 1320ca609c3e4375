//! What is said about a place, as a value.

use crate::{Rule, Span};
use std::fmt;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// `opm` rejects the catalog, or OLM cannot use it.
    Error,
    /// Accepted, and very likely not what was meant.
    Warning,
    /// Accepted, worth knowing.
    Hint,
}

impl Severity {
    /// `error`, `warning` or `hint`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Hint => "hint",
        }
    }
}

/// A second place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What that place has to do with it: lower case, no final stop.
    pub message: String,
}

/// A release of `opm`: major, minor and patch of operator-registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpmVersion(pub u16, pub u16, pub u16);

impl fmt::Display for OpmVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}.{}.{}", self.0, self.1, self.2)
    }
}

/// A finding: one problem at one place.
///
/// Messages are lower case without a final full stop, with names in backticks.
///
/// What makes one is never inlined: a hundred rules do it, none of them often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule speaks.
    pub rule: Rule,
    /// How bad it is.
    pub severity: Severity,
    /// The place.
    pub span: Span,
    /// What is wrong or risky.
    pub message: String,
    /// Other places that belong to it.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Option<String>,
    /// The line that `opm validate` prints for this problem, to the letter, where it does.
    pub opm: Option<String>,
    /// The rank of that line among all that `opm` could print: it finds errors of lower rank first. This crate only
    /// carries the number; `catalog::OpmPhase` gives it its meaning.
    pub opm_rank: u8,
    /// The first release of `opm` that prints it; absent where every release does, or none.
    pub opm_since: Option<OpmVersion>,
}

impl Diagnostic {
    /// A finding of `rule` with the rule's own severity.
    #[must_use]
    #[inline(never)]
    pub fn new(rule: Rule, span: Span, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.severity(),
            span,
            message: message.into(),
            labels: Vec::new(),
            help: None,
            opm: None,
            opm_rank: 0,
            opm_since: None,
        }
    }

    /// Adds a second place.
    #[must_use]
    #[inline(never)]
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Says what to do.
    #[must_use]
    #[inline(never)]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds what `opm validate` prints when it reads the text, which it does before anything else: the rank is 0.
    #[must_use]
    #[inline(never)]
    pub fn with_opm(self, line: impl Into<String>) -> Self {
        self.with_opm_at(0, line)
    }

    /// Adds what `opm validate` prints, and the rank of that line.
    #[must_use]
    #[inline(never)]
    pub fn with_opm_at(mut self, rank: impl Into<u8>, line: impl Into<String>) -> Self {
        self.opm = Some(line.into());
        self.opm_rank = rank.into();
        self
    }

    /// Moves all its places by so many bytes.
    pub fn shift(&mut self, by: i64) {
        self.span = self.span.shifted(by);
        for label in &mut self.labels {
            label.span = label.span.shifted(by);
        }
    }

    /// Says which release of `opm` was the first to print its line.
    #[must_use]
    pub const fn since(mut self, version: OpmVersion) -> Self {
        self.opm_since = Some(version);
        self
    }
}
