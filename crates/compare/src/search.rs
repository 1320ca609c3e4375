//! Why the rows of a package came out as they did, and what helps: searched group by group, at once or in pieces.

use crate::budget::{Budget, Log};
use crate::cause::Causes;
use crate::cluster::SubscriptionComparison;
use crate::dependencies::{Listings, with_dependencies};
use crate::edit::Edit;
use crate::fix::{VerifiedFix, fixes};
use crate::group::Group;
use crate::row::PackageComparison;
use crate::state::State;

/// A package in both states, whose groups are explained.
#[derive(Clone, Copy)]
pub struct Explained<'c> {
    /// The state before.
    pub old: State<'c>,
    /// The state after.
    pub new: State<'c>,
    /// The rows.
    pub comparison: &'c PackageComparison,
    /// Whether somebody writes the new state. A mirror has one cause alone, that it lacks entries, and the search for the
    /// smallest set of them would take long.
    pub is_written: bool,
    /// The catalogs of the cluster, asked for if they are needed.
    pub listings: &'c dyn Fn() -> Listings,
}

/// Why the rows of a group came out as they did, and what helps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The edits that the first row is due to.
    pub cause: Vec<Edit>,
    /// Changes that were tried and help.
    pub fixes: Vec<VerifiedFix>,
    /// Of OLM v0: what it does with the first row when it resolves all that the versions require, if that is something else.
    pub simulated: Option<SubscriptionComparison>,
}

/// The search for the explanations of the groups of one package.
#[derive(Debug, Default)]
pub struct Search {
    /// Those of the groups that are done, in their order.
    pub found: Vec<Explanation>,
    /// Single edits that were a cause.
    known: Vec<Edit>,
    /// The trials of the next group.
    causes: Log<bool>,
    fixes: Log<Option<VerifiedFix>>,
}

impl Search {
    /// Goes on with the groups, which are the same for each piece. Returns whether it has ended.
    pub fn advance(&mut self, of: Explained<'_>, groups: &[Group<'_>], budget: &Budget) -> bool {
        let name = of.comparison.package.as_str();
        let states = of.old.catalog.package(name).zip(of.new.catalog.package(name));
        let states = states.filter(|_| of.new.rejected.is_none());
        let causes = states.filter(|_| of.is_written).map(|(old, new)| Causes::new(old, new));
        while let Some(group) = groups.get(self.found.len()) {
            self.causes.rewind();
            self.fixes.rewind();
            let first = group.first;
            let explanation = budget.group(|| {
                let cause = causes.as_ref().map(|causes| causes.of(first, &self.known, &self.causes, budget));
                let is_written = of.is_written.then_some(());
                let fixes = is_written.map(|()| fixes((of.old, of.new), of.comparison, group, &self.fixes, budget));
                let simulated = states.filter(|_| of.old.rejected.is_none() && !first.updated_by.is_v1());
                let simulated = simulated.filter(|_| budget.take(first.old.len + first.new.len).is_some());
                Explanation {
                    cause: cause.unwrap_or_default(),
                    fixes: fixes.unwrap_or_default(),
                    simulated: simulated
                        .and_then(|states| with_dependencies(first, states, of.listings, budget.solver())),
                }
            });
            let Some(explanation) = explanation else { return false };
            if let [only] = &explanation.cause[..]
                && !self.known.contains(only)
            {
                self.known.push(only.clone());
            }
            self.found.push(explanation);
            (self.causes, self.fixes) = (Log::default(), Log::default());
        }
        true
    }
}
