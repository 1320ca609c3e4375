//! Version ranges in a package, and how blang reads them, in words.

use crate::candidates::{BundleRequirement, parts};
use crate::index::{IndexedPackage, Input};
use catalog::predicate::{PackageName, Requirement};
use catalog::{Bundle, Catalog};
use go_semver::blang::{Quirk, Range, Version, quirks};
use source::{QuickFix, Span};
use std::collections::BTreeMap;

/// A range that can be parsed, and its place.
pub(crate) struct PlacedRange<'a> {
    pub(crate) text: &'a str,
    pub(crate) range: &'a Range,
    pub(crate) span: Span,
    /// Whether the place is that of the range alone, so that a quick fix can write another one.
    pub(crate) is_scalar: bool,
    /// The versions of the package that the range selects from, ascending; absent if this catalog does not have the
    /// package.
    pub(crate) versions: Option<&'a [&'a Version]>,
}

pub(crate) fn skip_ranges<'a>(package: &'a IndexedPackage<'_>) -> Vec<PlacedRange<'a>> {
    let entries = package.channels.iter().flat_map(|channel| channel.entries());
    let skip_ranges = entries.filter_map(|entry| {
        let skip = entry.skip_range.as_ref()?;
        let (range, versions) = (skip.value.range.as_ref().ok()?, Some(&package.ascending[..]));
        Some(PlacedRange { text: &skip.value.text, range, span: skip.span, is_scalar: true, versions })
    });
    skip_ranges.collect()
}

/// The versions of packages, ascending.
pub(crate) type Versions<'a> = BTreeMap<&'a PackageName, Vec<&'a Version>>;

/// The versions of the packages of the catalog that are required.
pub(crate) fn required_versions<'a>(
    catalog: &'a Catalog,
    requirements: impl IntoIterator<Item = &'a BundleRequirement<'a>>,
) -> Versions<'a> {
    let mut versions = Versions::new();
    for requirement in requirements.into_iter().filter_map(|stated| stated.requirement.as_ref().ok()) {
        for part in parts(requirement) {
            let Requirement::Package { name, .. } = part else { continue };
            let Some(package) = catalog.package(name.as_str()) else { continue };
            versions.entry(&package.name).or_insert_with(|| {
                let mut ascending: Vec<&Version> = package.bundles.iter().filter_map(Bundle::version).collect();
                ascending.sort();
                ascending
            });
        }
    }
    versions
}

/// The ranges of requirements.
pub(crate) fn required_ranges<'a>(
    input: Input<'_>,
    requirements: &'a [BundleRequirement<'_>],
    versions: &'a Versions<'_>,
) -> Vec<PlacedRange<'a>> {
    let mut ranges = Vec::new();
    for stated in requirements {
        let Ok(requirement) = &stated.requirement else { continue };
        for part in parts(requirement) {
            if let Requirement::Package { name, range, text } = part {
                let span = input.field(stated.span, "versionRange");
                let versions = versions.get(name).map(Vec::as_slice);
                let is_scalar = stated.others == 0 && span != stated.span;
                ranges.push(PlacedRange { text, range, span, is_scalar, versions });
            }
        }
    }
    ranges
}

/// The versions that a range matches, as a clause of a message: `it matches 1.2.0, 1.2.1, 1.2.2 and 3 more of 12
/// versions`. Names blang's reading of the range if that is another text. `ascending` are the versions of the package
/// that the range selects from.
pub(crate) fn matching(range: &Range, text: &str, ascending: &[&Version]) -> String {
    /// How many versions are named.
    const NAMED: usize = 3;
    let normalised = range.normalised();
    let it = if normalised == text { "it".to_owned() } else { format!("read as `{normalised}`, it") };
    let runs = range.runs(ascending);
    let (count, all) = (runs.iter().map(ExactSizeIterator::len).sum::<usize>(), ascending.len());
    let named = runs.into_iter().flat_map(|run| &ascending[run]).take(NAMED);
    let named = named.map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let versions = if all == 1 { "version" } else { "versions" };
    match (count, count.saturating_sub(NAMED)) {
        (_, _) if all == 0 => format!("{it} has no versions to match"),
        (0, _) => format!("{it} matches none of {all} {versions}"),
        (_, 0) => format!("{it} matches {named} of {all} {versions}"),
        (_, more) => format!("{it} matches {named} and {more} more of {all} {versions}"),
    }
}

impl PlacedRange<'_> {
    /// Writes the range that was probably meant.
    pub(crate) fn fix(&self) -> Option<QuickFix> {
        let meant = meant(self.text).filter(|_| self.is_scalar)?;
        Some(QuickFix::rename(self.span, &meant))
    }
}

/// A range that was probably meant by one that blang reads differently from how it looks.
fn meant(text: &str) -> Option<String> {
    let mut new = text.to_owned();
    for quirk in quirks(text) {
        new = match quirk {
            Quirk::HalfWildcard { part, meant } => new.replace(&*part, &meant),
            Quirk::ForgottenOperator { part, .. } => {
                let is_tilde = part.starts_with('~') || (part.starts_with('^') && part.matches('.').count() == 1);
                is_tilde.then(|| new.replace(&*part, &part[1..]))?
            }
            Quirk::Dropped { part } if *part == *"!" => new.replace("! ", "!"),
            Quirk::Dropped { part } if *part == *"-" => match new.split_once(" - ") {
                Some((from, to)) if !to.contains(' ') && !from.contains(' ') => format!(">={from} <={to}"),
                _ => return None,
            },
            Quirk::Dropped { .. } | Quirk::PrereleaseWildcard { .. } => return None,
        };
    }
    let is_plain = |range: Range| new != text && quirks(&new).is_empty() && !range.never_matches();
    Range::parse(&new).is_ok_and(is_plain).then_some(new)
}

/// Explains a surprising reading of a range, as a sentence without a stop.
pub(crate) fn quirk_text(quirk: &Quirk) -> String {
    match quirk {
        Quirk::Dropped { part } => format!("blang ignores `{part}` because it stands alone"),
        Quirk::ForgottenOperator { part, exactly } => {
            format!("blang ignores the operator of `{part}`, so only {exactly} matches")
        }
        Quirk::HalfWildcard { part, meant } => {
            format!("`{part}` ends before the next minor version; `{meant}` ends before the next major one")
        }
        Quirk::PrereleaseWildcard { part, read } => {
            format!("the `x` in the prerelease of `{part}` is a wildcard, read as {read}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, count: u64, expected: &str) {
        let versions: Vec<Version> = (0..count).map(|minor| Version::new(1, minor, 0)).collect();
        let ascending: Vec<&Version> = versions.iter().collect();
        assert_eq!(matching(&Range::parse(text).unwrap(), text, &ascending), expected);
    }

    #[test]
    fn few_versions_are_named_and_many_counted() {
        check(">=1.1.0 <1.3.0", 12, "it matches 1.1.0, 1.2.0 of 12 versions");
        check(">=1.1.0 <1.9.0", 12, "it matches 1.1.0, 1.2.0, 1.3.0 and 5 more of 12 versions");
        check("<1.0.0", 1, "it matches none of 1 version");
        check("<1.0.0", 0, "it has no versions to match");
    }

    #[test]
    fn another_reading_is_named() {
        check("1.x", 2, "read as `>=1.0.0 <2.0.0`, it matches 1.0.0, 1.1.0 of 2 versions");
    }
}
