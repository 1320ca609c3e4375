//! Ways from an installed version to an entry: the one that OLM takes, the shortest one along the fields, and the one
//! through other channels; and what stands in the way.

use crate::{Climb, Ladder, Via, hop, version_in};
use blang_semver::{Range, Version};
use catalog::{BundleName, Channel, Entry, Package};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// At most so many single questions are put to channels in search of a way through several of them.
const QUESTIONS: usize = 50_000;

/// One update along a way.
#[derive(Clone, Copy, Debug)]
pub struct Hop<'c> {
    /// What is installed before it.
    pub from: &'c BundleName,
    /// What it updates to.
    pub to: &'c Entry,
    /// The channel of `to`.
    pub channel: &'c Channel,
    /// The field of `to` that allows it.
    pub via: Via,
}

/// What OLM does from an installed version on.
#[derive(Clone, Debug)]
pub struct Walk<'c> {
    /// Its updates, until the goal, until nothing follows, or until the first repetition.
    pub hops: Vec<Hop<'c>>,
    /// Whether it comes to the goal.
    pub arrives: bool,
}

/// Why OLM does not come from an installed version to an entry.
#[derive(Clone, Debug)]
pub enum Missed<'c> {
    /// The channel does not list it.
    NotListed,
    /// OLM never chooses it on the way: another entry skips it, or it is not on the chain of `replaces` from the head.
    NotChosen {
        /// The entry that skips it.
        skipped_by: Option<&'c Entry>,
    },
    /// An update leads past it, to an entry that is nearer to the head.
    Passed(Hop<'c>),
    /// It is older than what is installed.
    Older,
    /// Updates lead in a circle, or back.
    Circle,
    /// No entry that OLM chooses from replaces, skips or covers this version.
    Rests {
        /// The version without a way on.
        at: &'c BundleName,
        /// The least change of the channel that gives it one.
        mend: Option<Mend<'c>>,
    },
}

/// A change of an entry that lets it follow another one.
#[derive(Clone, Copy, Debug)]
pub struct Mend<'c> {
    /// The entry to change.
    pub entry: &'c Entry,
    /// `replaces` where it has none, else `skips`.
    pub via: Via,
}

/// The ways that `package` offers.
#[derive(Clone, Copy, Debug)]
pub struct Ways<'c> {
    package: &'c Package,
}

impl<'c> Ways<'c> {
    /// The ways of a package.
    #[must_use]
    pub const fn of(package: &'c Package) -> Self {
        Self { package }
    }

    /// The version of what is installed; of names without bundle the one that the name ends in.
    #[must_use]
    pub fn version(&self, name: &BundleName) -> Option<Version> {
        match self.package.bundle(name.as_str()) {
            Some(bundle) => bundle.version().cloned(),
            None => version_in(name.as_str()),
        }
    }

    /// What OLM updates to next in a channel.
    #[must_use]
    pub fn climb(&self, ladder: &Ladder<'c>, from: &BundleName) -> Option<Climb<'c>> {
        ladder.climb(from, self.version(from).as_ref())
    }

    /// What OLM does with what is installed, subscribed to a channel, until it comes to `goal`.
    #[must_use]
    pub fn walk(&self, ladder: &Ladder<'c>, from: &'c BundleName, goal: &BundleName) -> Walk<'c> {
        let (mut at, mut hops, mut seen) = (from, Vec::new(), BTreeSet::new());
        while at != goal && seen.insert(at) {
            let Some(climb) = self.climb(ladder, at) else { break };
            hops.push(Hop { from: at, to: climb.to, channel: ladder.channel, via: climb.via });
            at = &climb.to.name.value;
        }
        Walk { hops, arrives: at == goal }
    }

