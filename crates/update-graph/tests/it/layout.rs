//! The drawing under edits: nothing overlaps, all stands on the grid, and what an edit does not concern stays.

use catalog::{Catalog, ParsedFile, lower};
use proptest::prelude::*;
use source::{AxisDirection, FileId};
use std::collections::{BTreeMap, BTreeSet};
use update_graph::{Layout, Mark, NodeId, UpdateGraph, build, compact, layout};

/// An entry: its version, and by version what it replaces and skips.
#[derive(Clone, Debug)]
struct Entry {
    version: u8,
    replaces: Option<u8>,
    skips: BTreeSet<u8>,
    range: bool,
}

type Channel = Vec<Entry>;

fn entry() -> impl Strategy<Value = Entry> {
    let skips = proptest::collection::btree_set(0..12_u8, 0..3);
    (0..12_u8, proptest::option::of(0..12_u8), skips, any::<bool>())
        .prop_map(|(version, replaces, skips, range)| Entry { version, replaces, skips, range })
}

fn channel() -> impl Strategy<Value = Channel> {
    proptest::collection::vec(entry(), 1..9).prop_map(|mut entries| {
        let mut seen = BTreeSet::new();
        entries.retain(|entry| seen.insert(entry.version));
        entries
    })
}

fn package() -> impl Strategy<Value = Vec<Channel>> {
    proptest::collection::vec(channel(), 1..4)
}

fn catalog(channels: &[Channel]) -> Catalog {
    let channel = |(at, entries): (usize, &Channel)| {
        format!("c{at}: {}\n", entries.iter().map(notation).collect::<Vec<_>>().join(", "))
    };
    let text = fixture::yaml(&channels.iter().enumerate().map(channel).collect::<String>());
    let parse = fbc::parse(FileId(0), &text);
    lower(&[ParsedFile { text: &text, parse: &parse }]).0
}

fn notation(entry: &Entry) -> String {
    let Entry { version, replaces, skips, range } = entry;
    let mut clauses: Vec<String> = replaces.iter().map(|replaced| format!("replaces 1.{replaced}.0")).collect();
    let skips: Vec<String> = skips.iter().map(|skipped| format!("1.{skipped}.0")).collect();
    clauses.extend((!skips.is_empty()).then(|| format!("skips {}", skips.join(", "))));
    clauses.extend(range.then(|| format!("skipRange <1.{version}.0")));
    format!("1.{version}.0 ({})", clauses.join("; "))
}

/// The row of each node that `keep` names, by lane and name.
fn rows(graph: &UpdateGraph<'_>, layout: &Layout, keep: impl Fn(u32, bool) -> bool) -> BTreeMap<(u32, String), u32> {
    let nodes = graph.nodes.iter().zip(&layout.nodes).filter(|(node, _)| keep(node.lane.0, node.entry.is_some()));
    nodes.map(|(node, drawn)| ((node.lane.0, node.name.to_string()), drawn.row)).collect()
}

