//! One resolution as a view: what OLM selects and why, or why there is no solution.

use super::behind::kept;
use super::scenario::{Failure, Scenario};
use super::wording::Wording;
use super::{SimulationRun, add_again, csv_failures};
use crate::ExtensionAnswer;
use catalog::BundleName;
use cluster::{Approval, Csv, InputChange};
use report::contract::{CsvFailure, Loop, NotServed, Resolved, ResolvedOutcome, ResolvedStep, SelectedBundle};
use resolver::{
    Conflict, Fact, Fix, Outcome, Resolution, Tally, VarId, Ways, fixes, refused_alternatives, requirement_funnel,
    subscription_funnel,
};
use session::Workbench;
use simulate::{NewBundle, Step, Timeline};
use source::Verdict;
use std::collections::BTreeSet;
use views::{
    ConflictView, CsvRef, ExplainedMessage, FailureKind, FailureView, FixView, FunnelView, MessageView, NamespaceState,
    ReasonView, RefusalView, SelectedView, StepView, UnservedView,
};

/// `explained` is the number of bundles, and of Subscriptions that are held back, for which the reason is searched for.
pub(super) fn view(
    workbench: &Workbench,
    scenario: &Scenario,
    step: &Step,
    failure: &Failure,
    explained: usize,
) -> StepView {
    let wording = Wording::new(workbench, scenario, &step.problem);
    StepView {
        selected: selected(&wording, step, explained),
        generated: step.generated_subscriptions.iter().map(ToString::to_string).collect(),
        updated: step.updated_subscriptions.iter().map(ToString::to_string).collect(),
        kept: kept(&wording, step, explained),
        plan_created: step.install_plan_created,
        waits_for_approval: step.install_plan_created && step.approval == Approval::Manual,
        failure: failure_view(&wording, step, failure),
    }
}

fn selected(wording: &Wording<'_>, step: &Step, explained: usize) -> Vec<SelectedView> {
    let mut views: Vec<_> = step.selected.iter().map(selected_view).collect();
    // The CSV of a first installation has the `replaces` of the catalog, but nothing installed is replaced.
    let installed = step.problem.subscriptions().iter().filter_map(|spec| step.problem.installed(spec));
    let installed: BTreeSet<&str> = installed.map(BundleName::as_str).collect();
    for view in &mut views {
        view.replaces = view.replaces.take().filter(|name| installed.contains(&**name));
    }
    let Outcome::Resolved(resolution) = &step.outcome else { return views };
    let ways = Ways::new(&step.problem, &resolution.picks);
    let mut left = explained;
    for (bundle, view) in step.selected.iter().zip(&mut views) {
        let chosen = resolution.selected.iter().find(|selected| {
            selected.entry.name == bundle.name
                && selected.entry.channel == bundle.channel
                && selected.catalog == bundle.catalog
        });
        let Some(chosen) = chosen else { continue };
        view.because = ways.to(chosen.id).map_or_else(Vec::new, |why| wording.why(&why));
        (view.refused, view.unexplained) = refused(wording, step, resolution, chosen.id, left > 0);
        left -= usize::from(!view.refused.is_empty());
    }
    views
}

/// What is selected, without why.
fn selected_view(bundle: &NewBundle) -> SelectedView {
    SelectedView {
        csv: CsvRef {
            name: bundle.name.to_string(),
            package: bundle.package.to_string(),
            channel: bundle.channel.to_string(),
            catalog: bundle.catalog.name.to_string(),
            catalog_namespace: bundle.catalog.namespace.to_string(),
        },
        version: bundle.version.as_ref().map(ToString::to_string),
        replaces: bundle.replaces.as_ref().map(ToString::to_string),
        because: Vec::new(),
        refused: Vec::new(),
        unexplained: 0,
    }
}

/// Why the better alternatives to `chosen` were refused, and for how many this is not explained.
fn refused(
    wording: &Wording<'_>,
    step: &Step,
    resolution: &Resolution,
    chosen: VarId,
    explained: bool,
) -> (Vec<RefusalView>, u32) {
    let (mut rows, mut unexplained) = (Vec::new(), 0);
    for (at, pick) in resolution.picks.iter().enumerate().filter(|(_, pick)| pick.selected == chosen) {
        let refused = explained.then(|| refused_alternatives(&step.problem, &resolution.picks, at).ok()).flatten();
        match refused {
            Some(refused) => {
                rows.extend(wording.refused_alternatives(&refused));
                unexplained += refused.unexplained.len();
            }
            None => unexplained += pick.refused.len(),
        }
    }
    (rows, u32::try_from(unexplained).unwrap_or(u32::MAX))
}

