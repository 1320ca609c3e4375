//! The layout of a graph that the page asks for, with its folds and the entries where one comes in from other channels.

use super::graph::Order;
use std::collections::{BTreeMap, BTreeSet};
use update_graph::{EntryPoint, Fold, Layout, Mark, NodeId, UpdateGraph};
use views::{FoldView, GraphLayout, GraphOptions};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;
    use session::testing::workbench;
    use views::{EntryKey, GraphView, PackageKey};

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
}
