//! The simulation, at once or in pieces. Between two pieces the worker can answer other queries, show what is found so far,
//! and stop.

use super::scenario::{Scenario, SimulationLimits};
use super::stored_versions::{self, PlanFailure};
use super::{blocked, differences};
use super::{outcome, scenario};
use resolver::Outcome;
use session::{CatalogInput, Workbench};
use simulate::{BundleCrds, Step, Timeline, TimelineSearch, Timelines};
use std::collections::BTreeSet;
use views::{BlockedView, CatalogId, OutcomeView, SimulationView};

/// With fewer Subscriptions, all outcomes are found about as soon as the first one.
const MANY_SUBSCRIPTIONS: usize = 50;
/// The number of new bundles of a step for which refused alternatives are explained, and of Subscriptions that are held
/// back in it. All outcomes share it, because each explanation is a search.
pub(super) const EXPLAINED: usize = 40;
/// The same for each outcome that is shown before the number of outcomes is known.
const EXPLAINED_EARLY: usize = EXPLAINED.div_ceil(SimulationLimits::PAGE.outcomes);
/// The notice about InstallPlans that wait for approval.
pub(super) const MANUAL: &str = "every InstallPlan of the namespace waits for approval, because a Subscription has approval Manual; the steps show what happens after each approval";

/// A simulation that goes on.
///
/// ```
/// use answers::{SimulationProgress, apply_form, begin_simulation, continue_simulation};
/// use session::Workbench;
/// use views::{ClusterForm, SubscriptionForm};
///
/// let mut workbench = Workbench::new();
/// let subscription = SubscriptionForm { package: "etcd".to_owned(), ..SubscriptionForm::default() };
/// let form = ClusterForm { subscriptions: vec![subscription], ..ClusterForm::default() };
/// apply_form(&mut workbench, "", &form);
/// let mut run = begin_simulation(&workbench, "");
/// let view = loop {
///     if let SimulationProgress::Done(view) = continue_simulation(&workbench, &mut run) {
///         break view;
///     }
/// };
/// assert_eq!(view.outcomes.len(), 1);
/// ```
pub struct SimulationRun {
    scenario: Scenario,
    /// The search for the timelines, while it goes on and after it.
    search: TimelineSearch,
    phase: Phase,
    /// Whether outcomes are shown before all are found.
    is_progressive: bool,
    /// Whether the search was stopped before it had found everything.
    is_stopped: bool,
    blocked: Option<BlockedView>,
    /// The CustomResourceDefinitions that the timelines in `outcomes` install.
    crds: BundleCrds,
    /// The outcomes that are worked out, in the order of the timelines, each with `explained` reasons at most.
    outcomes: Vec<OutcomeView>,
    /// Notices about InstallPlans that fail in these outcomes.
    failing: Vec<String>,
    explained: usize,
    outcome_limit: usize,
}

/// What is done in a piece of a simulation.
enum Phase {
    /// The timeline of the default order is searched for, to be shown before all are found.
    First,
    /// All timelines are searched for. That of the default order is kept until the first of all is found.
    All(Option<Box<Timeline>>),
    /// All are found that are looked for, and the next one is worked out.
    Found,
}

/// What a piece of a simulation led to.
#[derive(Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "values are read one at a time, as soon as they are made")]
pub enum SimulationProgress {
    /// Nothing to show yet.
    Working,
    /// The simulation with its first outcome alone.
    First(SimulationView),
    /// The next outcome, without the condition under which it happens.
    Outcome(OutcomeView),
    /// The simulation with all outcomes; nothing is left to do.
    Done(SimulationView),
}

impl SimulationRun {
    /// Stops looking for outcomes. The simulation ends with those found so far, and with one at least.
    pub fn stop(&mut self) {
        self.is_stopped = true;
    }

