//! The layout of a graph that the page asks for, with its folds and the entries where one comes in from other channels,
//! and OLM v1 in it: its updates instead of those of OLM v0.

use super::graph::Order;
use catalog::{BundleName, Package};
use cluster::InstalledBundle;
use extension::{PackageBundles, ResolveError, Successor, SuccessorIndex};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use update_graph::{EntryPoint, Fold, LaneId, Layout, Next, NodeId, UpdateGraph, Walks, hop};
use views::{FoldView, GraphLayout, GraphOptions, GraphView, Mark};

/// Lays out a graph, as wanted or as it is better.
pub(super) fn draw(graph: &UpdateGraph<'_>, options: &GraphOptions) -> (GraphLayout, Layout) {
    let (opened, direction) = (opened(graph, options), options.direction);
    let layout = |layout| match layout {
        GraphLayout::SharedAxis => (layout, update_graph::layout(graph, direction)),
        GraphLayout::Compact => (layout, update_graph::compact(graph, direction, &opened)),
        GraphLayout::Dense => (layout, update_graph::dense(graph, direction, &opened)),
    };
    if let Some(wanted) = options.layout {
        return layout(wanted);
    }
    let shared = Some(layout(GraphLayout::SharedAxis)).filter(|(_, shared)| update_graph::is_legible(shared));
    let shared = shared.unwrap_or_else(|| layout(GraphLayout::Dense));
    if update_graph::is_compact_better(graph, &shared.1) { layout(GraphLayout::Compact) } else { shared }
}

/// The nodes of the entries whose folds are to be drawn in full.
fn opened(graph: &UpdateGraph<'_>, options: &GraphOptions) -> BTreeSet<NodeId> {
    let names: BTreeSet<(Option<&str>, &str)> =
        options.opened.iter().map(|key| (key.channel.as_deref(), &*key.name)).collect();
    let ids = (0..graph.nodes.len() as u32).map(NodeId);
    let is_opened = |id: &NodeId| {
        let node = graph.node(*id);
        let channel = graph.lanes[node.lane.0 as usize].channel.name.value.as_str();
        names.contains(&(Some(channel), node.name.as_str()))
    };
    if names.is_empty() { BTreeSet::new() } else { ids.filter(is_opened).collect() }
}

/// A fold as the page shows it.
pub(super) fn fold_view(graph: &UpdateGraph<'_>, fold: &Fold, order: &Order) -> FoldView {
    let marks = |id: &NodeId| &graph.node(*id).marks;
    let (first, last) = (fold.nodes[0], fold.nodes[fold.nodes.len() - 1]);
    let of_all = marks(&first).iter().copied().filter(|mark| fold.nodes.iter().all(|id| marks(id).contains(mark)));
    let errors = [Mark::Stranded, Mark::NoBundle, Mark::BadRange].into_iter();
    let of_any = errors.filter(|mark| fold.nodes.iter().any(|id| marks(id).contains(mark)));
    let shown: BTreeSet<Mark> = of_all.chain(of_any).collect();
    let channel = &graph.lanes[graph.node(first).lane.0 as usize].channel.name;
    let (oldest, newest) = (graph.node(first).label(), graph.node(last).label());
    FoldView {
        first: order.place(first),
        last: order.place(last),
        label: fold.label.clone(),
        marks: shown.into_iter().collect(),
        summary: format!("{} entries from {oldest} to {newest} in channel {channel}, folded", fold.nodes.len()),
    }
}

/// How one comes to an entry from other channels, in words.
pub(super) struct EntryPointText {
    /// What stands at the entry.
    pub(super) label: String,
    /// The whole sentence part.
    pub(super) summary: String,
}

/// The entry points of a compact drawing. On a shared axis the other channels' versions are above and below.
pub(super) fn entry_points(graph: &UpdateGraph<'_>, layout: GraphLayout) -> BTreeMap<NodeId, EntryPointText> {
    if layout != GraphLayout::Compact {
        return BTreeMap::new();
    }
    let text = |point: &EntryPoint<'_>| {
        let (mut labels, mut parts) = (Vec::new(), Vec::new());
        if let [first, rest @ ..] = &*point.heads_of {
            let names: Vec<&str> = point.heads_of.iter().map(|name| name.as_str()).collect();
            labels.push(if rest.is_empty() { first.to_string() } else { format!("{} channels", names.len()) });
            parts.push(format!("head of {}, from which a Subscription can change here", names.join(", ")));
        }
        if let [oldest, .., newest] | [oldest @ newest] = &*point.updated_from {
            let (oldest, newest) = (graph.node(*oldest).label(), graph.node(*newest).label());
            let span = if oldest == newest { oldest } else { format!("{oldest} to {newest}") };
            labels.push(newest);
            parts.push(format!("next update of {span} after a change to this channel"));
        }
        EntryPointText { label: format!("from {}", labels.join(" · ")), summary: parts.join(", ") }
    };
    update_graph::entry_points(graph).iter().map(|(&id, point)| (id, text(point))).collect()
}

