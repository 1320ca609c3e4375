//! The catalogs that a resolution does not look into.

use cluster::CatalogName;
use source::joined;
use std::fmt;

/// More catalogs than this are counted and not named.
const NAMED: usize = 3;

/// Why the resolution looked at no bundle of a catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// The selector of the extension does not select the catalog.
    NotSelected,
    /// The catalog is in availability mode `Unavailable`.
    Unavailable,
    NoPackage,
}

impl SkipReason {
    const ALL: [Self; 3] = [Self::NotSelected, Self::Unavailable, Self::NoPackage];

    /// What is said of several catalogs.
    fn of_many(self) -> &'static str {
        match self {
            Self::NotSelected => "not selected by the extension",
            Self::Unavailable => "their availability mode is `Unavailable`",
            Self::NoPackage => "they do not have the package",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotSelected => "not selected by the extension",
            Self::Unavailable => "its availability mode is `Unavailable`",
            Self::NoPackage => "does not have the package",
        })
    }
}

/// A sentence for each reason: a cluster may have dozens of catalogs without the package.
#[must_use]
pub fn skipped_sentences(skipped: &[(CatalogName, SkipReason)]) -> Vec<String> {
    let of_reason = |reason: SkipReason| {
        let names: Vec<String> =
            skipped.iter().filter(|(_, why)| *why == reason).map(|(name, _)| format!("`{name}`")).collect();
        match &*names {
            [] => None,
            [name] => Some(format!("catalog {name} does not count: {reason}")),
            _ => Some(format!("catalogs {} do not count: {}", joined(&names, NAMED, "and"), reason.of_many())),
        }
    };
    SkipReason::ALL.into_iter().filter_map(of_reason).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catalogs_with_the_same_reason_share_a_sentence() {
        let without = |names: &[&str]| -> Vec<(CatalogName, SkipReason)> {
            names.iter().map(|name| ((*name).into(), SkipReason::NoPackage)).collect()
        };
        let mut skipped = without(&["a", "b", "c", "d", "e"]);
        skipped.insert(2, ("off".into(), SkipReason::Unavailable));
        assert_eq!(
            skipped_sentences(&skipped),
            [
                "catalog `off` does not count: its availability mode is `Unavailable`",
                "catalogs `a`, `b`, `c` and 2 more do not count: they do not have the package",
            ]
        );
        assert_eq!(
            skipped_sentences(&without(&["a", "b", "c"])),
            ["catalogs `a`, `b` and `c` do not count: they do not have the package"]
        );
        assert!(skipped_sentences(&[]).is_empty());
    }
}
