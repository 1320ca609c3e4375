//! The channel map: to which channels a Subscription can switch when it is at the head of its own.

use crate::SortError;
use crate::ways::Ways;
use catalog::{BundleName, Channel, Package};
use go_semver::blang::Version;
use source::ChannelSwitch;
use std::cmp::{Ordering, Reverse};

/// The channels of a package, and the switches between them that OLM follows to the head of the other channel.
#[derive(Clone, Debug)]
pub struct ChannelMap<'c> {
    /// The one with the newest head first; channels that OLM cannot order last.
    pub channels: Vec<MappedChannel<'c>>,
    /// Sorted by the channel before the switch, then by the channel after it.
    pub switches: Vec<ChannelSwitch>,
    /// How many channels are left out.
    pub omitted: usize,
}

/// A channel of the map.
#[derive(Clone, Debug)]
pub struct MappedChannel<'c> {
    pub channel: &'c Channel,
    /// Absent if OLM cannot order it.
    pub head: Option<Head<'c>>,
    pub is_default: bool,
    /// Why OLM cannot order it.
    pub problem: Option<SortError>,
    /// Whether no switch leads on from its head, although another channel has a newer one.
    pub dead_end: bool,
}

impl MappedChannel<'_> {
    /// The version of its head.
    #[must_use]
    pub fn version(&self) -> Option<&Version> {
        self.head.as_ref()?.version.as_ref()
    }
}

/// The head of a channel. The order is by version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Head<'c> {
    pub version: Option<Version>,
    pub name: &'c BundleName,
}

impl<'c> ChannelMap<'c> {
    /// The map of a package. Of more than `most` channels, it has those with the newest heads.
    #[must_use]
    pub fn of(package: &'c Package, most: usize) -> Self {
        let ways = Ways::of(package, &[], most);
        let head = |at: usize| ways.channels[at].head.as_ref().map(|head| head.name);
        let all = || 0..ways.channels.len();
        let hops: Vec<Vec<Option<u32>>> =
            all().map(|from| all().map(|to| ways.hops(head(from)?, to)).collect()).collect();
        Self { switches: switches(&hops), channels: ways.channels, omitted: ways.omitted }
    }
}

/// The switches, from the number of updates by the channel that is left and the one that is switched to.
fn switches(hops: &[Vec<Option<u32>>]) -> Vec<ChannelSwitch> {
    let works = |from: usize, to: usize| hops[from][to].is_some_and(|hops| hops > 0);
    let is_step = |from: usize, between: usize, to: usize| {
        works(from, between) && works(between, to) && !works(between, from) && !works(to, between)
    };
    let pairs = (0..hops.len()).flat_map(|from| (0..hops.len()).map(move |to| (from, to)));
    let pairs = pairs.filter(|(from, to)| from != to);
    let switch = |(from, to): (usize, usize)| {
        let direct = !(0..hops.len()).any(|between| is_step(from, between, to));
        hops[from][to].map(|hops| ChannelSwitch { from: from as u32, to: to as u32, hops, direct })
    };
    pairs.filter_map(switch).collect()
}

// The order in which channels are shown. Their names mean nothing to OLM, but they do to people.

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
    use crate::testing::read;

    /// Lines `channel head`, then `from -> to: hops`, with `~` for a switch that is not direct.
    fn sketch(notation: &str) -> Vec<String> {
        let catalog = read(notation);
        let map = ChannelMap::of(&catalog.packages[0], 4);
        let name = |at: usize| map.channels[at].channel.name.to_string();
        let channel = |at: usize| {
            let end = if map.channels[at].dead_end { ", dead end" } else { "" };
            let head = map.channels[at].head.as_ref().map_or("no order", |head| head.name.as_str());
            format!("{} {head}{end}", name(at))
        };
        let switch = |switch: &ChannelSwitch| {
            let arrow = if switch.direct { "->" } else { "~>" };
            format!("{} {arrow} {}: {}", name(switch.from as usize), name(switch.to as usize), switch.hops)
        };
        (0..map.channels.len()).map(channel).chain(map.switches.iter().map(switch)).collect()
    }

    #[test]
    fn switches_are_those_that_olm_follows_to_the_head() {
        let channels = "c: 3.1.0 (skipRange >=2.0.0 <3.1.0)\n\
                        two: 2.0.0 <- 2.1.0 (skipRange >=1.0.0 <2.0.0)\none: 1.0.0 <- 1.1.0\nzero: 0.9.0";
        let expected =
            ["c p.v3.1.0", "two p.v2.1.0", "one p.v1.1.0", "zero p.v0.9.0, dead end", "two -> c: 1", "one -> two: 1"];
        assert_eq!(sketch(channels), expected);
    }

    #[test]
    fn a_switch_that_others_replace_is_not_direct() {
        let channels = "c: 3.0.0 (skipRange >=1.0.0 <3.0.0)\ntwo: 2.0.0 (skipRange >=1.0.0 <2.0.0)\none: 1.0.0";
        let switches = ["two -> c: 1", "one ~> c: 1", "one -> two: 1"];
        assert_eq!(sketch(channels)[3..], switches);
    }

    #[test]
    fn channels_with_one_head_switch_without_an_update() {
        let expected = ["c p.v1.0.0", "same p.v1.0.0", "c -> same: 0", "same -> c: 0"];
        assert_eq!(sketch("c: 1.0.0\nsame: 1.0.0"), expected);
    }

    #[test]
    fn channels_without_order_come_last_and_the_oldest_heads_are_left_out() {
        let broken = "c: 1.0.0\nbroken: 1.0.0, 2.0.0";
        let shown = sketch(&format!("{broken}\nc2: 2.0.0\nc3: 3.0.0\nc4: 4.0.0"));
        assert_eq!(shown, ["c4 p.v4.0.0", "c3 p.v3.0.0, dead end", "c2 p.v2.0.0, dead end", "c p.v1.0.0, dead end"]);
        let alone = sketch(broken);
        assert_eq!(alone, ["c p.v1.0.0", "broken no order"]);
    }

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
