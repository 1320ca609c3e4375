//! The state of the Compare tab: which states are compared, and the answers.

use super::{RowFilter, Shared};
use serde::{Deserialize, Serialize};
use views::{ClusterComparisonView, Compared, ComparisonView, PackageComparisonView};

/// The Compare tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compare {
    /// The states that the user chose; absent for the text as opened, or the last baseline, and the text as it is.
    pub chosen: Option<NamedSides>,
    /// The user's levels.
    pub levels: String,
    /// The package that was chosen in the list; else the selected one, if it differs, else the first.
    pub(super) package: Option<String>,
    /// The package whose details were requested since the last request about all packages.
    pub(super) asked: Option<String>,
    /// The last answer about all packages, and its question.
    pub(super) view: Option<(Compared, Shared<ComparisonView>)>,
    /// The last answer about one package, and its question.
    pub(super) detail: Option<(Compared, Shared<PackageComparisonView>)>,
    /// The last answer about the cluster, and its question.
    pub(super) cluster: Option<(Compared, Shared<ClusterComparisonView>)>,
    /// Which rows the table shows.
    pub filter: RowFilter,
    /// Whether the next catalog that is opened is the state before.
    pub(super) awaits_before: bool,
}

/// The two states by the names of their catalogs, which outlive a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NamedSides {
    /// The catalog before the change.
    pub before: String,
    /// Whether it is compared as it was opened.
    pub before_opened: bool,
    /// The catalog after the change.
    pub after: String,
    /// Whether it is compared as it was opened.
    pub after_opened: bool,
}

impl Compare {
    /// The tab as it was left: the chosen states and the levels.
    pub(super) fn of(chosen: Option<NamedSides>, levels: String) -> Self {
        Self { chosen, levels, ..Self::default() }
    }

    /// The answer about all packages, if it is about these states. It may still have other levels: the page keeps what
    /// it shows while somebody types them.
    #[must_use]
    pub fn view(&self, compared: &Compared) -> Option<&Shared<ComparisonView>> {
        self.view.as_ref().filter(|(of, _)| is_about(of, compared)).map(|(_, view)| view)
    }

    /// The last answer about all packages, and the states that it is about.
    #[must_use]
    pub const fn last(&self) -> Option<&(Compared, Shared<ComparisonView>)> {
        self.view.as_ref()
    }

    /// The answer about a package, if it is about these states.
    #[must_use]
    pub fn detail(&self, compared: &Compared, package: &str) -> Option<&Shared<PackageComparisonView>> {
        let detail = self.detail.as_ref().filter(|(of, view)| is_about(of, compared) && view.package == package);
        detail.map(|(_, view)| view)
    }

    /// What becomes of the cluster, if it is about these states.
    #[must_use]
    pub fn cluster(&self, compared: &Compared) -> Option<&Shared<ClusterComparisonView>> {
        self.cluster.as_ref().filter(|(of, _)| is_about(of, compared)).map(|(_, view)| view)
    }
}

/// Whether an answer is about these states, with whatever levels.
fn is_about(answered: &Compared, asked: &Compared) -> bool {
    (answered.before, answered.after) == (asked.before, asked.after)
}

/// What an opened catalog is to one that has the same packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It is the state before.
    Before,
    /// It is the state after.
    After,
}