    /// The namespace.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.scenario.namespace
    }

    /// Whether a catalog that a Subscription of the namespace names is not loaded.
    #[must_use]
    pub fn lacks_catalog(&self) -> bool {
        self.scenario.lacks_catalog()
    }

    /// What is assumed and what is left out, a sentence each; with all timelines, which tell what depends on it.
    pub fn notices(&mut self, workbench: &Workbench) -> Vec<String> {
        self.timelines(workbench);
        let group = self.scenario.group_notice(self.search.found().timelines.iter());
        self.scenario.notices.iter().cloned().chain(group).collect()
    }

    /// The catalogs that a cluster would not serve, so that OLM would resolve nothing.
    #[must_use]
    pub const fn blocked(&self) -> Option<&BlockedView> {
        self.blocked.as_ref()
    }

    /// All timelines, without their words. Finds those that are not found yet; not for a simulation that shows outcomes early.
    pub fn timelines(&mut self, workbench: &Workbench) -> &Timelines {
        while !matches!(self.phase, Phase::Found) {
            if !self.search.advance(&self.scenario.modes(workbench)) {
                self.phase = Phase::Found;
            }
        }
        self.search.found()
    }

    /// Forgets the outcome that was shown first, if the first timeline of all is another one: it was explained by the choices in
    /// another order. Returns whether it did.
    fn forget_first(&mut self) -> bool {
        let Phase::All(first) = &mut self.phase else { return false };
        let Some(found) = self.search.found().timelines.first() else { return false };
        let is_other = first.take().is_some_and(|first| !is_same(&first, found));
        if is_other {
            self.forget_outcomes();
        }
        is_other
    }

    fn forget_outcomes(&mut self) {
        self.outcomes.clear();
        self.failing.clear();
    }
}

/// Simulates OLM in a namespace of the cluster, resolution by resolution, until nothing changes. With an empty name it
/// is the first namespace that has Subscriptions.
#[must_use]
pub fn simulate(workbench: &Workbench, namespace: &str) -> SimulationView {
    finish_simulation(workbench, simulation_within(workbench, namespace, SimulationLimits::PAGE))
}

/// Begins a simulation. With many Subscriptions it shows outcomes before all are found.
#[must_use]
pub fn begin_simulation(workbench: &Workbench, namespace: &str) -> SimulationRun {
    begin(workbench, narrow_scenario(workbench, namespace), SimulationLimits::PAGE, MANY_SUBSCRIPTIONS)
}

/// Begins a simulation with other limits.
#[must_use]
pub fn simulation_within(workbench: &Workbench, namespace: &str, limits: SimulationLimits) -> SimulationRun {
    begin(workbench, narrow_scenario(workbench, namespace), limits, usize::MAX)
}

/// Begins the simulations of all namespaces that have Subscriptions, each when the iterator comes to it. What concerns the
/// cluster as a whole, such as findings in the manifests, is only in the first one.
pub fn simulations_within(
    workbench: &Workbench,
    limits: SimulationLimits,
) -> impl ExactSizeIterator<Item = SimulationRun> {
    scenario(workbench, "").by_namespace().map(move |mut scenario| {
        scenario.complete(workbench);
        begin(workbench, scenario, limits, usize::MAX)
    })
}

/// Does all that is left of a simulation.
#[must_use]
pub fn finish_simulation(workbench: &Workbench, mut run: SimulationRun) -> SimulationView {
    loop {
        if let SimulationProgress::Done(view) = continue_simulation(workbench, &mut run) {
            return view;
        }
    }
}

/// A scenario with the part of the cluster that concerns its namespace, and with what the manifests leave out.
pub(super) fn narrow_scenario(workbench: &Workbench, namespace: &str) -> Scenario {
    let mut scenario = super::scenario(workbench, namespace);
    scenario.narrow();
    scenario.skip_current_state(workbench);
    scenario.complete(workbench);
    scenario
}

/// Begins a simulation. With `many` Subscriptions it shows outcomes before all are found.
fn begin(workbench: &Workbench, scenario: Scenario, limits: SimulationLimits, many: usize) -> SimulationRun {
    let subscriptions = scenario.subscriptions();
    let is_progressive = subscriptions >= many;
    let Scenario { cluster, namespace, snapshots, .. } = &scenario;
    SimulationRun {
        search: if is_progressive {
            TimelineSearch::of_default_order(cluster, namespace, snapshots, limits.steps)
        } else {
            scenario.search(limits)
        },
        phase: match is_progressive {
            _ if subscriptions == 0 || scenario.is_unknown() => Phase::Found,
            true => Phase::First,
            false => Phase::All(None),
        },
        is_progressive,
        is_stopped: false,
        blocked: if subscriptions > 0 { blocked::blocked(workbench, &scenario) } else { None },
        crds: BundleCrds::new(),
        outcomes: Vec::new(),
        failing: Vec::new(),
        explained: EXPLAINED_EARLY,
        outcome_limit: limits.outcomes,
        scenario,
    }
}

