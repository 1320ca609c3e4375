//! The simulation, at once or in pieces. Between two pieces the worker can answer other queries, and drop it.

use super::scenario::{KubeObstacle, Scenario, SimulationLimits};
use super::timeline::PlanFailure;
use super::{differences, namespaces, outcome, scenario, subscriptions, timeline};
use catalog::BundleName;
use cluster::CatalogKey;
use session::{CatalogInput, Workbench};
use simulate::{BundleCrds, Timeline, TimelineSearch, Timelines};
use source::StateId;
use std::collections::{BTreeMap, BTreeSet};
use views::{BlockedView, CatalogId, FixView, InputEdit, NamespaceState, OutcomeView, SimulationView};

/// The number of new bundles of a step for which refused alternatives are explained, and of Subscriptions that are held
/// back in it. All outcomes share it, because each explanation is a search.
pub(super) const EXPLAINED: usize = 40;
/// The notice about InstallPlans that wait for approval.
pub(super) const MANUAL: &str = "every InstallPlan of the namespace waits for approval, because a Subscription has approval Manual; the steps show what happens after each approval";

/// A simulation that goes on.
///
/// ```
/// use answers::{begin_simulation, continue_simulation, set_form};
/// use session::Workbench;
/// use views::{ClusterForm, SubscriptionForm};
///
/// let mut workbench = Workbench::new();
/// let subscription = SubscriptionForm { package: "etcd".to_owned(), ..SubscriptionForm::default() };
/// let form = ClusterForm { subscriptions: vec![subscription], ..ClusterForm::default() };
/// set_form(&mut workbench, &form);
/// let mut run = begin_simulation(&workbench, "");
/// let view = loop {
///     if let Some(view) = continue_simulation(&workbench, &mut run) {
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
    blocked: Option<BlockedView>,
    /// The CustomResourceDefinitions that the timelines in `outcomes` install.
    crds: BundleCrds,
    /// The outcomes that are in words, in the order of the timelines.
    outcomes: Vec<OutcomeView>,
    /// Notices about InstallPlans that fail in these outcomes.
    failing: Vec<String>,
}

/// What is done in a piece of a simulation.
enum Phase {
    /// The timelines are searched for.
    Searching,
    /// All are found, and the next one is put into words.
    Wording,
}

impl SimulationRun {
    /// The namespace.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.scenario.namespace
    }

    /// The loaded catalog that stands for each CatalogSource.
    pub(super) fn bound_catalogs(&self) -> BTreeMap<CatalogKey, CatalogId> {
        self.scenario.bound.clone()
    }

    /// Whether a catalog that a Subscription of the namespace names is not loaded.
    #[must_use]
    pub fn lacks_catalog(&self) -> bool {
        self.scenario.lacks_catalog()
    }

    /// What is assumed and what is left out, a sentence each; with all timelines, which tell what depends on it.
    pub fn notices(&mut self, workbench: &Workbench) -> Vec<String> {
        // Which install modes are known shows only in the resolutions, which ask for them; the notice about the OperatorGroup
        // says so.
        self.timelines(workbench);
        let group = self.scenario.group_notice(self.search.found().timelines.iter());
        self.scenario.notices.iter().cloned().chain(group).collect()
    }

    /// The catalogs that a cluster would not serve, so that OLM would resolve nothing.
    #[must_use]
    pub const fn blocked(&self) -> Option<&BlockedView> {
        self.blocked.as_ref()
    }

    /// All timelines, without their words. Finds those that are not found yet.
    pub fn timelines(&mut self, workbench: &Workbench) -> &Timelines {
        while matches!(self.phase, Phase::Searching) {
            self.advance(workbench);
        }
        self.search.found()
    }

    /// Whether a Subscription ends below the head of its channel in the default outcome, or with a CSV that waits forever.
    pub(super) fn ends_behind(&mut self, workbench: &Workbench) -> bool {
        self.timelines(workbench);
        let timeline = self.search.found().timelines.first();
        timeline.is_some_and(|timeline| {
            subscriptions::any_behind(&self.scenario, timeline)
                || never_met(workbench, &self.scenario, timeline).is_some()
        })
    }

    fn advance(&mut self, workbench: &Workbench) {
        if !self.search.advance(&self.scenario.modes(workbench)) {
            self.phase = Phase::Wording;
        }
    }
}

/// Simulates OLM in a namespace of the cluster, resolution by resolution, until nothing changes. With an empty name it
/// is the first namespace that has Subscriptions.
#[must_use]
pub fn simulate(workbench: &Workbench, namespace: &str) -> SimulationView {
    finish_simulation(workbench, simulation_within(workbench, namespace, SimulationLimits::PAGE))
}

/// Begins a simulation.
#[must_use]
pub fn begin_simulation(workbench: &Workbench, namespace: &str) -> SimulationRun {
    simulation_within(workbench, namespace, SimulationLimits::PAGE)
}

