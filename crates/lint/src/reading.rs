//! What blang makes of a range, for whoever shows it.

use blang_semver::{Quirk, Range, Version, quirks};
use std::ops;

/// A range as blang reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The comparators after wildcard expansion, `>=1.0.0 <2.0.0 || >=3.0.0`.
    pub normalised: String,
    /// Where it means something else than it looks, as sentences without a stop.
    pub surprises: Vec<String>,
    /// No version satisfies it.
    pub never: bool,
    /// Evaluation may come to an empty alternative, where OLM crashes.
    pub crashes: bool,
    /// Positions in the versions that were asked about, as disjoint ascending runs.
    pub matching: Vec<ops::Range<usize>>,
}

/// Reads a range; `ascending` are the versions to ask about, those of a package say.
///
/// ```
/// use blang_semver::{Range, Version};
///
/// let versions: Vec<Version> = ["1.2.0", "1.2.5"].iter().map(|text| Version::parse(text).unwrap()).collect();
/// let reading = lint::read(&Range::parse("~1.2.x")?, "~1.2.x", &versions);
/// assert_eq!(reading.normalised, "=1.2.0");
/// assert_eq!(reading.matching, [0..1]);
/// assert_eq!(reading.surprises, ["the operator of `~1.2.x` is forgotten, which leaves exactly 1.2.0"]);
/// # Ok::<(), blang_semver::RangeError>(())
/// ```
#[must_use]
pub fn read<V: std::borrow::Borrow<Version>>(range: &Range, text: &str, ascending: &[V]) -> Reading {
    Reading {
        normalised: range.normalised(),
        surprises: quirks(text).iter().map(quirk_text).collect(),
        never: range.never_matches(),
        crashes: range.groups().any(<[_]>::is_empty),
        matching: range.runs(ascending),
    }
}

/// A surprise in words.
pub(crate) fn quirk_text(quirk: &Quirk) -> String {
    match quirk {
        Quirk::Dropped { part } => format!("`{part}` stands alone and is dropped"),
        Quirk::ForgottenOperator { part, exactly } => {
            format!("the operator of `{part}` is forgotten, which leaves exactly {exactly}")
        }
        Quirk::HalfWildcard { part, meant } => {
            format!("`{part}` counts up the minor number; `{meant}` counts up the major one")
        }
        Quirk::PrereleaseWildcard { part, read } => {
            format!("the `x` of the prerelease in `{part}` is a wildcard, read as {read}")
        }
    }
}
