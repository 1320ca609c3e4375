//! Steps one after the other, and all the ways they can go.

use std::sync::Arc;

use resolver::{Outcomes, Problem, outcomes, resolve};

use crate::cluster::{Cluster, Snapshots};
use crate::step::{self, Step};

/// What may happen to one namespace.
#[derive(Clone, Debug, Default)]
pub struct Timelines {
    /// Each a list of steps; that of the default order first.
    pub timelines: Vec<Vec<Step>>,
    /// Whether there may be more timelines, or more steps in one of them: a bound was reached.
    pub bounded: bool,
}

/// All that may happen to the namespace in at most `max_steps` steps; at most `limit` timelines.
///
/// A timeline ends before the first later step that changes nothing, or at an error.
#[must_use]
pub fn timelines(
    cluster: &Cluster,
    namespace: &str,
    snapshots: &Snapshots,
    max_steps: usize,
    limit: usize,
) -> Timelines {
    let mut play = Play { namespace, snapshots, max_steps, limit, found: Timelines::default() };
    play.go_on(cluster, &mut Vec::new());
    play.found
}

/// What happens in the default order of anchors.
#[must_use]
pub fn timeline(cluster: &Cluster, namespace: &str, snapshots: &Snapshots, max_steps: usize) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut cluster = cluster.clone();
    while steps.len() < max_steps {
        let (step, next) = step(&cluster, namespace, snapshots);
        if !steps.is_empty() && is_idle(&step) {
            break;
        }
        let ends = is_last(&step);
        steps.push(step);
        if ends {
            break;
        }
        cluster = next;
    }
    steps
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
        let problem = Arc::new(Problem::new(cluster.namespace(self.namespace, self.snapshots)));
        let outcomes = self.outcomes(&problem);
        if steps.len() == self.max_steps {
            let idle = |outcome| is_idle(&step::take(cluster, self.namespace, &problem, outcome).0);
            self.found.bounded |= !outcomes.outcomes.into_iter().all(idle);
            self.found.timelines.push(steps.clone());
            return;
        }
        self.found.bounded |= outcomes.bounded;
        let mut ended = false;
        for outcome in outcomes.outcomes {
            let (step, next) = step::take(cluster, self.namespace, &problem, outcome);
            if !steps.is_empty() && is_idle(&step) {
                // Several ways to change nothing are one end.
                if !ended {
                    self.found.timelines.push(steps.clone());
                }
                ended = true;
                continue;
            }
            let last = is_last(&step);
            steps.push(step);
            if last {
                self.found.timelines.push(steps.clone());
            } else {
                self.go_on(&next, steps);
            }
            steps.pop();
        }
    }
}