/// The names of the entries below the first lane, from left to right, by lane.
fn order(graph: &UpdateGraph<'_>, layout: &Layout) -> Vec<(u32, String)> {
    let nodes = graph.nodes.iter().zip(&layout.nodes);
    let mut nodes: Vec<_> = nodes.filter(|(node, _)| node.lane.0 > 0 && node.entry.is_some()).collect();
    nodes.sort_by_key(|(node, drawn)| (node.lane, drawn.at.x, drawn.row));
    nodes.iter().map(|(node, _)| (node.lane.0, node.name.to_string())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn everything_stands_on_the_grid_and_nothing_overlaps(channels in package()) {
        let catalog = catalog(&channels);
        let graph = build(&catalog.packages[0]);
        let drawn = layout(&graph, AxisDirection::Right);
        prop_assert!(drawn.columns.is_sorted_by(|a, b| a.x + a.width / 2 < b.x - b.width / 2));
        prop_assert!(drawn.lanes.is_sorted_by(|a, b| a.y + a.height <= b.y));
        let mut taken = BTreeSet::new();
        for (node, place) in graph.nodes.iter().zip(&drawn.nodes) {
            let (column, lane) = (&drawn.columns[place.column as usize], drawn.lanes[node.lane.0 as usize]);
            prop_assert_eq!(place.at.x, column.x);
            prop_assert!(place.width <= column.width && place.at.y > lane.y && place.at.y < lane.y + lane.height);
            prop_assert!(taken.insert((node.lane, place.column, place.row)), "{} overlaps", node.name);
        }
        prop_assert_eq!(drawn.edges.len(), graph.edges.len());
    }

    #[test]
    fn compact_lanes_have_every_entry_once_and_no_overlaps(channels in package(), opened in 0..12_u32) {
        let catalog = catalog(&channels);
        let graph = build(&catalog.packages[0]);
        let drawn = compact(&graph, AxisDirection::Right, &BTreeSet::from([NodeId(opened)]));
        prop_assert!(drawn.lanes.is_sorted_by(|a, b| a.y + a.height <= b.y));
        let mut boxes: Vec<(u32, i32, i32, i32, Option<u32>)> = Vec::new();
        for (node, place) in graph.nodes.iter().zip(&drawn.nodes) {
            let (left, right) = (place.at.x - place.width / 2, place.at.x + place.width / 2);
            prop_assert!(left >= drawn.gutter && right <= drawn.width, "{} is outside", node.name);
            boxes.push((node.lane.0, place.at.y, left, right, place.fold));
        }
        for (at, fold) in drawn.folds.iter().enumerate() {
            let inside: Vec<NodeId> = (0..graph.nodes.len() as u32).map(NodeId).filter(|id| drawn.nodes[id.0 as usize].fold == Some(at as u32)).collect();
            let listed: BTreeSet<NodeId> = fold.nodes.iter().copied().collect();
            prop_assert_eq!(listed, inside.into_iter().collect::<BTreeSet<_>>());
            prop_assert!(!fold.nodes.contains(&NodeId(opened)) && fold.nodes.len() > 2);
        }
        boxes.sort_unstable();
        boxes.dedup_by(|a, b| a == b && a.4.is_some());
        for pair in boxes.windows(2) {
            let same_row = (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
            prop_assert!(!same_row || pair[0].3 < pair[1].2, "{pair:?} overlap");
        }
    }

    #[test]
    fn the_order_of_the_text_is_not_drawn(channels in package()) {
        let reversed: Vec<Channel> = channels.iter().map(|entries| entries.iter().rev().cloned().collect()).collect();
        let (one, other) = (catalog(&channels), catalog(&reversed));
        let (one, other) = (build(&one.packages[0]), build(&other.packages[0]));
        let (drawn, again) = (layout(&one, AxisDirection::Right), layout(&other, AxisDirection::Right));
        prop_assert_eq!(rows(&one, &drawn, |_, _| true), rows(&other, &again, |_, _| true));
        prop_assert_eq!(&drawn.columns, &again.columns);
        prop_assert_eq!(&drawn.lanes, &again.lanes);
    }

    /// Ghosts apart: a range also covers versions that only another channel has, which come and go with that channel.
    #[test]
    fn an_edit_of_one_channel_leaves_the_others(channels in package(), edited in channel()) {
        let mut changed = channels.clone();
        changed[0] = edited;
        let (before, after) = (catalog(&channels), catalog(&changed));
        let (before, after) = (build(&before.packages[0]), build(&after.packages[0]));
        let (drawn, again) = (layout(&before, AxisDirection::Right), layout(&after, AxisDirection::Right));
        let elsewhere = |lane, listed| lane > 0 && listed;
        prop_assert_eq!(rows(&before, &drawn, elsewhere), rows(&after, &again, elsewhere));
        prop_assert_eq!(order(&before, &drawn), order(&after, &again));
    }

    /// Apart from what its edge passes.
    #[test]
    fn a_new_head_moves_nothing(channels in package()) {
        let catalog_before = catalog(&channels);
        let graph = build(&catalog_before.packages[0]);
        let heads: Vec<_> =
            graph.nodes.iter().filter(|node| node.lane.0 == 0 && node.marks.contains(&Mark::Head)).collect();
        prop_assume!(heads.len() == 1);
        let minor = heads[0].name.as_str().split('.').nth(2).and_then(|minor| minor.parse().ok());
        let mut changed = channels.clone();
        changed[0].push(Entry { version: 12, replaces: minor, skips: BTreeSet::new(), range: false });
        let catalog_after = catalog(&changed);
        let grown = build(&catalog_after.packages[0]);
        let again = rows(&grown, &layout(&grown, AxisDirection::Right), |_, _| true);
        let passed = |name: &str| {
            let minor_of = |name: &str| name.split('.').nth(2).and_then(|minor| minor.parse::<u8>().ok());
            minor_of(name) > minor
        };
        for (key, row) in rows(&graph, &layout(&graph, AxisDirection::Right), |_, _| true) {
            if key.0 == 0 && passed(&key.1) {
                continue;
            }
            prop_assert_eq!(again.get(&key), Some(&row), "{} in lane {}", key.1, key.0);
        }
    }
}
