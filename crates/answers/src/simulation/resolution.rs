//! Exactly what the resolver selects, step by step, and whether it succeeds.

use super::SimulationRun;
use crate::ExtensionAnswer;
use report::contract::{CsvFailure, Loop, NotServed, Resolved, ResolvedOutcome, ResolvedStep, SelectedBundle};
use resolver::{Outcome, Tally};
use session::Workbench;
use simulate::{Step, Timeline};
use views::{ExplainedMessage, NamespaceState, UnservedView, Verdict};

/// The combined result of namespaces.
#[derive(Default)]
pub struct ResolutionTotal {
    tally: Tally,
    /// Whether Opscope cannot tell what OLM does in some namespace.
    pub is_unknown: bool,
    /// Whether OLM does not resolve some namespace, or a CSV never runs, in the default outcome.
    pub has_failed: bool,
}

impl ResolutionTotal {
    /// Adds a namespace.
    pub fn add(&mut self, workbench: &Workbench, run: &mut SimulationRun) {
        let is_blocked = run.blocked().is_some();
        let found = run.timelines(workbench);
        self.tally.add(&found.tally);
        // The first timeline is the default outcome.
        let steps = || found.timelines.iter().take(1).flat_map(|timeline| &timeline.steps);
        // OLM resolves nothing in a namespace with a catalog that is not served: then the answer is known.
        self.is_unknown |= !is_blocked && steps().any(|step| matches!(step.outcome, Outcome::GaveUp(_)));
        let last = found.timelines.first().and_then(Timeline::last_resolution);
        let never_runs = last.is_some_and(|step| !step.csv_failures.is_empty());
        self.has_failed |= is_blocked || never_runs || steps().any(|step| step.error.is_some());
    }

    /// Adds what a namespace waits for as it stands, and what the cluster reports.
    pub fn add_state(&mut self, state: &NamespaceState, reported: &[ExplainedMessage]) {
        // That OLM does not get on is known then.
        let is_here = |one: &ExplainedMessage| one.namespace == state.namespace && one.verdict == Some(Verdict::Stuck);
        let (verdict, _) = state.deciding();
        let is_reported = verdict == Verdict::Unknown && reported.iter().any(is_here);
        self.is_unknown |= verdict == Verdict::Unknown && !is_reported;
        self.has_failed |= verdict == Verdict::Stuck || is_reported;
    }

    /// Adds messages that are given instead of objects.
    pub fn add_messages(&mut self, messages: &[ExplainedMessage]) {
        self.has_failed |= messages.iter().any(|one| one.verdict == Some(Verdict::Stuck));
    }

    /// Adds the answers for ClusterExtensions.
    pub fn add_extensions(&mut self, answers: &[ExtensionAnswer], reported: &[ExplainedMessage]) {
        for answer in answers {
            let about = format!("ClusterExtension {} ", answer.extension.name);
            let is_reported =
                reported.iter().any(|one| one.verdict == Some(Verdict::Stuck) && one.about.starts_with(&about));
            let is_unknown = answer.unknown().is_some() && !is_reported;
            self.is_unknown |= is_unknown;
            self.has_failed |= !is_unknown && !answer.succeeds();
        }
    }

    /// How many questions of satisfiability each method answered.
    #[must_use]
    pub fn statistics(&self) -> String {
        self.tally.to_string()
    }
}

/// The resolutions of a namespace; a loop is repeated up to this number of steps.
#[must_use]
pub fn resolution(workbench: &Workbench, run: &mut SimulationRun, steps: usize) -> Resolved {
    let (namespace, blocked) = (run.namespace().to_owned(), run.blocked().map(|blocked| blocked.message.clone()));
    let sources = run.blocked().iter().flat_map(|blocked| &blocked.sources).map(not_served).collect();
    let notices = run.notices(workbench);
    let found = run.timelines(workbench);
    Resolved {
        namespace,
        outcomes: found.timelines.iter().map(|timeline| outcome_row(timeline, steps)).collect(),
        bounded: found.bounded,
        blocked,
        not_served: sources,
        notices,
        others: Vec::new(),
    }
}

fn not_served(source: &UnservedView) -> NotServed {
    let present = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    NotServed {
        name: source.name.clone(),
        namespace: source.namespace.clone(),
        opm: present(&source.opm),
        state: present(&source.state),
    }
}

fn outcome_row(timeline: &Timeline, steps: usize) -> ResolvedOutcome {
    let round = timeline.cycle_start.map(|from| Loop { from: from + 1, to: timeline.steps.len() });
    let failures = timeline.last_resolution().map(|step| step.csv_failures.as_slice()).unwrap_or_default();
    let failure = |failure: &simulate::CsvFailure| CsvFailure {
        csv: failure.csv.to_string(),
        namespace: failure.namespace.to_string(),
        reason: failure.reason.to_string(),
        message: failure.message.to_string(),
    };
    ResolvedOutcome {
        steps: timeline.unrolled(steps).map(step_row).collect(),
        goes_round: round,
        failures: failures.iter().map(failure).collect(),
    }
}

fn step_row(step: &Step) -> ResolvedStep {
    let selected = step.selected.iter().map(|bundle| SelectedBundle {
        name: bundle.name.to_string(),
        package: bundle.package.to_string(),
        channel: bundle.channel.to_string(),
        catalog: bundle.catalog.name.to_string(),
        catalog_namespace: bundle.catalog.namespace.to_string(),
        replaces: bundle.replaces.as_ref().map(ToString::to_string),
        version: bundle.version.as_ref().map(ToString::to_string),
    });
    ResolvedStep {
        selected: selected.collect(),
        generated_subscriptions: step.generated_subscriptions.iter().map(ToString::to_string).collect(),
        updated_subscriptions: step.updated_subscriptions.iter().map(ToString::to_string).collect(),
        install_plan_created: step.install_plan_created,
        error: step.error.clone(),
    }
}
