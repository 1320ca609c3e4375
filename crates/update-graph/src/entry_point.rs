//! Where a Subscription that changes its channel goes on: the entries of a channel that are updates of, or the same as,
//! what another channel installs.

use crate::{LaneId, Node, NodeId, UpdateGraph};
use catalog::{BundleName, ChannelName};
use go_semver::blang::Version;
use std::collections::{BTreeMap, BTreeSet};

/// The limit on comparisons of a range with a version of another channel, over all lanes. Beyond it, only heads are
/// considered.
const COMPARISONS: usize = 2_000_000;

/// How one comes to an entry from other channels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryPoint<'c> {
    /// The channels of which it is the head, while its own channel updates it further.
    pub heads_of: Vec<&'c ChannelName>,
    /// The entries of other channels that OLM updates to it, from old to new. Its own channel does not show them.
    pub updated_from: Vec<NodeId>,
}

/// The entry points of all channels, by node.
#[must_use]
pub fn entry_points<'c>(graph: &UpdateGraph<'c>) -> BTreeMap<NodeId, EntryPoint<'c>> {
    let heads = heads(graph);
    let listed = listed(graph, &heads);
    let mut points: BTreeMap<NodeId, EntryPoint<'c>> = BTreeMap::new();
    for lane in (0..graph.lanes.len() as u32).map(LaneId) {
        let here: BTreeMap<&BundleName, NodeId> =
            graph.nodes_of(lane).filter(|(_, node)| node.entry.is_some()).map(|(id, node)| (node.name, id)).collect();
        for &head in heads.iter().filter(|&&head| graph.node(head).lane != lane) {
            let same = here.get(graph.node(head).name);
            if let Some(&id) = same.filter(|id| graph.node(**id).next.is_some()) {
                let channel = &graph.lanes[graph.node(head).lane.0 as usize].channel.name.value;
                points.entry(id).or_default().heads_of.push(channel);
            }
        }
        for (from, to) in updates(graph, lane, &listed) {
            points.entry(here[to]).or_default().updated_from.push(from);
        }
    }
    points
}

/// The heads of the channels that have an order.
fn heads(graph: &UpdateGraph<'_>) -> Vec<NodeId> {
    let ids = (0..graph.nodes.len() as u32).map(NodeId);
    ids.filter(|&id| graph.node(id).position == Some(0)).collect()
}

/// One node for each name that a channel lists, from old to new; the heads only, if these are too many.
fn listed(graph: &UpdateGraph<'_>, heads: &[NodeId]) -> Vec<NodeId> {
    let ids = (0..graph.nodes.len() as u32).map(NodeId);
    let entries: BTreeMap<&BundleName, NodeId> =
        ids.filter(|&id| graph.node(id).entry.is_some()).map(|id| (graph.node(id).name, id)).collect();
    let ranges = graph.nodes.iter().filter(|node| node.entry.is_some_and(|entry| entry.skip_range.is_some())).count();
    let few = entries.len().saturating_mul(ranges) <= COMPARISONS;
    let mut listed: Vec<NodeId> = if few { entries.into_values().collect() } else { heads.to_vec() };
    listed.sort_by_key(|&id| (graph.node(id).version.clone(), graph.node(id).name));
    listed
}

/// The next updates in a lane of the entries that it does not show, as pairs of a node and a name.
fn updates<'c>(graph: &UpdateGraph<'c>, lane: LaneId, listed: &[NodeId]) -> Vec<(NodeId, &'c BundleName)> {
    let Ok(chain) = &graph.lanes[lane.0 as usize].chain else { return Vec::new() };
    let shown: BTreeSet<&BundleName> = graph.nodes_of(lane).map(|(_, node)| node.name).collect();
    let others: Vec<NodeId> = listed.iter().copied().filter(|&id| !shown.contains(graph.node(id).name)).collect();
    let installed = |id: &NodeId| {
        let node: &Node<'_> = graph.node(*id);
        (node.name, node.version.as_ref())
    };
    let installed: Vec<(&BundleName, Option<&Version>)> = others.iter().map(installed).collect();
    let next = chain.next_updates(&installed).into_iter().zip(others);
    next.filter_map(|(next, from)| Some((from, &next?.to.name.value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use crate::testing::read;

    /// Lines `entry in channel: channels of which it is the head; what is updated to it`.
    fn points(notation: &str) -> Vec<String> {
        let catalog = read(notation);
        let graph = build(&catalog.packages[0]);
        let line = |(id, point): (NodeId, EntryPoint<'_>)| {
            let channel = &graph.lanes[graph.node(id).lane.0 as usize].channel.name;
            let heads: Vec<&str> = point.heads_of.iter().map(|name| name.as_str()).collect();
            let from: Vec<&str> = point.updated_from.iter().map(|&id| graph.node(id).name.as_str()).collect();
            format!("{} in {channel}: {heads:?} {from:?}", graph.node(id).name)
        };
        entry_points(&graph).into_iter().map(line).collect()
    }

    #[test]
    fn a_range_lets_versions_of_another_channel_in() {
        let channels = "c: 2.0.0 <- 2.1.0 (skipRange >=1.1.0 <2.1.0)\nold: 1.0.0 <- 1.1.0 <- 1.2.0";
        let expected = [r#"p.v2.1.0 in c: [] ["p.v1.1.0", "p.v1.2.0"]"#];
        assert_eq!(points(channels), expected);
    }

    #[test]
    fn the_head_of_another_channel_goes_on_where_it_is_listed() {
        assert_eq!(points("c: 1.0.0 <- 2.0.0\nslow: 1.0.0"), [r#"p.v1.0.0 in c: ["slow"] []"#]);
    }

    #[test]
    fn nothing_comes_in_where_no_field_names_it() {
        assert_eq!(points("c: 2.0.0\nold: 1.0.0"), [""; 0]);
    }
}
