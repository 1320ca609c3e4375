//! Graphviz: one cluster a channel, edges from the older to the newer entry.

use crate::{Mark, Node, NodeId, UpdateGraph, Via};
use blang_semver::Version;
use std::fmt::Write;

/// The graph in the DOT language. Every text is quoted.
#[must_use]
pub fn dot(graph: &UpdateGraph<'_>) -> String {
    let mut out = format!("digraph {} {{\n  rankdir=LR;\n  node [shape=box];\n", quoted(graph.package.name.as_str()));
    for (at, lane) in graph.lanes.iter().enumerate() {
        let default = if lane.default { " (default)" } else { "" };
        let label = quoted(&format!("{}{default}", lane.channel.name));
        push(&mut out, format_args!("  subgraph cluster_{at} {{\n    label={label};\n"));
        for (id, node) in graph.nodes.iter().enumerate().filter(|(_, node)| node.lane.0 as usize == at) {
            push(&mut out, format_args!("    n{id} [label={}{}];\n", quoted(node.name.as_str()), style(&node.marks)));
        }
        out.push_str("  }\n");
    }
    for edge in &graph.edges {
        let style = if edge.ignored { ", style=dashed" } else { "" };
        let (NodeId(from), NodeId(to)) = (edge.from, edge.to);
        push(&mut out, format_args!("  n{from} -> n{to} [label={}{style}];\n", edge.via.as_str()));
    }
    let versions: Vec<Option<Version>> = graph.nodes.iter().map(Node::version).collect();
    for (id, node) in graph.nodes.iter().enumerate() {
        let Some(skip_range) = node.entry.and_then(|entry| entry.skip_range.as_ref()) else { continue };
        let Ok(range) = &skip_range.value.range else { continue };
        let label = quoted(&format!("{}({})", Via::SkipRange.as_str(), skip_range.value.text));
        for (NodeId(from), _) in graph.nodes_of(node.lane).filter(|(from, _)| from.0 as usize != id) {
            let is_covered = |version: &Version| range.matches(version).unwrap_or(false);
            if versions[from as usize].as_ref().is_some_and(is_covered) {
                push(&mut out, format_args!("  n{from} -> n{id} [label={label}, style=dotted];\n"));
            }
        }
    }
    out.push_str("}\n");
    out
}

fn style(marks: &std::collections::BTreeSet<Mark>) -> &'static str {
    if marks.contains(&Mark::Head) {
        ", style=filled, fillcolor=\"#ffbfcf\""
    } else if marks.contains(&Mark::Ghost) {
        ", style=dotted"
    } else if marks.contains(&Mark::Skipped) {
        ", style=dashed"
    } else {
        ""
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn push(out: &mut String, line: std::fmt::Arguments<'_>) {
    out.write_fmt(line).expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use crate::testing::{bundles, catalog};

    #[test]
    fn clusters_edges_and_quotes() {
        let entries = "- {name: 'p.\"2\"', replaces: p.v1.0.0, skipRange: <2.0.0}\n- name: p.v1.0.0\n";
        let catalog = catalog(&format!("{entries}{}", bundles(&["1.0.0"])));
        let expected = r##"digraph "p" {
  rankdir=LR;
  node [shape=box];
  subgraph cluster_0 {
    label="c (default)";
    n0 [label="p.\"2\"", style=filled, fillcolor="#ffbfcf"];
    n1 [label="p.v1.0.0"];
  }
  n1 -> n0 [label=replaces];
  n1 -> n0 [label="skipRange(<2.0.0)", style=dotted];
}
"##;
        assert_eq!(super::dot(&crate::build(&catalog.packages[0])), expected);
    }
}
