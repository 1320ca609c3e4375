//! Where an operator is in the end, if the goal is reached: also what its plan does nothing about.

use crate::plans::model::Model;
use crate::plans::search::Route;
use crate::plans::state::State;
use catalog::BundleName;
use std::collections::BTreeSet;

/// Where an operator is at the end of a plan that reaches the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rest {
    /// At the head of its channel.
    Head,
    /// Below the head, and no update leads on.
    Stuck {
        /// The CSV that it has.
        at: BundleName,
        head: BundleName,
    },
    /// Updates wait for an approval that the goal does not need.
    Waits {
        /// How many, one after the other, on the first version of the way that has any.
        updates: u32,
        /// Where they end.
        to: BundleName,
    },
}

impl Rest {
    /// Of one operator of a namespace; nothing if it has no Subscription in the end, or neither a CSV nor one to approve.
    pub(crate) fn of(model: &Model<'_>, route: &Route, own: usize) -> Option<Self> {
        let end = route.states.last()?;
        let operator = Some(&end.operators[own]).filter(|operator| operator.is_subscribed)?;
        if let Some(waits) = route.states.iter().find_map(|state| approvals(model, state.clone(), own)) {
            return Some(waits);
        }
        let csv = operator.csv.as_ref()?;
        let head = &model.operators[own].at[end.at].as_ref()?.chain(operator.channel.as_ref())?.entries[0].name.value;
        Some(match *head == csv.name {
            true => Self::Head,
            false => Self::Stuck { at: csv.name.clone(), head: head.clone() },
        })
    }
}

/// The updates that somebody could approve in a state.
fn approvals(model: &Model<'_>, mut state: State, own: usize) -> Option<Rest> {
    let (mut acts, mut seen) = (Vec::new(), BTreeSet::new());
    while seen.insert(state.operators.clone()) && model.hop(&mut state, &mut acts) {}
    let mine = acts.iter().filter(|act| act.operator == own);
    let last = mine.clone().next_back()?;
    Some(Rest::Waits { updates: mine.count() as u32, to: last.step.to.as_str().into() })
}
