//! Sequences of steps, and all courses that they can take.

use std::collections::BTreeMap;
use std::sync::Arc;

use resolver::{Outcome, Outcomes, Problem, Tally, outcomes, resolve};

use catalog::BundleName;

use crate::namespace::{Snapshots, namespace_of};
use crate::operator_groups::{ReadModes, sync_with_group};
use crate::step::{self, Step};
use cluster::{Cluster, Csv, Subscription};

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
    modes: &ReadModes<'_>,
    max_steps: usize,
    limit: usize,
) -> Timelines {
    let mut search = TimelineSearch::new(cluster, namespace, snapshots, max_steps, limit);
    while search.advance(modes) {}
    search.into_found()
}

/// The timeline of the default order of anchors.
#[must_use]
pub fn timeline(
    cluster: &Cluster,
    namespace: &str,
    snapshots: &Snapshots,
    modes: &ReadModes<'_>,
    max_steps: usize,
) -> Timeline {
    timeline_and_end(cluster, namespace, snapshots, modes, max_steps).0
}

/// The timeline of the default order of anchors, and the cluster after its last step.
#[must_use]
pub fn timeline_and_end(
    cluster: &Cluster,
    namespace: &str,
    snapshots: &Snapshots,
    modes: &ReadModes<'_>,
    max_steps: usize,
) -> (Timeline, Cluster) {
    let mut steps: Vec<Step> = Vec::new();
    let mut states: Vec<State> = Vec::new();
    let mut cluster = synced(cluster, namespace);
    loop {
        let state = State::of(&cluster, namespace);
        let cycle_start = states.iter().position(|before| *before == state);
        if cycle_start.is_some() || steps.len() == max_steps {
            return (Timeline { steps, cycle_start, idle: None }, cluster);
        }
        states.push(state);
        let (step, next) = resolve_once(&cluster, namespace, snapshots, modes);
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
#[derive(Debug, PartialEq)]
struct State {
    subscriptions: Vec<Subscription>,
    csvs: Vec<Csv>,
}

impl State {
    fn of(cluster: &Cluster, namespace: &str) -> Self {
        let subscriptions = cluster.subscriptions.iter().filter(|one| &*one.namespace == namespace).cloned();
        let mut csvs: Vec<Csv> = cluster.csvs.iter().filter(|csv| &*csv.namespace == namespace).cloned().collect();
        csvs.sort_by(|a, b| a.installed.name.cmp(&b.installed.name));
        let counts = |csv: &Csv| csv.phase.as_deref() == Some("Replacing") || csv.group_mismatch().is_some();
        // Otherwise no step reads phases and replaced CSVs, and states that differ only there are equal.
        if !cluster.fails_forward(namespace) && !csvs.iter().any(counts) {
            csvs.iter_mut().for_each(|csv| (csv.phase, csv.replaces) = (None, None));
            csvs.iter_mut().for_each(|csv| (csv.reason, csv.message) = (None, None));
        }
        Self { subscriptions: subscriptions.collect(), csvs }
    }
}

/// One step in the default order of anchors, and the cluster after it.
#[must_use]
pub fn step(cluster: &Cluster, namespace: &str, snapshots: &Snapshots, modes: &ReadModes<'_>) -> (Step, Cluster) {
    resolve_once(&synced(cluster, namespace), namespace, snapshots, modes)
}

fn resolve_once(cluster: &Cluster, namespace: &str, snapshots: &Snapshots, modes: &ReadModes<'_>) -> (Step, Cluster) {
    let problem = Arc::new(Problem::new(namespace_of(cluster, namespace, snapshots)));
    let outcome = resolve(&problem, problem.anchors());
    step::apply(cluster, namespace, &problem, outcome, modes)
}

/// The cluster after OLM has compared the CSVs of the namespace with its OperatorGroup.
fn synced(cluster: &Cluster, namespace: &str) -> Cluster {
    let mut cluster = cluster.clone();
    sync_with_group(&mut cluster, namespace);
    cluster
}

fn changes_nothing(step: &Step) -> bool {
    step.error.is_none() && !step.install_plan_created
}

fn is_last(step: &Step) -> bool {
    step.error.is_some() || !step.install_plan_created
}

/// The search for [`timelines`], in pieces: a depth-first search through the outcomes of each step. Between two pieces the
/// caller can do something else, look at the timelines found so far, or drop the search.
#[derive(Debug)]
pub struct TimelineSearch {
    namespace: Arc<str>,
    snapshots: Snapshots,
    max_steps: usize,
    limit: usize,
    /// The resolutions of the current path.
    levels: Vec<Level>,
    /// The steps of the current path: one for each level, except for the last level unless `next` continues from there.
    steps: Vec<Step>,
    next: Next,
    found: Timelines,
}

/// The next piece of a [`TimelineSearch`].
#[derive(Debug)]
enum Next {
    /// Collect the rules of the resolution after the steps of the path, which led to this cluster.
    Collect(Cluster),
    Resolve(Level),
    /// Follow the next outcome of the last level.
    Follow,
}

/// One resolution of the current path.
#[derive(Debug)]
struct Level {
    /// The cluster before the step, and the part of it that decides the step.
    cluster: Cluster,
    state: State,
    problem: Arc<Problem>,
    /// The outcomes that are not followed yet.
    outcomes: std::vec::IntoIter<Outcome>,
    /// Whether the timeline is found that ends here, because an outcome changes nothing.
    is_ended: bool,
}

impl TimelineSearch {
    /// A search that has found nothing yet. The arguments are those of [`timelines`].
    #[must_use]
    pub fn new(cluster: &Cluster, namespace: &str, snapshots: &Snapshots, max_steps: usize, limit: usize) -> Self {
        Self {
            namespace: namespace.into(),
            snapshots: snapshots.clone(),
            max_steps,
            limit,
            levels: Vec::new(),
            steps: Vec::new(),
            next: Next::Collect(synced(cluster, namespace)),
            found: Timelines::default(),
        }
    }

    /// The timelines so far. Those that are found later come behind them, so an index always means the same timeline.
    #[must_use]
    pub fn found(&self) -> &Timelines {
        &self.found
    }

    /// The timelines so far.
    #[must_use]
    pub fn into_found(self) -> Timelines {
        self.found
    }

    /// Does the next piece: at most one resolution. Returns whether there was something left to do.
    pub fn advance(&mut self, modes: &ReadModes<'_>) -> bool {
        match std::mem::replace(&mut self.next, Next::Follow) {
            Next::Collect(cluster) => self.collect(cluster),
            Next::Resolve(level) => self.resolve(level, modes),
            Next::Follow => return self.follow(modes),
        }
        true
    }

    fn collect(&mut self, cluster: Cluster) {
        if self.found.timelines.len() >= self.limit {
            self.found.bounded = true;
            return;
        }
        let state = State::of(&cluster, &self.namespace);
        if let Some(cycle_start) = self.levels.iter().position(|before| before.state == state) {
            return self.add(Some(cycle_start), None);
        }
        let problem = Arc::new(Problem::new(namespace_of(&cluster, &self.namespace, &self.snapshots)));
        self.next = Next::Resolve(Level { cluster, state, problem, outcomes: Vec::new().into_iter(), is_ended: false });
    }

    fn resolve(&mut self, mut level: Level, modes: &ReadModes<'_>) {
        let outcomes = self.outcomes(&level.problem);
        self.found.tally.add(&level.problem.tally());
        if self.steps.len() == self.max_steps {
            let apply = |outcome| step::apply(&level.cluster, &self.namespace, &level.problem, outcome, modes).0;
            let steps: Vec<Step> = outcomes.outcomes.into_iter().map(apply).collect();
            let is_complete = steps.iter().all(changes_nothing);
            self.found.bounded |= !is_complete;
            return self.add(None, steps.into_iter().next().filter(|_| is_complete));
        }
        self.found.bounded |= outcomes.bounded;
        level.outcomes = outcomes.outcomes.into_iter();
        self.levels.push(level);
    }

    /// All outcomes; after a limit was reached, only that of the default order, so that the search ends soon.
    fn outcomes(&self, problem: &Problem) -> Outcomes {
        if self.found.bounded {
            Outcomes { outcomes: vec![resolve(problem, problem.anchors())], bounded: true }
        } else {
            outcomes(problem, self.limit)
        }
    }

    /// Follows the next outcome of the last level. Returns whether there was a level.
    fn follow(&mut self, modes: &ReadModes<'_>) -> bool {
        let depth = self.levels.len();
        let Some(level) = self.levels.last_mut() else { return false };
        self.steps.truncate(depth - 1);
        let Some(outcome) = level.outcomes.next() else {
            self.levels.pop();
            return true;
        };
        let (step, cluster) = step::apply(&level.cluster, &self.namespace, &level.problem, outcome, modes);
        if depth > 1 && changes_nothing(&step) {
            // Outcomes that change nothing all end in the same timeline.
            if !std::mem::replace(&mut level.is_ended, true) {
                self.add(None, Some(step));
            }
            return true;
        }
        let is_last = is_last(&step);
        self.steps.push(step);
        if is_last {
            self.add(None, None);
        } else {
            self.next = Next::Collect(cluster);
        }
        true
    }

    fn add(&mut self, cycle_start: Option<usize>, idle: Option<Step>) {
        self.found.timelines.push(Timeline { steps: self.steps.clone(), cycle_start, idle });
    }
}
