//! The update graph of a package as text: Mermaid, DOT, JSON; and the drawing of a catalog that is one text, without a
//! workbench.

use super::graph::{deprecated, problem, stuck, view};
use super::lifecycle::lifecycles_json;
use crate::package;
use catalog::{OpmPhase, Package, is_about_unread};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use session::{Analysis, CatalogInput, FileInput, Files, NewText, Workbench, parsed, resource_name};
use source::{Diagnostic, OpmVersion};
use std::sync::Arc;
use update_graph::{Lane, LaneId, Node, UpdateGraph};
use views::{CatalogId, FileKey, GraphFormat, GraphOptions, GraphView, Mark, PackageKey};

/// The graph of a package in a text format.
#[must_use]
pub fn graph_text(workbench: &Workbench, key: &PackageKey, format: GraphFormat) -> Option<String> {
    let (catalog, package) = package(workbench, key)?;
    let graph = update_graph::build(package);
    Some(match format {
        GraphFormat::Mermaid => update_graph::mermaid(&graph),
        GraphFormat::Dot => update_graph::dot(&graph),
        // It has names as keys.
        GraphFormat::Json => {
            let graph = of(&graph, catalog.analysis.catalog.opm);
            serde_json::to_string_pretty(&graph).unwrap_or_default() + "\n"
        }
    })
}

/// The update graph of a package for programs.
#[derive(Serialize, JsonSchema)]
pub struct PackageGraph {
    pub package: String,
    /// The message of its deprecation.
    pub deprecated: Option<String>,
    /// The default channel first.
    pub channels: Vec<ChannelGraph>,
    /// Its documents with lifecycle data.
    pub lifecycles: Value,
}

/// A channel, with what its entries say.
#[derive(Serialize, JsonSchema)]
pub struct ChannelGraph {
    pub name: String,
    pub default: bool,
    /// The message of its deprecation.
    pub deprecated: Option<String>,
    /// What is wrong with its order, in short.
    pub problem: Option<String>,
    /// How many of its entries never reach the head.
    pub stuck: u32,
    /// In the order of the text.
    pub entries: Vec<GraphEntry>,
    /// `replaces` and `skips`, from the older entry to the newer one.
    pub edges: Vec<GraphEdge>,
}

/// An entry of a channel, or a name that one mentions.
#[derive(Serialize, JsonSchema)]
pub struct GraphEntry {
    pub name: String,
    pub version: Option<String>,
    /// Whether the channel lists it, or only another entry names it.
    pub listed: bool,
    pub skip_range: Option<String>,
    pub marks: Vec<Mark>,
}

/// An update that an entry allows.
#[derive(Serialize, JsonSchema)]
pub struct GraphEdge {
    pub from: String,
    pub to: String,
    /// `replaces` or `skips`.
    pub via: String,
    /// Whether OLM v0 ignores it, because the newer entry is not in the update chain.
    pub ignored: bool,
}

/// The update graph of a package for programs.
#[must_use]
pub fn package_graph(workbench: &Workbench, key: &PackageKey) -> Option<PackageGraph> {
    let (catalog, package) = package(workbench, key)?;
    Some(of(&update_graph::build(package), catalog.analysis.catalog.opm))
}

fn of(graph: &UpdateGraph<'_>, opm: OpmVersion) -> PackageGraph {
    PackageGraph {
        package: graph.package.name.to_string(),
        deprecated: deprecated(graph.package),
        channels: (graph.lanes.iter().zip(0..)).map(|(lane, at)| channel(graph, lane, LaneId(at), opm)).collect(),
        lifecycles: lifecycles_json(graph.package),
    }
}

fn channel(graph: &UpdateGraph<'_>, lane: &Lane<'_>, at: LaneId, opm: OpmVersion) -> ChannelGraph {
    let edges = graph.edges_of(at).iter().map(|edge| GraphEdge {
        from: graph.node(edge.from).name.to_string(),
        to: graph.node(edge.to).name.to_string(),
        via: edge.via.as_str().to_owned(),
        ignored: edge.ignored,
    });
    ChannelGraph {
        name: lane.channel.name.value.to_string(),
        default: lane.default,
        deprecated: lane.deprecated.map(ToString::to_string),
        problem: problem(graph, lane, opm),
        stuck: stuck(graph, at),
        entries: graph.nodes_of(at).map(|(_, node)| entry(node)).collect(),
        edges: edges.collect(),
    }
}

fn entry(node: &Node<'_>) -> GraphEntry {
    let range = node.entry.and_then(|entry| entry.skip_range.as_ref());
    GraphEntry {
        name: node.name.to_string(),
        version: node.version.as_ref().map(ToString::to_string),
        listed: node.entry.is_some(),
        skip_range: range.map(|range| range.value.text.to_string()),
        marks: node.marks.iter().copied().collect(),
    }
}

// The drawing of a catalog that is one text, without a workbench.
//
// It runs what `opm validate` rejects a catalog for and no other check, and looks at no other catalog. So the module
// for pages of documentation (`web/element`) has none of the code of resolution, comparison and linting.

