//! The update graph of a package, drawn.

use crate::{CatalogInput, Workbench};
use blang_semver::Version;
use catalog::{BundleName, Chain, ChannelName, DeprecationTarget, Entry};
use std::collections::{BTreeMap, BTreeSet};
use update_graph::{Ladder, LaneId, Layout, Mark, NODE_HEIGHT, Node, NodeId, Pruning, UpdateGraph, Via};
use views::{BandView, ColumnView, EdgeKind, EdgeView, EntryKey, GraphView, LaneView, NodeView, PackageKey, Point};

impl Workbench {
    /// The drawing of a package's channels.
    #[must_use]
    pub fn graph(&self, key: &PackageKey) -> Option<GraphView> {
        let (catalog, package) = self.package(key)?;
        let graph = update_graph::build(package);
        let layout = update_graph::layout(&graph);
        let order = Order::of(&graph, &layout);
        let next = next(&graph);
        let findings = findings(catalog, &graph);
        let column = |column: &update_graph::Column| ColumnView { x: column.x, label: column.label.clone() };
        Some(GraphView {
            package: key.clone(),
            deprecated: deprecated(package),
            width: layout.width,
            height: layout.height,
            gutter: layout.gutter,
            columns: layout.columns.iter().map(column).collect(),
            lanes: lanes(catalog, &graph, &layout),
            nodes: order
                .nodes
                .iter()
                .map(|&id| NodeView {
                    next: next[id.0 as usize].map(|next| order.place(next)),
                    findings: findings[id.0 as usize],
                    ..node_view(catalog, &graph, &layout, id, graph.node(id))
                })
                .collect(),
            edges: edges(&graph, &layout, &order),
            bands: bands(&graph, &layout, &order),
        })
    }
}

/// The message of the package's deprecation.
pub(super) fn deprecated(package: &catalog::Package) -> Option<String> {
    let package = package.deprecations.iter().find(|deprecation| deprecation.target == DeprecationTarget::Package);
    package.map(|deprecation| deprecation.message.to_string())
}

/// The order of nodes in the view: lane by lane, from old to new.
struct Order {
    nodes: Vec<NodeId>,
    places: Vec<u32>,
}

impl Order {
    fn of(graph: &UpdateGraph<'_>, layout: &Layout) -> Self {
        let mut nodes: Vec<NodeId> = (0..graph.nodes.len() as u32).map(NodeId).collect();
        nodes.sort_by_key(|&id| {
            let drawn = &layout.nodes[id.0 as usize];
            (graph.node(id).lane, drawn.column, drawn.row, id)
        });
        let mut places = vec![0; nodes.len()];
        for (&id, place) in nodes.iter().zip(0..) {
            places[id.0 as usize] = place;
        }
        Self { nodes, places }
    }

    fn place(&self, id: NodeId) -> u32 {
        self.places[id.0 as usize]
    }
}

/// What OLM updates each node to in its lane.
fn next(graph: &UpdateGraph<'_>) -> Vec<Option<NodeId>> {
    let mut next = vec![None; graph.nodes.len()];
    for (lane, at) in graph.lanes.iter().zip(0..) {
        let Ok(ladder) = Ladder::of(graph.package, lane.channel) else { continue };
        let nodes: Vec<(NodeId, &BundleName, Option<Version>)> =
            graph.nodes_of(LaneId(at)).map(|(id, node)| (id, node.name, node.version())).collect();
        let installed: Vec<_> = nodes.iter().map(|(_, name, version)| (*name, version.as_ref())).collect();
        for ((id, ..), rung) in nodes.iter().zip(ladder.climbs(&installed)) {
            next[id.0 as usize] = rung.and_then(|rung| lane.sorted.as_ref().ok()?.get(rung).copied());
        }
    }
    next
}

