//! The update graph: the channels of a package as lanes of nodes with edges, marks and next updates.

use crate::prune::prunings_in;
use crate::subset::union;
use crate::walk::update_forest;
use crate::{Pruning, SortError, TreePosition, UpdateChain, Via, channels_in_order, reaches_head, version_of};
use catalog::{Bundle, BundleName, Channel, ChannelName, DeprecationTarget, Entry, Package};
use go_semver::blang::Version;
use source::Mark;
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
    pub package: &'c Package,
    /// In the order of [`channels_in_order`].
    pub lanes: Vec<Lane<'c>>,
    /// Lane by lane: entries in the order of the text, then ghosts by name.
    pub nodes: Vec<Node<'c>>,
    /// `replaces` and `skips`, from the older to the newer entry.
    pub edges: Vec<Edge>,
    /// The skipRanges that prune versions.
    pub prunings: Vec<Pruning<'c>>,
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Lane<'c> {
    pub channel: &'c Channel,
    nodes: Range<u32>,
    /// Whether it is the default channel.
    pub default: bool,
    pub deprecated: Option<&'c str>,
    /// The update chain, or why OLM cannot order the channel.
    pub chain: Result<UpdateChain<'c>, SortError>,
}

/// An entry of a channel, or a ghost: a name that the channel does not list, but that an edge names or a skipRange covers.
#[derive(Clone, Debug)]
pub struct Node<'c> {
    /// The channel.
    pub lane: LaneId,
    pub name: &'c BundleName,
    /// The entry; absent for ghosts.
    pub entry: Option<&'c Entry>,
    /// The bundle, if the package has it.
    pub bundle: Option<&'c Bundle>,
    /// For a name without bundle the version that the name ends in, which is good enough to place it.
    pub version: Option<Version>,
    /// The position in the update chain, 0 for the head; absent when OLM does not choose from it.
    pub position: Option<usize>,
    /// What OLM updates it to.
    pub next: Option<Next>,
    /// The position among the updates of its lane; `end` is an index of nodes.
    pub tree: TreePosition,
    pub marks: BTreeSet<Mark>,
    /// Whether another name of the package has the same version.
    pub ambiguous: bool,
}

impl Node<'_> {
    /// The text of its skipRange, if that is invalid.
    #[must_use]
    pub fn bad_range(&self) -> Option<&str> {
        let range = &self.entry?.skip_range.as_ref()?.value;
        range.range.is_err().then_some(&*range.text)
    }

    /// The label: the version, or the name if it has none, its bundle is unknown, or another name has the same version.
    #[must_use]
    pub fn label(&self) -> String {
        let is_version = !self.ambiguous && !self.marks.contains(&Mark::UnknownBundle);
        let version = self.version.as_ref().filter(|_| is_version);
        version.map_or_else(|| self.name.to_string(), ToString::to_string)
    }
}

/// The update that OLM makes from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The newer entry.
    pub to: NodeId,
    /// The field of the newer entry that allows it.
    pub via: Via,
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
    /// OLM v0 does not use it, because the newer entry is not in the update chain.
    pub ignored: bool,
}

/// The most versions that are shown in channels that do not list them, because a skipRange covers them; in all channels
/// together. Many channels with wide ranges would be mostly ghosts; the labels of the bands count them all.
const GHOSTS: usize = 5_000;

/// Builds the graph of `package`.
#[must_use]
pub fn build(package: &Package) -> UpdateGraph<'_> {
    let channels = channels_in_order(package).into_iter();
    let chains: Vec<_> = channels.map(|channel| (channel, UpdateChain::of(package, channel))).collect();
    let prunings = prunings_in(package, &chains);
    let mut of_channel: BTreeMap<&ChannelName, Vec<usize>> = BTreeMap::new();
    for (at, pruning) in prunings.iter().enumerate() {
        of_channel.entry(&pruning.channel.name.value).or_default().push(at);
    }
    let graph = UpdateGraph { package, lanes: Vec::new(), nodes: Vec::new(), edges: Vec::new(), prunings };
    let mut building = Building { graph, of_channel, deprecated: Deprecated::of(package), ghosts: GHOSTS };
    for (channel, chain) in chains {
        building.add_lane(channel, chain);
    }
    find_ambiguous(&mut building.graph.nodes);
    building.graph
}

