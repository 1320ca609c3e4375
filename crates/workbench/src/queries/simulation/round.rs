//! Whether a timeline comes back to where it was: entries that lead to each other are gone round without end.

use super::STEPS;
use simulate::Step;
use std::ops::Range;

/// The steps that are made again and again, if only the bound on steps ended the timeline and it had come back to a state
/// of the namespace before.
pub(super) fn of(steps: &[Step]) -> Option<Range<usize>> {
    if steps.len() < STEPS {
        return None;
    }
    let state = |step: &Step| {
        let namespace = step.problem.namespace();
        (namespace.subscriptions.clone(), namespace.installed.clone())
    };
    let states: Vec<_> = steps.iter().map(state).collect();
    (1..steps.len()).find_map(|end| Some(states[..end].iter().position(|before| *before == states[end])?..end))
}