/// How many findings are about each node: about the entry in its channel, or about the bundle.
fn findings(catalog: &CatalogInput, graph: &UpdateGraph<'_>) -> Vec<u32> {
    let mut about: BTreeMap<&BundleName, Vec<Option<&ChannelName>>> = BTreeMap::new();
    let subjects = catalog.analysis.shown().filter_map(|found| found.subject.as_ref());
    for subject in subjects.filter(|subject| subject.package == graph.package.name) {
        if let Some(entry) = &subject.entry {
            about.entry(entry).or_default().push(subject.channel.as_ref());
        }
    }
    let count = |node: &Node<'_>| {
        let channel = &graph.lanes[node.lane.0 as usize].channel.name.value;
        let here = about.get(node.name).into_iter().flatten();
        here.filter(|of| of.is_none_or(|of| of == channel)).count() as u32
    };
    graph.nodes.iter().map(count).collect()
}

fn lanes(catalog: &CatalogInput, graph: &UpdateGraph<'_>, layout: &Layout) -> Vec<LaneView> {
    let lanes = graph.lanes.iter().zip(&layout.lanes);
    let view = |(lane, drawn): (&update_graph::Lane<'_>, &update_graph::LaneBox)| LaneView {
        channel: lane.channel.name.to_string(),
        default: lane.default,
        deprecated: lane.deprecated.map(str::to_owned),
        y: drawn.y,
        height: drawn.height,
        spine: drawn.spine,
        entries: lane.channel.entries.len() as u32,
        problem: problem(&Chain::of(lane.channel)),
        place: catalog.place(lane.channel.span),
    };
    lanes.map(view).collect()
}

pub(super) fn problem(chain: &Chain<'_>) -> Option<String> {
    match chain {
        Chain::Empty => Some("no entries".to_owned()),
        Chain::NoHead => Some("no head".to_owned()),
        Chain::ManyHeads(heads) => Some(format!("{} heads", heads.len())),
        Chain::Cycle(_) => Some("cycle".to_owned()),
        Chain::Headed { stranded, .. } => (!stranded.is_empty()).then(|| format!("{} stranded", stranded.len())),
    }
}

fn node_view(
    catalog: &CatalogInput,
    graph: &UpdateGraph<'_>,
    layout: &Layout,
    id: NodeId,
    node: &Node<'_>,
) -> NodeView {
    let drawn = layout.nodes[id.0 as usize];
    let channel = graph.lanes[node.lane.0 as usize].channel.name.to_string();
    NodeView {
        lane: node.lane.0,
        column: drawn.column,
        label: node.label(),
        at: point(drawn.at),
        width: drawn.width,
        height: NODE_HEIGHT,
        marks: node.marks.iter().map(|&mark| mark_view(mark)).collect(),
        bad_range: node.bad_range().map(str::to_owned),
        summary: summary(node, &channel),
        place: node.entry.map(|entry| catalog.place(entry.span)),
        next: None,
        findings: 0,
        key: EntryKey { channel: Some(channel), name: node.name.to_string() },
    }
}

const fn mark_view(mark: Mark) -> views::Mark {
    match mark {
        Mark::Head => views::Mark::Head,
        Mark::Skipped => views::Mark::Skipped,
        Mark::Pruned => views::Mark::Pruned,
        Mark::Ghost => views::Mark::Ghost,
        Mark::NotStartable => views::Mark::NotStartable,
        Mark::Stranded => views::Mark::Stranded,
        Mark::Deprecated => views::Mark::Deprecated,
        Mark::NoBundle => views::Mark::NoBundle,
        Mark::BadRange => views::Mark::BadRange,
    }
}

/// What a mark means, for people.
pub(super) const fn meaning(mark: Mark) -> &'static str {
    match mark {
        Mark::Head => "channel head",
        Mark::Skipped => "skipped by name",
        Mark::Pruned => "left to a skipRange alone",
        Mark::Ghost => "not an entry of this channel",
        Mark::NotStartable => "not startable here",
        Mark::Stranded => "no way to the head",
        Mark::Deprecated => "deprecated",
        Mark::NoBundle => "no bundle document",
        Mark::BadRange => "its skipRange is no range",
    }
}