// OLM v1 in the graph of a package: its updates instead of those of OLM v0, and where it parts from OLM v0.

/// What OLM v1 makes of an installed bundle.
type Answer<'c> = Result<Successor<'c>, ResolveError>;

/// Gives a graph the updates of extensions that name its channels, in place of those of Subscriptions: OLM v1 ignores no
/// entry, and the highest version of a channel takes the place of its head. What is not updated to it is stuck.
pub(super) fn follow_v1(graph: &mut UpdateGraph<'_>) {
    let places: BTreeMap<(LaneId, &BundleName), NodeId> =
        graph.nodes.iter().zip(0..).map(|(node, at)| ((node.lane, node.name), NodeId(at))).collect();
    let next = |(node, answer): (&update_graph::Node<'_>, Option<Answer<'_>>)| {
        let next = answer?.ok().filter(|next| !next.is_installed_version)?;
        let to = *places.get(&(node.lane, &next.bundle.name.value))?;
        let via = hop(graph.node(to).entry?, node.name, node.version.as_ref())?;
        Some(Next { to, via })
    };
    let next: Vec<Option<Next>> = graph.nodes.iter().zip(answers(graph)).map(next).collect();
    let walks = Walks::new(next.iter().map(|next| Some(next.as_ref()?.to.0 as usize)).collect());
    for ((node, next), tree) in graph.nodes.iter_mut().zip(next).zip(walks.trees()) {
        (node.next, node.tree) = (next, tree.clone());
    }
    graph.edges.iter_mut().for_each(|edge| edge.ignored = false);
    for lane in (0..graph.lanes.len() as u32).map(LaneId) {
        let version = |id: NodeId| {
            let node = graph.node(id);
            (
                !node.marks.contains(&Mark::NoBundle),
                node.version.as_ref(),
                node.version.as_ref().map(ToString::to_string),
            )
        };
        let listed = graph.nodes_of(lane).filter(|(_, node)| node.entry.is_some());
        let mut order: Vec<NodeId> = listed.map(|(id, _)| id).collect();
        order.sort_by_key(|id| (Reverse(version(*id)), *id));
        let is_behind = |id: NodeId| version(NodeId(graph.node(id).tree.end as u32)) < version(order[0]);
        let stuck: Vec<bool> = order.iter().map(|&id| version(id).0 && is_behind(id)).collect();
        for (position, (id, is_stuck)) in order.into_iter().zip(stuck).enumerate() {
            let node = &mut graph.nodes[id.0 as usize];
            node.position = Some(position);
            node.marks.remove(&Mark::Stranded);
            node.marks.extend(is_stuck.then_some(Mark::Stranded));
        }
    }
}

/// What OLM v1 makes of each node of a graph for an extension that names its channel; absent without entry or bundle.
fn answers<'c>(graph: &UpdateGraph<'c>) -> Vec<Option<Answer<'c>>> {
    let bundles = PackageBundles::of_package(graph.package);
    let index =
        |lane: &update_graph::Lane<'c>| SuccessorIndex::of(&bundles, std::slice::from_ref(&lane.channel.name.value));
    let lanes: Vec<SuccessorIndex<'_>> = graph.lanes.iter().map(index).collect();
    let answer = |node: &update_graph::Node<'c>| {
        let bundle = node.bundle.filter(|_| node.entry.is_some())?;
        Some(lanes[node.lane.0 as usize].next(&InstalledBundle::of(bundle)))
    };
    graph.nodes.iter().map(answer).collect()
}