/// Begins a simulation with other limits.
#[must_use]
pub fn simulation_within(workbench: &Workbench, namespace: &str, limits: SimulationLimits) -> SimulationRun {
    begin(workbench, narrow_scenario(workbench, namespace), limits)
}

/// Begins the simulations of all namespaces that have Subscriptions, each when the iterator comes to it. What concerns the
/// cluster as a whole, such as findings in the manifests, is only in the first one.
pub fn simulations_within(
    workbench: &Workbench,
    limits: SimulationLimits,
) -> impl ExactSizeIterator<Item = SimulationRun> {
    scenario(workbench, "").by_namespace().map(move |mut scenario| {
        scenario.complete(workbench);
        begin(workbench, scenario, limits)
    })
}

/// Does all that is left of a simulation.
#[must_use]
pub fn finish_simulation(workbench: &Workbench, mut run: SimulationRun) -> SimulationView {
    loop {
        if let Some(view) = continue_simulation(workbench, &mut run) {
            return view;
        }
    }
}

/// A scenario with the part of the cluster that concerns its namespace, and with what the manifests leave out.
pub(super) fn narrow_scenario(workbench: &Workbench, namespace: &str) -> Scenario {
    let mut scenario = super::scenario(workbench, namespace);
    scenario.narrow();
    // OLM finishes its InstallPlan before it resolves the namespace again (operator-lifecycle-manager
    // `pkg/controller/operators/catalog/operator.go`, `syncResolvingNamespace`), so the first resolution is that of the
    // cluster after the plan. Only then OperatorGroups are assumed: they are guessed from the CSVs, and one that the plan replaces
    // must not count.
    scenario.skip_current_state(workbench);
    scenario.complete(workbench);
    scenario
}

fn begin(workbench: &Workbench, scenario: Scenario, limits: SimulationLimits) -> SimulationRun {
    let subscriptions = scenario.subscriptions();
    // Without the catalogs a timeline would say that OLM finds nothing, which nobody knows. Such a run has no outcomes, only
    // notices.
    let is_searched = subscriptions > 0 && !scenario.is_unknown();
    SimulationRun {
        search: scenario.search(limits),
        phase: if is_searched { Phase::Searching } else { Phase::Wording },
        blocked: if subscriptions > 0 { namespaces::blocked(workbench, &scenario) } else { None },
        crds: BundleCrds::new(),
        outcomes: Vec::new(),
        failing: Vec::new(),
        scenario,
    }
}

/// Does the next piece: half a resolution, or one outcome in words. Returns the result once nothing is left to do.
pub fn continue_simulation(workbench: &Workbench, run: &mut SimulationRun) -> Option<SimulationView> {
    match run.phase {
        Phase::Searching => run.advance(workbench),
        Phase::Wording if run.outcomes.len() < run.search.found().timelines.len() => add_outcome(workbench, run),
        Phase::Wording => return Some(finished(workbench, run)),
    }
    None
}

/// Puts the outcome of the next timeline into words.
fn add_outcome(workbench: &Workbench, run: &mut SimulationRun) {
    // Which timeline it is follows from what is done already, so that a piece needs no other memory. All timelines have to be
    // found before the first is put into words: they share the explanations.
    let timelines = &run.search.found().timelines;
    let timeline = &timelines[run.outcomes.len()];
    let explained = EXPLAINED.div_ceil(timelines.len());
    timeline::add_crds(&mut run.crds, workbench, &run.scenario, &timeline.steps);
    let failures = PlanFailure::all(&run.scenario, &run.crds, timeline);
    run.failing.extend(failures.iter().map(PlanFailure::notice));
    let outcome = outcome(workbench, &run.scenario, timeline, &failures, run.blocked.is_none(), explained);
    run.outcomes.push(outcome);
}

fn finished(workbench: &Workbench, run: &mut SimulationRun) -> SimulationView {
    let mut outcomes = std::mem::take(&mut run.outcomes);
    let found = run.search.found();
    // When an outcome happens is what it does not have in common with the others: known once all are there.
    for (outcome, when) in outcomes.iter_mut().zip(differences::conditions(&found.timelines)) {
        outcome.when = when;
    }
    let Scenario { bound, notices, manifests, extensions, faults, state, .. } = &run.scenario;
    let mut notices = notices.clone();
    for notice in &run.failing {
        // Outcomes have steps in common.
        if !notices.contains(notice) {
            notices.push(notice.clone());
        }
    }
    if !outcomes.is_empty() {
        notices.extend(run.scenario.group_notice(found.timelines.iter()));
        let bound: BTreeSet<CatalogId> = bound.values().copied().collect();
        notices.extend(bound.iter().filter_map(|id| incomplete(workbench.catalog(*id)?)));
        let never = found.timelines.first().and_then(|timeline| never_met(workbench, &run.scenario, timeline));
        notices.extend(never.map(|(name, obstacle)| obstacle.notice(name)));
    }
    if outcomes.iter().flat_map(|outcome| &outcome.steps).any(|step| step.waits_for_approval) {
        notices.push(MANUAL.to_owned());
    }
    let state = state.as_ref().map(|state| Box::new(explained_state((**state).clone(), &outcomes)));
    SimulationView {
        bounded: found.bounded,
        differences: differences::of(&outcomes),
        outcomes,
        blocked: run.blocked.clone(),
        notices,
        manifests: manifests.clone(),
        extensions: extensions.clone(),
        faults: faults.clone(),
        state,
    }
}

