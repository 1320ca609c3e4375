//! Catalogs for several versions of OpenShift: the matrix, plans of an update, and what is to be written into them.
//! Imports no functions.

use super::Shared;
use views::{AuthoringInput, EntryKey, OpenShift, PlanGoal, PlanQuery, PlansView, SetId, SetView, WrittenView};

/// The set that is shown, if one is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sets {
    /// The set in the place of catalogs and packages.
    pub shown: Option<SetId>,
    /// What is known of it.
    pub view: Option<Shared<SetView>>,
    /// Whether the plan is shown rather than the matrix.
    pub shows_plan: bool,
    /// The package whose findings are shown.
    pub package: Option<String>,
    pub query: PlanQuery,
    /// The plans, or why there are none.
    pub plans: Option<Result<Shared<PlansView>, String>>,
}

/// What is to be written into the catalogs of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    pub set: SetId,
    pub input: AuthoringInput,
    /// What would change, once that is known.
    pub view: Option<Shared<WrittenView>>,
}

/// Actions about sets.
#[derive(Clone, Debug, PartialEq)]
pub enum SetAction {
    /// A set is to be shown.
    Shown(SetId),
    /// The catalogs are to be shown again.
    Left,
    /// The plan, or the matrix, is to be shown.
    PlanChosen(bool),
    /// A package was chosen, or is not to be shown any more.
    PackageChosen(String),
    /// A package is to be compared in two members.
    PairOpened { package: String, from: OpenShift, to: OpenShift },
    /// A package is to be compared in the two states of a member.
    StatesOpened { package: String, version: OpenShift },
    /// The set that is shown is to be compared with this one.
    BaselineChosen(SetId),
    /// An installed version is to be shown in the graph of a member.
    EntryOpened { package: String, entry: EntryKey, version: OpenShift },
    /// What plans are asked for was changed.
    QueryChanged(PlanQuery),
    /// The plans are to be copied as Markdown.
    ReportCopied,
    /// A set is not needed any more.
    Removed(SetId),
}

/// The goals that can be chosen, with their texts.
pub const GOALS: [(PlanGoal, &str); 3] = [
    (PlanGoal::Listed, "every installed version is still in its channel"),
    (PlanGoal::Head, "every operator is at the head of its channel"),
    (PlanGoal::Resolves, "OLM resolves every namespace"),
];
