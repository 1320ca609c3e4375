//! A package's channels as lanes of nodes with update edges, and what is special about each node.

use crate::{Pruning, SortError, Via, channels_in_order, prunings, sort_channel};
use blang_semver::Version;
use catalog::{Bundle, BundleName, Channel, DeprecationTarget, Entry, Package};
use order::Ordered;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A lane of a graph, an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaneId(pub u32);

/// A node of a graph, an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// The update graph of a package.
#[derive(Clone, Debug)]
pub struct UpdateGraph<'c> {
    /// The package.
    pub package: &'c Package,
    /// As [`channels_in_order`] has them.
    pub lanes: Vec<Lane<'c>>,
    /// Lane by lane: entries in the order of the text, then ghosts by name.
    pub nodes: Vec<Node<'c>>,
    /// `replaces` and `skips`, from the older to the newer entry.
    pub edges: Vec<Edge>,
    /// What the package's skipRanges take out of it.
    pub prunings: Vec<Pruning<'c>>,
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Lane<'c> {
    /// The channel.
    pub channel: &'c Channel,
    /// Its nodes.
    nodes: Range<u32>,
    /// Whether it is the default channel.
    pub default: bool,
    /// The message of its deprecation.
    pub deprecated: Option<&'c str>,
    /// The entries that OLM chooses from, the head first; or why it finds no order.
    pub sorted: Result<Vec<NodeId>, SortError>,
}

/// An entry of a channel, or the ghost of one.
#[derive(Clone, Debug)]
pub struct Node<'c> {
    /// The channel.
    pub lane: LaneId,
    /// The name.
    pub name: &'c BundleName,
    /// The entry; absent for ghosts.
    pub entry: Option<&'c Entry>,
    /// The bundle, if the package has it.
    pub bundle: Option<&'c Bundle>,
    /// What is special about it.
    pub marks: BTreeSet<Mark>,
}

impl Node<'_> {
    /// The version of the bundle; for names without bundle the version that the name ends in, which is good enough to
    /// place it.
    #[must_use]
    pub fn version(&self) -> Option<Version> {
        match self.bundle {
            Some(bundle) => bundle.version().cloned(),
            None => version_in(self.name.as_str()),
        }
    }
}

/// What is special about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Nothing of its channel replaces or skips it.
    Head,
    /// An entry of its channel skips it by name.
    Skipped,
    /// A skipRange without `replaces` takes it out of the channel: see [`Pruning`].
    Pruned,
    /// Not an entry of this channel.
    Ghost,
    /// The package has the bundle, but a startingCSV for this channel cannot name it (olm-runtime A7): the channel does
    /// not list it, or its entry replaces or skips itself.
    NotStartable,
    /// OLM v0 knows no way from it to the head of its channel.
    Stranded,
    /// `olm.deprecations` names it.
    Deprecated,
    /// No bundle document describes it.
    NoBundle,
}

/// An update edge by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The older entry.
    pub from: NodeId,
    /// The newer entry, which names the older one.
    pub to: NodeId,
    /// `replaces` or `skips`.
    pub via: Via,
    /// OLM v0 does not use it, because the newer entry is not among those that it chooses from.
    pub ignored: bool,
}

/// Builds the graph of `package`.
#[must_use]
pub fn build(package: &Package) -> UpdateGraph<'_> {
    let mut graph =
        UpdateGraph { package, lanes: Vec::new(), nodes: Vec::new(), edges: Vec::new(), prunings: prunings(package) };
    let default = package.default_channel.as_ref().map(|name| &name.value);
    for channel in channels_in_order(package) {
        graph.add_lane(channel, Some(&channel.name.value) == default);
    }
    graph
}

