//! `opscope resolve`

use crate::args::{self, ReportFormat};
use crate::{Failure, folder, write_json, written};
use serde::Serialize;
use simulate::{Cluster, Snapshots, Step, Timelines, timelines};
use source::{FileId, LineIndex, Severity};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use views::CatalogId;
use workbench::Workbench;

/// At most so many courses of events.
const OUTCOMES: usize = 64;

#[derive(Serialize)]
struct Report {
    /// Of the first namespace with Subscriptions.
    namespace: String,
    outcomes: Vec<OutcomeRow>,
    /// Whether there may be more outcomes.
    bounded: bool,
    /// Further namespaces, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Report>,
}

#[derive(Serialize)]
struct OutcomeRow {
    steps: Vec<StepRow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StepRow {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    selected: Vec<SelectedRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    generated_subscriptions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    updated_subscriptions: Vec<String>,
    install_plan_created: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SelectedRow {
    name: String,
    package: String,
    channel: String,
    catalog: String,
    catalog_namespace: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaces: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
}

/// Prints what OLM does; whether every resolution of the default outcome succeeds.
pub(crate) fn run(arguments: &args::Resolve, out: &mut dyn Write) -> Result<bool, Failure> {
    let cluster = read_cluster(&arguments.cluster)?;
    let mut workbench = Workbench::new();
    let mut ids: BTreeMap<&str, CatalogId> = BTreeMap::new();
    for (name, path) in &arguments.catalogs {
        if !cluster.catalog_sources.iter().any(|source| *source.key.name == **name) {
            return Err(format!("`{}` has no CatalogSource named `{name}`", arguments.cluster.display()));
        }
        ids.insert(name, folder::open(&mut workbench, name, path)?);
    }
    let content = |name: &str| Some(&workbench.catalog(*ids.get(name)?)?.built.catalog);
    let snapshots = cluster.snapshots(|key| content(&key.name));
    let mut reports = reports(&cluster, &snapshots, arguments.steps as usize).into_iter();
    let Some(mut report) = reports.next() else {
        return Err(format!("`{}` has no Subscription, so OLM resolves nothing", arguments.cluster.display()));
    };
    report.others = reports.collect();
    match arguments.format {
        ReportFormat::Json => write_json(out, &report)?,
        ReportFormat::Text => write_text(out, &report).map_err(written)?,
    }
    let succeeds =
        |report: &Report| report.outcomes.iter().take(1).flat_map(|o| &o.steps).all(|step| step.error.is_none());
    Ok(std::iter::once(&report).chain(&report.others).all(succeeds))
}

fn read_cluster(path: &Path) -> Result<Cluster, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let manifests = simulate::read(FileId(0), &text);
    let lines = LineIndex::new(&text);
    let told: Vec<String> = manifests
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| {
            let at = lines.position(&text, diagnostic.span.start);
            format!("{}:{}:{}: {}", path.display(), at.line, at.column, diagnostic.message)
        })
        .collect();
    if told.is_empty() { Ok(manifests.cluster) } else { Err(told.join("\n")) }
}

fn reports(cluster: &Cluster, snapshots: &Snapshots, steps: usize) -> Vec<Report> {
    let namespaces = cluster.namespaces().into_iter();
    namespaces.map(|name| report(&name, timelines(cluster, &name, snapshots, steps, OUTCOMES))).collect()
}

fn report(namespace: &str, found: Timelines) -> Report {
    let outcome = |steps: &Vec<Step>| OutcomeRow { steps: steps.iter().map(step_row).collect() };
    let outcomes = found.timelines.iter().map(outcome).collect();
    Report { namespace: namespace.to_owned(), outcomes, bounded: found.bounded, others: Vec::new() }
}

fn step_row(step: &Step) -> StepRow {
    let selected = step.selected.iter().map(|bundle| SelectedRow {
        name: bundle.name.to_string(),
        package: bundle.package.to_string(),
        channel: bundle.channel.to_string(),
        catalog: bundle.catalog.name.to_string(),
        catalog_namespace: bundle.catalog.namespace.to_string(),
        replaces: bundle.replaces.as_ref().map(ToString::to_string),
        version: bundle.version.as_ref().map(ToString::to_string),
    });
    StepRow {
        selected: selected.collect(),
        generated_subscriptions: step.generated_subscriptions.iter().map(ToString::to_string).collect(),
        updated_subscriptions: step.updated_subscriptions.iter().map(ToString::to_string).collect(),
        install_plan_created: step.install_plan_created,
        error: step.error.clone(),
    }
}

fn write_text(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for report in std::iter::once(report).chain(&report.others) {
        writeln!(out, "namespace {}", report.namespace)?;
        if report.outcomes.len() > 1 {
            writeln!(out, "OLM may do any of {} things: its answer depends on chance", report.outcomes.len())?;
        }
        for (number, outcome) in (1..).zip(&report.outcomes) {
            if report.outcomes.len() > 1 {
                writeln!(out, "outcome {number}")?;
            }
            write_steps(out, &outcome.steps)?;
        }
        if report.bounded {
            writeln!(out, "there may be further outcomes")?;
        }
    }
    Ok(())
}

fn write_steps(out: &mut dyn Write, steps: &[StepRow]) -> io::Result<()> {
    for (number, step) in (1..).zip(steps) {
        writeln!(out, "  resolution {number}")?;
        for bundle in &step.selected {
            let replaces = bundle.replaces.as_ref().map(|name| format!(", replaces {name}")).unwrap_or_default();
            writeln!(out, "    {} from {} in {}{replaces}", bundle.name, bundle.channel, bundle.catalog)?;
        }
        for line in &step.generated_subscriptions {
            writeln!(out, "    new Subscription {line}")?;
        }
        for line in &step.updated_subscriptions {
            writeln!(out, "    {line}")?;
        }
        match &step.error {
            Some(error) => writeln!(out, "    error: {error}")?,
            None if !step.install_plan_created => writeln!(out, "    nothing changes")?,
            None => {}
        }
    }
    Ok(())
}
