//! Independent conflicts of a problem without an answer, each as an argument.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use catalog::predicate::{Gvk, PackageName, Requirement};

use crate::contradiction::{Conflict, anchor, conflict_without, is_solvable};
use crate::fact::{Fact, FactId, VarId};
use crate::problem::Problem;
use crate::resolve::GaveUp;

/// Most conflicts that are looked for.
const LIMIT: usize = 8;
/// Questions after which a further conflict is given up. A conflict that takes more is too large to read.
const QUESTIONS: u32 = 80;

/// Conflicts, no two of which share a Subscription or an installed CSV that must stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conflicts {
    /// The conflicts; [`resolve`](crate::resolve()) returns the first.
    pub conflicts: Vec<Conflict>,
    /// Whether there may be more: a bound was reached.
    pub bounded: bool,
}

impl Conflict {
    /// The Subscriptions and installed CSVs that are impossible together; without any one of them this conflict is
    /// gone. Further conflicts are looked for without all of them.
    pub fn anchors(&self, problem: &Problem) -> impl Iterator<Item = VarId> {
        self.facts.iter().filter_map(move |&id| anchor(problem.fact(id)))
    }

    /// All facts in the order of an argument: first the Subscriptions, then what follows, then the rule that is broken.
    #[must_use]
    pub fn lines(&self, problem: &Problem) -> Vec<Line> {
        reasoning(problem, &self.facts, &[])
    }

    /// The packages that it is about, in the order in which its argument mentions them.
    #[must_use]
    pub fn packages(&self, problem: &Problem) -> Vec<PackageName> {
        packages(problem, &self.lines(problem))
    }
}

/// The independent conflicts of a problem; none if it has an answer or OLM does not solve its rules.
///
/// # Errors
/// When the search for the first one reaches a bound.
pub fn conflicts(problem: &Problem) -> Result<Conflicts, GaveUp> {
    if problem.unresolvable().is_some() {
        return Ok(Conflicts::default());
    }
    let mut bounded = false;
    let mut conflicts = mistaken(problem);
    let mut relaxed = anchors(problem, &conflicts);
    let budget = problem.namespace().budget.for_extras();
    while conflicts.len() < LIMIT {
        let limit = (!conflicts.is_empty()).then_some(QUESTIONS);
        match conflict_without(problem, &relaxed, limit, budget.clone()) {
            Ok(None) => break,
            Ok(Some(conflict)) => {
                conflicts.push(conflict);
                relaxed = anchors(problem, &conflicts);
            }
            Err(gave_up) if conflicts.is_empty() => return Err(gave_up),
            Err(_) => {
                bounded = true;
                break;
            }
        }
    }
    bounded |= conflicts.len() > LIMIT || conflicts.len() == LIMIT && !is_solvable(problem, &relaxed);
    conflicts.sort_by_key(|conflict| conflict.facts.iter().rfind(|&&id| anchor(problem.fact(id)).is_some()).copied());
    conflicts.truncate(LIMIT);
    Ok(Conflicts { conflicts, bounded })
}

/// The Subscriptions that find nothing: each contradicts itself, and no search is needed to see it.
fn mistaken(problem: &Problem) -> Vec<Conflict> {
    let found = problem.facts().filter_map(|(id, fact)| match fact {
        // A Subscription that finds nothing has this rule and, before it, the one that demands it.
        Fact::NothingFound { subscription, .. } => Some((id, *subscription)),
        _ => None,
    });
    let demanded =
        |subscription| problem.facts().find(move |(_, fact)| anchor(fact) == Some(subscription)).map(|(id, _)| id);
    found.filter_map(|(id, subscription)| Some(Conflict { facts: vec![demanded(subscription)?, id] })).collect()
}

fn anchors(problem: &Problem, conflicts: &[Conflict]) -> BTreeSet<VarId> {
    conflicts.iter().flat_map(|conflict| conflict.anchors(problem)).collect()
}

// Facts as an argument: each follows from those before it, and similar facts share a line.

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

// Patterns of facts: facts of one pattern differ only in the bundle.

/// The Subscription or bundle that the rule is about; `None` for rules among several.
#[must_use]
pub(crate) fn subject(fact: &Fact) -> Option<VarId> {
    match fact {
        Fact::Subscribed { subscription: subject }
        | Fact::Wants { subscription: subject, .. }
        | Fact::NothingFound { subscription: subject, .. }
        | Fact::Freestanding { bundle: subject }
        | Fact::Deprecated { bundle: subject }
        | Fact::Requires { bundle: subject, .. } => Some(*subject),
        Fact::Supersedes { .. } | Fact::OneProvider { .. } | Fact::OneOfPackage { .. } => None,
    }
}

/// What facts have in common if they differ only in the bundles of a package. Other facts are `Alone`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pattern {
    Deprecated(PackageName),
    /// The package, what it requires, and whether anything meets that.
    Requires(PackageName, Target, bool),
    /// The package and the installed CSV.
    Supersedes(PackageName, VarId),
    /// The packages among which an API has one provider.
    OneProvider(BTreeSet<PackageName>),
    Alone(FactId),
}

/// A requirement without its ranges of versions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    Api(Gvk),
    Package(PackageName),
    Label(Box<str>),
    All(Vec<Target>),
    Any(Vec<Target>),
    Not(Vec<Target>),
    Rule(Box<str>),
}

pub(crate) fn pattern(problem: &Problem, id: FactId) -> Pattern {
    let pattern = match problem.fact(id) {
        Fact::Deprecated { bundle } => package(problem, *bundle).map(Pattern::Deprecated),
        Fact::Requires { bundle, requirement, alternatives, .. } => package(problem, *bundle)
            .map(|package| Pattern::Requires(package, Target::of(requirement), alternatives.is_empty())),
        Fact::Supersedes { upgrade, installed } => {
            package(problem, *upgrade).map(|package| Pattern::Supersedes(package, *installed))
        }
        Fact::OneProvider { providers, .. } => {
            Some(Pattern::OneProvider(providers.iter().filter_map(|&id| package(problem, id)).collect()))
        }
        Fact::Subscribed { .. }
        | Fact::Wants { .. }
        | Fact::NothingFound { .. }
        | Fact::Freestanding { .. }
        | Fact::OneOfPackage { .. } => None,
    };
    pattern.unwrap_or(Pattern::Alone(id))
}

impl Target {
    fn of(requirement: &Requirement) -> Self {
        let each = |inner: &[Requirement]| inner.iter().map(Self::of).collect();
        match requirement {
            Requirement::Gvk(gvk) => Self::Api(gvk.clone()),
            Requirement::Package { name, .. } => Self::Package(name.clone()),
            Requirement::Label(label) => Self::Label(label.clone()),
            Requirement::All(inner) => Self::All(each(inner)),
            Requirement::Any(inner) => Self::Any(each(inner)),
            Requirement::Not(inner) => Self::Not(each(inner)),
            Requirement::Cel { rule, .. } => Self::Rule(rule.clone()),
        }
    }
}

fn package(problem: &Problem, bundle: VarId) -> Option<PackageName> {
    problem.entry(bundle).map(|entry| entry.package.clone())
}
