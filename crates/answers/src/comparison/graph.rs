//! The graph of a package with both states of a comparison in one drawing.

use crate::comparison::run::compared_package;
use crate::graph::{graph, mark_quiet, view};
use catalog::Package;
use compare::{Level, Union, UpdatedBy};
use session::Workbench;
use session::{Comparison, Side};
use std::collections::{BTreeMap, BTreeSet};
use update_graph::Via;
use views::{
    AxisDirection, BeforeEntry, BeforeView, EdgeKind, EntryKey, GraphLayout, GraphOptions, GraphView, LaneView, Mark,
    NodeView, PackageKey, Presence, Runtime,
};

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
    let facts = [said_alone, drawn(other)].map(Facts::of);
    take_facts(&mut both, shown, &facts[0], &facts[1]);
    if shown == Presence::Both && both.direction == AxisDirection::Right {
        add_rows_before(&mut both, &facts[0], &facts[1]);
    }
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
    /// The next update of an entry.
    next: BTreeMap<EntryKey, EntryKey>,
    /// The label of a band, and whether it warns.
    bands: BTreeMap<EntryKey, (String, bool)>,
}

impl Facts {
    fn of(view: GraphView) -> Self {
        let bands =
            view.bands.iter().map(|band| (view.nodes[band.to as usize].key.clone(), (band.label.clone(), band.warns)));
        let next = |node: &NodeView| Some((node.key.clone(), view.nodes[node.next?.to as usize].key.clone()));
        Self {
            next: view.nodes.iter().filter_map(next).collect(),
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

/// How much room a row for the state before has.
const ROW: i32 = 26;

/// Adds a row with the updates before the change below each channel in which it changes them.
fn add_rows_before(view: &mut GraphView, after: &Facts, before: &Facts) {
    // One channel in several rows has no place for it.
    let has_rows = view.layout == GraphLayout::Grid && view.lanes.len() == 1;
    for at in (0..view.lanes.len() as u32).filter(|_| !has_rows) {
        let nodes = || view.lane_nodes(at).map(|node| &view.nodes[node as usize]);
        let is_stuck = |of: &Facts, key: &EntryKey| of.nodes.get(key).is_some_and(|of| of.0.contains(&Mark::Stranded));
        let differs = |node: &NodeView| {
            let key = &node.key;
            is_stuck(after, key) != is_stuck(before, key) || after.next.get(key) != before.next.get(key)
        };
        if !before.lanes.contains_key(&view.lanes[at as usize].channel) || !nodes().any(differs) {
            continue;
        }
        let x: BTreeMap<&EntryKey, i32> = nodes().map(|node| (&node.key, node.at.x)).collect();
        let entry = |node: &NodeView| {
            let (marks, _) = before.nodes.get(&node.key).filter(|of| !of.0.contains(&Mark::Ghost))?;
            Some(BeforeEntry {
                x: node.at.x,
                to: before.next.get(&node.key).and_then(|to| x.get(to).copied()),
                is_stuck: marks.contains(&Mark::Stranded),
                head: marks.contains(&Mark::Head).then(|| node.label.clone()),
            })
        };
        let entries = nodes().filter_map(entry).collect();
        let lane = &mut view.lanes[at as usize];
        lane.before = Some(BeforeView { top: lane.y + lane.height, entries });
        lane.height += ROW;
        make_room(view, at, ROW);
    }
}

/// Moves all lanes below one down.
fn make_room(view: &mut GraphView, lane: u32, by: i32) {
    let GraphView { lanes, nodes, edges, bands, .. } = view;
    for below in lanes.iter_mut().skip(lane as usize + 1) {
        (below.y, below.spine) = (below.y + by, below.spine + by);
    }
    for edge in edges.iter_mut().filter(|edge| nodes[edge.from as usize].lane > lane) {
        edge.points.iter_mut().for_each(|point| point.y += by);
    }
    bands.iter_mut().filter(|band| band.lane > lane).for_each(|band| band.y += by);
    nodes.iter_mut().filter(|node| node.lane > lane).for_each(|node| node.at.y += by);
    view.height += by;
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
