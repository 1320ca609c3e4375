//! The update graph of a package as text: Mermaid, DOT, JSON.

use super::graph::{deprecated, problem, stuck};
use super::lifecycle::lifecycles_json;
use crate::package;
use serde_json::{Value, json};
use session::Workbench;
use source::OpmVersion;
use update_graph::{Lane, LaneId, Node, UpdateGraph};
use views::{GraphFormat, PackageKey};

/// The graph of a package in a text format.
#[must_use]
pub fn graph_text(workbench: &Workbench, key: &PackageKey, format: GraphFormat) -> Option<String> {
    let (catalog, package) = package(workbench, key)?;
    let graph = update_graph::build(package);
    Some(match format {
        GraphFormat::Mermaid => update_graph::mermaid(&graph),
        GraphFormat::Dot => update_graph::dot(&graph),
        GraphFormat::Json => format!("{:#}\n", json(&graph, catalog.analysis.catalog.opm)),
    })
}

/// Channels in the order of the drawing, with their entries in the order of the text and the edges between them.
fn json(graph: &UpdateGraph<'_>, opm: OpmVersion) -> Value {
    let lanes = graph.lanes.iter().zip(0..).map(|(lane, at)| channel(graph, lane, LaneId(at), opm));
    json!({
        "package": graph.package.name.as_str(),
        "deprecated": deprecated(graph.package),
        "channels": lanes.collect::<Vec<_>>(),
        "lifecycles": lifecycles_json(graph.package),
    })
}

fn channel(graph: &UpdateGraph<'_>, lane: &Lane<'_>, at: LaneId, opm: OpmVersion) -> Value {
    let edges = graph.edges_of(at).iter().map(|edge| {
        json!({
            "from": graph.node(edge.from).name.as_str(),
            "to": graph.node(edge.to).name.as_str(),
            "via": edge.via.as_str(),
            "ignored": edge.ignored,
        })
    });
    json!({
        "name": lane.channel.name.value.as_str(),
        "default": lane.default,
        "deprecated": lane.deprecated,
        "problem": problem(graph, lane, opm),
        "stuck": stuck(graph, at),
        "entries": graph.nodes_of(at).map(|(_, node)| entry(node)).collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(),
    })
}

fn entry(node: &Node<'_>) -> Value {
    let range = node.entry.and_then(|entry| entry.skip_range.as_ref()).map(|range| range.value.text.to_string());
    json!({
        "name": node.name.as_str(),
        "version": node.version.as_ref().map(ToString::to_string),
        "listed": node.entry.is_some(),
        "skipRange": range,
        "marks": node.marks.iter().map(|mark| mark.meaning()).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::testing::workbench;

    #[test]
    fn json_has_lifecycle_data() {
        let text = "schema: olm.package\nname: p\n---\nschema: io.openshift.operators.lifecycles.v1alpha1\npackage: p\n\
                    versions:\n- name: '1.0'\n  phases: [{name: Full support, startDate: 2026-01-01, endDate: soon}]\n";
        let workbench = Workbench::default().with_text("c", "c.yaml", text);
        let key = PackageKey { catalog: views::CatalogId(0), package: "p".to_owned() };
        let text = graph_text(&workbench, &key, GraphFormat::Json).unwrap();
        let json: Value = serde_json::from_str(&text).unwrap();
        let phase = json!({"name": "Full support", "startDate": "2026-01-01", "endDate": null});
        let version = json!({"name": "1.0", "phases": [phase], "platformCompatibility": []});
        assert_eq!(json["lifecycles"], json!([{"versions": [version]}]));
    }

    #[test]
    fn json_has_entries_edges_and_marks() {
        let catalog = "package p c\nchannel p c p.v2.0.0>p.v1.0.0~<2.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        let key = PackageKey { catalog: views::CatalogId(0), package: "p".to_owned() };
        let text = graph_text(&workbench(&[("c", catalog)]), &key, GraphFormat::Json).unwrap();
        let json: Value = serde_json::from_str(&text).unwrap();
        let channel = &json["channels"][0];
        assert_eq!(
            channel["edges"],
            json!([{"from": "p.v1.0.0", "to": "p.v2.0.0", "via": "replaces", "ignored": false}])
        );
        let head = json!({"name": "p.v2.0.0", "version": "2.0.0", "listed": true, "skipRange": "<2.0.0", "marks": ["channel head"]});
        assert_eq!(channel["entries"][0], head);
    }
}
