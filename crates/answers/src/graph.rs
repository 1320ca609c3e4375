//! The update graph of a package with its layout.

use super::graph_layout::{self, draw};
use super::graph_ways::add_ways;
use super::small_chain::{answer, stuck_reason};
use crate::package;
use catalog::{BundleName, Chain, ChannelName, DeprecationTarget, Entry, Package};
use session::{CatalogInput, Workbench};
use source::OpmVersion;
use std::collections::BTreeMap;
use update_graph::{Lane, LaneId, Layout, Next, Node, NodeId, Paths, Pruning, UpdateGraph, Via};
use views::{
    AnswerView, AxisDirection, BandView, EdgeKind, EdgeView, EntryKey, GraphOptions, GraphView, LaneView, Line, Mark,
    NextView, NodeView, PackageKey, Point, Presence, Runtime,
};

/// The channels of a package as a drawing, without the other state of a comparison.
#[must_use]
pub fn graph(workbench: &Workbench, key: &PackageKey, options: &GraphOptions) -> Option<GraphView> {
    let (catalog, package) = package(workbench, key)?;
    let mut view = view(key, catalog, package, options);
    if options.runtime.has_v1() {
        graph_layout::mark_differing(&mut view, package);
    }
    Some(view)
}

/// A package as a drawing, with the updates that OLM v1 makes, if the question is about OLM v1 alone.
pub(super) fn view(key: &PackageKey, catalog: &CatalogInput, package: &Package, options: &GraphOptions) -> GraphView {
    let mut graph = update_graph::build(package);
    if options.runtime == Runtime::V1 {
        graph_layout::follow_v1(&mut graph);
    }
    // In a comparison, its own edges decide.
    let quiet = match options.compares {
        Some(_) => vec![false; graph.edges.len()],
        None => update_graph::other_than_next(&graph),
    };
    let (drawn, layout) = draw(&graph, options, &quiet);
    let order = Order::of(&graph, &layout);
    let findings = findings(catalog, &graph);
    let next = next(&graph, &layout, &order);
    let node = |&id: &NodeId| {
        let mut view = node_view(catalog, &graph, &layout, id, graph.node(id));
        view.next = next[id.0 as usize];
        view.end = order.place(NodeId(graph.node(id).tree.end as u32));
        view.findings = findings[id.0 as usize];
        view
    };
    let mut view = GraphView {
        package: key.clone(),
        catalog: catalog.name.clone(),
        layout: drawn,
        direction: layout.direction,
        compares: None,
        deprecated: deprecated(package),
        answer: AnswerView::default(),
        width: layout.width,
        height: layout.height,
        gutter: layout.gutter,
        aside: layout.aside,
        columns: layout.columns.clone(),
        ticks: layout.ticks.clone(),
        lanes: lanes(catalog, &graph, &layout),
        nodes: order.nodes.iter().map(node).collect(),
        edges: edges(&graph, &layout, &order, &quiet),
        bands: bands(&graph, &layout, &order),
        switches: Vec::new(),
    };
    add_neighbours(&mut view);
    if options.runtime != Runtime::V1 {
        // On a narrow screen the names of channels are between their entries.
        add_ways(&mut view, package, options.direction == AxisDirection::Right);
    }
    view.answer = answer(&view, catalog, options.runtime);
    view
}

/// The message of the package's deprecation.
pub(super) fn deprecated(package: &catalog::Package) -> Option<String> {
    let package = package.deprecations.iter().find(|deprecation| deprecation.target == DeprecationTarget::Package);
    package.map(|deprecation| deprecation.message.to_string())
}

/// The order of nodes in the view: lane by lane, from old to new.
pub(super) struct Order {
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

    pub(super) fn place(&self, id: NodeId) -> u32 {
        self.places[id.0 as usize]
    }
}

