//! `opscope resolve`

use crate::args::{self, ReportFormat};
use crate::{Failure, folder, write_json, written};
use resolver::{CatalogKey, Tally};
use serde::Serialize;
use simulate::{Cluster, Manifests, Snapshots, Step, Timeline, Timelines, timelines};
use source::{Diagnostic, FileId, LineIndex, Severity};
use std::collections::BTreeMap;
use std::io::{self, Write};
use views::CatalogId;
use workbench::{CatalogInput, Workbench, describe_loop};

/// The limit on outcomes.
const OUTCOMES: usize = 64;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    /// Of the first namespace with Subscriptions.
    namespace: String,
    outcomes: Vec<OutcomeRow>,
    /// Whether there may be more outcomes, or more steps in one of them, beyond the limits.
    bounded: bool,
    /// OLM's error, as long as a catalog of the namespace is not served.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocked: Option<String>,
    /// The catalogs that `opm` rejects. The outcomes are what would happen if they were served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_served: Vec<NotServed>,
    /// Reports on the other namespaces, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Report>,
}

#[derive(Clone, Serialize)]
struct NotServed {
    name: String,
    namespace: String,
    /// The first line that `opm validate` prints.
    opm: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OutcomeRow {
    /// The steps of a loop are repeated up to the requested number of steps.
    steps: Vec<StepRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goes_round: Option<LoopRow>,
}

/// The steps that repeat in an endless loop, counted from 1.
#[derive(Serialize)]
struct LoopRow {
    from: usize,
    to: usize,
    /// The loop of each Subscription, in words.
    #[serde(skip)]
    texts: Vec<String>,
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

/// Prints what OLM does. Returns whether every resolution of the default outcome succeeds.
pub(crate) fn run(arguments: &args::Resolve, out: &mut dyn Write) -> Result<bool, Failure> {
    let (mut cluster, warnings) = read_cluster(arguments)?;
    let mut workbench = Workbench::new();
    let mut ids: BTreeMap<&str, CatalogId> = BTreeMap::new();
    for (name, path) in &arguments.catalogs {
        if !cluster.catalog_sources.iter().any(|source| *source.key.name == **name) {
            return Err(format!("`{}` has no CatalogSource named `{name}`", arguments.cluster.display()));
        }
        ids.insert(name, folder::open(&mut workbench, name, path)?);
    }
    warnings.iter().for_each(|warning| warn(warning));
    let content = |name: &str| workbench.catalog(*ids.get(name)?);
    let snapshots = cluster.snapshots(|key| content(&key.name).map(|catalog| &catalog.analysis.catalog));
    let not_served = not_served(&cluster, content);
    for NotServed { name, opm, .. } in &not_served {
        warn(&format!("opm rejects catalog `{name}`, so a cluster would not serve it: {opm}"));
        warn("OLM resolves nothing in a namespace that uses it; the output shows what would happen if it were served");
    }
    cluster.not_served = not_served.iter().map(|source| CatalogKey::new(&source.name, &source.namespace)).collect();
    let (reports, tally) = reports(&cluster, &snapshots, arguments.steps as usize);
    if arguments.stats {
        writeln!(io::stderr(), "{tally}").map_err(written)?;
    }
    let mut reports = reports.into_iter();
    let Some(mut report) = reports.next() else {
        return Err(format!("`{}` has no Subscription, so OLM resolves nothing", arguments.cluster.display()));
    };
    report.others = reports.collect();
    report.not_served = not_served;
    match arguments.format {
        ReportFormat::Json => write_json(out, &report)?,
        ReportFormat::Text => write_text(out, &report).map_err(written)?,
    }
    let succeeds =
        |report: &Report| report.outcomes.iter().take(1).flat_map(|o| &o.steps).all(|step| step.error.is_none());
    Ok(std::iter::once(&report).chain(&report.others).all(succeeds))
}

/// The cluster, and warnings about likely mistakes.
fn read_cluster(arguments: &args::Resolve) -> Result<(Cluster, Vec<String>), Failure> {
    let path = &arguments.cluster;
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let manifests = simulate::read(FileId(0), &text);
    let (errors, warnings): (Vec<Diagnostic>, Vec<Diagnostic>) =
        all_findings(&manifests, arguments).into_iter().partition(|finding| finding.severity == Severity::Error);
    let lines = LineIndex::new(&text);
    let line = |finding: &Diagnostic| {
        let at = lines.position(&text, finding.span.start);
        format!("{}:{}:{}: {}", path.display(), at.line, at.column, finding.message)
    };
    if !errors.is_empty() {
        return Err(errors.iter().map(line).collect::<Vec<_>>().join("\n"));
    }
    let warnings = warnings.iter().map(line).collect();
    Ok((manifests.cluster, warnings))
}

fn all_findings(manifests: &Manifests, arguments: &args::Resolve) -> Vec<Diagnostic> {
    let given = |key: &CatalogKey| arguments.catalogs.iter().any(|(name, _)| *name == *key.name);
    let mut findings = manifests.diagnostics.clone();
    findings.extend(manifests.without_content(given));
    findings
}

/// Prints a warning on standard error.
fn warn(text: &str) {
    drop(writeln!(io::stderr(), "opscope: {text}"));
}

fn not_served<'w>(cluster: &Cluster, content: impl Fn(&str) -> Option<&'w CatalogInput>) -> Vec<NotServed> {
    let rejected = cluster.catalog_sources.iter().filter_map(|source| {
        let opm = content(&source.key.name)?.rejection()?.opm.clone()?;
        Some(NotServed { name: source.key.name.to_string(), namespace: source.key.namespace.to_string(), opm })
    });
    rejected.collect()
}

/// A report for each namespace with Subscriptions, and who answered the questions on the way.
fn reports(cluster: &Cluster, snapshots: &Snapshots, steps: usize) -> (Vec<Report>, Tally) {
    let served = cluster.all_served();
    let tally = Tally::default();
    let namespaces = cluster.namespaces().into_iter();
    let reports = namespaces.map(|name| {
        let blocked = cluster.blocking(&name).next().and_then(|_| {
            let blocked = timelines(cluster, &name, snapshots, 1, 1);
            blocked.timelines.first()?.steps.first()?.error.clone()
        });
        let found = timelines(&served, &name, snapshots, steps, OUTCOMES);
        tally.add(&found.tally);
        Report { blocked, ..report(&name, &found, steps) }
    });
    (reports.collect(), tally)
}

fn report(namespace: &str, found: &Timelines, steps: usize) -> Report {
    let outcomes = found.timelines.iter().map(|timeline| outcome_row(timeline, steps)).collect();
    Report {
        namespace: namespace.to_owned(),
        outcomes,
        bounded: found.bounded,
        blocked: None,
        not_served: Vec::new(),
        others: Vec::new(),
    }
}

fn outcome_row(timeline: &Timeline, steps: usize) -> OutcomeRow {
    let round = timeline.cycle_start.map(|from| LoopRow {
        from: from + 1,
        to: timeline.steps.len(),
        texts: timeline.cycling_csvs().iter().map(|(name, csvs)| format!("{name} {}", describe_loop(csvs))).collect(),
    });
    OutcomeRow { steps: timeline.unrolled(steps).map(step_row).collect(), goes_round: round }
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
        if let Some(error) = &report.blocked {
            writeln!(out, "OLM resolves nothing here: {error}")?;
            writeln!(out, "if all catalogs were served:")?;
        }
        if report.outcomes.len() > 1 {
            writeln!(
                out,
                "{} outcomes are possible, because the order in which OLM resolves is random",
                report.outcomes.len()
            )?;
        }
        for (number, outcome) in (1..).zip(&report.outcomes) {
            if report.outcomes.len() > 1 {
                writeln!(out, "outcome {number}")?;
            }
            write_steps(out, outcome)?;
        }
        if report.bounded {
            writeln!(out, "there may be more: a limit was reached")?;
        }
    }
    Ok(())
}

fn write_steps(out: &mut dyn Write, outcome: &OutcomeRow) -> io::Result<()> {
    let once = outcome.goes_round.as_ref().map_or(usize::MAX, |round| round.to);
    for (number, step) in (1..).zip(outcome.steps.iter().take(once)) {
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
    for text in outcome.goes_round.iter().flat_map(|round| &round.texts) {
        writeln!(out, "  {text}")?;
    }
    Ok(())
}
