//! When a version satisfies a comparator. That prereleases are left out is decided for a whole alternative, before.

use std::cmp::Ordering;

use crate::blang::Version;

use super::constraint::{Bound, Comparator, Operator, Release, Width};

pub(crate) fn matches(comparator: &Comparator, version: &Version) -> bool {
    let Comparator { operator, bound, width } = comparator;
    match (operator, width) {
        (Operator::Equal, Width::Exact) => compare(version, bound).is_eq(),
        (Operator::Equal, _) | (Operator::Tilde, _) => tilde(version, bound, *width),
        (Operator::NotEqual, _) => not_equal(version, bound, *width),
        (Operator::Above, _) => above(version, bound, *width),
        (Operator::AtLeast, _) => compare(version, bound).is_ge(),
        (Operator::Below, _) => compare(version, bound).is_lt(),
        (Operator::AtMost, _) => at_most(version, bound, *width),
        (Operator::Caret, _) => caret(version, bound, *width),
    }
}

/// Plain ordering, in which a prerelease is below its release.
fn compare(version: &Version, bound: &Bound) -> Ordering {
    Release::of(version).cmp(&bound.release).then_with(|| match (version.pre(), &*bound.prerelease) {
        ("", "") => Ordering::Equal,
        ("", _) => Ordering::Greater,
        (_, "") => Ordering::Less,
        (ours, theirs) => prereleases(ours, theirs),
    })
}

fn prereleases(ours: &str, theirs: &str) -> Ordering {
    let identifiers = ours.split('.').zip(theirs.split('.')).map(|(one, other)| identifiers(one, other));
    let first_difference = identifiers.into_iter().find(|order| order.is_ne());
    first_difference.unwrap_or_else(|| ours.split('.').count().cmp(&theirs.split('.').count()))
}

/// Numbers come before other identifiers; a number beyond 64 bits counts as text.
fn identifiers(ours: &str, theirs: &str) -> Ordering {
    match (ours.parse::<u64>(), theirs.parse::<u64>()) {
        (Ok(ours), Ok(theirs)) => ours.cmp(&theirs),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => ours.cmp(theirs),
    }
}

fn not_equal(version: &Version, bound: &Bound, width: Width) -> bool {
    let Release { major, minor, .. } = bound.release;
    match width {
        Width::Exact | Width::Any => compare(version, bound).is_ne(),
        Width::Major => version.major() != major,
        Width::Minor => {
            // Within the minor version, the library compares prereleases instead of patch numbers.
            let has_prerelease = !version.pre().is_empty() || !bound.prerelease.is_empty();
            let differs = has_prerelease && prereleases(version.pre(), &bound.prerelease).is_ne();
            (version.major(), version.minor()) != (major, minor) || differs
        }
    }
}

/// `>1` starts at 2.0.0 and `>1.2` at 1.3.0.
fn above(version: &Version, bound: &Bound, width: Width) -> bool {
    let Release { major, minor, .. } = bound.release;
    match width {
        Width::Exact | Width::Any => compare(version, bound).is_gt(),
        Width::Major => version.major() > major,
        Width::Minor => (version.major(), version.minor()) > (major, minor),
    }
}

/// `<=1` includes all of 1.y.z and `<=1.2` all of 1.2.z.
fn at_most(version: &Version, bound: &Bound, width: Width) -> bool {
    let Release { major, minor, .. } = bound.release;
    match width {
        Width::Exact => compare(version, bound).is_le(),
        Width::Major => version.major() <= major,
        // `<=*` means `<=0.0.x`.
        Width::Minor | Width::Any => (version.major(), version.minor()) <= (major, minor),
    }
}

fn tilde(version: &Version, bound: &Bound, width: Width) -> bool {
    let Release { major, minor, patch } = bound.release;
    if compare(version, bound).is_lt() {
        return false;
    }
    match width {
        // `~0.0.0` means `>=0.0.0`, and so does `*`.
        Width::Exact | Width::Any if (major, minor, patch) == (0, 0, 0) => true,
        Width::Major => version.major() == major,
        Width::Exact | Width::Any | Width::Minor => (version.major(), version.minor()) == (major, minor),
    }
}

fn caret(version: &Version, bound: &Bound, width: Width) -> bool {
    let Release { major, minor, patch } = bound.release;
    if compare(version, bound).is_lt() || version.major() != major {
        return false;
    }
    if major > 0 || width == Width::Major {
        return true;
    }
    if minor > 0 || width == Width::Minor {
        return version.minor() == minor;
    }
    // `^*` means `^0.0.0`, the version 0.0.0 alone.
    (version.minor(), version.patch()) == (minor, patch)
}