/// Why a text cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawingFault {
    /// Line and column, counted from 1; absent if the text as a whole is wrong.
    pub position: Option<(u32, u32)>,
    /// What is wrong.
    pub message: String,
}

/// Draws a package of a catalog that is one file; without a name, the first package.
///
/// # Errors
///
/// Everything that `opm` rejects, in the order of the text, but only what cannot be read if there is such; or that there is no
/// such package.
pub fn drawing(
    path: &str,
    text: Vec<u8>,
    package: Option<&str>,
    options: &GraphOptions,
) -> Result<GraphView, Vec<DrawingFault>> {
    let catalog = read(path, text);
    let faults = faults(&catalog);
    if !faults.is_empty() {
        return Err(faults);
    }
    let package = find(&catalog.analysis.catalog.packages, package)?;
    let key = PackageKey { catalog: catalog.id, package: package.name.to_string() };
    Ok(view(&key, &catalog, package, options))
}

fn read(path: &str, text: Vec<u8>) -> CatalogInput {
    let mut file = FileInput::new(FileKey(0), NewText { path: path.to_owned(), content: Ok(text) });
    file.read();
    let files = Files::from(vec![file]);
    let analysis = Analysis::without_checks(&files);
    let mut catalog = CatalogInput::new(CatalogId(0), resource_name(path), files);
    catalog.analysis = analysis;
    catalog
}

fn faults(input: &CatalogInput) -> Vec<DrawingFault> {
    let (catalog, mut found) = catalog::lower(&parsed(&input.files));
    found.extend(input.files.iter().flat_map(|file| file.diagnostics().cloned()));
    found.extend(catalog::check(&catalog));
    found.retain(|found| found.opm.is_some() || is_about_unread(found));
    // A document that cannot be read is the cause of what is missing elsewhere; `opm` looks no further, either.
    let is_unread = |found: &Diagnostic| found.opm_rank == u8::from(OpmPhase::Load);
    if found.iter().any(is_unread) {
        found.retain(is_unread);
    }
    found.sort_by_key(|found| found.span);
    let fault = |found: Diagnostic| {
        let place = input.place(found.span);
        DrawingFault { position: Some((place.line, place.column)), message: found.message }
    };
    found.into_iter().map(fault).collect()
}

fn find<'c>(packages: &'c [Arc<Package>], name: Option<&str>) -> Result<&'c Package, Vec<DrawingFault>> {
    let is_named = |package: &&Arc<Package>| name.is_none_or(|name| package.name.as_str() == name);
    packages.iter().find(is_named).map(Arc::as_ref).ok_or_else(|| {
        let message = match name.filter(|_| !packages.is_empty()) {
            Some(name) => format!("the catalog has no package `{name}`"),
            None => "expected a file-based catalog, found no package".to_owned(),
        };
        vec![DrawingFault { position: None, message }]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;
    use serde_json::json;
    use session::testing::{workbench, yaml};

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
        let head =
            json!({"name": "p.v2.0.0", "version": "2.0.0", "listed": true, "skip_range": "<2.0.0", "marks": ["head"]});
        assert_eq!(channel["entries"][0], head);
    }

    const TWO: &str = "package a c\nchannel a c a.v1.0.0\nbundle a 1.0.0\npackage b c\nchannel b c b.v2.0.0>b.v1.0.0 b.v1.0.0\nbundle b 1.0.0\nbundle b 2.0.0";

    fn drawn(text: &str, package: Option<&str>) -> Result<GraphView, Vec<DrawingFault>> {
        drawing("c.yaml", text.into(), package, &GraphOptions::default())
    }

    #[test]
    fn it_is_the_drawing_of_the_workbench() {
        let key = PackageKey { catalog: CatalogId(0), package: "b".to_owned() };
        let expected = graph(&workbench(&[("c", TWO)]), &key, &GraphOptions::default());
        assert_eq!(drawn(&yaml(TWO), Some("b")).ok(), expected);
        assert_eq!(drawn(&yaml(TWO), None).unwrap().package.package, "a", "the first one by default");
    }

    #[test]
    fn a_rejected_catalog_has_the_places_of_its_faults() {
        let text = "schema: olm.package\nname: p\ndefaultChannel: stable\n---\nschema: olm.channel\npackage: p\nname: stable\nentries:\n- name: [\n";
        let faults = drawn(text, None).unwrap_err();
        assert_eq!(faults.iter().map(|fault| fault.position).collect::<Vec<_>>(), [Some((10, 1))]);
    }

    #[test]
    fn a_package_that_is_missing_is_named() {
        let message = |text: &str, package| drawn(text, package).unwrap_err().remove(0).message;
        assert_eq!(message(&yaml(TWO), Some("d")), "the catalog has no package `d`");
        assert_eq!(message("", Some("d")), "expected a file-based catalog, found no package");
    }
}