/// Does the next piece: half a resolution, or one outcome as a view.
pub fn continue_simulation(workbench: &Workbench, run: &mut SimulationRun) -> SimulationProgress {
    match run.phase {
        Phase::First => continue_to_first(workbench, run),
        Phase::All(_) => continue_to_all(workbench, run),
        Phase::Found if run.outcomes.len() < run.search.found().timelines.len() => {
            add_outcome(workbench, run);
            SimulationProgress::Working
        }
        Phase::Found => SimulationProgress::Done(finished(workbench, run)),
    }
}

/// Does the next piece of the search for all timelines.
fn continue_to_all(workbench: &Workbench, run: &mut SimulationRun) -> SimulationProgress {
    if run.forget_first() {
        add_outcome(workbench, run);
        return SimulationProgress::Working;
    }
    let found = run.search.found().timelines.len();
    if run.is_progressive && run.outcomes.len() < found {
        add_outcome(workbench, run);
        return run.outcomes.last().cloned().map_or(SimulationProgress::Working, SimulationProgress::Outcome);
    }
    if run.is_stopped && found > 0 {
        run.search.stop();
    } else if run.search.advance(&run.scenario.modes(workbench)) {
        return SimulationProgress::Working;
    }
    run.forget_first();
    run.phase = Phase::Found;
    let explained = EXPLAINED.div_ceil(run.search.found().timelines.len().max(1));
    if run.explained != explained && !(run.is_progressive && run.is_stopped) {
        run.explained = explained;
        run.forget_outcomes();
    }
    SimulationProgress::Working
}

/// Does the next piece of the search for the timeline of the default order.
fn continue_to_first(workbench: &Workbench, run: &mut SimulationRun) -> SimulationProgress {
    if run.search.advance(&run.scenario.modes(workbench)) {
        return SimulationProgress::Working;
    }
    add_outcome(workbench, run);
    run.phase = Phase::All(run.search.found().timelines.first().cloned().map(Box::new));
    run.search.search_all(&run.scenario.cluster, run.outcome_limit);
    SimulationProgress::First(view_so_far(workbench, run, run.outcomes.clone()))
}

/// Works out the outcome of the next timeline.
fn add_outcome(workbench: &Workbench, run: &mut SimulationRun) {
    let timeline = &run.search.found().timelines[run.outcomes.len()];
    stored_versions::add_crds(&mut run.crds, workbench, &run.scenario, &timeline.steps);
    let failures = PlanFailure::all(&run.scenario, &run.crds, timeline);
    run.failing.extend(failures.iter().map(PlanFailure::notice));
    let outcome = outcome(workbench, &run.scenario, timeline, &failures, run.blocked.is_none(), run.explained);
    run.outcomes.push(outcome);
}

/// The simulation with all outcomes.
fn finished(workbench: &Workbench, run: &mut SimulationRun) -> SimulationView {
    let mut outcomes = std::mem::take(&mut run.outcomes);
    let found = run.search.found();
    for (outcome, when) in outcomes.iter_mut().zip(differences::conditions(&found.timelines)) {
        outcome.when = when;
    }
    let (bounded, differences) = (found.bounded, differences::of(&outcomes));
    SimulationView { bounded, differences, partial: false, ..view_so_far(workbench, run, outcomes) }
}

/// The simulation with these outcomes, while it goes on.
fn view_so_far(workbench: &Workbench, run: &SimulationRun, outcomes: Vec<OutcomeView>) -> SimulationView {
    let Scenario { bound, notices, manifests, extensions, faults, state, .. } = &run.scenario;
    let mut notices = notices.clone();
    for notice in &run.failing {
        // Outcomes have steps in common.
        if !notices.contains(notice) {
            notices.push(notice.clone());
        }
    }
    if !outcomes.is_empty() {
        notices.extend(run.scenario.group_notice(run.search.found().timelines.iter()));
        let bound: BTreeSet<CatalogId> = bound.values().copied().collect();
        notices.extend(bound.iter().filter_map(|id| incomplete(workbench.catalog(*id)?)));
    }
    if outcomes.iter().flat_map(|outcome| &outcome.steps).any(|step| step.waits_for_approval) {
        notices.push(MANUAL.to_owned());
    }
    SimulationView {
        outcomes,
        bounded: false,
        partial: true,
        blocked: run.blocked.clone(),
        notices,
        differences: Vec::new(),
        manifests: manifests.clone(),
        extensions: extensions.clone(),
        faults: faults.clone(),
        state: state.clone(),
    }
}

