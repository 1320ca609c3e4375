//! Update paths from an installed version to an entry in one channel: OLM's path, and the shortest path along the fields. If OLM
//! never reaches the entry, the reason.

use crate::chain::HopIndex;
use crate::{NextUpdate, UpdateChain, Via, version_of};
use catalog::{BundleName, Chain, Channel, Entry, Package};
use go_semver::blang::Version;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// One update of a path.
#[derive(Clone, Copy, Debug)]
pub struct Hop<'c> {
    /// What is installed before it.
    pub from: &'c BundleName,
    /// What it updates to.
    pub to: &'c Entry,
    pub channel: &'c Channel,
    /// The field of `to` that allows it.
    pub via: Via,
}

/// The updates that OLM makes from an installed version on.
#[derive(Clone, Debug)]
pub struct OlmPath<'c> {
    /// The updates until the goal, until no update follows, or until the first repetition.
    pub hops: Vec<Hop<'c>>,
    /// Whether they lead to the goal, and no updates lead from there back to it.
    pub arrives: bool,
}

impl<'c> OlmPath<'c> {
    /// Where they end, from this installed version on.
    #[must_use]
    pub fn end(&self, from: &'c BundleName) -> &'c BundleName {
        self.hops.last().map_or(from, |hop| &hop.to.name.value)
    }
}

/// Why OLM does not update an installed version to an entry.
#[derive(Clone, Debug)]
pub enum Obstacle<'c> {
    /// The channel does not list it.
    NotListed,
    /// Not in the update chain: another entry skips it, or `replaces` does not lead to it from the head.
    NotChosen { skipped_by: Option<&'c Entry> },
    /// An update leads past it, to an entry that is nearer to the head.
    PassedOver(Hop<'c>),
    /// Older than what is installed.
    Older,
    /// Updates lead in a circle, or back.
    Circle {
        /// Whether the goal is in it, so that OLM comes to it and does not stay.
        has_goal: bool,
    },
    /// No entry of the update chain replaces, skips or covers a version on the path.
    Stuck {
        /// The version that has no next update.
        at: &'c BundleName,
    },
}

/// The update paths of a package.
#[derive(Clone, Copy, Debug)]
pub struct Paths<'c> {
    package: &'c Package,
}

impl<'c> Paths<'c> {
    /// The paths of a package.
    #[must_use]
    pub const fn of(package: &'c Package) -> Self {
        Self { package }
    }

    /// The version of an installed bundle, by the rules of [`version_of`].
    #[must_use]
    pub fn version(&self, name: &BundleName) -> Option<Version> {
        version_of(self.package, name)
    }

    /// What OLM updates to next in a channel.
    #[must_use]
    pub fn next_update(&self, chain: &UpdateChain<'c>, from: &BundleName) -> Option<NextUpdate<'c>> {
        chain.next_update(from, self.version(from).as_ref())
    }

    /// The updates that OLM makes, subscribed to the chain's channel, until it comes to `goal`.
    #[must_use]
    pub fn by_olm(&self, chain: &UpdateChain<'c>, from: &'c BundleName, goal: &BundleName) -> OlmPath<'c> {
        let mut path = OlmPath { hops: self.hops(chain, from, goal), arrives: false };
        let end = path.end(from);
        path.arrives = end == goal && !self.leads_back(chain, end);
        path
    }

    /// The entries of a channel that the chain from its head leaves out, so that `opm` rejects it, although OLM v0 updates them to
    /// the head.
    #[must_use]
    pub fn stranded_by_opm_alone(&self, channel: &'c Channel) -> BTreeSet<&'c BundleName> {
        let Chain::Headed { head, stranded } = Chain::of(channel) else { return BTreeSet::new() };
        let Ok(chain) = UpdateChain::of(self.package, channel) else { return BTreeSet::new() };
        let names = stranded.into_iter().filter_map(|name| Some(&channel.entry(name)?.name.value));
        names.filter(|name| self.by_olm(&chain, name, &head.into()).arrives).collect()
    }

    /// The updates of OLM until `goal`, until no update follows, or until the first repetition.
    fn hops(&self, chain: &UpdateChain<'c>, from: &'c BundleName, goal: &BundleName) -> Vec<Hop<'c>> {
        let (mut at, mut hops, mut seen) = (from, Vec::new(), BTreeSet::new());
        while at != goal && seen.insert(at) {
            let Some(next) = self.next_update(chain, at) else { break };
            hops.push(Hop { from: at, to: next.to, channel: chain.channel, via: next.via });
            at = &next.to.name.value;
        }
        hops
    }

