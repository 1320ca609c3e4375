//! One update: from what is installed to an entry.

use blang_semver::Version;
use catalog::{BundleName, Entry};

/// How an entry says that it follows another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Via {
    /// `replaces`
    Replaces,
    /// `skips`
    Skips,
    /// `skipRange`
    SkipRange,
}

impl Via {
    /// The field's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Replaces => "replaces",
            Self::Skips => "skips",
            Self::SkipRange => "skipRange",
        }
    }
}

/// Whether OLM may update an installed operator to `entry`, and through which field.
///
/// Names decide for `replaces` and `skips`, the version alone for skipRange; an invalid range counts as none, as does
/// one that crashes (olm-runtime A1.2, A2.3).
#[must_use]
pub fn hop(entry: &Entry, installed: &BundleName, version: Option<&Version>) -> Option<Via> {
    if entry.replaces.as_ref().is_some_and(|replaces| replaces.value == *installed) {
        return Some(Via::Replaces);
    }
    if entry.skips.iter().any(|skip| skip.value == *installed) {
        return Some(Via::Skips);
    }
    let range = entry.skip_range.as_ref()?.value.range.as_ref().ok()?;
    range.matches(version?).unwrap_or(false).then_some(Via::SkipRange)
}