impl<'c> UpdateGraph<'c> {
    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node<'c> {
        &self.nodes[id.0 as usize]
    }

    /// The nodes of a lane.
    pub fn nodes_of(&self, lane: LaneId) -> impl Iterator<Item = (NodeId, &Node<'c>)> {
        self.lanes[lane.0 as usize].nodes.clone().map(NodeId).map(|id| (id, self.node(id)))
    }

    fn add_lane(&mut self, channel: &'c Channel, default: bool) {
        let lane = LaneId(self.lanes.len() as u32);
        let first = self.nodes.len() as u32;
        let names = self.add_nodes(lane, channel);
        let sorted = sort_channel(channel.name.value.as_str(), self.package.name.as_str(), &channel.entries)
            .map(|order| order.into_iter().map(|at| NodeId(first + at as u32)).collect::<Vec<_>>());
        let chosen_from: BTreeSet<NodeId> = sorted.iter().flatten().copied().ordered();
        for (at, entry) in channel.entries.iter().enumerate() {
            let to = NodeId(first + at as u32);
            let ignored = sorted.is_ok() && !chosen_from.contains(&to);
            let replaces = entry.replaces.iter().map(|name| (Via::Replaces, &name.value));
            let skips = entry.skips.iter().map(|name| (Via::Skips, &name.value));
            for (via, name) in replaces.chain(skips) {
                if let Some(&from) = names.get(name) {
                    self.edges.push(Edge { from, to, via, ignored });
                }
            }
        }
        self.mark(first, channel, &chosen_from);
        let deprecated = self.package.deprecations.iter().find_map(|deprecation| match &deprecation.target {
            DeprecationTarget::Channel(name) if *name == channel.name.value => Some(&*deprecation.message),
            _ => None,
        });
        let nodes = first..self.nodes.len() as u32;
        self.lanes.push(Lane { channel, nodes, default, deprecated, sorted });
    }

    /// Adds entries and ghosts, and gives the node of each name.
    fn add_nodes(&mut self, lane: LaneId, channel: &'c Channel) -> BTreeMap<&'c BundleName, NodeId> {
        let mut names = BTreeMap::new();
        for entry in &channel.entries {
            let id = self.add_node(lane, &entry.name.value, Some(entry));
            names.entry(&entry.name.value).or_insert(id);
        }
        let edges = channel.entries.iter().flat_map(|entry| entry.replaces.iter().chain(&entry.skips));
        let named = edges.map(|name| &name.value).filter(|name| !name.as_str().is_empty());
        let pruned = self.prunings.iter().filter(|pruning| std::ptr::eq(pruning.channel, channel));
        let unlisted = pruned.flat_map(|pruning| pruning.unlisted.iter()).map(|bundle| &bundle.name.value);
        let ghosts: BTreeSet<_> = named.chain(unlisted).filter(|name| !names.contains_key(name)).ordered();
        for name in ghosts {
            names.insert(name, self.add_node(lane, name, None));
        }
        names
    }

    fn add_node(&mut self, lane: LaneId, name: &'c BundleName, entry: Option<&'c Entry>) -> NodeId {
        let bundle = self.package.bundle(name.as_str());
        self.nodes.push(Node { lane, name, entry, bundle, marks: BTreeSet::new() });
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn mark(&mut self, first: u32, channel: &Channel, chosen_from: &BTreeSet<NodeId>) {
        let heads: BTreeSet<&str> = catalog::heads(channel).into_iter().ordered();
        let skips = channel.entries.iter().flat_map(|entry| &entry.skips);
        let skipped: BTreeSet<&BundleName> = skips.map(|name| &name.value).ordered();
        let here = self.prunings.iter().filter(|pruning| std::ptr::eq(pruning.channel, channel));
        let pruned: BTreeSet<&BundleName> = here.flat_map(Pruning::names).ordered();
        let targets = self.package.deprecations.iter().map(|deprecation| &deprecation.target);
        let deprecated: BTreeSet<&BundleName> = targets
            .filter_map(|target| match target {
                DeprecationTarget::Bundle(name) => Some(name),
                DeprecationTarget::Package | DeprecationTarget::Channel(_) => None,
            })
            .ordered();
        for node in &mut self.nodes[first as usize..] {
            let name = node.name;
            let marks = [
                (Mark::Head, node.entry.is_some() && heads.contains(name.as_str())),
                (Mark::Skipped, skipped.contains(name)),
                (Mark::Pruned, pruned.contains(name)),
                (Mark::Ghost, node.entry.is_none()),
                (Mark::NotStartable, node.bundle.is_some() && !startable(node)),
                (Mark::Deprecated, deprecated.contains(name)),
                (Mark::NoBundle, node.entry.is_some() && node.bundle.is_none()),
            ];
            node.marks = marks.into_iter().filter(|(_, holds)| *holds).map(|(mark, _)| mark).collect();
        }
        for id in self.stranded(first, chosen_from) {
            self.nodes[id.0 as usize].marks.insert(Mark::Stranded);
        }
    }

    /// Entries from which no series of hops leads to the head. A hop leads from a name and version to an entry that OLM
    /// chooses from (`olm-runtime` A2.3: replaces, skips or skipRange of the newer entry).
    fn stranded(&self, first: u32, chosen_from: &BTreeSet<NodeId>) -> Vec<NodeId> {
        if chosen_from.is_empty() {
            return Vec::new();
        }
        let mut waiting: BTreeMap<&BundleName, Vec<NodeId>> = BTreeMap::new();
        let mut reached = Vec::new();
        for id in (first..self.nodes.len() as u32).map(NodeId) {
            if self.node(id).marks.contains(&Mark::Head) {
                reached.push(id);
            } else {
                waiting.entry(self.node(id).name).or_default().push(id);
            }
        }
        while let Some(to) = reached.pop().filter(|_| !waiting.is_empty()) {
            let Some(entry) = self.node(to).entry else { continue };
            let hopping = self.hopping(entry, &mut waiting);
            reached.extend(hopping.into_iter().filter(|id| chosen_from.contains(id)));
        }
        let mut left: Vec<NodeId> =
            waiting.into_values().flatten().filter(|&id| self.node(id).entry.is_some()).collect();
        left.sort_unstable();
        left
    }

    /// Takes those out of `waiting` that can hop to `entry`.
    fn hopping(&self, entry: &Entry, waiting: &mut BTreeMap<&BundleName, Vec<NodeId>>) -> Vec<NodeId> {
        let named = entry.replaces.iter().chain(&entry.skips);
        let mut hopping: Vec<NodeId> = named.filter_map(|name| waiting.remove(&name.value)).flatten().collect();
        if entry.skip_range.is_some() {
            waiting.retain(|name, ids| {
                let version = ids.first().and_then(|&id| self.node(id).version());
                let hops = crate::hop(entry, name, version.as_ref()).is_some();
                if hops {
                    hopping.append(ids);
                }
                !hops
            });
        }
        hopping
    }
}

/// Whether OLM finds the node when a startingCSV names it: it looks for the entry alone, which has no head if it follows
/// itself.
fn startable(node: &Node<'_>) -> bool {
    let follows_itself = |entry: &Entry| entry.replaces.iter().chain(&entry.skips).any(|name| name.value == *node.name);
    node.entry.is_some_and(|entry| !follows_itself(entry))
}

/// The version at the end of a name such as `etcd.v1.2.3`.
#[must_use]
pub fn version_in(name: &str) -> Option<Version> {
    let (_, rest) = name.split_once('.')?;
    Version::parse_tolerant(rest).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bundles, catalog};

    /// Lines `channel name: marks` of all nodes that have any.
    fn marks(entries: &str, versions: &[&str]) -> Vec<String> {
        let catalog = catalog(&format!("{entries}{}", bundles(versions)));
        let graph = build(&catalog.packages[0]);
        let marked = graph.nodes.iter().filter(|node| !node.marks.is_empty());
        marked.map(|node| format!("{}: {:?}", node.name, node.marks)).collect()
    }

    #[test]
    fn heads_skips_and_ghosts() {
        let entries = "- {name: p.v3.0.0, replaces: p.v1.0.0, skips: [p.v2.0.0]}\n- name: p.v2.0.0\n- {name: p.v1.0.0, replaces: p.v0.9.0}\n";
        let expected = ["p.v3.0.0: {Head}", "p.v2.0.0: {Skipped}", "p.v0.9.0: {Ghost}"];
        assert_eq!(marks(entries, &["1.0.0", "2.0.0", "3.0.0"]), expected);
    }

    #[test]
    fn stranded_behind_a_skipped_entry() {
        let entries =
            "- {name: p.v3.0.0, skips: [p.v2.0.0]}\n- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
        let expected = ["p.v3.0.0: {Head}", "p.v2.0.0: {Skipped}", "p.v1.0.0: {Stranded}"];
        assert_eq!(marks(entries, &["1.0.0", "2.0.0", "3.0.0"]), expected);
    }

    #[test]
    fn pruned_by_a_skip_range() {
        let entries = "- {name: p.v2.0.0, skipRange: '<2.0.0'}\n---\nschema: olm.channel\npackage: p\nname: d\nentries:\n- name: p.v1.0.0\n";
        let expected = ["p.v2.0.0: {Head}", "p.v1.0.0: {Pruned, Ghost, NotStartable}", "p.v1.0.0: {Head}"];
        assert_eq!(marks(entries, &["1.0.0", "2.0.0"]), expected);
    }

    #[test]
    fn edges_of_a_skipped_entry_are_ignored() {
        let entries = "- {name: p.v3.0.0, replaces: p.v1.0.0, skips: [p.v2.0.0]}\n- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
        let catalog = catalog(&format!("{entries}{}", bundles(&["1.0.0", "2.0.0", "3.0.0"])));
        let edges: Vec<_> =
            build(&catalog.packages[0]).edges.iter().map(|edge| (edge.from.0, edge.to.0, edge.ignored)).collect();
        assert_eq!(edges, [(2, 0, false), (1, 0, false), (2, 1, true)]);
    }
}