    /// Whether updates of OLM lead from an installed version to itself.
    fn leads_back(&self, chain: &UpdateChain<'c>, from: &'c BundleName) -> bool {
        let next = self.next_update(chain, from).map(|next| &next.to.name.value);
        next.is_some_and(|next| {
            next == from || self.hops(chain, next, from).last().is_some_and(|hop| hop.to.name.value == *from)
        })
    }

    /// Why OLM does not come to `goal`, an entry of the chain's channel.
    #[must_use]
    pub fn obstacle(
        &self,
        chain: &UpdateChain<'c>,
        from: &'c BundleName,
        path: &OlmPath<'c>,
        goal: &BundleName,
    ) -> Obstacle<'c> {
        if chain.channel.entry(goal.as_str()).is_none() {
            return Obstacle::NotListed;
        }
        let Some(position) = chain.position(goal) else {
            let skips = |entry: &&Entry| entry.skips.iter().any(|skip| skip.value == *goal);
            return Obstacle::NotChosen { skipped_by: chain.channel.entries.iter().find(skips) };
        };
        let is_nearer = |name: &BundleName| chain.position(name).is_some_and(|other| other < position);
        let past = path.hops.iter().find(|hop| is_nearer(&hop.to.name.value));
        let is_older = self.version(from) > self.version(goal) || is_nearer(from);
        let at = path.end(from);
        match past {
            _ if at == goal => Obstacle::Circle { has_goal: true },
            _ if is_older => Obstacle::Older,
            Some(hop) => Obstacle::PassedOver(*hop),
            None if self.next_update(chain, at).is_some() => Obstacle::Circle { has_goal: false },
            None => Obstacle::Stuck { at },
        }
    }

    /// The entries of the update chain that updates lead to along all fields, the head first: OLM takes the update nearest to the
    /// head, unless dependencies rule it out.
    #[must_use]
    pub fn reachable(&self, chain: &UpdateChain<'c>, from: &'c BundleName) -> Vec<&'c Entry> {
        let mut reached = vec![false; chain.entries.len()];
        let mut waiting = vec![from];
        while let Some(at) = waiting.pop() {
            for next in chain.successors(at, self.version(at).as_ref()) {
                if !std::mem::replace(&mut reached[next.position], true) {
                    waiting.push(&next.to.name.value);
                }
            }
        }
        let entries =
            chain.entries.iter().zip(reached).filter(|(entry, reached)| *reached && entry.name.value != *from);
        entries.map(|(entry, _)| *entry).collect()
    }

    /// The fewest updates to an entry along the fields of all entries of a channel, whether OLM v0 chooses from them or
    /// not.
    #[must_use]
    pub fn shortest(&self, channel: &'c Channel, from: &'c BundleName, goal: &BundleName) -> Option<Vec<Hop<'c>>> {
        let hops = HopIndex::of(channel.entries.iter());
        // An entry that a path leads to needs no other: its skipRange is not tried again.
        let mut found = vec![false; channel.entries.len()];
        let neighbours = |from: &'c BundleName| {
            let all = hops.all(from, self.version(from).as_ref(), |index| !found[index]);
            all.iter().for_each(|(index, _)| found[*index] = true);
            let hop = |(index, via)| Hop { from, to: &channel.entries[index], channel, via };
            all.into_iter().map(hop).collect()
        };
        search(from, goal, neighbours)
    }
}

/// The shortest path, found breadth first; of two paths of the same length the first that was found.
fn search<'c>(
    from: &'c BundleName,
    goal: &BundleName,
    mut neighbours: impl FnMut(&'c BundleName) -> Vec<Hop<'c>>,
) -> Option<Vec<Hop<'c>>> {
    let mut last_hops: BTreeMap<&BundleName, Option<Hop<'c>>> = BTreeMap::from([(from, None)]);
    let mut waiting = VecDeque::from([from]);
    while let Some(at) = waiting.pop_front().filter(|at| *at != goal) {
        for hop in neighbours(at) {
            last_hops.entry(&hop.to.name.value).or_insert_with(|| {
                waiting.push_back(&hop.to.name.value);
                Some(hop)
            });
        }
    }
    let mut hops = Vec::new();
    let mut at = goal;
    while let Some(hop) = last_hops.get(at)? {
        hops.push(*hop);
        at = hop.from;
    }
    hops.reverse();
    Some(hops)
}