fn summary(node: &Node<'_>, channel: &str) -> String {
    let mut parts = vec![format!("{} in channel {channel}", node.name)];
    parts.extend(node.marks.iter().map(|&mark| meaning(mark).to_owned()));
    parts.extend(node.entry.into_iter().flat_map(fields));
    parts.join(", ")
}

fn fields(entry: &Entry) -> impl Iterator<Item = String> {
    let replaces = entry.replaces.as_ref().map(|name| format!("replaces {name}"));
    let skips = match entry.skips.as_slice() {
        [] => None,
        [only] => Some(format!("skips {only}")),
        skips => Some(format!("skips {} entries", skips.len())),
    };
    let range = entry.skip_range.as_ref().map(|range| format!("skipRange {}", range.value.text));
    [replaces, skips, range].into_iter().flatten()
}

fn edges(graph: &UpdateGraph<'_>, layout: &Layout, order: &Order) -> Vec<EdgeView> {
    let edges = graph.edges.iter().zip(&layout.edges);
    let view = |(edge, points): (&update_graph::Edge, &Vec<update_graph::Point>)| EdgeView {
        kind: match edge.via {
            Via::Replaces => EdgeKind::Replaces,
            Via::Skips | Via::SkipRange => EdgeKind::Skips,
        },
        from: order.place(edge.from),
        to: order.place(edge.to),
        points: points.iter().map(|&at| point(at)).collect(),
        ignored: edge.ignored,
    };
    edges.map(view).collect()
}

fn bands(graph: &UpdateGraph<'_>, layout: &Layout, order: &Order) -> Vec<BandView> {
    let prunings: BTreeMap<*const Entry, &Pruning<'_>> =
        graph.prunings.iter().map(|pruning| (std::ptr::from_ref(pruning.entry), pruning)).collect();
    let used: BTreeSet<NodeId> = graph.lanes.iter().flat_map(|lane| lane.sorted.iter().flatten()).copied().collect();
    let view = |band: &update_graph::Band| {
        let entry = graph.node(band.to).entry?;
        let range = entry.skip_range.as_ref()?;
        let pruning = prunings.get(&std::ptr::from_ref(entry)).copied();
        let pruned = pruning.map_or(0, Pruning::count);
        let own = layout.nodes[band.to.0 as usize].column;
        let covered: u32 = band.columns.iter().map(|run| run.end - run.start - u32::from(run.contains(&own))).sum();
        let label = band_label(&range.value.text, covered, pruned);
        Some(BandView {
            lane: band.lane.0,
            to: order.place(band.to),
            range: range.value.text.to_string(),
            label,
            stretches: band.stretches.clone(),
            y: band.y,
            folded: band.folded,
            unbounded_below: range.value.range.as_ref().is_ok_and(blang_semver::Range::unbounded_below),
            warns: pruning.is_some(),
            columns: band.columns.iter().map(|run| (run.start, run.end)).collect(),
            ignored: !used.contains(&band.to),
        })
    };
    layout.bands.iter().filter_map(view).collect()
}

/// The range, how many versions of the package it covers, and how many of them it takes out of the channel.
fn band_label(range: &str, covered: u32, pruned: usize) -> String {
    let versions = if covered == 1 { "version" } else { "versions" };
    let taken = if pruned > 0 { format!(", takes {pruned} out") } else { String::new() };
    format!("{range} · covers {covered} {versions}{taken}")
}