/// Finds the nodes that share their version with a node of another name.
fn find_ambiguous(nodes: &mut [Node<'_>]) {
    let mut named: BTreeMap<String, &BundleName> = BTreeMap::new();
    let mut shared: BTreeSet<String> = BTreeSet::new();
    let versions: Vec<Option<String>> = nodes.iter().map(|node| Some(node.version.as_ref()?.to_string())).collect();
    for (node, version) in nodes.iter().zip(&versions) {
        let Some(version) = version else { continue };
        match named.get(version) {
            None => drop(named.insert(version.clone(), node.name)),
            Some(name) if *name == node.name => {}
            Some(_) => drop(shared.insert(version.clone())),
        }
    }
    for (node, version) in nodes.iter_mut().zip(versions) {
        node.ambiguous = version.is_some_and(|version| shared.contains(&version));
    }
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

    /// The edges of a lane.
    #[must_use]
    pub fn edges_of(&self, lane: LaneId) -> &[Edge] {
        // They are sorted, because they were added lane by lane.
        let from = self.edges.partition_point(|edge| self.node(edge.from).lane < lane);
        let to = self.edges.partition_point(|edge| self.node(edge.from).lane <= lane);
        &self.edges[from..to]
    }
}

/// The channels and bundles that `olm.deprecations` names.
struct Deprecated<'c> {
    /// By name, the message.
    channels: BTreeMap<&'c ChannelName, &'c str>,
    bundles: BTreeSet<&'c BundleName>,
}

impl<'c> Deprecated<'c> {
    fn of(package: &'c Package) -> Self {
        let mut found = Self { channels: BTreeMap::new(), bundles: BTreeSet::new() };
        for deprecation in &package.deprecations {
            match &deprecation.target {
                DeprecationTarget::Channel(name) => {
                    found.channels.entry(name).or_insert(&deprecation.message);
                }
                DeprecationTarget::Bundle(name) => {
                    found.bundles.insert(name);
                }
                DeprecationTarget::Package => {}
            }
        }
        found
    }
}

/// A graph under construction, lane by lane.
struct Building<'c> {
    graph: UpdateGraph<'c>,
    /// By channel, the indices of its prunings.
    of_channel: BTreeMap<&'c ChannelName, Vec<usize>>,
    deprecated: Deprecated<'c>,
    /// How many ghosts of skipRanges may still be added.
    ghosts: usize,
}

impl<'c> Building<'c> {
    fn add_lane(&mut self, channel: &'c Channel, chain: Result<UpdateChain<'c>, SortError>) {
        let pruned = self.pruned(channel);
        let names = self.names(channel, &pruned);
        let first = self.graph.nodes.len() as u32;
        self.add_nodes(channel, chain.as_ref().ok(), &names);
        self.add_edges(first, channel, chain.is_ok(), &names);
        self.mark(first, channel, chain.as_ref().ok(), &pruned);
        let package = self.graph.package;
        let default = package.default_channel.as_ref().is_some_and(|name| name.value == channel.name.value);
        let deprecated = self.deprecated.channels.get(&channel.name.value).copied();
        let nodes = first..self.graph.nodes.len() as u32;
        self.graph.lanes.push(Lane { channel, nodes, default, deprecated, chain });
    }

