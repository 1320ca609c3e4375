//! OLM v1 in the drawing of a package: where it parts from OLM v0, and its updates instead of those of OLM v0.

use super::graph::add_neighbours;
use catalog::Package;
use extension::{InstalledBundle, PackageBundles, SuccessorIndex};
use std::collections::BTreeMap;
use update_graph::Walks;
use views::{GraphView, Line, Mark, NextView, NodeView, Runtime};

/// Marks the entries whose next update is another one for an extension that names the channel. If OLM v1 is asked about
/// alone, the updates of all entries become those of such extensions.
pub(super) fn add(view: &mut GraphView, package: &Package, runtime: Runtime) {
    let bundles = PackageBundles::of_package(package);
    let channels: Vec<_> = view.lanes.iter().map(|lane| package.channel(&lane.channel)).collect();
    let lanes: Vec<Option<SuccessorIndex<'_>>> = channels
        .iter()
        .map(|channel| {
            let name = &(*channel)?.name.value;
            Some(SuccessorIndex::of(&bundles, std::slice::from_ref(name)))
        })
        .collect();
    let names: Vec<String> = view.nodes.iter().map(|node| node.key.name.clone()).collect();
    let mut moves: Vec<Option<&str>> = vec![None; names.len()];
    for (node, moves) in view.nodes.iter_mut().zip(&mut moves) {
        let name = &node.key.name;
        let lane = node.lane as usize;
        let Some((channel, successors)) = channels[lane].zip(lanes[lane].as_ref()) else { continue };
        let Some(bundle) = package.bundle(name).filter(|_| channel.entry(name).is_some()) else { continue };
        let v0 = node.next.map_or(name.as_str(), |next| names[next.to as usize].as_str());
        let next_update =
            |next: &str| if next == name { "makes no update".to_owned() } else { format!("goes to {next}") };
        let v1 = match successors.next(&InstalledBundle::of(bundle)) {
            Ok(next) => {
                let to = next.bundle.name.value.as_str();
                *moves = (!next.is_installed_version).then_some(to);
                if to == v0 {
                    continue;
                }
                next_update(to)
            }
            Err(error) => format!("fails with: {error}"),
        };
        node.summary = format!("{}, OLM v0 {}, OLM v1 {v1}", node.summary, next_update(v0));
        node.marks.push(Mark::RuntimesDiffer);
    }
    if runtime == Runtime::V1 {
        let at: BTreeMap<(u32, &str), u32> =
            view.nodes.iter().zip(&names).zip(0..).map(|((node, name), at)| ((node.lane, &**name), at)).collect();
        let next = view.nodes.iter().zip(&moves).map(|(node, to)| at.get(&(node.lane, (*to)?)).copied()).collect();
        replace_updates(view, next);
        mark_stuck(view);
    }
}

/// Replaces the next update of each node.
fn replace_updates(view: &mut GraphView, next: Vec<Option<u32>>) {
    let edges: BTreeMap<(u32, u32), Line> =
        view.edges.iter().zip(0..).map(|(edge, index)| ((edge.from, edge.to), Line::Edge(index))).collect();
    let bands: BTreeMap<u32, Line> =
        view.bands.iter().zip(0..).map(|(band, index)| (band.to, Line::Band(index))).collect();
    let walks = Walks::new(next.iter().map(|to| to.map(|to| to as usize)).collect());
    for ((node, to), (position, from)) in view.nodes.iter_mut().zip(next).zip(walks.trees().iter().zip(0..)) {
        let line = |to: u32| edges.get(&(from, to)).or_else(|| bands.get(&to)).copied();
        node.next = to.and_then(|to| Some(NextView { to, line: line(to)? }));
        node.hops = position.hops;
        node.end = position.end as u32;
        node.subtree = (position.subtree.start, position.subtree.end);
    }
    // Only OLM v0 leaves out what a skipRange or `skips` takes from the update chain.
    view.edges.iter_mut().for_each(|edge| edge.ignored = false);
    view.bands.iter_mut().for_each(|band| band.ignored = false);
    add_neighbours(view);
}

/// Marks the entries that OLM v1 does not update to the highest version of their channel, instead of those that OLM v0 does not
/// update to the head.
fn mark_stuck(view: &mut GraphView) {
    let is_bundle = |node: &NodeView| node.place.is_some() && !node.marks.contains(&Mark::NoBundle);
    let mut highest: BTreeMap<u32, u32> = BTreeMap::new();
    for node in view.nodes.iter().filter(|node| is_bundle(node)) {
        let column = highest.entry(node.lane).or_default();
        *column = node.column.max(*column);
    }
    let ends: Vec<u32> = view.nodes.iter().map(|node| view.nodes[node.end as usize].column).collect();
    view.lanes.iter_mut().for_each(|lane| lane.stuck = 0);
    let said = format!(", {}", Mark::Stranded.meaning());
    for (node, end) in view.nodes.iter_mut().zip(ends) {
        node.marks.retain(|mark| *mark != Mark::Stranded);
        node.summary = node.summary.replacen(&said, "", 1);
        if is_bundle(node) && highest.get(&node.lane).is_some_and(|highest| end < *highest) {
            node.marks.push(Mark::Stranded);
            node.marks.sort_unstable();
            view.lanes[node.lane as usize].stuck += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::workbench;
    use views::{CatalogId, GraphOptions, Line, Mark, PackageKey, Runtime};

    #[test]
    fn entries_are_marked_where_the_runtimes_part() {
        let sketch = "package p c\nchannel p c p.v3.0.0-p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let workbench = workbench(&[("c", sketch)]);
        let package = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let parting = |runtime| {
            let view = workbench.graph(&package, &GraphOptions { runtime, ..GraphOptions::default() }).unwrap();
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
            let view = workbench.graph(&package, &GraphOptions { runtime, ..GraphOptions::default() }).unwrap();
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
            let view = workbench.graph(&package, &GraphOptions { runtime, ..GraphOptions::default() }).unwrap();
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
            let view = workbench.graph(&package, &GraphOptions { runtime, ..GraphOptions::default() }).unwrap();
            view.edges.iter().filter(|edge| edge.ignored).count()
        };
        assert_eq!([Runtime::V0, Runtime::Both, Runtime::V1].map(ignored), [1, 1, 0]);
    }
}