/// Marks the entries whose next update is another one for an extension that names the channel than for a Subscription.
pub(super) fn mark_differing(view: &mut GraphView, package: &Package) {
    let graph = update_graph::build(package);
    let mut parts: BTreeMap<(u32, &str), String> = BTreeMap::new();
    for (node, answer) in graph.nodes.iter().zip(answers(&graph)) {
        let (Some(answer), name) = (answer, node.name.as_str()) else { continue };
        let v0 = node.next.map_or(name, |next| graph.node(next.to).name.as_str());
        let next_update =
            |next: &str| if next == name { "makes no update".to_owned() } else { format!("goes to {next}") };
        let v1 = match answer {
            Ok(next) if next.bundle.name.value.as_str() == v0 => continue,
            Ok(next) => next_update(next.bundle.name.value.as_str()),
            Err(error) => format!("fails with: {error}"),
        };
        parts.insert((node.lane.0, name), format!("OLM v0 {}, OLM v1 {v1}", next_update(v0)));
    }
    for node in &mut view.nodes {
        if let Some(text) = parts.get(&(node.lane, &*node.key.name)).filter(|_| node.place.is_some()) {
            node.summary = format!("{}, {text}", node.summary);
            node.marks.push(Mark::RuntimesDiffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;
    use session::testing::workbench;
    use views::{CatalogId, EntryKey, GraphOptions, GraphView, Line, Mark, PackageKey, Runtime};

    fn view(catalog: &str, opened: &[&str]) -> GraphView {
        let key = PackageKey { catalog: views::CatalogId(0), package: "p".to_owned() };
        let opened = opened.iter().map(|name| EntryKey { channel: Some("c".to_owned()), name: (*name).to_owned() });
        let options =
            GraphOptions { layout: Some(GraphLayout::Compact), opened: opened.collect(), ..GraphOptions::default() };
        graph(&workbench(&[("c", catalog)]), &key, &options).unwrap()
    }

    /// A channel `c` of a chain of nine versions, and a channel `old` of versions that the range of the newest covers.
    fn chain() -> String {
        let entry = |minor: u32| format!("p.v2.{minor}.0>p.v2.{}.0", minor - 1);
        let entries: Vec<String> = (1..8).rev().map(entry).collect();
        let bundles: Vec<String> = (0..9).map(|minor| format!("bundle p 2.{minor}.0")).collect();
        format!(
            "package p c\nchannel p c p.v2.8.0>p.v2.7.0~>=1.0.0_<2.0.0 {} p.v2.0.0\nchannel p old p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\n{}",
            entries.join(" "),
            bundles.join("\n")
        )
    }

    #[test]
    fn a_plain_chain_is_folded_until_it_is_opened() {
        let closed = view(&chain(), &[]);
        let shown: Vec<String> = closed.boxes(0).map(|at| closed.drawn(at).unwrap().label.clone()).collect();
        assert_eq!(shown, ["2.0.0", "… 7 …", "2.8.0"]);
        let fold = &closed.folds[0];
        assert_eq!((fold.first, fold.last, &*fold.marks), (1, 7, &[][..]));
        assert_eq!(fold.summary, "7 entries from 2.1.0 to 2.7.0 in channel c, folded");
        assert_eq!((closed.shown_as(5), closed.shown_as(8)), (1, 8));
        let all: Vec<String> = (1..8).map(|minor| format!("p.v2.{minor}.0")).collect();
        assert_eq!(view(&chain(), &all.iter().map(String::as_str).collect::<Vec<_>>()).folds, []);
        let beside = view(&chain(), &["p.v2.4.0"]);
        let shown: Vec<String> = beside.boxes(0).map(|at| beside.drawn(at).unwrap().label.clone()).collect();
        assert_eq!(shown, ["2.0.0", "… 3 …", "2.4.0", "… 3 …", "2.8.0"]);
    }

    #[test]
    fn an_entry_says_from_where_one_comes_in() {
        let view = view(&chain(), &[]);
        let enters: Vec<(u32, &str)> =
            (0..).zip(&view.nodes).filter_map(|(at, node)| Some((at, node.enters.as_deref()?))).collect();
        assert_eq!(enters, [(8, "from 1.1.0")]);
        let summary = &view.nodes[8].summary;
        assert!(summary.ends_with(", next update of 1.0.0 to 1.1.0 after a change to this channel"), "{summary}");
    }

    #[test]
    fn lanes_that_do_not_share_versions_are_compact() {
        let layout = |channels: &str| {
            let key = PackageKey { catalog: views::CatalogId(0), package: "p".to_owned() };
            let view = graph(&workbench(&[("c", channels)]), &key, &GraphOptions::default()).unwrap();
            (view.layout, view.columns.is_empty())
        };
        let channel = |name: &str, from: u32| {
            let entries: Vec<String> = (from..from + 6).map(|minor| format!("p.v1.{minor}.0")).collect();
            format!("channel p {name} {}", entries.join(" "))
        };
        let bundles: Vec<String> = (0..24).map(|minor| format!("bundle p 1.{minor}.0")).collect();
        let package = |starts: [u32; 4]| {
            let channels = ["a", "b", "d", "e"].iter().zip(starts).map(|(name, from)| channel(name, from));
            format!("package p a\n{}\n{}", channels.collect::<Vec<_>>().join("\n"), bundles.join("\n"))
        };
        assert_eq!(layout(&package([0, 6, 12, 18])), (GraphLayout::Compact, true));
        assert_eq!(layout(&package([0, 0, 0, 0])), (GraphLayout::SharedAxis, false));
    }

    #[test]
    fn entries_are_marked_where_the_runtimes_part() {
        let sketch = "package p c\nchannel p c p.v3.0.0-p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let workbench = workbench(&[("c", sketch)]);
        let package = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let parting = |runtime| {
            let view = graph(&workbench, &package, &GraphOptions { runtime, ..GraphOptions::default() }).unwrap();
            let parting = view.nodes.into_iter().filter(|node| node.marks.contains(&Mark::RuntimesDiffer));
            parting.map(|node| (node.label, node.summary)).collect::<Vec<_>>()
        };
        assert_eq!(parting(Runtime::V0), []);
        let found = parting(Runtime::Both);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].1.ends_with(", OLM v0 makes no update, OLM v1 goes to p.v2.0.0"), "{found:?}");
    }

    #[test]
    fn the_updates_are_those_of_the_runtime() {
        // OLM v0 leaves the skipped entry out of the chain, OLM v1 follows the edge to it.
        let sketch = "package p c\nchannel p c p.v4.0.0~>=3.0.0_<4.0.0 p.v3.0.0-p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0\nbundle p 4.0.0";
        let workbench = workbench(&[("c", sketch)]);
        let package = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let updates = |runtime| {
            let view = graph(&workbench, &package, &GraphOptions { runtime, ..GraphOptions::default() }).unwrap();
            let far = view.hops_between(0, 3);
            let nodes = view.nodes.iter().map(|node| (node.next.map(|next| (next.to, next.line)), node.updated_from));
            (nodes.collect::<Vec<_>>(), far)
        };
        let edge = |to, index| Some((to, Line::Edge(index)));
        let range = Some((3, Line::Band(0)));
        assert_eq!(updates(Runtime::V1), (vec![(edge(1, 1), 0), (edge(2, 0), 1), (range, 1), (None, 1)], Some(3)));
        assert_eq!(updates(Runtime::Both), updates(Runtime::V0));
        assert_eq!(updates(Runtime::V0).1, None);
    }

    #[test]
    fn what_is_stuck_is_so_for_the_runtime() {
        let sketch = "package p c\nchannel p c p.v4.0.0>p.v3.0.0-p.v3.0.0 p.v3.0.0-p.v1.0.0,p.v2.0.0 p.v2.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0\nbundle p 4.0.0";
        let workbench = workbench(&[("c", sketch)]);
        let package = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let stuck = |runtime| {
            let view = graph(&workbench, &package, &GraphOptions { runtime, ..GraphOptions::default() }).unwrap();
            let stuck = view.nodes.iter().filter(|node| node.marks.contains(&Mark::Stranded));
            (stuck.map(|node| node.label.clone()).collect::<Vec<_>>().join(" "), view.lanes[0].stuck)
        };
        // OLM v0 ignores the edges of the skipped entry.
        assert_eq!(stuck(Runtime::V0), ("1.0.0 2.0.0".to_owned(), 2));
        assert_eq!(stuck(Runtime::V1), (String::new(), 0));
    }

    #[test]
    fn olm_v1_ignores_no_edge() {
        let sketch = "package p c\nchannel p c p.v3.0.0>p.v1.0.0-p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let workbench = workbench(&[("c", sketch)]);
        let package = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let ignored = |runtime| {
            let view = graph(&workbench, &package, &GraphOptions { runtime, ..GraphOptions::default() }).unwrap();
            view.edges.iter().filter(|edge| edge.ignored).count()
        };
        assert_eq!([Runtime::V0, Runtime::Both, Runtime::V1].map(ignored), [1, 1, 0]);
    }
}
