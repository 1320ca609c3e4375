//! Where a Subscription ends, in a short sentence.

use super::STEPS;
use catalog::BundleName;
use resolver::Outcome;
use simulate::{Approval, Step};

/// We gave up.
const UNKNOWN: &str = "what OLM does next is not known";

/// The verdict on a Subscription of the form after all `steps`.
pub(super) fn of(wish: &resolver::Subscription, steps: &[Step]) -> String {
    let is_mine = |step: &Step| step.updated_subscriptions.iter().any(|update| update.name == wish.name);
    let moves = steps.iter().filter(|step| is_mine(step)).count();
    let until = steps.iter().rposition(is_mine).map_or(0, |at| at + 1);
    let manual = |step: &&Step| step.install_plan_created && step.approval == Approval::Manual;
    let approved = match steps[..until].iter().filter(manual).count() {
        0 => String::new(),
        1 => " after 1 approval".to_owned(),
        more => format!(" after {more} approvals"),
    };
    let last = last(wish, steps);
    let failure = steps.last().and_then(failure);
    match (last, failure) {
        (None, Some(failure)) => failure.to_owned(),
        (None, None) => "nothing is installed".to_owned(),
        (Some(last), Some(UNKNOWN)) if moves == 0 => format!("has {last}; {UNKNOWN}"),
        (Some(last), Some(failure)) if moves == 0 => format!("stays at {last}, because {failure}"),
        (Some(last), Some(failure)) => format!("comes to {last}{approved}, then {failure}"),
        (Some(last), None) if moves == 0 => format!("stays at {last}"),
        (Some(last), None) if goes_on(steps) => format!("comes to {last} in {STEPS} steps, and goes on"),
        (Some(last), None) if moves == 1 && wish.installed_csv.is_none() => format!("installs {last}{approved}"),
        (Some(last), None) => format!("ends at {last}{approved}"),
    }
}

/// The last CSV that the Subscription names.
fn last<'s>(wish: &'s resolver::Subscription, steps: &'s [Step]) -> Option<&'s BundleName> {
    let updates = steps.iter().rev().flat_map(|step| &step.updated_subscriptions);
    let mut mine = updates.filter(|update| update.name == wish.name).map(|update| &update.current_csv);
    mine.next().or(wish.installed_csv.as_ref())
}

/// Whose fault it is that there is no next step.
fn failure(step: &Step) -> Option<&'static str> {
    step.error.as_ref()?;
    Some(match &step.outcome {
        Outcome::Unsolvable(_) => "nothing can be chosen",
        Outcome::GaveUp(_) => UNKNOWN,
        Outcome::Resolved(_) | Outcome::Prevented(_) => "OLM stops with an error",
    })
}

/// Whether only the bound on steps ended it.
fn goes_on(steps: &[Step]) -> bool {
    steps.len() == STEPS && steps.last().is_some_and(|step| step.install_plan_created)
}