    /// The names that skipRanges without `replaces` cover: entries of the channel that they prune, and the newest of the
    /// versions that the channel does not list, as many as may still be added.
    fn pruned(&self, channel: &Channel) -> BTreeSet<&'c BundleName> {
        let here = self.of_channel.get(&channel.name.value).map_or(&[][..], Vec::as_slice);
        let here = || here.iter().map(|&at| &self.graph.prunings[at]);
        let mut pruned = BTreeSet::new();
        for subset in union(here().map(|pruning| &pruning.off_chain)) {
            pruned.extend(subset.iter().map(|entry| &entry.name.value));
        }
        let unlisted = union(here().map(|pruning| &pruning.unlisted));
        let newest = unlisted.iter().flat_map(|subset| subset.iter().rev());
        pruned.extend(newest.take(self.ghosts).map(|bundle| &bundle.name.value));
        pruned
    }

    /// The names of a lane's nodes: the entries in the order of the text, then the ghosts.
    fn names(&mut self, channel: &'c Channel, pruned: &BTreeSet<&'c BundleName>) -> Vec<&'c BundleName> {
        let mut names: Vec<&BundleName> = channel.entries.iter().map(|entry| &entry.name.value).collect();
        let listed: BTreeSet<&BundleName> = names.iter().copied().collect();
        let edges = channel.entries.iter().flat_map(|entry| entry.replaces.iter().chain(&entry.skips));
        let named = edges.map(|name| &name.value).filter(|name| !name.as_str().is_empty());
        let named: BTreeSet<_> = named.filter(|name| !listed.contains(name)).collect();
        let unlisted = pruned.iter().copied().filter(|name| !listed.contains(name));
        let ghosts: BTreeSet<_> = named.iter().copied().chain(unlisted).collect();
        self.ghosts -= (ghosts.len() - named.len()).min(self.ghosts);
        names.extend(ghosts);
        names
    }

    /// Adds a node for each name, with the update that OLM makes from it.
    fn add_nodes(&mut self, channel: &'c Channel, chain: Option<&UpdateChain<'c>>, names: &[&'c BundleName]) {
        let (package, lane) = (self.graph.package, LaneId(self.graph.lanes.len() as u32));
        let versions: Vec<Option<Version>> = names.iter().map(|name| version_of(package, name)).collect();
        let installed: Vec<_> = names.iter().copied().zip(versions.iter().map(Option::as_ref)).collect();
        let order = chain.map_or(&[][..], |chain| &chain.order);
        let updates = chain.map_or_else(|| vec![None; names.len()], |chain| chain.next_updates(&installed));
        let next: Vec<Option<usize>> = updates.iter().map(|update| Some(order[update.as_ref()?.position])).collect();
        let mut positions = vec![None; names.len()];
        order.iter().enumerate().for_each(|(position, &index)| positions[index] = Some(position));
        // Updates end at the head, even if it is in a circle.
        let mut followed = next.clone();
        order.iter().take(1).for_each(|&head| followed[head] = None);
        let forest = update_forest(&followed);
        let first = self.graph.nodes.len();
        let id = |index: usize| NodeId((first + index) as u32);
        let nodes = versions.into_iter().zip(forest).enumerate().map(|(index, (version, tree))| Node {
            lane,
            name: names[index],
            entry: channel.entries.get(index),
            bundle: package.bundle(names[index].as_str()),
            version,
            position: positions[index],
            next: next[index].zip(updates[index]).map(|(to, update)| Next { to: id(to), via: update.via }),
            tree: TreePosition { end: first + tree.end, ..tree },
            marks: BTreeSet::new(),
            ambiguous: false,
        });
        self.graph.nodes.extend(nodes);
    }

    fn add_edges(&mut self, first: u32, channel: &Channel, is_ordered: bool, names: &[&BundleName]) {
        let id = |index: usize| NodeId(first + index as u32);
        let ids: BTreeMap<&BundleName, NodeId> =
            names.iter().enumerate().rev().map(|(index, name)| (*name, id(index))).collect();
        for (index, entry) in channel.entries.iter().enumerate() {
            let to = id(index);
            let ignored = is_ordered && self.graph.node(to).position.is_none();
            let replaces = entry.replaces.iter().map(|name| (Via::Replaces, &name.value));
            let skips = entry.skips.iter().map(|name| (Via::Skips, &name.value));
            for (via, name) in replaces.chain(skips) {
                self.graph.edges.extend(ids.get(name).map(|&from| Edge { from, to, via, ignored }));
            }
        }
    }

    fn mark(&mut self, first: u32, channel: &Channel, chain: Option<&UpdateChain<'_>>, pruned: &BTreeSet<&BundleName>) {
        let heads: BTreeSet<&str> = catalog::heads(channel).into_iter().collect();
        let skips = channel.entries.iter().flat_map(|entry| &entry.skips);
        let skipped: BTreeSet<&BundleName> = skips.map(|name| &name.value).collect();
        let package = self.graph.package;
        let nodes = &mut self.graph.nodes[first as usize..];
        let versions: Vec<Option<&Version>> =
            nodes.iter().take(channel.entries.len()).map(|node| node.version.as_ref()).collect();
        let reached = chain.map(|chain| reaches_head(&channel.entries, &versions, &chain.order));
        for (index, node) in nodes.iter_mut().enumerate() {
            let name = node.name;
            let reached = reached.as_ref().and_then(|reached| reached.get(index));
            let marks = [
                (Mark::Head, node.entry.is_some() && heads.contains(name.as_str())),
                (Mark::Skipped, skipped.contains(name)),
                (Mark::Pruned, node.entry.is_some() && pruned.contains(name)),
                (Mark::Ghost, node.entry.is_none()),
                (Mark::NotStartable, node.bundle.is_some() && !node.entry.is_some_and(can_start)),
                (Mark::Stranded, reached == Some(&false)),
                (Mark::Deprecated, self.deprecated.bundles.contains(name)),
                (Mark::NoBundle, node.entry.is_some() && node.bundle.is_none() && !package.has_unknown_bundles),
                (Mark::UnknownBundle, node.entry.is_some() && package.may_be_unknown(name.as_str())),
                (Mark::BadRange, node.bad_range().is_some()),
            ];
            node.marks = marks.into_iter().filter(|(_, holds)| *holds).map(|(mark, _)| mark).collect();
        }
    }
}

