//! Steps one after the other, and all the ways they can go.

use std::collections::BTreeMap;
use std::sync::Arc;

use resolver::{Outcomes, Problem, outcomes, resolve};

use catalog::BundleName;

use crate::cluster::{Cluster, Csv, Snapshots, Subscription};
use crate::step::{self, Step};

/// What may happen to one namespace.
#[derive(Clone, Debug, Default)]
pub struct Timelines {
    /// That of the default order first.
    pub timelines: Vec<Timeline>,
    /// Whether there may be more timelines, or more steps in one of them: a bound was reached.
    pub bounded: bool,
}

/// One course of events.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// One after the other.
    pub steps: Vec<Step>,
    /// It goes round without end: behind the last step everything is as it was before the step with this index.
    pub cycle_start: Option<usize>,
}

impl Timeline {
    /// The CSVs that Subscriptions come to again and again, by Subscription; empty where nothing goes round.
    #[must_use]
    pub fn cycling_csvs(&self) -> BTreeMap<Arc<str>, Vec<BundleName>> {
        let mut rounds: BTreeMap<Arc<str>, Vec<BundleName>> = BTreeMap::new();
        let steps = self.cycle_start.map_or(&[][..], |from| &self.steps[from..]);
        for update in steps.iter().flat_map(|step| &step.updated_subscriptions) {
            rounds.entry(Arc::clone(&update.name)).or_default().push(update.current_csv.clone());
        }
        rounds
    }

    /// The steps, those of a round again and again, up to a number of them.
    pub fn unrolled(&self, max_steps: usize) -> impl Iterator<Item = &Step> {
        let again = self.cycle_start.map_or(&[][..], |from| &self.steps[from..]);
        self.steps.iter().chain(again.iter().cycle()).take(max_steps)
    }
}

/// All that may happen to the namespace in at most `max_steps` steps; at most `limit` timelines.
///
/// A timeline ends before the first later step that changes nothing, at an error, or where it comes back to where it was.
#[must_use]
pub fn timelines(
    cluster: &Cluster,
    namespace: &str,
    snapshots: &Snapshots,
    max_steps: usize,
    limit: usize,
) -> Timelines {
    let mut play = Play { namespace, snapshots, max_steps, limit, states: Vec::new(), found: Timelines::default() };
    play.go_on(cluster, &mut Vec::new());
    play.found
}

/// What happens in the default order of anchors.
#[must_use]
pub fn timeline(cluster: &Cluster, namespace: &str, snapshots: &Snapshots, max_steps: usize) -> Timeline {
    let mut steps: Vec<Step> = Vec::new();
    let mut states: Vec<State> = Vec::new();
    let mut cluster = cluster.clone();
    loop {
        let state = State::of(&cluster, namespace);
        let cycle_start = states.iter().position(|before| *before == state);
        if cycle_start.is_some() || steps.len() == max_steps {
            return Timeline { steps, cycle_start };
        }
        states.push(state);
        let (step, next) = step(&cluster, namespace, snapshots);
        if !steps.is_empty() && is_idle(&step) {
            return Timeline { steps, cycle_start: None };
        }
        let ends = is_last(&step);
        steps.push(step);
        if ends {
            return Timeline { steps, cycle_start: None };
        }
        cluster = next;
    }
}

/// What of a cluster changes from step to step, and decides what the next one does.
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
        // Without these nobody looks at what a CSV has replaced.
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
    step::take(cluster, namespace, &problem, outcome)
}

/// Later steps like this are not told.
fn is_idle(step: &Step) -> bool {
    step.error.is_none() && !step.install_plan_created
}

fn is_last(step: &Step) -> bool {
    step.error.is_some() || !step.install_plan_created
}

struct Play<'p> {
    namespace: &'p str,
    snapshots: &'p Snapshots,
    max_steps: usize,
    limit: usize,
    /// Before each of the steps that are being continued.
    states: Vec<State>,
    found: Timelines,
}

impl Play<'_> {
    /// All outcomes; once a bound was reached, that of the default order alone, so that what is left ends soon.
    fn outcomes(&self, problem: &Problem) -> Outcomes {
        if self.found.bounded {
            Outcomes { outcomes: vec![resolve(problem, problem.anchors())], bounded: true }
        } else {
            outcomes(problem, self.limit)
        }
    }

    /// Tells all continuations of `steps`, which led to `cluster`.
    fn go_on(&mut self, cluster: &Cluster, steps: &mut Vec<Step>) {
        if self.found.timelines.len() >= self.limit {
            self.found.bounded = true;
            return;
        }
        let state = State::of(cluster, self.namespace);
        if let Some(cycle_start) = self.states.iter().position(|before| *before == state) {
            return self.tell(steps, Some(cycle_start));
        }
        let problem = Arc::new(Problem::new(cluster.namespace(self.namespace, self.snapshots)));
        let outcomes = self.outcomes(&problem);
        if steps.len() == self.max_steps {
            let idle = |outcome| is_idle(&step::take(cluster, self.namespace, &problem, outcome).0);
            self.found.bounded |= !outcomes.outcomes.into_iter().all(idle);
            return self.tell(steps, None);
        }
        self.found.bounded |= outcomes.bounded;
        self.states.push(state);
        let mut ended = false;
        for outcome in outcomes.outcomes {
            let (step, next) = step::take(cluster, self.namespace, &problem, outcome);
            if !steps.is_empty() && is_idle(&step) {
                // Several ways to change nothing are one end.
                if !ended {
                    self.tell(steps, None);
                }
                ended = true;
                continue;
            }
            let last = is_last(&step);
            steps.push(step);
            if last {
                self.tell(steps, None);
            } else {
                self.go_on(&next, steps);
            }
            steps.pop();
        }
        self.states.pop();
    }

    fn tell(&mut self, steps: &[Step], cycle_start: Option<usize>) {
        self.found.timelines.push(Timeline { steps: steps.to_vec(), cycle_start });
    }
}