    /// Why OLM does not come to `goal`, an entry of the ladder's channel.
    #[must_use]
    pub fn missed(&self, ladder: &Ladder<'c>, from: &'c BundleName, walk: &Walk<'c>, goal: &BundleName) -> Missed<'c> {
        if ladder.channel.entry(goal.as_str()).is_none() {
            return Missed::NotListed;
        }
        let Some(rung) = ladder.rung(goal) else {
            let skips = |entry: &&Entry| entry.skips.iter().any(|skip| skip.value == *goal);
            return Missed::NotChosen { skipped_by: ladder.channel.entries.iter().find(skips) };
        };
        let passed = walk.hops.iter().find(|hop| ladder.rung(&hop.to.name.value).is_some_and(|to| to < rung));
        let older = self.version(from) > self.version(goal) || ladder.rung(from).is_some_and(|start| start < rung);
        let at = walk.hops.last().map_or(from, |hop| &hop.to.name.value);
        match passed {
            _ if older => Missed::Older,
            Some(hop) => Missed::Passed(*hop),
            None if self.climb(ladder, at).is_some() => Missed::Circle,
            None => Missed::Rests { at, mend: self.mend(ladder, at, rung) },
        }
    }

    /// The oldest rung that is newer than `at`, up to `rung`: it can name `at` without anything newer being left out.
    fn mend(&self, ladder: &Ladder<'c>, at: &BundleName, rung: usize) -> Option<Mend<'c>> {
        let version = self.version(at);
        let newer = |entry: &&&'c Entry| self.version(&entry.name.value) > version;
        let entry = ladder.rungs[rung..].iter().rev().find(newer)?;
        Some(Mend { entry, via: if entry.replaces.is_none() { Via::Replaces } else { Via::Skips } })
    }

    /// The fewest updates to an entry along the fields of the channel's entries, those included that OLM v0 does not
    /// choose from.
    #[must_use]
    pub fn fewest(&self, channel: &'c Channel, from: &'c BundleName, goal: &BundleName) -> Option<Vec<Hop<'c>>> {
        let mut fields = Fields::of(channel);
        let neighbours = |at: &'c BundleName| {
            let (named, ranged) = fields.from(at, self.version(at).as_ref());
            let followers = named.into_iter().chain(ranged).filter(|to| to.name.value != *at);
            followers.map(|to| (to, channel)).collect()
        };
        self.search(from, goal, channel, neighbours)
    }

    /// The fewest updates of OLM to an entry of `channel` if the Subscription may change its channel before each; one
    /// change more is made at the end where the goal is come to in another channel.
    #[must_use]
    pub fn detour(&self, channel: &'c Channel, from: &'c BundleName, goal: &BundleName) -> Option<Vec<Hop<'c>>> {
        let ladders: Vec<Ladder<'c>> =
            self.package.channels.iter().filter_map(|channel| Ladder::of(self.package, channel).ok()).collect();
        let mut left = QUESTIONS;
        let neighbours = |at: &'c BundleName| {
            let version = self.version(at);
            let asked = ladders.iter().take(left);
            let climbs = asked.filter_map(|ladder| Some((ladder.climb(at, version.as_ref())?.to, ladder.channel)));
            let climbs: Vec<_> = climbs.collect();
            left = left.saturating_sub(ladders.len());
            climbs
        };
        self.search(from, goal, channel, neighbours)
    }

    /// The shortest way in breadth; of two ways of one length the one that stays in `preferred`, then the first found.
    fn search(
        &self,
        from: &'c BundleName,
        goal: &BundleName,
        preferred: &'c Channel,
        mut neighbours: impl FnMut(&'c BundleName) -> Vec<(&'c Entry, &'c Channel)>,
    ) -> Option<Vec<Hop<'c>>> {
        let mut came: BTreeMap<&BundleName, Option<Hop<'c>>> = BTreeMap::from([(from, None)]);
        let mut waiting = VecDeque::from([from]);
        while let Some(at) = waiting.pop_front().filter(|at| *at != goal) {
            let (here, elsewhere): (Vec<_>, Vec<_>) =
                neighbours(at).into_iter().partition(|(_, channel)| std::ptr::eq(*channel, preferred));
            for (to, channel) in here.into_iter().chain(elsewhere) {
                let Some(via) = hop(to, at, self.version(at).as_ref()) else { continue };
                came.entry(&to.name.value).or_insert_with(|| {
                    waiting.push_back(&to.name.value);
                    Some(Hop { from: at, to, channel, via })
                });
            }
        }
        let mut hops = Vec::new();
        let mut at = goal;
        while let Some(hop) = came.get(at)? {
            hops.push(*hop);
            at = hop.from;
        }
        hops.reverse();
        Some(hops)
    }
}