const fn point(point: update_graph::Point) -> Point {
    Point { x: point.x, y: point.y }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;

    fn view(catalog: &str) -> GraphView {
        let key = PackageKey { catalog: views::CatalogId(0), package: "p".to_owned() };
        workbench(&[("c", catalog)]).graph(&key).unwrap()
    }

    const CHANNELS: &str = "package p stable\nchannel p beta p.v2.0.0~>=1.0.0_<2.0.0\nchannel p stable p.v2.0.0>p.v1.0.0 p.v1.0.0 p.v3.0.0\nbundle p 1.0.0\nbundle p 2.0.0";

    #[test]
    fn lanes_begin_with_the_default_channel() {
        let lanes = view(CHANNELS).lanes;
        let told: Vec<_> =
            lanes.iter().map(|lane| (&*lane.channel, lane.default, lane.entries, lane.problem.as_deref())).collect();
        assert_eq!(told, [("stable", true, 3, Some("2 heads")), ("beta", false, 1, None)]);
    }

    #[test]
    fn nodes_say_all_that_is_drawn_of_them() {
        let summaries: Vec<String> = view(CHANNELS).nodes.into_iter().map(|node| node.summary).collect();
        let expected = [
            "p.v1.0.0 in channel stable",
            "p.v2.0.0 in channel stable, channel head, replaces p.v1.0.0",
            "p.v3.0.0 in channel stable, channel head, no bundle document",
            "p.v1.0.0 in channel beta, left to a skipRange alone, not an entry of this channel, not startable here",
            "p.v2.0.0 in channel beta, channel head, skipRange >=1.0.0 <2.0.0",
        ];
        assert_eq!(summaries, expected);
    }

    #[test]
    fn a_skip_range_that_is_none_is_shown_as_written() {
        let view =
            view("package p c\nchannel p c p.v2.0.0>p.v1.0.0~>v0.1.0_<<2 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0");
        let node = &view.nodes[1];
        assert_eq!((node.bad_range.as_deref(), view.bands.len()), (Some(">v0.1.0 <<2"), 0));
        assert!(node.marks.contains(&views::Mark::BadRange) && view.nodes[0].bad_range.is_none());
    }

    #[test]
    fn edges_lead_from_old_to_new() {
        let view = view("package p c\nchannel p c p.v3>p.v1-p.v2 p.v2>p.v1 p.v1");
        let edges: Vec<_> = view.edges.iter().map(|edge| (edge.kind, edge.from, edge.to, edge.ignored)).collect();
        let expected =
            [(EdgeKind::Replaces, 0, 2, false), (EdgeKind::Skips, 1, 2, false), (EdgeKind::Replaces, 0, 1, true)];
        assert_eq!(edges, expected);
    }

    #[test]
    fn nodes_know_what_olm_updates_them_to() {
        let nodes = view("package p c\nchannel p c p.v3>p.v1-p.v2 p.v2>p.v1 p.v1").nodes;
        assert_eq!(nodes.iter().map(|node| node.next).collect::<Vec<_>>(), [Some(2), Some(2), None]);
        let nodes = view("package p c\nchannel p c p.v2>p.v1 p.v1 p.v3").nodes;
        assert_eq!(nodes.iter().map(|node| node.next).collect::<Vec<_>>(), [None, None, None]);
    }

    #[test]
    fn a_band_counts_what_it_takes_out() {
        let view = view(CHANNELS);
        let told: Vec<_> = view
            .bands
            .iter()
            .map(|band| {
                let covered: Vec<u32> = view.covered(band).collect();
                (&*band.label, band.lane, covered, &*band.columns, band.warns, band.unbounded_below)
            })
            .collect();
        let label = ">=1.0.0 <2.0.0 · covers 1 version, takes 1 out";
        assert_eq!(told, [(label, 1, vec![3], &[(0, 1)][..], true, false)]);
    }

    #[test]
    fn a_range_that_takes_nothing_out_does_not_warn() {
        let bands =
            view("package p c\nchannel p c p.v2.0.0>p.v1.0.0~<2.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0").bands;
        let told: Vec<_> = bands.iter().map(|band| (&*band.label, band.warns, band.unbounded_below)).collect();
        assert_eq!(told, [("<2.0.0 · covers 1 version", false, true)]);
    }
}
