//! The graph of a package with both states of a comparison in one drawing.

use crate::comparison::run::compared_package;
use crate::graph::{graph, mark_quiet, view};
use catalog::Package;
use compare::{Level, Union, UpdatedBy};
use session::Workbench;
use session::{Comparison, Side};
use std::collections::{BTreeMap, BTreeSet};
use update_graph::Via;
use views::{EdgeKind, EntryKey, GraphOptions, GraphView, LaneView, Mark, PackageKey, Presence, Runtime};

/// The channels of a package as a drawing of both states of the comparison, unless only the state after the change
/// has the package. Then it is that of [`graph`](crate::graph()).
#[must_use]
pub fn compared_graph(workbench: &Workbench, key: &PackageKey, options: &GraphOptions) -> Option<GraphView> {
    both_states(workbench, key, options).or_else(|| graph(workbench, key, options))
}

fn both_states(workbench: &Workbench, key: &PackageKey, options: &GraphOptions) -> Option<GraphView> {
    let comparison = compared_package(workbench, &key.package)?;
    let [old, new] = comparison.states(comparison.packages.first()?);
    let old = old?;
    // Of a package that is gone, everything is removed.
    let (mut gone, side) = (old.clone(), if new.is_some() { comparison.after } else { comparison.before });
    gone.channels.clear();
    gone.bundles.clear();
    let new = new.unwrap_or(&gone);
    let union = Union::of(old, new);
    let is_v1 = options.runtime == Runtime::V1;
    let harmed = harmed(&comparison, is_v1);
    // Sentences say what the change does under each runtime; the drawing has the updates of one.
    let runtime = if is_v1 { Runtime::V1 } else { Runtime::V0 };
    let options = GraphOptions { runtime, compares: options.compares.or(Some(Presence::Both)), ..options.clone() };
    let drawn = |package| view(key, side.input, package, &options);
    let mut both = drawn(&union.package);
    let shown = options.compares.unwrap_or(Presence::Both);
    both.compares = Some(shown);
    both.switches.clear();
    let (said, other) = if shown == Presence::Before { (old, new) } else { (new, old) };
    let said_alone = drawn(said);
    both.answer = said_alone.answer.clone();
    take_facts(&mut both, shown, &Facts::of(said_alone), &Facts::of(drawn(other)));
    mark_nodes(&mut both, &union, &harmed, comparison.after);
    mark_edges(&mut both, &union, &if is_v1 { BTreeSet::new() } else { ignored(said) });
    mark_quiet(&mut both);
    Some(both)
}

/// The channel and name of an entry.
type Entry = (String, String);

/// The entries that a change harms if they are installed, with their marks. OLM v1 is about extensions that name the channel.
fn harmed(comparison: &Comparison<'_>, is_v1: bool) -> BTreeMap<Entry, Mark> {
    let updated_by = if is_v1 { UpdatedBy::ExtensionOfChannel } else { UpdatedBy::Subscription };
    let rows = comparison.packages.iter().flat_map(|found| found.comparison.rows.iter().map(move |row| (found, row)));
    let harmed = rows.filter(|(_, row)| row.updated_by == updated_by).filter_map(|(found, row)| {
        let mark = match comparison.rule_level(found, row)? {
            Level::Breaking => Mark::Harmed,
            Level::Risky => Mark::AtRisk,
            Level::Neutral | Level::Good => return None,
        };
        Some(((row.channel.to_string(), row.installed.to_string()), mark))
    });
    harmed.collect()
}

/// What the drawing of one state says: of its channels, of its entries, and of the skipRanges of these.
struct Facts {
    lanes: BTreeMap<String, LaneView>,
    nodes: BTreeMap<EntryKey, (Vec<Mark>, String)>,
    /// The label of a band, and whether it warns.
    bands: BTreeMap<EntryKey, (String, bool)>,
}

impl Facts {
    fn of(view: GraphView) -> Self {
        let bands =
            view.bands.into_iter().map(|band| (view.nodes[band.to as usize].key.clone(), (band.label, band.warns)));
        Self {
            bands: bands.collect(),
            lanes: view.lanes.into_iter().map(|lane| (lane.channel.clone(), lane)).collect(),
            nodes: view.nodes.into_iter().map(|node| (node.key, (node.marks, node.summary))).collect(),
        }
    }
}

