//! The ways to newer channels in the drawing of a package: marks, a column beside the channels, and lines.

use catalog::{BundleName, Package};
use std::collections::BTreeMap;
use update_graph::Ways;
use views::{EntryKey, GraphLayout, GraphView, Mark, NodeView, Point, SwitchView, WaysView};

/// Channels in which more entries can switch have no lines.
const MAX_LINES: usize = 3;
/// A headline says "only" where less than one version of this number has a way.
const FEW: usize = 4;
/// From the boundary between two lanes to a line.
const BELOW: i32 = 4;
/// The size of a dot.
const DOT: i32 = 9;

/// Adds what a Subscription can switch to in each channel; as lines, too, if these have room.
pub(super) fn add_ways(view: &mut GraphView, package: &Package, has_room: bool) {
    let Some(ways) = Ways::of_several(package) else { return };
    let places: BTreeMap<EntryKey, u32> = view.nodes.iter().zip(0..).map(|(node, at)| (node.key.clone(), at)).collect();
    for (at, mapped) in ways.channels.iter().enumerate().filter(|(_, mapped)| mapped.head.is_some()) {
        let name = mapped.channel.name.value.as_str();
        let Some(lane) = view.lanes.iter().position(|lane| lane.channel == name) else { continue };
        let listed = mapped.channel.entries.iter().map(|entry| &entry.name.value);
        let switches = listed.filter_map(|name| Some((name, ways.switches(name, at).next()?)));
        let mut switches: Vec<(&BundleName, (usize, &BundleName))> = switches.collect();
        let place = |channel: usize, name: &BundleName| {
            let channel = ways.channels[channel].channel.name.to_string();
            places.get(&EntryKey { channel: Some(channel), name: name.to_string() }).copied()
        };
        switches.sort_by_key(|(name, _)| place(at, name));
        let nodes: Vec<u32> = switches.iter().filter_map(|(name, _)| place(at, name)).collect();
        let are_few = 2 * nodes.len() <= view.lanes[lane].entries as usize;
        for &node in &nodes {
            mark(&mut view.nodes[node as usize], Mark::Switch, are_few);
        }
        let mut targets: BTreeMap<usize, usize> = BTreeMap::new();
        switches.iter().for_each(|(_, (to, _))| *targets.entry(*to).or_default() += 1);
        // Of several with as many, the newest.
        let to = targets.iter().max_by_key(|(to, count)| (**count, std::cmp::Reverse(**to)));
        let is_dead_end = ways.is_dead_end(at);
        if let Some(head) = mapped.head.as_ref().filter(|_| is_dead_end).and_then(|head| place(at, head.name)) {
            mark(&mut view.nodes[head as usize], Mark::NoWayOn, true);
        }
        view.lanes[lane].ways = Some(WaysView {
            is_newest: ways.channels[0].version() == mapped.version(),
            count: nodes.len() as u32,
            only: nodes.iter().map(|&node| view.nodes[node as usize].label.clone()).collect(),
            to: to.map(|(to, _)| ways.channels[*to].channel.name.to_string()),
            is_dead_end,
        });
        if has_room && are_few && nodes.len() <= MAX_LINES {
            let ends = switches.iter().filter_map(|(name, (to, first))| Some((place(at, name)?, place(*to, first)?)));
            let lines: Vec<SwitchView> = ends.filter_map(|(from, to)| line(view, from, to)).collect();
            view.switches.extend(lines);
        }
    }
}

/// Says it of an entry, and draws it where few entries have it.
fn mark(node: &mut NodeView, mark: Mark, is_drawn: bool) {
    node.marks.extend(is_drawn.then_some(mark));
    node.marks.sort_unstable();
    node.summary = format!("{}, {}", node.summary, mark.meaning());
}

/// The line of a switch to the lane above, if it crosses no text there.
fn line(view: &GraphView, from: u32, to: u32) -> Option<SwitchView> {
    let (older, newer) = (&view.nodes[from as usize], &view.nodes[to as usize]);
    let has_text = view.bands.iter().any(|band| band.lane == newer.lane && !band.folded);
    let upper = view.lanes.get(newer.lane as usize)?;
    if older.lane != newer.lane + 1 || has_text || upper.stuck > 0 || newer.place.is_none() {
        return None;
    }
    let y = upper.y + upper.height + if view.layout == GraphLayout::Grid { 0 } else { BELOW };
    let (bottom, top) = (newer.at.y + newer.height / 2, older.at.y - older.height / 2);
    let x = |node: &NodeView| match view.layout {
        GraphLayout::Boxes => node.at.x,
        // The label of a head begins where its dot would be.
        GraphLayout::Dots | GraphLayout::Grid => node.at.x - node.width / 2 + node.width.min(DOT) / 2,
    };
    let point = |x: i32, y: i32| Point { x, y };
    let points = vec![point(x(older), top), point(x(older), y), point(x(newer), y), point(x(newer), bottom)];
    Some(SwitchView { from, to, points })
}

/// The headline of a package in which nothing is wrong but that there is no way from some channels to newer ones, and what that
/// means; `None` if there is.
pub(super) fn no_way_on(view: &GraphView) -> Option<(String, &'static str)> {
    let ways = || view.lanes.iter().filter_map(|lane| Some((lane, lane.ways.as_ref()?)));
    let dead_ends: Vec<_> = ways().filter(|(_, ways)| ways.is_dead_end).collect();
    let older: BTreeMap<&str, bool> = {
        let mut older = BTreeMap::new();
        for node in view.nodes.iter().filter(|node| node.place.is_some()) {
            let Some(lane) = view.lanes.get(node.lane as usize) else { continue };
            if let Some(of) = lane.ways.as_ref().filter(|of| !of.is_newest) {
                *older.entry(&*node.key.name).or_default() |= of.only.contains(&node.label);
            }
        }
        older
    };
    let (all, with) = (older.len(), older.values().filter(|can| **can).count());
    let title = match &dead_ends[..] {
        [] => return None,
        [(lane, WaysView { count: 0, .. })] => format!("`{}` has no way to a newer channel", lane.channel),
        [(lane, _)] => format!("The head of `{}` has no way to a newer channel", lane.channel),
        [..] if with == 0 => format!("{} channels, and no way between them", ways().count()),
        [..] if FEW * with < all => format!("Only {with} of {all} older versions have a way to a newer channel"),
        [..] => format!("{} of {} channels have no way to a newer one", dead_ends.len(), ways().count()),
    };
    Some((
        title,
        "Updates end at the head of the channel; there, a change of the channel does nothing, without an error.",
    ))
}
