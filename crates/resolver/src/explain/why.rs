//! Why a bundle is selected: the path to it from a Subscription or an installed CSV.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use update_graph::Via;

use crate::explain::edge::edge;
use crate::explain::funnel::current;
use crate::explain::witness::{Witness, witness};
use crate::fact::{Fact, FactId, VarId};
use crate::problem::Problem;
use crate::search::Pick;

/// Why something is selected: the path to it. Of several paths a shortest one, and of those the first that was picked.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// Where the path begins: a Subscription or a freestanding CSV.
    pub anchor: VarId,
    /// The choices that lead on from there; none if the bundle is the freestanding CSV itself.
    pub links: Vec<Link>,
}

/// One choice on the path.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The rule that offered the choice: `Wants` or `Requires`.
    pub choice: FactId,
    /// The alternative that it ended with.
    pub to: VarId,
    /// What makes it an alternative of the choice.
    pub how: How,
}

/// What makes a bundle an alternative of a choice.
#[derive(Clone, Debug, PartialEq)]
pub enum How {
    /// On the chain of the Subscription's channel, and nothing is installed.
    Listed,
    /// `startingCSV` names it, and nothing is installed.
    Started,
    /// Follows the installed CSV; absent for the same bundle in a channel where it does not.
    Follows(Option<Via>),
    /// The installed CSV.
    Kept,
    /// Meets the requirement; absent if how is not known.
    Meets(Option<Witness>),
}

/// The shortest paths to everything that a resolution picked.
pub struct Ways<'p> {
    problem: &'p Problem,
    picks: &'p [Pick],
    /// By what is selected: the last pick of a shortest path; none for an anchor.
    came_by: BTreeMap<VarId, Option<usize>>,
}

impl<'p> Ways<'p> {
    /// The paths through all picks of a resolution.
    #[must_use]
    pub fn new(problem: &'p Problem, picks: &'p [Pick]) -> Self {
        Self { problem, picks, came_by: shortest(problem, picks) }
    }

    /// Why `selected` is selected; `None` if no pick selects it.
    #[must_use]
    pub fn to(&self, selected: VarId) -> Option<Why> {
        let mut links = Vec::new();
        let mut at = selected;
        while let Some(pick) = *self.came_by.get(&at)? {
            let choice = self.picks[pick].choice?;
            links.push(Link { choice, to: at, how: how(self.problem, choice, at) });
            at = chooser(self.problem.fact(choice))?;
        }
        links.reverse();
        Some(Why { anchor: at, links })
    }
}

fn shortest(problem: &Problem, picks: &[Pick]) -> BTreeMap<VarId, Option<usize>> {
    let mut made: BTreeMap<VarId, Vec<usize>> = BTreeMap::new();
    let mut came_by = BTreeMap::new();
    let mut queue = VecDeque::new();
    for (at, pick) in picks.iter().enumerate() {
        match pick.choice.and_then(|choice| chooser(problem.fact(choice))) {
            Some(chooser) => made.entry(chooser).or_default().push(at),
            None => {
                came_by.insert(pick.selected, None);
                queue.push_back(pick.selected);
            }
        }
    }
    let mut seen: BTreeSet<VarId> = came_by.keys().copied().collect();
    while let Some(id) = queue.pop_front() {
        for &at in made.get(&id).into_iter().flatten() {
            let next = picks[at].selected;
            if seen.insert(next) {
                came_by.insert(next, Some(at));
                queue.push_back(next);
            }
        }
    }
    came_by
}

/// Whose choice it is.
fn chooser(fact: &Fact) -> Option<VarId> {
    match fact {
        Fact::Wants { subscription: chooser, .. } | Fact::Requires { bundle: chooser, .. } => Some(*chooser),
        _ => None,
    }
}

fn how(problem: &Problem, choice: FactId, to: VarId) -> How {
    let entry = problem.entry(to);
    let is_installed = problem.catalog(to).is_some_and(|key| key.is_existing());
    match problem.fact(choice) {
        Fact::Requires { requirement, .. } => How::Meets(entry.and_then(|entry| witness(entry, requirement))),
        Fact::Wants { subscription, .. } => {
            let Some((wanted, entry)) = problem.subscription(*subscription).zip(entry) else { return How::Listed };
            match current(problem, wanted).map(|id| problem.pool.entry(id)) {
                Some(current) if is_installed && current.name == entry.name => How::Kept,
                Some(current) => How::Follows(edge(entry, &current.name, current.version.as_ref())),
                None if wanted.starting_csv.is_some() => How::Started,
                None => How::Listed,
            }
        }
        _ => How::Listed,
    }
}
