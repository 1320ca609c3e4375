//! The element that gets the focus when the focused control is removed from the page because it was used.

use super::{
    Action, CatalogsAction, ClusterAction, CompareAction, EdgeAction, ExploreAction, FindingsAction, NavigationAction,
    NewBundleAction, PageAction, PaletteAction, SessionAction, SetAction, SimulationAction, State, Tab, WorkerAction,
    shown_release,
};

/// The element that gets the focus instead of a removed control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FocusTarget {
    Result,
    /// The step whose plan was approved.
    Step,
    /// The cluster that the simulation begins with.
    Cluster,
    /// The fields of the Subscription or ClusterExtension that was added.
    NewRow,
    /// The answer why an entry is not chosen.
    WhyNot,
    /// The answer about CustomResourceDefinitions.
    Crds,
    Repairs,
    /// The entry or the cell of a table that reopens the details.
    Opener,
    /// The version that was looked for, once it is drawn.
    Entry,
    /// The region of the package, or the start page.
    Package,
}

impl FocusTarget {
    /// Whether it gets the focus even if the control that was used stays in the page.
    pub(crate) const fn is_wanted(self) -> bool {
        matches!(self, Self::NewRow | Self::Entry)
    }
}

/// The element that gets the focus after an action that may remove the control that caused it.
pub(super) fn focus_target(state: &State, action: &Action) -> Option<FocusTarget> {
    Some(match action {
        Action::Simulation(SimulationAction::PlanApproved) => FocusTarget::Step,
        Action::Simulation(
            SimulationAction::Subscribed { .. }
            | SimulationAction::StartedFromHere
            | SimulationAction::TriedKept
            | SimulationAction::TriedDropped,
        ) => FocusTarget::Result,
        Action::Catalogs(CatalogsAction::FixApplied { is_tried: true, .. })
        | Action::Simulation(SimulationAction::FixUndone(_) | SimulationAction::FixRedone(_)) => match state.tab {
            Tab::Compare => FocusTarget::Package,
            _ if shown_release(state).is_some() => FocusTarget::Package,
            _ => FocusTarget::Result,
        },
        Action::Cluster(
            ClusterAction::EntryUsed(_)
            | ClusterAction::TextShown(_)
            | ClusterAction::InputRestored
            | ClusterAction::InputRedone,
        ) => FocusTarget::Cluster,
        Action::Cluster(ClusterAction::SubscriptionAdded(_) | ClusterAction::ExtensionAdded(_)) => {
            FocusTarget::NewRow
        }
        Action::Simulation(SimulationAction::WhyNotAsked | SimulationAction::WhyNotFollowed(_)) => FocusTarget::WhyNot,
        Action::Explore(ExploreAction::CrdsAsked) => FocusTarget::Crds,
        Action::Navigation(NavigationAction::RepairsAsked(..)) => FocusTarget::Repairs,
        Action::Navigation(NavigationAction::EntryLeft) | Action::Explore(ExploreAction::PathClosed) => {
            FocusTarget::Opener
        }
        Action::Catalogs(CatalogsAction::Cleared)
        | Action::Session(SessionAction::CatalogsRestored(_))
        | Action::Catalogs(CatalogsAction::Removed(_))
        | Action::Catalogs(CatalogsAction::RestoreAsked)
        | Action::Catalogs(CatalogsAction::ExampleChosen)
        | Action::Catalogs(CatalogsAction::ExampleOpened(_))
        | Action::Catalogs(CatalogsAction::Pasted(_) | CatalogsAction::TextEntered { .. })
        | Action::Session(SessionAction::OpenLinkAnswered { .. })
        | Action::Catalogs(CatalogsAction::FixApplied { is_tried: false, .. })
        | Action::Compare(
            CompareAction::RelationChosen { .. }
            | CompareAction::PackageChosen(_)
            | CompareAction::Stopped
            | CompareAction::GraphShown(_),
        )
        | Action::Edges(EdgeAction::Switched | EdgeAction::Made | EdgeAction::Held(None))
        | Action::Findings(FindingsAction::MoreAsked | FindingsAction::RulesRestored)
        | Action::NewBundle(NewBundleAction::Kept)
        | Action::Page(PageAction::NoticeDismissed(_))
        // The browser gives the focus back to what opened the palette, which another package may replace.
        | Action::Palette(PaletteAction::Entered | PaletteAction::Picked(_))
        | Action::Set(
            SetAction::Shown(_)
            | SetAction::Left
            | SetAction::PairOpened { .. }
            | SetAction::EntryOpened { .. }
            | SetAction::Removed(_),
        )
        | Action::Worker(WorkerAction::Stopped | WorkerAction::StartedAgain | WorkerAction::LoadCancelled) => {
            FocusTarget::Package
        }
        Action::Page(PageAction::UndoAsked) => {
            let last = state.notices.iter().rev().find_map(|notice| notice.kind.undo_action());
            return last.and_then(|action| focus_target(state, &action));
        }
        _ => return None,
    })
}
