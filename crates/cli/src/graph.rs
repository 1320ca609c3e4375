//! `opscope graph`

use crate::args::{self, GraphFormat};
use crate::output::{Failure, write_json, written};
use crate::paths::{file_name, shown_path};
use crate::places::Inputs;
use catalog::Package;
use serde::Serialize;
use serde_json::Value;
use std::io::Write;
use std::sync::Arc;
use views::{GraphOptions, GraphView, PackageKey};
use workbench::lifecycles_json;

/// A package as JSON.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    graph: GraphView,
    /// Its documents with lifecycle data.
    lifecycles: Value,
}

/// Prints the update graphs of a catalog's packages.
pub(crate) fn run(arguments: &args::Graph, out: &mut dyn Write) -> Result<bool, Failure> {
    let inputs = Inputs::open(&[(file_name(&arguments.path), arguments.path.clone())])?;
    let workbench = &inputs.workbench;
    let [catalog] = workbench.catalogs() else { return Ok(true) };
    let packages = &catalog.analysis.catalog.packages;
    let wanted = |name: &str| arguments.package.as_ref().is_none_or(|wanted| wanted == name);
    let packages: Vec<_> = packages.iter().filter(|package| wanted(package.name.as_str())).collect();
    if packages.is_empty() {
        return Err(match &arguments.package {
            Some(name) => format!("`{}` has no package `{name}`", shown_path(&arguments.path)).into(),
            None => format!("`{}` has no package", shown_path(&arguments.path)).into(),
        });
    }
    if arguments.format == GraphFormat::Json {
        let key = |package: &str| PackageKey { catalog: catalog.id, package: package.to_owned() };
        let options = GraphOptions::default();
        let report = |package: &&Arc<Package>| {
            let graph = workbench.graph(&key(package.name.as_str()), &options)?;
            Some(Report { graph, lifecycles: lifecycles_json(package) })
        };
        write_json(out, &packages.iter().filter_map(report).collect::<Vec<_>>())?;
        return inputs.answer(true);
    }
    for package in packages {
        let graph = update_graph::build(package);
        let text = match arguments.format {
            GraphFormat::Dot => update_graph::dot(&graph),
            GraphFormat::Mermaid | GraphFormat::Json => update_graph::mermaid(&graph),
        };
        out.write_all(text.as_bytes()).map_err(written)?;
    }
    inputs.answer(true)
}
