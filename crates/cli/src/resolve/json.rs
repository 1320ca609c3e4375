//! OLM's resolutions as JSON: exactly what the resolver selects, step by step.

use super::extension::ExtensionRow;
use crate::output::{Failure, say, write_json};
use serde::Serialize;
use simulate::{CsvFailure, Step, Timeline};
use std::collections::BTreeMap;
use std::io::Write;
use views::UnservedView;
use workbench::{ExtensionAnswer, SimulationRun, Workbench};

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
    /// The catalogs that a cluster does not serve. The outcomes are what would happen if they were served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_served: Vec<NotServed>,
    /// Reports on the other namespaces, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Report>,
}

#[derive(Serialize)]
struct NotServed {
    name: String,
    namespace: String,
    /// The first line that `opm validate` prints, if it rejects the catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    opm: Option<String>,
    /// The connection state of the CatalogSource, if it does not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OutcomeRow {
    /// The steps of a loop are repeated up to the requested number of steps.
    steps: Vec<StepRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goes_round: Option<LoopRow>,
    /// The CSVs that never run in the end, because they do not fit the OperatorGroup of the namespace.
    failures: Vec<FailureRow>,
}

#[derive(Serialize)]
struct FailureRow {
    csv: String,
    namespace: String,
    reason: String,
    message: String,
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

/// The answers for all namespaces.
#[derive(Default)]
pub(super) struct Reports {
    reports: Vec<Report>,
    not_served: BTreeMap<(String, String), UnservedView>,
}

impl Reports {
    /// Adds the answer for a namespace; a loop is repeated up to this number of steps.
    pub(super) fn add(&mut self, workbench: &Workbench, run: &mut SimulationRun, steps: usize) {
        for source in run.blocked().iter().flat_map(|blocked| &blocked.sources) {
            self.not_served.insert((source.namespace.clone(), source.name.clone()), source.clone());
        }
        let (namespace, blocked) = (run.namespace().to_owned(), run.blocked().map(|blocked| blocked.message.clone()));
        let found = run.timelines(workbench);
        self.reports.push(Report {
            namespace,
            outcomes: found.timelines.iter().map(|timeline| outcome_row(timeline, steps)).collect(),
            bounded: found.bounded,
            blocked,
            not_served: Vec::new(),
            others: Vec::new(),
        });
    }

    /// Writes all answers, and to standard error which catalogs are not served.
    pub(super) fn write(self, extensions: &[ExtensionAnswer], out: &mut dyn Write) -> Result<(), Failure> {
        for source in self.not_served.values() {
            say(&not_served_warning(source));
            say(
                "OLM resolves nothing in a namespace that uses it; the output shows what would happen if it were served",
            );
        }
        let mut reports = self.reports.into_iter();
        let first = reports.next().map(|first| Report {
            not_served: self.not_served.into_values().map(NotServed::from).collect(),
            others: reports.collect(),
            ..first
        });
        let extensions = extensions.iter().map(ExtensionRow::of).collect();
        write_json(out, &Answers { namespaces: first.as_ref(), extensions })
    }
}

fn not_served_warning(source: &UnservedView) -> String {
    let UnservedView { name, opm, state, .. } = source;
    if state.is_empty() {
        format!("opm rejects catalog `{name}`, so a cluster would not serve it: {opm}")
    } else {
        source.sentence()
    }
}

impl From<UnservedView> for NotServed {
    fn from(UnservedView { name, namespace, opm, state, .. }: UnservedView) -> Self {
        let present = |text: String| Some(text).filter(|text| !text.is_empty());
        Self { name, namespace, opm: present(opm), state: present(state) }
    }
}

fn outcome_row(timeline: &Timeline, steps: usize) -> OutcomeRow {
    let round = timeline.cycle_start.map(|from| LoopRow { from: from + 1, to: timeline.steps.len() });
    let failures = timeline.last_resolution().map(|step| step.csv_failures.as_slice()).unwrap_or_default();
    let failure = |failure: &CsvFailure| FailureRow {
        csv: failure.csv.to_string(),
        namespace: failure.namespace.to_string(),
        reason: failure.reason.to_string(),
        message: failure.message.to_string(),
    };
    OutcomeRow {
        steps: timeline.unrolled(steps).map(step_row).collect(),
        goes_round: round,
        failures: failures.iter().map(failure).collect(),
    }
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
