//! The layout of a graph that the page asks for, and OLM v1 in it: its updates instead of those of OLM v0.

use catalog::{BundleName, Package};
use cluster::InstalledBundle;
use extension::{PackageBundles, ResolveError, Successor, SuccessorIndex};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use update_graph::{LaneId, Layout, Next, NodeId, Room, UpdateGraph, Walks, hop};
use views::{AxisDirection, GraphLayout, GraphOptions, GraphView, Mark};

/// Lays out a graph, as wanted or as it is better. Edges that are `quiet` need no place.
pub(super) fn draw(graph: &UpdateGraph<'_>, options: &GraphOptions, quiet: &[bool]) -> (GraphLayout, Layout) {
    let room = if options.direction == AxisDirection::Up { Room::Narrow } else { Room::Page };
    let layout = |layout| match layout {
        GraphLayout::Boxes => (layout, update_graph::boxes(graph, options.direction, quiet)),
        GraphLayout::Dots => (layout, update_graph::dots(graph, room, quiet)),
        GraphLayout::Grid => (layout, update_graph::grid(graph, room, quiet)),
    };
    if let Some(wanted) = options.layout {
        return layout(wanted);
    }
    let boxes = Some(layout(GraphLayout::Boxes)).filter(|(_, boxes)| update_graph::is_legible(boxes));
    // The rows of one channel have no lines between them, and a comparison is about lines.
    let has_lines = options.compares.is_none() || graph.lanes.len() > 1;
    let is_grid = has_lines && update_graph::is_grid_better(graph);
    let dense = if is_grid { GraphLayout::Grid } else { GraphLayout::Dots };
    boxes.unwrap_or_else(|| layout(dense))
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
    use views::{CatalogId, GraphOptions, Line, Mark, PackageKey, Runtime};

    #[test]
    fn the_layout_follows_what_a_package_has() {
        let layout = |channels: &str, direction| {
            let key = PackageKey { catalog: views::CatalogId(0), package: "p".to_owned() };
            let options = GraphOptions { direction, ..GraphOptions::default() };
            let view = graph(&workbench(&[("c", channels)]), &key, &options).unwrap();
            (view.layout, view.direction, view.columns.is_empty())
        };
        let channel = |name: &str, minor: u32, entries: u32| {
            let entries: Vec<String> = (0..entries).map(|patch| format!("p.v1.{minor}.{patch}")).collect();
            format!("channel p {name} {}", entries.join(" "))
        };
        let bundles: Vec<String> =
            (0..4).flat_map(|minor| (0..12).map(move |patch| format!("bundle p 1.{minor}.{patch}"))).collect();
        let package = |minors: [u32; 4], entries| {
            let channels = ["a", "b", "d", "e"].iter().zip(minors).map(|(name, of)| channel(name, of, entries));
            format!("package p a\n{}\n{}", channels.collect::<Vec<_>>().join("\n"), bundles.join("\n"))
        };
        use AxisDirection::{Right, Up};
        assert_eq!(layout(&package([0, 1, 2, 3], 12), Right), (GraphLayout::Grid, Right, true));
        assert_eq!(layout(&package([0, 1, 2, 3], 12), Up), (GraphLayout::Grid, Right, true));
        assert_eq!(layout(&package([0, 0, 1, 1], 12), Right), (GraphLayout::Dots, Right, false));
        assert_eq!(layout(&package([0, 0, 0, 0], 6), Right), (GraphLayout::Boxes, Right, false));
        assert_eq!(layout(&package([0, 0, 0, 0], 6), Up), (GraphLayout::Boxes, Up, false));
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
