//! A catalog, from text to drawings of its packages.

use std::collections::BTreeSet;

use catalog::{Catalog, ParsedFile, lower};
use fbc::Parse;
use source::{AxisDirection, Diagnostic, FileId};
use update_graph::{Layout, NodeBox, Room, UpdateGraph, boxes, build, dot, dots, grid, mermaid, other_than_next};

use super::stream::LOOKED_THROUGH;
use super::text::text;
use crate::spans;

const FILE: FileId = FileId(0);

/// Larger graphs are laid out but not exported.
const EXPORTED: usize = 500;

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let text = text(input);
    let mut parse = fbc::parse(FILE, &text);
    let (catalog, found) = judged(&text, &parse);
    if text.len() <= LOOKED_THROUGH {
        spans::check(&(&catalog, &found), |_| Some(text.clone()));
    }
    let drawn = drawn(&catalog);
    let is_valid = found.iter().chain(&parse.diagnostics).all(|finding| finding.opm.is_none());
    if is_valid {
        parse.docs.reverse();
        let (shuffled, _) = judged(&text, &parse);
        assert_eq!(self::drawn(&shuffled), drawn, "the order of documents matters");
    }
}

fn judged(text: &str, parse: &Parse) -> (Catalog, Vec<Diagnostic>) {
    let (catalog, mut found) = lower(&[ParsedFile { text, parse }]);
    found.extend(catalog::check(&catalog));
    found.extend(update_graph::check(&catalog));
    (catalog, found)
}

/// Everything that is drawn, one line each.
fn drawn(catalog: &Catalog) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for package in &catalog.packages {
        let graph = build(package);
        let quiet = other_than_next(&graph);
        are_apart(&graph, &boxes(&graph, AxisDirection::Up, &quiet));
        let layout = boxes(&graph, AxisDirection::Right, &quiet);
        are_apart(&graph, &layout);
        for room in [Room::Page, Room::Narrow] {
            is_complete(&graph, &dots(&graph, room, &quiet));
            is_complete(&graph, &grid(&graph, room, &quiet));
        }
        // DOT has one edge per version of a skipRange.
        if graph.nodes.len() <= EXPORTED {
            assert!(!dot(&graph).is_empty() && !mermaid(&graph).is_empty());
        }
        let name = package.name.as_str();
        for (node, place) in graph.nodes.iter().zip(&layout.nodes) {
            let lane = graph.lanes[node.lane.0 as usize].channel.name.value.as_str();
            lines.insert(format!("{name} {lane} {} {place:?} {:?}", node.name, node.marks));
        }
        lines.insert(format!("{name} {} x {}, {:?}", layout.width, layout.height, layout.columns));
    }
    lines
}

fn is_complete(graph: &UpdateGraph<'_>, layout: &Layout) {
    assert_eq!(
        (layout.nodes.len(), layout.edges.len(), layout.lanes.len()),
        (graph.nodes.len(), graph.edges.len(), graph.lanes.len()),
        "something is not drawn"
    );
    let entries: usize = graph.package.channels.iter().map(|channel| channel.entries.len()).sum();
    assert_eq!(graph.nodes.iter().filter(|node| node.entry.is_some()).count(), entries, "an entry is missing");
}

fn are_apart(graph: &UpdateGraph<'_>, layout: &Layout) {
    is_complete(graph, layout);
    let sides = |node: &NodeBox| (node.at.y, node.at.x - node.width / 2, node.at.x + node.width / 2, node.height);
    let mut boxes: Vec<(i32, i32, i32, i32)> = layout.nodes.iter().map(sides).collect();
    boxes.sort_unstable();
    for pair in boxes.windows(2) {
        let [(y, _, right, height), (below, left, ..)] = pair else { continue };
        assert!(y != below && below - y >= *height || y == below && right < left, "nodes overlap: {pair:?}");
    }
    for (y, left, right, height) in boxes {
        let inside = left >= layout.gutter && right <= layout.width && y > 0 && y + height / 2 <= layout.height;
        assert!(inside, "{left}..{right} at {y} is outside of {} x {}", layout.width, layout.height);
    }
}
