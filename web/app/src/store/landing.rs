//! Where the focus goes when the control that has it leaves the page because it was used: to what takes its place.

use super::{Action, Explored, State};

/// What takes the place of a control that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// The result.
    Result,
    /// The step whose plan was approved.
    Step,
    /// What the simulation starts from.
    Cluster,
    /// The way to another Subscription, below those that are left.
    Add,
    /// The answer why an entry is not chosen.
    WhyNot,
    /// What leads to the details again: the entry, or the cell of a table.
    Opener,
    /// The package, or the page without any.
    Package,
}

/// Where an event lands that may take its control from the page. What the user does not do takes none.
pub(super) fn landing(state: &State, action: &Action) -> Option<Landing> {
    Some(match action {
        Action::PlanApproved => Landing::Step,
        Action::FixTried { .. } | Action::TextRestored(_) => Landing::Result,
        Action::InputRestored | Action::SubscriptionRestored | Action::FormTakenBack => Landing::Cluster,
        Action::SubscriptionRemoved(_) => Landing::Add,
        Action::WhyNotAsked => Landing::WhyNot,
        Action::EntryLeft | Action::Explored(Explored::WayLeft) => Landing::Opener,
        Action::Cleared
        | Action::CatalogsRestored(_)
        | Action::CatalogRemoved(_)
        | Action::RestoreAsked
        | Action::ExampleChosen
        | Action::ExampleOpened(_)
        | Action::Pasted(_)
        | Action::ComingAnswered { .. }
        | Action::NoticeDismissed(_) => Landing::Package,
        Action::UndoAsked => {
            let last = state.notices.iter().rev().find_map(|notice| notice.kind.taken_back());
            return last.and_then(|action| landing(state, &action));
        }
        _ => return None,
    })
}
