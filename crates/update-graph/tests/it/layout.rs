//! The drawing under edits: nothing overlaps, all stands on the grid, and what an edit does not concern stays.

use catalog::{Catalog, ParsedFile, lower};
use proptest::prelude::*;
use source::{AxisDirection, FileId};
use std::collections::{BTreeMap, BTreeSet};
use update_graph::{Layout, Mark, Room, UpdateGraph, boxes, build, dots, grid, other_than_next};

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

fn drawn(graph: &UpdateGraph<'_>) -> Layout {
    boxes(graph, AxisDirection::Right, &other_than_next(graph))
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
        let drawn = drawn(&graph);
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
    fn dots_do_not_overlap_and_stay_before_the_ways(channels in package(), is_narrow in any::<bool>()) {
        let catalog = catalog(&channels);
        let graph = build(&catalog.packages[0]);
        let (room, quiet) = (if is_narrow { Room::Narrow } else { Room::Page }, other_than_next(&graph));
        for drawn in [dots(&graph, room, &quiet), grid(&graph, room, &quiet)] {
            prop_assert!(drawn.lanes.is_sorted_by(|a, b| a.y + a.height <= b.y));
            let mut places: Vec<(i32, i32, i32)> = Vec::new();
            for (node, place) in graph.nodes.iter().zip(&drawn.nodes) {
                let (left, right) = (place.at.x - place.width / 2, place.at.x + place.width / 2);
                prop_assert!(left >= drawn.gutter && right <= drawn.width - drawn.aside, "{} is outside", node.name);
                let lane = drawn.lanes[node.lane.0 as usize];
                prop_assert!(place.at.y > lane.y && place.at.y < lane.y + lane.height, "{} is outside", node.name);
                // What the channel does not list has one place in a grid.
                if node.entry.is_some() {
                    places.push((place.at.y, left, right));
                }
            }
            places.sort_unstable();
            for pair in places.windows(2) {
                prop_assert!(pair[0].0 != pair[1].0 || pair[0].2 <= pair[1].1, "{pair:?} overlap");
            }
        }
    }

    #[test]
    fn versions_that_differ_in_build_metadata_have_places_in_a_grid(builds in 2..9_u32) {
        let entry = |build: u32| format!("1.0.0+{build}");
        let entries: Vec<String> = (0..builds).map(entry).collect();
        let text = fixture::yaml(&format!("a: {}\nb: 1.1.0\n", entries.join(", ")));
        let parse = fbc::parse(FileId(0), &text);
        let catalog = lower(&[ParsedFile { text: &text, parse: &parse }]).0;
        let graph = build(&catalog.packages[0]);
        let drawn = grid(&graph, Room::Page, &other_than_next(&graph));
        let places: BTreeSet<(i32, i32)> = drawn.nodes.iter().map(|place| (place.at.y, place.at.x)).collect();
        prop_assert_eq!(places.len(), graph.nodes.len());
    }

    #[test]
    fn the_order_of_the_text_is_not_drawn(channels in package()) {
        let reversed: Vec<Channel> = channels.iter().map(|entries| entries.iter().rev().cloned().collect()).collect();
        let (one, other) = (catalog(&channels), catalog(&reversed));
        let (one, other) = (build(&one.packages[0]), build(&other.packages[0]));
        let (drawn, again) = (drawn(&one), drawn(&other));
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
        let (drawn, again) = (drawn(&before), drawn(&after));
        let elsewhere = |lane, listed| lane > 0 && listed;
        prop_assert_eq!(rows(&before, &drawn, elsewhere), rows(&after, &again, elsewhere));
        prop_assert_eq!(order(&before, &drawn), order(&after, &again));
    }

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
        let again = rows(&grown, &drawn(&grown), |_, _| true);
        for (key, row) in rows(&graph, &drawn(&graph), |_, _| true) {
            prop_assert_eq!(again.get(&key), Some(&row), "{} in lane {}", key.1, key.0);
        }
    }
}
