//! `opscope graph`

use crate::args;
use crate::format::GraphFormat;
use crate::output::{Failure, write_json, written};
use crate::paths::{file_name, shown_path};
use crate::places::Inputs;
use crate::served::{self, Form};
use report::Terminal;
use serde::Serialize;
use serde_json::Value;
use std::io::Write;
use views::{GraphOptions, GraphView, PackageKey};

/// A package as JSON.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    graph: GraphView,
    /// Its documents with lifecycle data.
    lifecycles: Value,
}

/// Prints the update graphs of a catalog's packages.
pub(crate) fn run(arguments: &args::Graph, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let opm = arguments.opm.release()?;
    let read = served::read(&[(file_name(&arguments.path), arguments.path.clone())], arguments.openshift)?;
    let form = match arguments.format {
        GraphFormat::Json => Form::Json,
        GraphFormat::Mermaid => Form::Commented("%%"),
        GraphFormat::Dot => Form::Commented("//"),
    };
    served::ask(read, form, terminal, out, |served, out| answer(&Inputs::of(served, opm), arguments, out))
}

fn answer(inputs: &Inputs, arguments: &args::Graph, out: &mut dyn Write) -> Result<bool, Failure> {
    let workbench = &inputs.workbench;
    let [catalog] = workbench.catalogs() else { return Ok(true) };
    let names = answers::package_names(&workbench, catalog.id);
    let wanted = |name: &&str| arguments.package.as_deref().is_none_or(|wanted| wanted == *name);
    let key = |package: &str| PackageKey { catalog: catalog.id, package: package.to_owned() };
    let packages: Vec<PackageKey> = names.into_iter().filter(wanted).map(key).collect();
    if packages.is_empty() {
        return Err(match &arguments.package {
            Some(name) => Failure::from(format!("`{}` has no package `{name}`", shown_path(&arguments.path))).absent(),
            None => format!("`{}` has no package", shown_path(&arguments.path)).into(),
        });
    }
    if arguments.format == GraphFormat::Json {
        let options = GraphOptions::default();
        let report = |key: &PackageKey| {
            Some(Report {
                graph: answers::graph(&workbench, key, &options)?,
                lifecycles: answers::lifecycles(&workbench, key),
            })
        };
        write_json(out, &packages.iter().filter_map(report).collect::<Vec<_>>())?;
        return inputs.answer(true);
    }
    let format = match arguments.format {
        GraphFormat::Dot => views::GraphFormat::Dot,
        GraphFormat::Mermaid | GraphFormat::Json => views::GraphFormat::Mermaid,
    };
    for text in packages.iter().filter_map(|key| answers::graph_text(&workbench, key, format)) {
        out.write_all(text.as_bytes()).map_err(written)?;
    }
    inputs.answer(true)
}