/// Labels and marks channels, entries and skipRanges as they are in one of the states, `said`: before the change if only that state
/// is shown, else after it. The union itself is a state that no cluster has. If both states are shown, what `said` does not have
/// is described as in the `other` state.
fn take_facts(view: &mut GraphView, shown: Presence, said: &Facts, other: &Facts) {
    let is_both = shown == Presence::Both;
    for lane in &mut view.lanes {
        let known = said.lanes.get(&lane.channel).or_else(|| other.lanes.get(&lane.channel).filter(|_| is_both));
        let said = known.cloned();
        (lane.default, lane.stuck, lane.deprecated) =
            said.as_ref().map_or_else(Default::default, |of| (of.default, of.stuck, of.deprecated.clone()));
        (lane.problem, lane.reason, lane.ways) = said.map(|of| (of.problem, of.reason, of.ways)).unwrap_or_default();
        if !is_both {
            lane.entries = known.map_or(0, |of| of.entries);
        }
    }
    let GraphView { bands, nodes, .. } = view;
    bands.retain_mut(|band| {
        let key = &nodes[band.to as usize].key;
        let known = said.bands.get(key).or_else(|| other.bands.get(key).filter(|_| is_both));
        if let Some((label, warns)) = known {
            (band.label, band.warns) = (label.clone(), *warns);
        }
        known.is_some()
    });
    for node in nodes {
        if let Some((marks, summary)) = said.nodes.get(&node.key).or_else(|| other.nodes.get(&node.key)) {
            (node.marks, node.summary) = (marks.clone(), summary.clone());
        }
    }
}

/// Marks the nodes that change or harm. Updates are not those of the union.
fn mark_nodes(view: &mut GraphView, union: &Union<'_>, harmed: &BTreeMap<Entry, Mark>, after: Side<'_>) {
    for (node, at) in view.nodes.iter_mut().zip(0..) {
        let entry: Entry = (node.key.channel.clone().unwrap_or_default(), node.key.name.clone());
        let presence = union.entry(&entry.0, &entry.1);
        let changed = match presence {
            Presence::Both => None,
            Presence::Before => Some(Mark::Removed),
            Presence::After => Some(Mark::Added),
        };
        for mark in changed.into_iter().chain(harmed.get(&entry).copied()) {
            node.marks.push(mark);
            node.summary = format!("{}, {}", node.summary, mark.meaning());
        }
        let is_readable = presence != Presence::Before && !after.is_opened;
        node.place = node.place.filter(|_| is_readable);
        (node.next, node.hops, node.end, node.subtree) = (None, 0, at, (at, at + 1));
        node.updated_from = 0;
    }
}

/// The entries whose edges OLM does not use.
fn ignored(package: &Package) -> BTreeSet<Entry> {
    let graph = update_graph::build(package);
    let newer = graph.edges.iter().filter(|edge| edge.ignored).map(|edge| graph.node(edge.to));
    newer.map(|node| (graph.lanes[node.lane.0 as usize].channel.name.to_string(), node.name.to_string())).collect()
}

/// Says which states have an edge, and whether OLM uses those that both have in the state that is shown.
fn mark_edges(view: &mut GraphView, union: &Union<'_>, ignored: &BTreeSet<Entry>) {
    for edge in &mut view.edges {
        let (older, newer) = (&view.nodes[edge.from as usize], &view.nodes[edge.to as usize]);
        let channel = newer.key.channel.as_deref().unwrap_or_default();
        let via = if edge.kind == EdgeKind::Replaces { Via::Replaces } else { Via::Skips };
        let (presence, via) = union.edge(channel, (&older.key.name, &newer.key.name), via);
        edge.kind = if via == Via::Replaces { EdgeKind::Replaces } else { EdgeKind::Skips };
        edge.presence = presence;
        let newer = (channel.to_owned(), newer.key.name.clone());
        edge.ignored = presence == Presence::Both && ignored.contains(&newer);
    }
}
