//! Sequences of steps, and all courses that they can take.

use std::collections::BTreeMap;
use std::sync::Arc;

use resolver::{Outcomes, Problem, Tally, outcomes, resolve};

use catalog::BundleName;

use crate::cluster::{Cluster, Snapshots};
use crate::objects::{Csv, Subscription};
use crate::step::{self, Step};

/// All possible timelines of one namespace.
#[derive(Clone, Debug, Default)]
pub struct Timelines {
    /// The timelines; that of the default order is the first.
    pub timelines: Vec<Timeline>,
    /// Whether a limit was reached, so that there may be more timelines or more steps.
    pub bounded: bool,
    /// Who answered the questions of all resolutions.
    pub tally: Tally,
}

/// One possible sequence of steps.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The index of the first step of a cycle: after the last step everything is as it was before that step, so the steps
    /// repeat forever. `None` if the timeline ends.
    pub cycle_start: Option<usize>,
    /// The resolution after the last step, if it changes nothing: it tells why nothing goes on. `None` if the last step
    /// itself changes nothing, if the steps repeat, or if there may be more steps.
    pub idle: Option<Step>,
}

impl Timeline {
    /// The last resolution: of the cluster that the timeline ends with, unless its steps repeat or there may be more.
    #[must_use]
    pub fn last_resolution(&self) -> Option<&Step> {
        self.idle.as_ref().or(self.steps.last())
    }

    /// The CSVs that each Subscription gets again and again; empty without a cycle.
    #[must_use]
    pub fn cycling_csvs(&self) -> BTreeMap<Arc<str>, Vec<BundleName>> {
        let mut csvs: BTreeMap<Arc<str>, Vec<BundleName>> = BTreeMap::new();
        let steps = self.cycle_start.map_or(&[][..], |from| &self.steps[from..]);
        for update in steps.iter().flat_map(|step| &step.updated_subscriptions) {
            csvs.entry(Arc::clone(&update.name)).or_default().push(update.current_csv.clone());
        }
        csvs
    }

    /// At most `max_steps` steps, with the steps of a cycle repeated.
    pub fn unrolled(&self, max_steps: usize) -> impl Iterator<Item = &Step> {
        let cycle = self.cycle_start.map_or(&[][..], |from| &self.steps[from..]);
        self.steps.iter().chain(cycle.iter().cycle()).take(max_steps)
    }
}

/// All possible timelines of the namespace, at most `limit`, with at most `max_steps` steps each.
///
/// A timeline ends at an error, before the first step after the first that changes nothing, or when it returns to an
/// earlier state.
#[must_use]
pub fn timelines(
    cluster: &Cluster,
    namespace: &str,
    snapshots: &Snapshots,
    max_steps: usize,
    limit: usize,
) -> Timelines {
    let mut search = Search { namespace, snapshots, max_steps, limit, states: Vec::new(), found: Timelines::default() };
    search.explore(cluster, &mut Vec::new());
    search.found
}

/// The timeline of the default order of anchors.
#[must_use]
pub fn timeline(cluster: &Cluster, namespace: &str, snapshots: &Snapshots, max_steps: usize) -> Timeline {
    timeline_and_end(cluster, namespace, snapshots, max_steps).0
}

/// The timeline of the default order of anchors, and the cluster after its last step.
#[must_use]
pub fn timeline_and_end(
    cluster: &Cluster,
    namespace: &str,
    snapshots: &Snapshots,
    max_steps: usize,
) -> (Timeline, Cluster) {
    let mut steps: Vec<Step> = Vec::new();
    let mut states: Vec<State> = Vec::new();
    let mut cluster = cluster.clone();
    loop {
        let state = State::of(&cluster, namespace);
        let cycle_start = states.iter().position(|before| *before == state);
        if cycle_start.is_some() || steps.len() == max_steps {
            return (Timeline { steps, cycle_start, idle: None }, cluster);
        }
        states.push(state);
        let (step, next) = step(&cluster, namespace, snapshots);
        if !steps.is_empty() && changes_nothing(&step) {
            return (Timeline { steps, cycle_start: None, idle: Some(step) }, cluster);
        }
        let is_last = is_last(&step);
        steps.push(step);
        cluster = next;
        if is_last {
            return (Timeline { steps, cycle_start: None, idle: None }, cluster);
        }
    }
}

