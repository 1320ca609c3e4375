//! OLM's resolutions as JSON: exactly what the resolver selects, step by step.

use super::CANNOT_TELL;
use super::extension::{self, ExtensionRow};
use crate::output::say;
use crate::scene::Scene;
use crate::{Failure, write_json};
use resolver::{CatalogKey, Outcome, Tally};
use serde::Serialize;
use simulate::{Cluster, Snapshots, Step, Timeline, Timelines, timelines};
use std::io::Write;
use workbench::{CatalogInput, ExtensionAnswer, extensions};

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

/// All answers. Manifests have Subscriptions, ClusterExtensions, or both.
#[derive(Serialize)]
struct Answers<'r> {
    #[serde(flatten)]
    namespaces: Option<&'r Report>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extensions: Vec<ExtensionRow>,
}

/// All resolutions of a cluster.
pub(super) struct Resolutions {
    /// Absent without Subscriptions.
    report: Option<Report>,
    extensions: Vec<ExtensionAnswer>,
    /// Who answered the questions on the way.
    pub(super) tally: Tally,
    /// Likely mistakes in the manifests, and catalogs that are not served.
    warnings: Vec<String>,
    /// Whether Opscope cannot tell what OLM does in some namespace.
    is_unknown: bool,
}

impl Resolutions {
    /// Resolves every namespace, at most `steps` times.
    ///
    /// # Errors
    /// When part of the manifests cannot be read, or they have neither a Subscription nor a ClusterExtension.
    pub(super) fn of(scene: &Scene, steps: usize) -> Result<Self, Failure> {
        let (manifests, mut warnings) = scene.manifests()?;
        let mut cluster = manifests.cluster.clone();
        let catalogs = scene.inputs.workbench.catalogs();
        let content = |name: &str| catalogs.iter().find(|catalog| catalog.name == name);
        let snapshots = cluster.snapshots(|key| content(&key.name).map(|catalog| &catalog.analysis.catalog));
        let not_served = not_served(&cluster, content);
        for NotServed { name, opm, .. } in &not_served {
            warnings.push(format!("opm rejects catalog `{name}`, so a cluster would not serve it: {opm}"));
            warnings.push(
                "OLM resolves nothing in a namespace that uses it; the output shows what would happen if it were served"
                    .to_owned(),
            );
        }
        cluster.not_served = not_served.iter().map(|source| CatalogKey::new(&source.name, &source.namespace)).collect();
        let (reports, tally, is_unknown) = reports(&cluster, &snapshots, steps);
        let mut reports = reports.into_iter();
        let mut report = reports.next();
        if report.is_none() && !manifests.has_extensions() {
            return Err(scene.without_subscription());
        }
        if let Some(report) = &mut report {
            report.others = reports.collect();
            report.not_served = not_served;
        }
        let extensions = extensions(&scene.inputs.workbench, &manifests);
        Ok(Self { report, extensions, tally, warnings, is_unknown })
    }

    /// Writes the resolutions, and the warnings to standard error. Returns whether OLM resolves every namespace and every
    /// extension.
    ///
    /// # Errors
    /// When Opscope cannot tell what OLM does in some namespace.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<bool, Failure> {
        for warning in &self.warnings {
            say(warning);
        }
        let extensions = self.extensions.iter().map(ExtensionRow::of).collect();
        write_json(out, &Answers { namespaces: self.report.as_ref(), extensions })?;
        if self.is_unknown {
            return Err(CANNOT_TELL.into());
        }
        let succeeds = |report: &Report| {
            let steps = report.outcomes.iter().take(1).flat_map(|outcome| &outcome.steps);
            report.blocked.is_none() && steps.into_iter().all(|step| step.error.is_none())
        };
        let mut reports = self.report.iter().chain(self.report.iter().flat_map(|report| &report.others));
        Ok(reports.all(succeeds) && self.extensions.iter().all(extension::succeeds))
    }
}

fn not_served<'w>(cluster: &Cluster, content: impl Fn(&str) -> Option<&'w CatalogInput>) -> Vec<NotServed> {
    let rejected = cluster.catalog_sources.iter().filter_map(|source| {
        let opm = content(&source.key.name)?.rejection()?.opm.clone()?;
        Some(NotServed { name: source.key.name.to_string(), namespace: source.key.namespace.to_string(), opm })
    });
    rejected.collect()
}

/// A report for each namespace with Subscriptions, who answered the questions on the way, and whether one had no answer.
fn reports(cluster: &Cluster, snapshots: &Snapshots, steps: usize) -> (Vec<Report>, Tally, bool) {
    let served = cluster.all_served();
    let tally = Tally::default();
    let mut is_unknown = false;
    let namespaces = cluster.namespaces().into_iter();
    let reports = namespaces.map(|name| {
        let blocked = cluster.blocking(&name).next().and_then(|_| {
            let blocked = timelines(cluster, &name, snapshots, 1, 1);
            blocked.timelines.first()?.steps.first()?.error.clone()
        });
        let found = timelines(&served, &name, snapshots, steps, OUTCOMES);
        tally.add(&found.tally);
        let mut steps_of_first = found.timelines.iter().take(1).flat_map(|timeline| &timeline.steps);
        is_unknown |= steps_of_first.any(|step| matches!(step.outcome, Outcome::GaveUp(_)));
        Report { blocked, ..report(&name, &found, steps) }
    });
    (reports.collect(), tally, is_unknown)
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
    let round = timeline.cycle_start.map(|from| LoopRow { from: from + 1, to: timeline.steps.len() });
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