fn failure_view(wording: &Wording<'_>, step: &Step, failure: &Failure) -> Option<FailureView> {
    let mut view = FailureView {
        kind: FailureKind::Unknown,
        conflicts: Vec::new(),
        bounded: false,
        fixes: Vec::new(),
        rules: Vec::new(),
        message: MessageView::default(),
    };
    match &step.outcome {
        Outcome::Resolved(_) => {
            let reason =
                ReasonView { text: format!("OLM stops before the resolution: {}", step.error.as_ref()?), place: None };
            view.kind = FailureKind::Refused;
            view.rules.push(reason);
            view.fixes = csv_failures::fixes(wording.scenario, step);
        }
        Outcome::Unsolvable(_) => {
            view.kind = FailureKind::Conflict;
            match &failure.conflicts {
                Some(Ok(found)) => {
                    let fixes = fixes(&step.problem, found);
                    view.conflicts =
                        found.conflicts.iter().map(|conflict| conflict_view(wording, step, conflict)).collect();
                    // Without a catalog that a Subscription names, a fix would only remove the Subscription.
                    if !wording.scenario.lacks_catalog() {
                        view.fixes = ordered_fixes(wording, step, &fixes.fixes);
                    }
                    view.bounded = found.bounded;
                }
                Some(Err(gave_up)) => view.rules.push(wording.gave_up(gave_up)),
                None => {}
            }
        }
        Outcome::Prevented(prevented) => {
            view.kind = FailureKind::Refused;
            view.rules = prevented.errors.iter().map(|obstacle| wording.obstacle(obstacle)).collect();
        }
        Outcome::GaveUp(gave_up) => {
            view.rules.push(wording.gave_up(gave_up));
            return Some(view);
        }
    }
    if step.stuck_generated.is_some() {
        // No condition reports it.
        return Some(view);
    }
    let found = failure.conflicts.as_ref().and_then(|found| found.as_ref().ok());
    view.message = wording.message(step.error.as_deref().unwrap_or_default(), found);
    Some(view)
}

/// The fixes of a failure. First those that let the CSVs run that do not fit the OperatorGroup. What removes an operator is there
/// only if nothing else helps, one that runs only if no other one will do, and not while one CSV takes the place of another, which waiting helps.
fn ordered_fixes(wording: &Wording<'_>, step: &Step, found: &[Fix]) -> Vec<FixView> {
    let here = wording.scenario.cluster.csvs.iter().filter(|csv| csv.namespace == wording.scenario.namespace);
    let replaced = here.clone().filter(|csv| matches!(csv.phase.as_deref(), Some("Replacing" | "Deleting")));
    let still_runs = step.csv_failures.iter().filter_map(|failure| failure.still_runs.as_ref());
    let replaced: Vec<&BundleName> = replaced.map(|csv| &csv.installed.name).chain(still_runs).collect();
    let known = found.iter().filter(|fix| !drops_what_may_be_seen(wording, fix));
    let (removing, others): (Vec<&Fix>, Vec<&Fix>) = known.partition(|fix| removes_operator(wording, fix));
    let mut fixes = csv_failures::fixes(wording.scenario, step);
    fixes.extend(others.into_iter().map(|fix| {
        let view = wording.fix(fix);
        add_again::later(wording, step, fix, &view).unwrap_or(view)
    }));
    match replaced.first() {
        Some(old) if fixes.is_empty() => {
            let text = format!("let the CSV that replaces `{old}` run: OLM then removes `{old}` by itself");
            fixes.push(FixView { text, ..FixView::default() });
        }
        None if fixes.is_empty() => {
            let (stopping, others): (Vec<&Fix>, Vec<&Fix>) =
                removing.into_iter().partition(|fix| stops_operator(wording, fix));
            let least = if others.is_empty() { stopping } else { others };
            fixes.extend(least.into_iter().map(|fix| wording.fix(fix)));
        }
        _ => {}
    }
    fixes.sort_by_key(|fix| fix.fails);
    fixes
}

/// Whether a fix takes away a Subscription whose CatalogSource is in a third namespace: that may be the global one of the cluster.
fn drops_what_may_be_seen(wording: &Wording<'_>, fix: &Fix) -> bool {
    let Scenario { cluster, namespace, .. } = wording.scenario;
    let homes = [namespace, &cluster.global_namespace];
    let is_elsewhere = |name: &str| {
        let mut here =
            cluster.subscriptions.iter().filter(|one| one.namespace == *namespace && *one.spec.name == *name);
        here.any(|one| one.spec.catalog.as_ref().is_some_and(|key| !homes.contains(&&key.namespace)))
    };
    fix.changes.iter().any(|change| match change {
        InputChange::DropSubscription { subscription } => is_elsewhere(subscription),
        _ => false,
    })
}

