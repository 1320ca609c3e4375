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

/// Where on its way through a catalog `opm validate` comes upon an error, in the order in which it goes. It stops at the
/// first error before [`OpmStep::Model`], and there it tells all that are left (operator-registry, `declcfg/load.go`,
/// `declcfg_to_model.go`, `model.go`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OpmStep {
    /// It reads the documents, file by file.
    #[default]
    Load,
    /// It goes through the packages.
    Packages,
    /// It goes through the channels; each is asked first whose it is.
    Channels,
    /// The name of a channel and those of its entries.
    ChannelNames,
    /// It goes through the bundles; each is asked first whose it is.
    Bundles,
    /// The properties of a bundle.
    BundleProperties,
    /// Which of the properties names package and version.
    BundlePackage,
    /// The images of a bundle.
    BundleImages,
    /// The version of a bundle.
    BundleVersion,
    /// Whether a channel lists the bundle.
    BundleListed,
    /// It looks for the bundles of all entries.
    Entries,
    /// It goes through the deprecations.
    Deprecations,
    /// It judges all of it.
    Model,
}

impl OpmStep {
    /// The step that this one is a part of: each channel, and each bundle, is asked
    /// everything before the next one is.
    #[must_use]
    pub const fn whole(self) -> Self {
        match self {
            Self::ChannelNames => Self::Channels,
            Self::BundleProperties
            | Self::BundlePackage
            | Self::BundleImages
            | Self::BundleVersion
            | Self::BundleListed => Self::Bundles,
            step => step,
        }
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
    /// When it prints that.
    pub opm_step: OpmStep,
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
            opm_step: OpmStep::Load,
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

    /// Adds what `opm validate` prints when it reads the text.
    #[must_use]
    #[inline(never)]
    pub fn with_opm(self, line: impl Into<String>) -> Self {
        self.with_opm_at(OpmStep::Load, line)
    }

    /// Adds what `opm validate` prints at a step.
    #[must_use]
    #[inline(never)]
    pub fn with_opm_at(mut self, step: OpmStep, line: impl Into<String>) -> Self {
        self.opm = Some(line.into());
        self.opm_step = step;
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