/// Whether two timelines have the same outcome by the same choices.
fn is_same(one: &Timeline, other: &Timeline) -> bool {
    fn outcomes(timeline: &Timeline) -> impl Iterator<Item = &Outcome> {
        timeline.steps.iter().chain(&timeline.idle).map(|step: &Step| &step.outcome)
    }
    one.cycle_start == other.cycle_start && outcomes(one).eq(outcomes(other))
}

/// The notice that a catalog has bundles which are not known.
fn incomplete(catalog: &CatalogInput) -> Option<String> {
    let (name, analysis) = (&catalog.name, &catalog.analysis);
    let is_incomplete = analysis.catalog.packages.iter().any(|package| package.has_unknown_bundles);
    let text = if analysis.catalog.is_partial {
        format!("catalog `{name}` was not read completely, so OLM may choose bundles that are not known here")
    } else {
        format!(
            "template `{name}` has images that no loaded catalog has; the simulation leaves these bundles out, so OLM may choose others"
        )
    };
    (analysis.catalog.is_partial || is_incomplete).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{form, with_form};
    use session::testing::workbench;
    use views::SubscriptionForm;

    /// A workbench with many packages, of which the second versions of the first `rivals` provide the same API, so that only
    /// one of them is updated; and a Subscription to each.
    fn world(rivals: usize) -> (Workbench, Vec<SubscriptionForm>) {
        let packages = (0..MANY_SUBSCRIPTIONS).map(|number| {
            let provides = if number < rivals { " provides K" } else { "" };
            format!(
                "package p{number} c\nchannel p{number} c p{number}.v1.0.0 p{number}.v2.0.0>p{number}.v1.0.0\n\
                 bundle p{number} 1.0.0\nbundle p{number} 2.0.0{provides}\n"
            )
        });
        let workbench = workbench(&[("one", &packages.collect::<String>())]);
        let subscription = |number| SubscriptionForm { package: format!("p{number}"), ..SubscriptionForm::default() };
        (workbench, (0..MANY_SUBSCRIPTIONS).map(subscription).collect())
    }

    #[test]
    fn each_query_has_a_budget_unless_all_share_one() {
        let (workbench, subscriptions) = world(3);
        let mut workbench = with_form(workbench, &form(&subscriptions));
        let whole = workbench.budget().left();
        let left = |workbench: &Workbench| {
            let view = simulate(workbench, "");
            (view, workbench.budget().left())
        };
        let (alone, after) = left(&workbench);
        assert_eq!(after, whole);
        workbench.share_budget();
        let (first, after_first) = left(&workbench);
        let (second, after_second) = left(&workbench);
        assert_eq!((&first, &second), (&alone, &alone));
        assert!(after_second < after_first && after_first < whole, "{after_second} {after_first} {whole}");
    }

    /// What is shown, in order. After `stop_at` outcomes the search is stopped.
    fn shown(workbench: &Workbench, stop_at: usize) -> (Vec<SimulationProgress>, SimulationView) {
        let mut run = begin_simulation(workbench, "");
        let mut shown = Vec::new();
        loop {
            if shown.len() == stop_at {
                run.stop();
            }
            match continue_simulation(workbench, &mut run) {
                SimulationProgress::Working => {}
                SimulationProgress::Done(view) => return (shown, view),
                progress => shown.push(progress),
            }
        }
    }

    /// The packages of the rivals that end at their second versions.
    fn updated(outcome: &OutcomeView) -> Vec<&str> {
        let rivals = outcome.subscriptions.iter().take(3);
        rivals.filter(|row| row.verdict.ends_with("v2.0.0")).map(|row| row.package.as_str()).collect()
    }

    #[test]
    fn outcomes_of_many_subscriptions_are_shown_one_by_one() {
        let (workbench, subscriptions) = world(3);
        let workbench = with_form(workbench, &form(&subscriptions));
        let (shown, all) = shown(&workbench, usize::MAX);
        let [SimulationProgress::First(first), SimulationProgress::Outcome(second), SimulationProgress::Outcome(third)] =
            shown.as_slice()
        else {
            panic!("expected three outcomes");
        };
        assert_eq!((first.partial, first.outcomes.len(), all.partial, all.bounded), (true, 1, false, false));
        let expected = [["p0"], ["p1"], ["p2"]];
        assert_eq!([updated(&first.outcomes[0]), updated(second), updated(third)], expected);
        assert_eq!(all.outcomes.iter().map(updated).collect::<Vec<_>>(), expected);
        assert_eq!(all.differences.len(), 3);
        assert_eq!(all, simulate(&workbench, ""), "what is shown early does not change the result");
    }

    #[test]
    fn a_search_that_is_stopped_has_what_was_found() {
        let (workbench, subscriptions) = world(3);
        let workbench = with_form(workbench, &form(&subscriptions));
        let (shown, view) = shown(&workbench, 2);
        assert_eq!(shown.len(), 2);
        assert_eq!((view.outcomes.len(), view.bounded, view.partial), (2, true, false));
        assert_eq!(view.differences[0].cells, ["`p0.v2.0.0`", "`p0.v1.0.0`"]);
        let (_, view) = self::shown(&workbench, 0);
        assert_eq!((view.outcomes.len(), view.bounded), (1, true), "there is one at least");
    }

    #[test]
    fn outcomes_of_few_subscriptions_come_together() {
        let (workbench, subscriptions) = world(3);
        let (shown, view) = shown(&with_form(workbench, &form(&subscriptions[1..])), usize::MAX);
        assert_eq!((shown, view.outcomes.len()), (vec![], 2));
    }

    /// Otherwise the work would grow with the square of the number of namespaces.
    #[test]
    fn the_simulation_of_a_namespace_has_only_what_concerns_it() {
        let object = |namespace: &str| {
            format!(
                "kind: CatalogSource\nmetadata: {{name: c, namespace: {namespace}}}\n---\n\
                 kind: CatalogSource\nmetadata: {{name: lost, namespace: {namespace}}}\nstatus: {{connectionState: {{lastObservedState: TRANSIENT_FAILURE}}}}\n---\n\
                 kind: OperatorGroup\nmetadata: {{name: g, namespace: {namespace}}}\n---\n\
                 kind: Subscription\nmetadata: {{name: s, namespace: {namespace}}}\nspec: {{name: p, source: c, sourceNamespace: {namespace}}}\n---\n\
                 kind: ClusterServiceVersion\nmetadata: {{name: x, namespace: {namespace}}}\nspec: {{version: 1.0.0}}\n---\n"
            )
        };
        let text: String =
            ["a", "b", "d"].map(object).concat() + "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n";
        let catalog = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let workbench = workbench(&[("c", catalog)]).with_cluster(&text);
        let runs: Vec<SimulationRun> = simulations_within(&workbench, SimulationLimits::PAGE).collect();
        let sizes = |SimulationRun { scenario: Scenario { cluster, snapshots, bound, unreachable, .. }, .. }: &SimulationRun| {
            let objects = [cluster.subscriptions.len(), cluster.csvs.len()];
            (objects, [cluster.catalog_sources.len(), snapshots.len(), bound.len()], unreachable.len())
        };
        assert_eq!(runs.iter().map(sizes).collect::<Vec<_>>(), [([1, 1], [2, 2, 2], 1); 3]);
        let namespaces: Vec<&str> = runs.iter().map(SimulationRun::namespace).collect();
        assert_eq!(namespaces, ["a", "b", "d"]);
        let manifests: Vec<bool> = runs.iter().map(|run| run.scenario.manifests.is_some()).collect();
        assert_eq!(manifests, [true, false, false], "what was read is shown once");
        for run in runs {
            let alone = simulate(&workbench, run.namespace());
            let view = finish_simulation(&workbench, run);
            assert_eq!((view.outcomes, view.blocked), (alone.outcomes, alone.blocked));
        }
    }
}
