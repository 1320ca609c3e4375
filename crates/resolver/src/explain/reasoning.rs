//! Facts as an argument: each follows from those before it, and similar facts share a line.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use catalog::predicate::{PackageName, Requirement};

use crate::contradiction::anchor;
use crate::explain::pattern::{Pattern, pattern, subject};
use crate::fact::{Fact, FactId, VarId};
use crate::problem::Problem;

/// One step of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The role in the argument.
    pub role: Role,
    /// The rules: several if they say the same of several bundles, in the order in which those are preferred. Like rules
    /// are `Requires` of one package with the same target (their ranges may differ) that all are met or all are not,
    /// `Deprecated` and `Supersedes` of one package, and `OneProvider` among the same packages.
    pub facts: Vec<FactId>,
}

/// The role of a line in an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A demand or an installed CSV: `Subscribed`, `Freestanding`.
    Given,
    /// A consequence: `Wants` and `Requires` that leave a choice.
    Consequence,
    /// A rule that makes it impossible.
    Obstacle,
}

/// The rules as an argument that begins with their anchors and with `picks`, which are taken for granted.
pub(crate) fn reasoning(problem: &Problem, facts: &[FactId], picks: &[VarId]) -> Vec<Line> {
    let mut argument = Argument { problem, by_subject: BTreeMap::new(), lines: Vec::new(), stated: BTreeSet::new() };
    for &id in facts {
        if let Some(subject) = subject(problem.fact(id)) {
            argument.by_subject.entry(subject).or_default().push(id);
        }
    }
    let anchors = facts.iter().filter_map(|&id| anchor(problem.fact(id)));
    for root in anchors.chain(picks.iter().copied()) {
        argument.follow(root);
    }
    argument.state(facts.iter().copied());
    argument.lines
}

struct Argument<'p> {
    problem: &'p Problem,
    by_subject: BTreeMap<VarId, Vec<FactId>>,
    lines: Vec<Line>,
    stated: BTreeSet<FactId>,
}

impl Argument<'_> {
    /// States the facts about `root`, then those about all that it leads to, level by level.
    fn follow(&mut self, root: VarId) {
        let mut level = VecDeque::from([root]);
        let mut seen = BTreeSet::from([root]);
        while !level.is_empty() {
            let mut facts = Vec::new();
            let mut next = VecDeque::new();
            for id in level {
                for &fact in self.by_subject.get(&id).into_iter().flatten() {
                    facts.push(fact);
                    let led_to = self.problem.fact(fact).alternatives().unwrap_or_default();
                    next.extend(led_to.iter().copied().filter(|&id| seen.insert(id)));
                }
            }
            self.state(facts.into_iter());
            level = next;
        }
    }

    /// Adds lines for the facts that were not stated yet, similar ones together.
    fn state(&mut self, facts: impl Iterator<Item = FactId>) {
        let first = self.lines.len();
        let mut patterns: Vec<Pattern> = Vec::new();
        for id in facts {
            if !self.stated.insert(id) {
                continue;
            }
            let pattern = pattern(self.problem, id);
            match patterns.iter().position(|known| *known == pattern) {
                Some(at) => self.lines[first + at].facts.push(id),
                None => {
                    patterns.push(pattern);
                    self.lines.push(Line { role: role(self.problem.fact(id)), facts: vec![id] });
                }
            }
        }
    }
}

fn role(fact: &Fact) -> Role {
    match fact {
        Fact::Subscribed { .. } | Fact::Freestanding { .. } => Role::Given,
        Fact::Wants { alternatives, .. } if !alternatives.is_empty() => Role::Consequence,
        Fact::Requires { alternatives, .. } if !alternatives.is_empty() => Role::Consequence,
        _ => Role::Obstacle,
    }
}

/// The packages that the lines are about, in order of appearance.
pub(crate) fn packages(problem: &Problem, lines: &[Line]) -> Vec<PackageName> {
    let mut packages: Vec<PackageName> = Vec::new();
    let facts = lines.iter().flat_map(|line| &line.facts);
    for name in facts.flat_map(|&id| of_fact(problem, problem.fact(id))) {
        if !name.as_str().is_empty() && !packages.contains(&name) {
            packages.push(name);
        }
    }
    packages
}

fn of_fact(problem: &Problem, fact: &Fact) -> Vec<PackageName> {
    let own = subject(fact).and_then(|id| match problem.subscription(id) {
        Some(subscription) => Some(subscription.package.clone()),
        None => problem.entry(id).map(|entry| entry.package.clone()),
    });
    let other = match fact {
        Fact::OneOfPackage { package, .. } => Some(package.clone()),
        Fact::Requires { requirement, .. } => match &**requirement {
            Requirement::Package { name, .. } => Some(name.clone()),
            _ => None,
        },
        _ => None,
    };
    own.into_iter().chain(other).collect()
}