/// A namespace as it stands; where there is no solution, with what decides and which change helps first, as the default outcome tells.
#[must_use]
pub fn explained_state(mut state: NamespaceState, outcomes: &[OutcomeView]) -> NamespaceState {
    let last = outcomes.first().and_then(|outcome| outcome.steps.last());
    let failure = last.and_then(|step| step.failure.as_ref()).filter(|_| state.now.reason == StateId::ResolutionFails);
    let Some((failure, conflict)) = failure.and_then(|failure| Some((failure, failure.conflicts.first()?))) else {
        return state;
    };
    state.now.sentence.clone_from(&conflict.decision);
    let change = |fix: &FixView| {
        let effects = fix.effects.first().map(|effect| format!("; {effect}")).unwrap_or_default();
        format!("{}{effects}", fix.text)
    };
    // What changes a catalog is for its publisher.
    let (of_catalog, of_cluster): (Vec<&FixView>, Vec<&FixView>) = failure
        .fixes
        .iter()
        .filter(|fix| !fix.removes)
        .partition(|fix| matches!(fix.edit, Some(InputEdit::Catalog { .. })));
    let hints = conflict.funnels.iter().flat_map(|funnel| &funnel.hints);
    let for_publisher =
        of_catalog.first().map(|fix| change(fix)).or_else(|| hints.into_iter().next().map(|hint| hint.text.clone()));
    let (failing, of_cluster): (Vec<&FixView>, Vec<&FixView>) = of_cluster.into_iter().partition(|fix| fix.fails);
    if let (Some(fix), []) = (failing.first(), &of_cluster[..]) {
        let end = fix.effects.last().map(|end| format!(": {end}")).unwrap_or_default();
        (state.now.advice, state.now.never) = (None, Some(format!("do not {}{end}", fix.text)));
        return state;
    }
    let first = of_cluster.first().map(|fix| change(fix));
    let first = first.or_else(|| Some(format!("report to the publisher: {}", for_publisher?)));
    // What the message says about a requirement that nobody meets is all that is known then.
    if first.is_some() || conflict.funnels.is_empty() {
        (state.now.advice, state.now.never) = (first, None);
    }
    state
}

/// The first bundle that a timeline installs although the cluster does not have the Kubernetes that it needs.
pub(super) fn never_met<'t>(
    workbench: &Workbench,
    scenario: &Scenario,
    timeline: &'t Timeline,
) -> Option<(&'t BundleName, KubeObstacle)> {
    let selected = timeline.steps.iter().filter(|step| step.install_plan_created).flat_map(|step| &step.selected);
    selected.into_iter().find_map(|new| {
        let obstacle = scenario.kube_obstacle(workbench, (&new.catalog, &new.package, &new.name))?;
        Some((&new.name, obstacle))
    })
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

    /// A workbench with three packages whose second versions provide the same API, so that only one of them is updated; and a
    /// Subscription to each.
    fn rivals() -> Workbench {
        let names = ["p0", "p1", "p2"];
        let packages = names.map(|name| {
            format!(
                "package {name} c\nchannel {name} c {name}.v1.0.0 {name}.v2.0.0>{name}.v1.0.0\n\
                 bundle {name} 1.0.0\nbundle {name} 2.0.0 provides K\n"
            )
        });
        let subscription = |name: &str| SubscriptionForm { package: name.to_owned(), ..SubscriptionForm::default() };
        with_form(workbench(&[("one", &packages.concat())]), &form(&names.map(subscription)))
    }

    #[test]
    fn each_query_has_a_budget_unless_all_share_one() {
        let mut workbench = rivals();
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

    #[test]
    fn each_outcome_has_its_condition_and_its_differences() {
        let view = simulate(&rivals(), "");
        let updated = |outcome: &OutcomeView| {
            let rows = outcome.subscriptions.iter().filter(|row| row.verdict.ends_with("v2.0.0"));
            rows.map(|row| row.package.clone()).collect::<Vec<_>>()
        };
        assert_eq!(view.outcomes.iter().map(updated).collect::<Vec<_>>(), [["p0"], ["p1"], ["p2"]]);
        assert_eq!((view.differences.len(), view.bounded), (3, false));
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