/// The bundle name of that text, if the package has such a bundle or an entry of its channels is or names it.
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
    use crate::testing::read;

    /// The versions that there are, whether a channel lists them or not.
    const BUNDLES: &str = "bundle 0.9.0, 1.0.0, 1.1.0, 1.2.0, 2.0.0, 3.0.0, 4.0.0, 5.0.0";

    fn shown(hops: &[Hop<'_>]) -> String {
        let hop = |hop: &Hop<'_>| format!("{}:{} {}", hop.channel.name, hop.to.name, hop.via.as_str());
        hops.iter().map(hop).collect::<Vec<_>>().join(", ")
    }

    /// OLM's path, the shortest one, and why OLM does not arrive, in channel `c`.
    #[track_caller]
    fn check(channels: &str, from: &str, goal: &str, expected: [&str; 3]) {
        let catalog = read(&format!("{channels}\n{BUNDLES}"));
        let package = &catalog.packages[0];
        let channel = package.channel("c").unwrap();
        let chain = UpdateChain::of(package, channel).unwrap();
        let name = |version: &str| known_name(package, &format!("p.v{version}")).unwrap();
        let (paths, from, goal) = (Paths::of(package), name(from), name(goal));
        let path = paths.by_olm(&chain, from, goal);
        let obstacle = match paths.obstacle(&chain, from, &path, goal) {
            _ if path.arrives => "arrives".to_owned(),
            Obstacle::Stuck { at } => format!("stuck at {at}"),
            Obstacle::PassedOver(hop) => format!("passed from {} to {}", hop.from, hop.to.name),
            Obstacle::NotChosen { skipped_by } => {
                format!("not chosen {:?}", skipped_by.map(|entry| entry.name.to_string()))
            }
            other => format!("{other:?}"),
        };
        let or_none = |hops: Option<Vec<Hop<'_>>>| hops.map_or_else(|| "none".to_owned(), |hops| shown(&hops));
        let shortest = or_none(paths.shortest(channel, from, goal));
        assert_eq!([shown(&path.hops), shortest, obstacle], expected);
    }

    const CHAIN: &str = "c: 4.0.0 (replaces 3.0.0; skipRange >=1.1.0 <2.0.0), 3.0.0 (replaces 2.0.0), 2.0.0 (replaces 1.0.0; skips 1.1.0), 1.0.0";

    #[test]
    fn olm_follows_a_chain_hop_by_hop() {
        let path = "c:p.v2.0.0 replaces, c:p.v3.0.0 replaces";
        check(CHAIN, "1.0.0", "3.0.0", [path, path, "arrives"]);
    }

    #[test]
    fn olm_passes_over_what_the_fields_allow() {
        check(
            CHAIN,
            "1.1.0",
            "3.0.0",
            ["c:p.v4.0.0 skipRange", "c:p.v2.0.0 skips, c:p.v3.0.0 replaces", "passed from p.v1.1.0 to p.v4.0.0"],
        );
    }

    #[test]
    fn a_stuck_version_needs_an_edge_to_the_next_newer_entry() {
        check(CHAIN, "0.9.0", "4.0.0", ["", "none", "stuck at p.v0.9.0"]);
        check(CHAIN, "5.0.0", "4.0.0", ["", "none", "Older"]);
        check(CHAIN, "3.0.0", "1.0.0", ["c:p.v4.0.0 replaces", "none", "Older"]);
    }

    #[test]
    fn a_skipped_entry_is_never_chosen() {
        let channel = "c: 3.0.0 (skips 2.0.0), 2.0.0 (replaces 1.0.0), 1.0.0";
        check(channel, "1.0.0", "2.0.0", ["", "c:p.v2.0.0 replaces", "not chosen Some(\"p.v3.0.0\")"]);
        check(channel, "1.0.0", "3.0.0", ["", "c:p.v2.0.0 replaces, c:p.v3.0.0 skips", "stuck at p.v1.0.0"]);
    }

    #[test]
    fn an_installed_goal_needs_no_hop() {
        check(CHAIN, "2.0.0", "2.0.0", ["", "", "arrives"]);
    }
}
