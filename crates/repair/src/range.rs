//! The text of a skipRange that covers some of the known versions.

use crate::known::Known;
use go_semver::blang::{Range, Version};

/// A text for the skipRange of an entry. `covered` says which of the known versions below that of the entry it covers.
/// Versions that nobody knows stay as they are in the present range: its own bounds count as known ones.
///
/// With `is_joined`, it also covers everything above the lowest of them.
pub(crate) fn text(
    known: &Known<'_>,
    entry: usize,
    covered: &dyn Fn(usize) -> bool,
    is_joined: bool,
) -> Option<Box<str>> {
    let own = known.version(entry)?;
    let present = known.entries[entry].skip_range.as_ref().and_then(|range| range.value.range.as_ref().ok());
    let matches = |version: &Version| present.is_some_and(|range| range.matches(version).unwrap_or(false));
    let mut points: Vec<(Version, bool)> =
        known.versions.iter().enumerate().map(|(at, version)| (version.clone(), covered(at))).collect();
    let lowest = Version::new(0, 0, 0);
    let bounds = present.into_iter().flat_map(Range::groups).flatten().map(|comparator| comparator.version.clone());
    for bound in bounds.chain(present.map(|_| lowest.clone())) {
        if !points.iter().any(|(version, _)| version.cmp(&bound).is_eq()) {
            let is_covered = matches(&bound);
            points.push((bound, is_covered));
        }
    }
    points.retain(|(version, _)| version < own);
    points.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut runs: Vec<(&Version, &Version)> = Vec::new();
    let mut is_open = false;
    for (at, (version, is_covered)) in points.iter().enumerate() {
        let is_in = *is_covered || (is_joined && is_open);
        let end = points.get(at + 1).map_or(own, |(next, _)| next);
        match runs.last_mut().filter(|_| is_open) {
            Some((_, last)) if is_in => *last = end,
            _ if is_in => runs.push((version, end)),
            _ => {}
        }
        is_open = is_in;
    }
    let run = |(first, end): &(&Version, &Version)| match present {
        Some(range) if **first == lowest && range.unbounded_below() => format!("<{end}"),
        _ => format!(">={first} <{end}"),
    };
    (!runs.is_empty()).then(|| runs.iter().map(run).collect::<Vec<_>>().join(" || ").into())
}