/// The fields of a channel's entries, to be followed forwards.
struct Fields<'c> {
    named: BTreeMap<&'c BundleName, Vec<&'c Entry>>,
    /// Those that no version was found to lead to yet.
    ranged: Vec<(&'c Entry, &'c Range)>,
}

impl<'c> Fields<'c> {
    fn of(channel: &'c Channel) -> Self {
        let mut named: BTreeMap<_, Vec<&Entry>> = BTreeMap::new();
        for entry in &channel.entries {
            for name in entry.replaces.iter().chain(&entry.skips) {
                named.entry(&name.value).or_default().push(entry);
            }
        }
        let range = |entry: &'c Entry| entry.skip_range.as_ref()?.value.range.as_ref().ok();
        let ranged = channel.entries.iter().filter_map(|entry| Some((entry, range(entry)?)));
        Self { named, ranged: ranged.collect() }
    }

    /// What follows a version: what names it, and what covers it and was not given before.
    fn from(&mut self, name: &BundleName, version: Option<&Version>) -> (Vec<&'c Entry>, Vec<&'c Entry>) {
        let named = self.named.get(name).cloned().unwrap_or_default();
        let covers = |range: &Range| version.is_some_and(|version| range.matches(version).unwrap_or(false));
        let (covering, left) = std::mem::take(&mut self.ranged).into_iter().partition(|(_, range)| covers(range));
        self.ranged = left;
        let covering: Vec<(&Entry, &Range)> = covering;
        (named, covering.into_iter().map(|(entry, _)| entry).collect())
    }
}

