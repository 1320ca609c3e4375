//! Graphviz: one cluster for each channel, edges from the older to the newer entry.

use super::covered::{Covered, Drawn};
use crate::{LaneId, Mark, NodeId, UpdateGraph, Via};
use source::one_line;
use std::fmt::Write;

/// The graph in the DOT language. Every text is quoted.
#[must_use]
pub fn dot(graph: &UpdateGraph<'_>) -> String {
    let mut out = format!("digraph {} {{\n  rankdir=LR;\n  node [shape=box];\n", quoted(graph.package.name.as_str()));
    for (lane, at) in graph.lanes.iter().zip(0..) {
        let default = if lane.default { " (default)" } else { "" };
        let label = quoted(&format!("{}{default}", lane.channel.name));
        push(&mut out, format_args!("  subgraph cluster_{at} {{\n    label={label};\n"));
        for (NodeId(id), node) in graph.nodes_of(LaneId(at)) {
            push(&mut out, format_args!("    n{id} [label={}{}];\n", quoted(node.name.as_str()), style(&node.marks)));
        }
        out.push_str("  }\n");
    }
    for edge in &graph.edges {
        let style = if edge.ignored { ", style=dashed" } else { "" };
        let (NodeId(from), NodeId(to)) = (edge.from, edge.to);
        push(&mut out, format_args!("  n{from} -> n{to} [label={}{style}];\n", edge.via.as_str()));
    }
    push_skip_ranges(&mut out, graph);
    out.push_str("}\n");
    out
}

fn push_skip_ranges(out: &mut String, graph: &UpdateGraph<'_>) {
    let mut drawn = Drawn::default();
    for lane in (0..graph.lanes.len() as u32).map(LaneId) {
        let ids = graph.nodes_of(lane).map(|(id, _)| id.0 as usize);
        let covered = Covered::of(ids.filter_map(|id| Some((id, graph.nodes[id].version.as_ref()?))));
        for (NodeId(id), node) in graph.nodes_of(lane) {
            let Some(skip_range) = node.entry.and_then(|entry| entry.skip_range.as_ref()) else { continue };
            let Ok(range) = &skip_range.value.range else { continue };
            let label = quoted(&format!("{}({})", Via::SkipRange.as_str(), skip_range.value.text));
            for from in covered.by(range, id as usize, &mut drawn) {
                push(out, format_args!("  n{from} -> n{id} [label={label}, style=dotted];\n"));
            }
        }
    }
    if drawn.left_out > 0 {
        push(out, format_args!("  // {} more edges of skipRanges are left out\n", drawn.left_out));
    }
}

fn style(marks: &std::collections::BTreeSet<Mark>) -> &'static str {
    if marks.contains(&Mark::Head) {
        ", penwidth=3"
    } else if marks.contains(&Mark::Ghost) {
        ", style=dotted"
    } else if marks.contains(&Mark::Skipped) {
        ", style=dashed"
    } else {
        ""
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", one_line(text).replace('\\', "\\\\").replace('"', "\\\""))
}

fn push(out: &mut String, line: std::fmt::Arguments<'_>) {
    out.write_fmt(line).expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use crate::testing::read;

    #[test]
    fn edges_of_ranges_are_bounded_and_counted() {
        let entries: Vec<String> = (0..300).map(|minor| format!("1.{minor}.0 (skipRange <=2.0.0)")).collect();
        let catalog = read(&format!("c: {}", entries.join(", ")));
        let graph = crate::build(&catalog.packages[0]);
        let dot = super::dot(&graph);
        assert_eq!(dot.matches("skipRange(").count(), 10_000);
        assert!(dot.ends_with("\n  // 79700 more edges of skipRanges are left out\n}\n"));
    }

    #[test]
    fn clusters_edges_and_quotes() {
        let catalog = read("c: p.\"2\" (replaces 1.0.0; skipRange <2.0.0; no bundle), 1.0.0");
        let expected = r##"digraph "p" {
  rankdir=LR;
  node [shape=box];
  subgraph cluster_0 {
    label="c (default)";
    n0 [label="p.\"2\"", penwidth=3];
    n1 [label="p.v1.0.0"];
  }
  n1 -> n0 [label=replaces];
  n1 -> n0 [label="skipRange(<2.0.0)", style=dotted];
}
"##;
        assert_eq!(super::dot(&crate::build(&catalog.packages[0])), expected);
    }
}
