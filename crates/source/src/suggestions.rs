//! Suggestions for a name that does not exist.

use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Longer words get no suggestion: comparing takes time in proportion to the product of both lengths, and no name of
/// Kubernetes is longer.
const LONGEST: usize = 253;
/// Most names that are suggested.
const MOST: usize = 3;
/// The distance of a name whose rest is left out, as in `etcd` for `etcd-operator`.
const SHORTENED: usize = 4;

/// The candidates that differ from `word` by few edits or by one word at the end, nearest first. `word` itself is left
/// out.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = word.to_lowercase();
    let limit = match wanted.chars().count() {
        0..=2 => 0,
        count @ 3..=LONGEST => (count / 4).clamp(1, 3),
        _ => return Vec::new(),
    };
    let others: BTreeSet<&str> = candidates.into_iter().filter(|candidate| *candidate != word).collect();
    // Among names with equally many edits, the longest common beginning counts: for `3.15.9`, `3.15.2` is before `3.10.9`.
    let shared = |candidate: &str| wanted.chars().zip(candidate.chars()).take_while(|(a, b)| a == b).count();
    let rank = |candidate: &'a str| Some((distance(&wanted, candidate, limit)?, Reverse(shared(candidate)), candidate));
    let mut near: Vec<_> = others.into_iter().filter_map(rank).collect();
    near.sort_unstable();
    near.into_iter().take(MOST).map(|(.., candidate)| candidate).collect()
}

fn distance(wanted: &str, candidate: &str, limit: usize) -> Option<usize> {
    let candidate = candidate.to_lowercase();
    if is_beginning(wanted, &candidate) || is_beginning(&candidate, wanted) {
        return Some(SHORTENED);
    }
    // Each edit changes the length by one at most.
    if wanted.chars().count().abs_diff(candidate.chars().count()) > limit {
        return None;
    }
    Some(strsim::osa_distance(wanted, &candidate)).filter(|&edits| edits <= limit)
}

/// Whether the name goes on behind `start` with another word.
fn is_beginning(start: &str, name: &str) -> bool {
    let rest = name.strip_prefix(start).filter(|_| !start.is_empty());
    rest.is_some_and(|rest| rest.starts_with(['-', '.', '_']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposes_what_is_near_only() {
        let names = ["etcd", "etcd-operator", "stable", "stable-4.2", "alpha", "ETCD", "quay", "ee"];
        for (word, expected) in [
            ("etdc", vec!["etcd", "ETCD"]),
            ("stabel", vec!["stable"]),
            ("etcd", vec!["ETCD", "etcd-operator"]),
            ("stable-4.3", vec!["stable-4.2", "stable"]),
            ("beta", vec![]),
            ("", vec![]),
            ("eu", vec![]),
        ] {
            assert_eq!(nearest(word, names), expected, "{word}");
        }
        assert_eq!(nearest("3.15.9", ["3.10.9", "3.15.2", "3.12.9", "3.13.9"])[0], "3.15.2");
    }
}