/// Whether a fix takes away a CSV whose operator runs, or that is part of an update.
fn stops_operator(wording: &Wording<'_>, fix: &Fix) -> bool {
    let here = || wording.scenario.cluster.csvs.iter().filter(|csv| csv.namespace == wording.scenario.namespace);
    let is_in_use = |name: &BundleName| {
        let is_replaced = here().any(|other| other.replaces.as_ref() == Some(name));
        let replaces =
            |csv: &Csv| csv.replaces.as_ref().is_some_and(|old| here().any(|csv| csv.installed.name == *old));
        let own = here().find(|csv| csv.installed.name == *name);
        is_replaced || own.is_some_and(|csv| replaces(csv) || matches!(csv.phase.as_deref(), None | Some("Succeeded")))
    };
    fix.changes.iter().any(|change| matches!(change, InputChange::DeleteCsv { csv } if is_in_use(csv)))
}

/// Whether a fix takes away a CSV, or its Subscription.
fn removes_operator(wording: &Wording<'_>, fix: &Fix) -> bool {
    let here = wording.scenario.cluster.subscriptions.iter().filter(|one| one.namespace == wording.scenario.namespace);
    let has_csv = |name: &str| here.clone().any(|one| *one.spec.name == *name && one.spec.installed_csv.is_some());
    fix.changes.iter().any(|change| match change {
        InputChange::DeleteCsv { .. } => true,
        InputChange::DropSubscription { subscription } => has_csv(subscription),
        _ => false,
    })
}

fn conflict_view(wording: &Wording<'_>, step: &Step, conflict: &Conflict) -> ConflictView {
    let names = conflict.packages(&step.problem).into_iter().map(|name| format!("`{name}`"));
    ConflictView {
        title: source::joined(names, usize::MAX, "and"),
        decision: wording.decision(&conflict.facts),
        lines: wording.lines(&conflict.lines(&step.problem)),
        more: wording.also_unmet(&conflict.facts),
        funnels: funnels(wording, step, conflict),
    }
}

/// The funnels of Subscriptions and requirements that have no candidate at all.
fn funnels(wording: &Wording<'_>, step: &Step, conflict: &Conflict) -> Vec<FunnelView> {
    let problem = &step.problem;
    let facts = conflict.facts.iter();
    let found = facts.filter_map(|&id| match problem.fact(id) {
        Fact::NothingFound { subscription, .. } => {
            let spec = problem.subscription(*subscription)?;
            Some(wording.funnel(super::wording::funnel_title(spec), &subscription_funnel(problem, spec), Some(spec)))
        }
        Fact::Requires { bundle, alternatives, .. } if alternatives.is_empty() => {
            let title = format!("Candidates for a requirement of `{}`", problem.entry(*bundle)?.name);
            Some(wording.funnel(title, &requirement_funnel(problem, id)?, None))
        }
        _ => None,
    });
    found.collect()
}

// Exactly what the resolver selects, step by step, and whether it succeeds.

/// The combined result of namespaces.
#[derive(Default)]
pub struct ResolutionTotal {
    tally: Tally,
    /// Whether Opscope cannot tell what OLM does in some namespace.
    pub is_unknown: bool,
    /// Whether OLM does not resolve some namespace, a Subscription ends below the head of its channel, or a CSV never runs, in the
    /// default outcome.
    pub has_failed: bool,
}

impl ResolutionTotal {
    /// Adds a namespace.
    pub fn add(&mut self, workbench: &Workbench, run: &mut SimulationRun) {
        let is_blocked = run.blocked().is_some();
        self.has_failed |= run.ends_behind(workbench);
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
        let verdict = state.now.verdict;
        let is_reported = verdict == Verdict::Unknown && reported.iter().any(is_here);
        self.is_unknown |= verdict == Verdict::Unknown && !is_reported;
        self.has_failed |= verdict == Verdict::Stuck || is_reported;
    }

    /// Adds messages that are given instead of objects.
    pub fn add_messages(&mut self, messages: &[ExplainedMessage]) {
        let has = |verdict| messages.iter().any(|one| one.verdict == Some(verdict));
        self.has_failed |= has(Verdict::Stuck);
        self.is_unknown |= !has(Verdict::Stuck) && has(Verdict::Unknown);
    }

    /// Adds the answers for ClusterExtensions.
    pub fn add_extensions(&mut self, answers: &[ExtensionAnswer], reported: &[ExplainedMessage]) {
        for answer in answers {
            let about = format!("ClusterExtension {} ", answer.extension.name);
            let is_reported =
                reported.iter().any(|one| one.verdict == Some(Verdict::Stuck) && one.about.starts_with(&about));
            let is_unknown = answer.unknown().is_some() && answer.roll_out().is_none() && !is_reported;
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
