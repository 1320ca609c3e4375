//! Where the focus goes when the control that has it leaves the page because it was used: to what takes its place.

use super::{
    Action, CatalogsAction, ClusterAction, ExploreAction, NavigationAction, PageAction, SessionAction,
    SimulationAction, State,
};

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
        Action::Simulation(SimulationAction::PlanApproved) => Landing::Step,
        Action::Simulation(SimulationAction::FixTried { .. })
        | Action::Simulation(SimulationAction::TextRestored(_)) => Landing::Result,
        Action::Cluster(ClusterAction::InputRestored)
        | Action::Cluster(ClusterAction::SubscriptionRestored)
        | Action::Cluster(ClusterAction::FormTakenBack) => Landing::Cluster,
        Action::Cluster(ClusterAction::SubscriptionRemoved(_)) => Landing::Add,
        Action::Simulation(SimulationAction::WhyNotAsked) => Landing::WhyNot,
        Action::Navigation(NavigationAction::EntryLeft) | Action::Explore(ExploreAction::WayLeft) => Landing::Opener,
        Action::Catalogs(CatalogsAction::Cleared)
        | Action::Session(SessionAction::CatalogsRestored(_))
        | Action::Catalogs(CatalogsAction::Removed(_))
        | Action::Catalogs(CatalogsAction::RestoreAsked)
        | Action::Catalogs(CatalogsAction::ExampleChosen)
        | Action::Catalogs(CatalogsAction::ExampleOpened(_))
        | Action::Catalogs(CatalogsAction::Pasted(_))
        | Action::Session(SessionAction::ComingAnswered { .. })
        | Action::Page(PageAction::NoticeDismissed(_)) => Landing::Package,
        Action::Page(PageAction::UndoAsked) => {
            let last = state.notices.iter().rev().find_map(|notice| notice.kind.taken_back());
            return last.and_then(|action| landing(state, &action));
        }
        _ => return None,
    })
}