/// The update that OLM makes from each node, by id, with the line that is drawn of it.
fn next(graph: &UpdateGraph<'_>, layout: &Layout, order: &Order) -> Vec<Option<NextView>> {
    let mut bands = vec![None; graph.nodes.len()];
    layout.bands.iter().zip(0..).for_each(|(band, index)| bands[band.to.0 as usize] = Some(Line::Band(index)));
    let mut edges = vec![None; graph.nodes.len()];
    for (edge, index) in graph.edges.iter().zip(0..) {
        let is_taken = graph.node(edge.from).next == Some(Next { to: edge.to, via: edge.via });
        if is_taken {
            edges[edge.from.0 as usize].get_or_insert(Line::Edge(index));
        }
    }
    let line = |from: usize, next: Next| match next.via {
        Via::Replaces | Via::Skips => edges[from],
        Via::SkipRange => bands[next.to.0 as usize],
    };
    let view = |(from, node): (usize, &Node<'_>)| {
        let next = node.next?;
        Some(NextView { to: order.place(next.to), line: line(from, next)? })
    };
    graph.nodes.iter().enumerate().map(view).collect()
}

/// Adds what other nodes are to each node: how many are updated to it, and which ones the arrow keys lead to.
fn add_neighbours(view: &mut GraphView) {
    let count = view.nodes.len();
    let mut updated_from = vec![0; count];
    view.nodes.iter().filter_map(|node| node.next).for_each(|next| updated_from[next.to as usize] += 1);
    let (mut replaced, mut skipped, mut named_by) = (vec![None; count], vec![None; count], vec![None; count]);
    for edge in &view.edges {
        let (from, to) = (edge.from as usize, edge.to as usize);
        let older = if edge.kind == EdgeKind::Replaces { &mut replaced[to] } else { &mut skipped[to] };
        *older = (*older).max(Some(edge.from));
        named_by[from] = Some(named_by[from].map_or(edge.to, |other: u32| other.min(edge.to)));
    }
    let mut covered = vec![None; count];
    for band in &view.bands {
        covered[band.to as usize] = view.covered(band).next_back();
    }
    // The oldest entries first.
    let mut bands: Vec<&BandView> = view.bands.iter().collect();
    bands.sort_by_key(|band| band.to);
    let of_lane = |lane: u32| {
        let before = |lane: u32| bands.partition_point(|band| band.lane < lane);
        &bands[before(lane)..before(lane + 1)]
    };
    let covered_by = |at: u32| {
        let bands = of_lane(view.nodes[at as usize].lane);
        bands.iter().find(|band| view.covers(band, at)).map(|band| band.to)
    };
    let following: Vec<Option<u32>> = view
        .nodes
        .iter()
        .zip(0..)
        .map(|(node, at)| node.next.map(|next| next.to).or(named_by[at as usize]).or_else(|| covered_by(at)))
        .collect();
    for (at, node) in view.nodes.iter_mut().enumerate() {
        node.updated_from = updated_from[at];
        node.previous = replaced[at].or(skipped[at]).or(covered[at]);
        node.following = following[at];
    }
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
    let view = |(at, (lane, drawn)): (u32, (&Lane<'_>, &update_graph::LaneBox))| LaneView {
        channel: lane.channel.name.to_string(),
        default: lane.default,
        deprecated: lane.deprecated.map(str::to_owned),
        y: drawn.y,
        height: drawn.height,
        spine: drawn.spine,
        entries: lane.channel.entries.len() as u32,
        stuck: stuck(graph, LaneId(at)),
        reason: stuck_reason(graph, LaneId(at)),
        ways: None,
        problem: problem(graph, lane, catalog.analysis.catalog.opm),
        place: catalog.place(lane.channel.span),
        before: None,
    };
    (0..).zip(lanes).map(view).collect()
}

/// How many entries of a channel never reach its head.
pub(super) fn stuck(graph: &UpdateGraph<'_>, lane: LaneId) -> u32 {
    graph.nodes_of(lane).filter(|(_, node)| node.marks.contains(&Mark::Stranded)).count() as u32
}

/// What is wrong with the order of a channel, in a few words, as a release of `opm` judges it.
pub(super) fn problem(graph: &UpdateGraph<'_>, lane: &Lane<'_>, opm: OpmVersion) -> Option<String> {
    match Chain::of(lane.channel) {
        Chain::Empty => Some("no entries".to_owned()),
        Chain::NoHead => Some("no head".to_owned()),
        Chain::ManyHeads(heads) => Some(format!("{} heads", heads.len())),
        Chain::Cycle(_) => Some("cycle".to_owned()),
        Chain::Headed { .. } => {
            let by_opm = Paths::of(graph.package).stranded_by_opm_alone(lane.channel).len();
            let is_judged = by_opm > 0 && opm >= OpmVersion::CHAIN_ENDS_AT_SKIPPED;
            is_judged.then(|| format!("opm: {by_opm} stranded"))
        }
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
        row: drawn.row,
        label: node.label(),
        at: drawn.at,
        width: drawn.width,
        height: drawn.height,
        form: drawn.form,
        marks: node.marks.iter().copied().collect(),
        bad_range: node.bad_range().map(str::to_owned),
        summary: summary(node, &channel),
        place: node.entry.map(|entry| catalog.place(entry.span)),
        hops: node.tree.hops,
        subtree: (node.tree.subtree.start, node.tree.subtree.end),
        key: EntryKey { channel: Some(channel), name: node.name.to_string() },
        ..NodeView::default()
    }
}

fn summary(node: &Node<'_>, channel: &str) -> String {
    let mut parts = vec![format!("{} in channel {channel}", node.name)];
    parts.extend(node.marks.iter().map(|&mark| mark.meaning().to_owned()));
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

fn edges(graph: &UpdateGraph<'_>, layout: &Layout, order: &Order, quiet: &[bool]) -> Vec<EdgeView> {
    let edges = graph.edges.iter().zip(&layout.edges).zip(quiet);
    let view = |((edge, points), quiet): ((&update_graph::Edge, &Vec<Point>), &bool)| EdgeView {
        kind: match edge.via {
            Via::Replaces => EdgeKind::Replaces,
            Via::Skips | Via::SkipRange => EdgeKind::Skips,
        },
        from: order.place(edge.from),
        to: order.place(edge.to),
        points: points.clone(),
        ignored: edge.ignored,
        quiet: *quiet,
        presence: Presence::Both,
    };
    edges.map(view).collect()
}

/// Marks the edges that both states of a comparison have and that matter to nobody, by the marks and edges of the view:
/// a comparison has others than the layout.
pub(super) fn mark_quiet(view: &mut GraphView) {
    let edge = |edge: &EdgeView| update_graph::Edge {
        from: NodeId(edge.from),
        to: NodeId(edge.to),
        via: if edge.kind == EdgeKind::Replaces { Via::Replaces } else { Via::Skips },
        ignored: edge.ignored,
    };
    let edges: Vec<update_graph::Edge> = view.edges.iter().map(edge).collect();
    let is_stuck = |id: NodeId| view.nodes[id.0 as usize].marks.contains(&Mark::Stranded);
    for (edge, quiet) in view.edges.iter_mut().zip(update_graph::quiet_edges(&edges, is_stuck)) {
        edge.quiet = quiet && edge.presence == Presence::Both;
    }
}

fn bands(graph: &UpdateGraph<'_>, layout: &Layout, order: &Order) -> Vec<BandView> {
    let prunings: BTreeMap<*const Entry, &Pruning<'_>> =
        graph.prunings.iter().map(|pruning| (std::ptr::from_ref(pruning.entry), pruning)).collect();
    let first = |band: &update_graph::Band| band.columns.first().map(|run| run.start);
    let view = |band: &update_graph::Band| {
        let entry = graph.node(band.to).entry?;
        let range = entry.skip_range.as_ref()?;
        let pruning = prunings.get(&std::ptr::from_ref(entry)).copied();
        let own = layout.nodes[band.to.0 as usize].column;
        let covered: u32 = band.columns.iter().map(|run| run.end - run.start - u32::from(run.contains(&own))).sum();
        let begins =
            |other: &&update_graph::Band| other.folded && other.lane == band.lane && first(other) == first(band);
        let older = if band.folded { 0 } else { layout.bands.iter().filter(begins).count() };
        let label = band_label(&range.value.text, &graph.node(band.to).label(), covered, (pruning, older));
        Some(BandView {
            lane: band.lane.0,
            to: order.place(band.to),
            range: range.value.text.to_string(),
            label,
            stretches: band.stretches.clone(),
            y: band.y,
            folded: band.folded,
            unbounded_below: range.value.range.as_ref().is_ok_and(go_semver::blang::Range::unbounded_below),
            warns: pruning.is_some(),
            columns: band.columns.iter().map(|run| (run.start, run.end)).collect(),
            ignored: graph.node(band.to).position.is_none(),
        })
    };
    layout.bands.iter().filter_map(view).collect()
}

/// The range and where it leads, how many versions of the package it covers, how many of them it prunes from the channel or the
/// channel does not list, and how many older ranges begin at the same version: OLM takes none of these.
fn band_label(range: &str, to: &str, covered: u32, (pruning, older): (Option<&Pruning<'_>>, usize)) -> String {
    let versions = if covered == 1 { "version" } else { "versions" };
    let (pruned, unlisted) = pruning.map_or((0, 0), |pruning| (pruning.off_chain.len(), pruning.unlisted.len()));
    let part = |text: String, count: usize| if count > 0 { text } else { String::new() };
    let pruned = part(format!(", prunes {pruned}"), pruned);
    let unlisted = part(format!(", {unlisted} not in channel"), unlisted);
    let ranges = if older == 1 { "range" } else { "ranges" };
    let older = part(format!(", instead of {older} older {ranges}"), older);
    format!("{range} → {to} · covers {covered} {versions}{older}{pruned}{unlisted}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::testing::workbench;

    fn view(catalog: &str) -> GraphView {
        let key = PackageKey { catalog: views::CatalogId(0), package: "p".to_owned() };
        graph(&workbench(&[("c", catalog)]), &key, &GraphOptions::default()).unwrap()
    }

    const CHANNELS: &str = "package p stable\nchannel p beta p.v2.0.0~>=1.0.0_<2.0.0\nchannel p stable p.v2.0.0>p.v1.0.0 p.v1.0.0 p.v3.0.0\nbundle p 1.0.0\nbundle p 2.0.0";

    #[test]
    fn lanes_begin_with_the_default_channel() {
        let lanes = view(CHANNELS).lanes;
        let shown: Vec<_> =
            lanes.iter().map(|lane| (&*lane.channel, lane.default, lane.entries, lane.problem.as_deref())).collect();
        assert_eq!(shown, [("stable", true, 3, Some("2 heads")), ("beta", false, 1, None)]);
    }

    #[test]
    fn a_summary_says_everything_that_is_drawn() {
        let summaries: Vec<String> = view(CHANNELS).nodes.into_iter().map(|node| node.summary).collect();
        let expected = [
            "p.v1.0.0 in channel stable",
            "p.v2.0.0 in channel stable, channel head, replaces p.v1.0.0",
            "p.v3.0.0 in channel stable, channel head, no bundle document",
            "p.v1.0.0 in channel beta, not an entry of this channel, cannot be a startingCSV here",
            "p.v2.0.0 in channel beta, channel head, skipRange >=1.0.0 <2.0.0",
        ];
        assert_eq!(summaries, expected);
    }

    #[test]
    fn an_invalid_skip_range_is_shown_as_written() {
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
        let next = |catalog: &str| {
            let nodes = view(catalog).nodes.into_iter();
            nodes.map(|node| (node.next.map(|next| (next.to, next.line)), node.hops, node.end)).collect::<Vec<_>>()
        };
        let expected = [(Some((2, Line::Edge(0))), 1, 2), (Some((2, Line::Edge(1))), 1, 2), (None, 0, 2)];
        assert_eq!(next("package p c\nchannel p c p.v3>p.v1-p.v2 p.v2>p.v1 p.v1"), expected);
        let without_order = [(None, 0, 0), (None, 0, 1), (None, 0, 2)];
        assert_eq!(next("package p c\nchannel p c p.v2>p.v1 p.v1 p.v3"), without_order);
        let ranged = "package p c\nchannel p c p.v2.0.0~<2.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        assert_eq!(next(ranged), [(Some((1, Line::Band(0))), 1, 1), (None, 0, 1)]);
    }

    #[test]
    fn hops_are_counted_between_nodes_that_updates_connect() {
        let view = view("package p c\nchannel p c p.v4>p.v3-p.v1 p.v3>p.v2 p.v2>p.v1 p.v1");
        let hops: Vec<_> = (0..4).map(|from| view.hops_between(from, 3)).collect();
        assert_eq!(hops, [Some(1), Some(2), Some(1), Some(0)]);
        assert_eq!((view.hops_between(0, 1), view.hops_between(1, 2)), (None, Some(1)));
        assert_eq!(view.nodes.iter().map(|node| node.updated_from).collect::<Vec<_>>(), [0, 0, 1, 2]);
    }

    #[test]
    fn arrow_keys_lead_along_the_fields() {
        let keys = |catalog: &str| {
            let nodes = view(catalog).nodes.into_iter();
            nodes.map(|node| (node.previous, node.following)).collect::<Vec<_>>()
        };
        let fields = "package p c\nchannel p c p.v3>p.v1-p.v2 p.v2>p.v1 p.v1";
        assert_eq!(keys(fields), [(None, Some(2)), (Some(0), Some(2)), (Some(0), None)]);
        let ranged = "package p c\nchannel p c p.v2.0.0~<2.0.0 p.v3.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        assert_eq!(keys(ranged), [(None, Some(1)), (Some(0), None), (None, None)]);
    }

    #[test]
    fn a_band_counts_the_versions_that_the_channel_does_not_list() {
        let view = view(CHANNELS);
        let shown: Vec<_> = view
            .bands
            .iter()
            .map(|band| {
                let covered: Vec<u32> = view.covered(band).collect();
                (&*band.label, band.lane, covered, &*band.columns, band.warns, band.unbounded_below)
            })
            .collect();
        let label = ">=1.0.0 <2.0.0 → 2.0.0 · covers 1 version, 1 not in channel";
        assert_eq!(shown, [(label, 1, vec![3], &[(0, 1)][..], true, false)]);
    }

    #[test]
    fn a_range_that_prunes_nothing_does_not_warn() {
        let bands =
            view("package p c\nchannel p c p.v2.0.0>p.v1.0.0~<2.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0").bands;
        let shown: Vec<_> = bands.iter().map(|band| (&*band.label, band.warns, band.unbounded_below)).collect();
        assert_eq!(shown, [("<2.0.0 → 2.0.0 · covers 1 version", false, true)]);
    }

    #[test]
    fn a_lane_says_who_is_stuck_and_who_only_opm_finds_stranded() {
        let entries = |range: &str| {
            let catalog = format!(
                "package p c\nchannel p c p.v1.1.1>p.v1.1.0-p.v1.1.0~{range} p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.1.1"
            );
            let lane = view(&catalog).lanes.remove(0);
            (lane.stuck, lane.problem)
        };
        assert_eq!(entries(">=1.0.0_<1.1.1"), (0, Some("opm: 1 stranded".to_owned())));
        assert_eq!(entries(">=1.1.0_<1.1.1"), (1, None));
        assert_eq!(entries(">=1.0.0_<1.1.1 p.v1.0.1>p.v0.9.0"), (0, Some("2 heads".to_owned())));
    }
}
