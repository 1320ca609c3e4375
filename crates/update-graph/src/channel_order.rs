//! The order in which channels are shown. Their names mean nothing to OLM, but they do to people.

use catalog::{Channel, Package};
use std::cmp::{Ordering, Reverse};

/// Words in channel names and how safe such a channel usually is, 0 most. Other words come after `fast` and before
/// `candidate`.
const SAFETY: [(&str, u8); 12] = [
    ("stable", 0),
    ("release", 1),
    ("latest", 1),
    ("eus", 2),
    ("fast", 3),
    ("candidate", 5),
    ("candidates", 5),
    ("preview", 6),
    ("beta", 7),
    ("alpha", 8),
    ("dev", 9),
    ("nightly", 9),
];
const OTHER: u8 = 4;

/// The channels of a package: the default one first, then `stable` before `fast` before `candidate`, then word by word,
/// numbers by their value and the largest first, so that 3.10 comes before 3.6: the newest versions are of most interest. A
/// name comes before longer names that begin with it.
#[must_use]
pub fn channels_in_order(package: &Package) -> Vec<&Channel> {
    let default = package.default_channel.as_ref().map(|name| &name.value);
    let mut channels: Vec<&Channel> = package.channels.iter().collect();
    channels.sort_by(|a, b| {
        let later = |channel: &Channel| Some(&channel.name.value) != default;
        let names = || channel_order(a.name.value.as_str(), b.name.value.as_str());
        later(a).cmp(&later(b)).then_with(names)
    });
    channels
}

fn channel_order(a: &str, b: &str) -> Ordering {
    safety(a).cmp(&safety(b)).then_with(|| parts(a).cmp(parts(b))).then_with(|| a.cmp(b))
}

/// How safe a channel of that name usually is, 0 most: the value of the least safe known word in it.
#[must_use]
pub fn safety(name: &str) -> u8 {
    let known = |word: &str| SAFETY.iter().find(|(known, _)| *known == word).map(|(_, safety)| *safety);
    name.split(|c: char| !c.is_ascii_alphabetic()).filter_map(known).max().unwrap_or(OTHER)
}

/// A run of digits, by value, or of other characters.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'a> {
    /// Without leading zeros; longer is larger, and comes first.
    Number(Reverse<(usize, &'a str)>),
    Word(&'a str),
}

fn parts(name: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let digits = rest.chars().next()?.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != digits).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        rest = after;
        let value = part.trim_start_matches('0');
        Some(if digits { Part::Number(Reverse((value.len(), value))) } else { Part::Word(part) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ascending: &[&str]) {
        let mut sorted = ascending.to_vec();
        sorted.reverse();
        sorted.sort_by(|a, b| channel_order(a, b));
        assert_eq!(sorted, ascending);
    }

    #[test]
    fn larger_numbers_first() {
        check(&["stable", "stable-3.10", "stable-3.10-z", "stable-3.9", "stable-3.6", "stable-3.10-eus"]);
        check(&["3.x", "2.10.x", "2.2.x", "mce-2.0", "rolling"]);
    }

    #[test]
    fn safer_channels_first() {
        check(&["stable-v1", "release-1.4", "fast-v0", "threescale", "candidate-v0", "preview", "beta", "alpha"]);
        check(&["stable-1.30", "1.31-nightly"]);
    }
}
