//! Differences that the user accepts: a breaking change may be wanted, for a while.

use catalog::parse_day;
use go_semver::blang::{Range, Version};

/// A difference that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    /// The id of its rule.
    pub(crate) rule: String,
    pub(crate) package: String,
    /// The channel of the versions; any without one.
    pub(crate) channel: Option<String>,
    /// The installed versions; all if there are none.
    pub(crate) versions: Vec<Versions>,
    pub(crate) reason: String,
    /// The last day on which it is accepted, `YYYY-MM-DD`; no end without one.
    pub(crate) until: Option<String>,
}

/// Installed versions, as the user names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Versions {
    /// A version, or the name of a CSV.
    One(String),
    Range(Range),
}

impl Versions {
    /// Reads a version, the name of a CSV, or a range such as `<1.2.0`.
    ///
    /// # Errors
    /// What is wrong in a range.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.contains(['<', '>', '=', '!', ' ']) {
            return Range::parse(text).map(Self::Range).map_err(|error| error.to_string());
        }
        Ok(Self::One(text.to_owned()))
    }

    fn has(&self, name: &str, version: Option<&Version>) -> bool {
        match self {
            Self::One(text) => *text == name || version.is_some_and(|version| version.to_string() == *text),
            Self::Range(range) => version.is_some_and(|version| range.matches(version) == Ok(true)),
        }
    }
}

/// What a difference is about.
#[derive(Clone, Copy)]
pub(crate) struct Difference<'d> {
    /// The id of its rule.
    pub(crate) rule: &'d str,
    pub(crate) package: &'d str,
    pub(crate) channel: Option<&'d str>,
    /// A bundle with its version.
    pub(crate) bundle: Option<(&'d str, Option<&'d Version>)>,
}

impl Accepted {
    /// Whether it is about this difference.
    pub(crate) fn is_about(&self, of: Difference<'_>) -> bool {
        let is_channel = self.channel.is_none() || self.channel.as_deref() == of.channel;
        let named = |(name, version)| self.versions.iter().any(|versions| versions.has(name, version));
        let is_bundle = self.versions.is_empty() || of.bundle.is_some_and(named);
        self.rule == of.rule && self.package == of.package && is_channel && is_bundle
    }

    /// Whether it still holds on a day, `YYYY-MM-DD`; without a day it does.
    pub(crate) fn holds_on(&self, day: &str) -> bool {
        let ended = || Some(parse_day(self.until.as_deref()?)? < parse_day(day)?);
        ended() != Some(true)
    }

    /// What is accepted, and why.
    pub(crate) fn sentence(&self, count: usize, day: &str) -> String {
        let Self { rule, package, channel, reason, until, .. } = self;
        let channel = channel.as_ref().map(|channel| format!(", channel `{channel}`")).unwrap_or_default();
        let many = if count == 1 { String::new() } else { format!(", {count} times") };
        let until = match until {
            Some(until) if !self.holds_on(day) => format!("Accepted until {until}, and no longer"),
            Some(until) => format!("Accepted until {until}"),
            None => "Accepted".to_owned(),
        };
        format!("{until}: {rule} in package `{package}`{channel}{many}: {reason}")
    }
}