/// The part of a cluster that steps change and that decides the next step. Equal states lead to equal steps.
#[derive(PartialEq)]
struct State {
    subscriptions: Vec<Subscription>,
    /// By name.
    csvs: Vec<Csv>,
}

impl State {
    fn of(cluster: &Cluster, namespace: &str) -> Self {
        let subscriptions = cluster.subscriptions.iter().filter(|one| &*one.namespace == namespace).cloned();
        let mut csvs: Vec<Csv> = cluster.csvs.iter().filter(|csv| &*csv.namespace == namespace).cloned().collect();
        csvs.sort_by(|a, b| a.installed.name.cmp(&b.installed.name));
        let groups = cluster.operator_groups.iter();
        let fails_forward = groups.filter(|group| &*group.namespace == namespace).any(|group| group.fail_forward);
        // Otherwise no step reads phases and replaced CSVs, and states that differ only there are equal.
        if !fails_forward && csvs.iter().all(|csv| csv.phase.as_deref() != Some("Replacing")) {
            csvs.iter_mut().for_each(|csv| (csv.phase, csv.replaces) = (None, None));
        }
        Self { subscriptions: subscriptions.collect(), csvs }
    }
}

/// One step in the default order of anchors, and the cluster after it.
#[must_use]
pub fn step(cluster: &Cluster, namespace: &str, snapshots: &Snapshots) -> (Step, Cluster) {
    let problem = Arc::new(Problem::new(cluster.namespace(namespace, snapshots)));
    let outcome = resolve(&problem, problem.anchors());
    step::apply(cluster, namespace, &problem, outcome)
}

fn changes_nothing(step: &Step) -> bool {
    step.error.is_none() && !step.install_plan_created
}

fn is_last(step: &Step) -> bool {
    step.error.is_some() || !step.install_plan_created
}

/// A depth-first search through the outcomes of each step.
struct Search<'p> {
    namespace: &'p str,
    snapshots: &'p Snapshots,
    max_steps: usize,
    limit: usize,
    /// The states before the steps of the current path.
    states: Vec<State>,
    found: Timelines,
}

impl Search<'_> {
    /// All outcomes; after a limit was reached, only that of the default order, so that the search ends soon.
    fn outcomes(&self, problem: &Problem) -> Outcomes {
        if self.found.bounded {
            Outcomes { outcomes: vec![resolve(problem, problem.anchors())], bounded: true }
        } else {
            outcomes(problem, self.limit)
        }
    }

    /// Adds all timelines that start with `steps`, which led to `cluster`.
    fn explore(&mut self, cluster: &Cluster, steps: &mut Vec<Step>) {
        if self.found.timelines.len() >= self.limit {
            self.found.bounded = true;
            return;
        }
        let state = State::of(cluster, self.namespace);
        if let Some(cycle_start) = self.states.iter().position(|before| *before == state) {
            return self.add(steps, Some(cycle_start), None);
        }
        let problem = Arc::new(Problem::new(cluster.namespace(self.namespace, self.snapshots)));
        let outcomes = self.outcomes(&problem);
        self.found.tally.add(&problem.tally());
        if steps.len() == self.max_steps {
            let is_idle = |outcome| changes_nothing(&step::apply(cluster, self.namespace, &problem, outcome).0);
            self.found.bounded |= !outcomes.outcomes.into_iter().all(is_idle);
            return self.add(steps, None, None);
        }
        self.found.bounded |= outcomes.bounded;
        self.states.push(state);
        let mut is_ended = false;
        for outcome in outcomes.outcomes {
            let (step, next) = step::apply(cluster, self.namespace, &problem, outcome);
            if !steps.is_empty() && changes_nothing(&step) {
                // Outcomes that change nothing all end in the same timeline.
                if !is_ended {
                    self.add(steps, None, Some(step));
                }
                is_ended = true;
                continue;
            }
            let is_last = is_last(&step);
            steps.push(step);
            if is_last {
                self.add(steps, None, None);
            } else {
                self.explore(&next, steps);
            }
            steps.pop();
        }
        self.states.pop();
    }

    fn add(&mut self, steps: &[Step], cycle_start: Option<usize>, idle: Option<Step>) {
        self.found.timelines.push(Timeline { steps: steps.to_vec(), cycle_start, idle });
    }
}