/// The names that a package knows, each once, for names from outside to be looked up.
#[must_use]
pub fn known_name<'c>(package: &'c Package, name: &str) -> Option<&'c BundleName> {
    let entries = package.channels.iter().flat_map(|channel| &channel.entries);
    let named = entries.flat_map(|entry| std::iter::once(&entry.name).chain(&entry.replaces).chain(&entry.skips));
    let bundle = package.bundle(name).map(|bundle| &bundle.name.value);
    bundle.or_else(|| named.map(|name| &name.value).find(|known| known.as_str() == name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bundles, catalog};

    const VERSIONS: [&str; 8] = ["0.9.0", "1.0.0", "1.1.0", "1.2.0", "2.0.0", "3.0.0", "4.0.0", "5.0.0"];

    fn told(hops: &[Hop<'_>]) -> String {
        let hop = |hop: &Hop<'_>| format!("{}:{} {}", hop.channel.name, hop.to.name, hop.via.as_str());
        hops.iter().map(hop).collect::<Vec<_>>().join(", ")
    }

    /// OLM's way, the fewest hops, the way through other channels, and what is in the way, in channel `c`.
    #[track_caller]
    fn check(entries: &str, from: &str, goal: &str, expected: [&str; 4]) {
        let catalog = catalog(&format!("{entries}{}", bundles(&VERSIONS)));
        let package = &catalog.packages[0];
        let channel = package.channel("c").unwrap();
        let ladder = Ladder::of(package, channel).unwrap();
        let name = |version: &str| known_name(package, &format!("p.v{version}")).unwrap();
        let (ways, from, goal) = (Ways::of(package), name(from), name(goal));
        let walk = ways.walk(&ladder, from, goal);
        let missed = match ways.missed(&ladder, from, &walk, goal) {
            _ if walk.arrives => "arrives".to_owned(),
            Missed::Rests { at, mend } => {
                let mend = mend.map(|mend| format!("{} {}", mend.via.as_str(), mend.entry.name));
                format!("rests at {at}, {}", mend.unwrap_or_default())
            }
            Missed::Passed(hop) => format!("passed from {} to {}", hop.from, hop.to.name),
            Missed::NotChosen { skipped_by } => {
                format!("not chosen {:?}", skipped_by.map(|entry| entry.name.to_string()))
            }
            other => format!("{other:?}"),
        };
        let way = |hops: Option<Vec<Hop<'_>>>| hops.map_or_else(|| "none".to_owned(), |hops| told(&hops));
        let fewest = way(ways.fewest(channel, from, goal));
        let detour = way(ways.detour(channel, from, goal));
        assert_eq!([told(&walk.hops), fewest, detour, missed], expected);
    }

    const CHAIN: &str = "- {name: p.v4.0.0, replaces: p.v3.0.0, skipRange: '>=1.1.0 <2.0.0'}\n- {name: p.v3.0.0, replaces: p.v2.0.0}\n- {name: p.v2.0.0, replaces: p.v1.0.0, skips: [p.v1.1.0]}\n- {name: p.v1.0.0}\n";

    #[test]
    fn olm_takes_a_chain_step_by_step() {
        let way = "c:p.v2.0.0 replaces, c:p.v3.0.0 replaces";
        check(CHAIN, "1.0.0", "3.0.0", [way, way, way, "arrives"]);
    }

    #[test]
    fn olm_jumps_past_what_the_fields_allow() {
        check(
            CHAIN,
            "1.1.0",
            "3.0.0",
            [
                "c:p.v4.0.0 skipRange",
                "c:p.v2.0.0 skips, c:p.v3.0.0 replaces",
                "none",
                "passed from p.v1.1.0 to p.v4.0.0",
            ],
        );
    }

    #[test]
    fn a_version_without_a_way_on_is_mended_by_the_next_newer_rung() {
        check(CHAIN, "0.9.0", "4.0.0", ["", "none", "none", "rests at p.v0.9.0, replaces p.v1.0.0"]);
        check(CHAIN, "5.0.0", "4.0.0", ["", "none", "none", "Older"]);
        check(CHAIN, "3.0.0", "1.0.0", ["c:p.v4.0.0 replaces", "none", "none", "Older"]);
    }

    #[test]
    fn a_skipped_entry_is_never_chosen() {
        let entries =
            "- {name: p.v3.0.0, skips: [p.v2.0.0]}\n- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
        check(entries, "1.0.0", "2.0.0", ["", "c:p.v2.0.0 replaces", "none", "not chosen Some(\"p.v3.0.0\")"]);
        check(
            entries,
            "1.0.0",
            "3.0.0",
            ["", "c:p.v2.0.0 replaces, c:p.v3.0.0 skips", "none", "rests at p.v1.0.0, replaces p.v3.0.0"],
        );
    }

    #[test]
    fn another_channel_leads_there() {
        let entries = "- {name: p.v3.0.0, replaces: p.v2.0.0}\n---\nschema: olm.channel\npackage: p\nname: d\nentries: [{name: p.v2.0.0, replaces: p.v1.0.0}, {name: p.v1.0.0}]\n";
        check(
            entries,
            "1.0.0",
            "3.0.0",
            ["", "none", "d:p.v2.0.0 replaces, c:p.v3.0.0 replaces", "rests at p.v1.0.0, skips p.v3.0.0"],
        );
    }

    #[test]
    fn there_already() {
        check(CHAIN, "2.0.0", "2.0.0", ["", "", "", "arrives"]);
    }
}