/// Whether a startingCSV can name the entry. OLM then sorts the entry alone, which has no head if it replaces or skips
/// itself.
#[must_use]
pub fn can_start(entry: &Entry) -> bool {
    entry.replaces.iter().chain(&entry.skips).all(|name| name.value != entry.name.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    /// Lines `channel name: marks` of all nodes that have any.
    fn marks(notation: &str) -> Vec<String> {
        let catalog = read(notation);
        let graph = build(&catalog.packages[0]);
        let marked = graph.nodes.iter().filter(|node| !node.marks.is_empty());
        marked.map(|node| format!("{}: {:?}", node.name, node.marks)).collect()
    }

    #[test]
    fn heads_skips_and_ghosts() {
        let notation = "c: 3.0.0 (replaces 1.0.0; skips 2.0.0), 2.0.0, 1.0.0 (replaces 0.9.0)";
        let expected = ["p.v3.0.0: {Head}", "p.v2.0.0: {Skipped}", "p.v0.9.0: {Ghost}"];
        assert_eq!(marks(notation), expected);
    }

    #[test]
    fn names_with_the_same_version_are_labelled_by_name() {
        let hotfix = "p.v2.0.0-hotfix (version 2.0.0)";
        let catalog = read(&format!("c: 3.0.0 (replaces p.v2.0.0-hotfix; skips 2.0.0), {hotfix}, 2.0.0"));
        let labels: Vec<String> = build(&catalog.packages[0]).nodes.iter().map(Node::label).collect();
        assert_eq!(labels, ["3.0.0", "p.v2.0.0-hotfix", "p.v2.0.0"]);
    }

    #[test]
    fn an_invalid_skip_range_is_marked() {
        let notation = "c: 2.0.0 (replaces 1.0.0; skipRange >v0.1.0 <<2), 1.0.0 (skipRange <1.0.0)";
        assert_eq!(marks(notation), ["p.v2.0.0: {Head, BadRange}"]);
    }

    #[test]
    fn an_entry_behind_a_skipped_one_is_stranded() {
        let notation = "c: 3.0.0 (skips 2.0.0), 2.0.0 (replaces 1.0.0), 1.0.0";
        let expected = ["p.v3.0.0: {Head}", "p.v2.0.0: {Skipped}", "p.v1.0.0: {Stranded}"];
        assert_eq!(marks(notation), expected);
    }

    #[test]
    fn a_skip_range_prunes_only_what_the_channel_lists() {
        let expected = ["p.v2.0.0: {Head}", "p.v1.0.0: {Ghost, NotStartable}", "p.v1.0.0: {Head}"];
        assert_eq!(marks("c: 2.0.0 (skipRange <2.0.0)\nd: 1.0.0"), expected);
        let listed = ["p.v1.0.0: {Pruned}", "p.v2.0.0: {Skipped}", "p.v3.0.0: {Head}"];
        assert_eq!(marks("c: 1.0.0 <- 2.0.0, 3.0.0 (skips 2.0.0; skipRange >=1.0.0 <3.0.0)"), listed);
    }

    #[test]
    fn edges_of_a_skipped_entry_are_ignored() {
        let catalog = read("c: 3.0.0 (replaces 1.0.0; skips 2.0.0), 2.0.0 (replaces 1.0.0), 1.0.0");
        let edges: Vec<_> =
            build(&catalog.packages[0]).edges.iter().map(|edge| (edge.from.0, edge.to.0, edge.ignored)).collect();
        assert_eq!(edges, [(2, 0, false), (1, 0, false), (2, 1, true)]);
    }

    #[test]
    fn ghosts_of_ranges_are_bounded_and_the_newest_are_kept() {
        let channels: String = (0..41).map(|at| format!("c{at}: 1.199.0 (skipRange <1.199.0)\n")).collect();
        let versions: Vec<String> = (0..200).map(|minor| format!("1.{minor}.0")).collect();
        let catalog = read(&format!("{channels}bundle {}", versions.join(", ")));
        let graph = build(&catalog.packages[0]);
        let ghosts = |at: u32| graph.nodes_of(LaneId(at)).filter(|(_, node)| node.entry.is_none()).count();
        assert_eq!((0..41).map(ghosts).sum::<usize>(), GHOSTS);
        assert_eq!((ghosts(0), ghosts(25), ghosts(26)), (199, 25, 0));
        assert_eq!(graph.nodes_of(LaneId(25)).nth(1).unwrap().1.name.as_str(), "p.v1.174.0");
        assert_eq!(graph.prunings[40].unlisted.len(), 199);
    }
}
