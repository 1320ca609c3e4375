//! Why a bundle is selected: the path to it from a Subscription or an installed CSV.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use catalog::predicate::{Property, Requirement};
use go_semver::blang::Version;
use source::Span;
use update_graph::Via;

use crate::contradiction::{Refusal, refusal};
use crate::encode::encode_only;
use crate::explain::conflicts::{Line, Pattern, pattern, reasoning, subject};
use crate::explain::funnel::current;
use crate::explain::visible::edge;
use crate::explain::why_not::intrinsic_fault;
use crate::fact::{Fact, FactId, VarId};
use crate::problem::Problem;
use crate::resolve::GaveUp;
use crate::search::Pick;
use crate::snapshot::Entry;

/// Why something is selected: the path to it. Of several paths a shortest one, and of those the first that was picked.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// Where the path begins: a Subscription or a freestanding CSV.
    pub anchor: VarId,
    /// The number of choices after it that are left out, because the path is long.
    pub left_out: usize,
    /// The choices that lead on from there; none if the bundle is the freestanding CSV itself.
    pub links: Vec<Link>,
}

/// The number of choices that a path tells, the last ones: bundles that require each other in a row would make the paths to all
/// of them as long as the square of their number.
const LONGEST_PATH: usize = 20;

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
        let (mut at, mut left_out) = (selected, 0);
        while let Some(pick) = *self.came_by.get(&at)? {
            let choice = self.picks[pick].choice?;
            if links.len() < LONGEST_PATH {
                links.push(Link { choice, to: at, how: how(self.problem, choice, at) });
            } else {
                left_out += 1;
            }
            at = chooser(self.problem.fact(choice))?;
        }
        links.reverse();
        Some(Why { anchor: at, left_out, links })
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

// How a bundle meets a requirement: through which of its properties.

/// Why a requirement holds for a bundle, in the shape of the requirement.
#[derive(Clone, Debug, PartialEq)]
pub enum Witness {
    /// A property of the bundle says so: its API or its label.
    Property {
        property: Property,
        /// Absent for an installed CSV.
        span: Option<Span>,
    },
    /// The bundle is of the package, and a version of it lies in the range.
    Package {
        /// The first version that does.
        version: Version,
        /// The `olm.package` property that names the package; absent where the catalog alone says it.
        span: Option<Span>,
    },
    /// All of these hold.
    All(Vec<Witness>),
    /// One of several holds, the one at this position first.
    Any(usize, Box<Witness>),
    /// None of these holds.
    Not(Vec<Requirement>),
    /// The rule of the Common Expression Language is true of the properties as a whole.
    Rule,
}

/// How the entry meets the requirement; `None` if it does not, or if that is not known.
#[must_use]
pub fn witness(entry: &Entry, requirement: &Requirement) -> Option<Witness> {
    if !meets(entry, requirement) {
        return None;
    }
    match requirement {
        Requirement::Gvk(wanted) => {
            property(entry, |property| matches!(property, Property::Gvk(gvk, _) if gvk == wanted))
        }
        Requirement::Label(_) => property(entry, |property| says(entry, property, requirement)),
        Requirement::Package { name, range, .. } => {
            let span = entry.properties.iter().find_map(|placed| match &placed.property {
                Property::Package { name: own, .. } if own == name => placed.span,
                _ => None,
            });
            let inside = |version: &Version| range.matches(version) == Ok(true);
            versions(entry).find(inside).map(|version| Witness::Package { version, span })
        }
        Requirement::All(inner) => {
            inner.iter().map(|part| witness(entry, part)).collect::<Option<_>>().map(Witness::All)
        }
        Requirement::Any(inner) => {
            let mut parts = inner.iter().enumerate();
            parts.find_map(|(at, part)| Some(Witness::Any(at, Box::new(witness(entry, part)?))))
        }
        Requirement::Not(inner) => Some(Witness::Not(inner.clone())),
        Requirement::Cel { .. } => Some(Witness::Rule),
    }
}

/// Whether the entry meets the requirement; false if that is not known.
pub(crate) fn meets(entry: &Entry, requirement: &Requirement) -> bool {
    let properties = entry.properties.iter().map(|placed| &placed.property);
    requirement.holds(&entry.package, entry.version.as_ref(), properties).unwrap_or(false)
}

/// The versions that count for a range: those of `olm.package` properties, then the entry's own.
pub(crate) fn versions(entry: &Entry) -> impl Iterator<Item = Version> {
    let stated = entry.properties.iter().filter_map(|placed| match &placed.property {
        Property::Package { version, .. } => Version::parse(version).ok(),
        _ => None,
    });
    stated.chain(entry.version.clone())
}

fn property(entry: &Entry, test: impl Fn(&Property) -> bool) -> Option<Witness> {
    let placed = entry.properties.iter().find(|placed| test(&placed.property))?;
    Some(Witness::Property { property: placed.property.clone(), span: placed.span })
}

/// Whether this one property alone meets the requirement.
fn says(entry: &Entry, property: &Property, requirement: &Requirement) -> bool {
    requirement.holds(&entry.package, entry.version.as_ref(), std::iter::once(property)).unwrap_or(false)
}

// The alternatives that stand before the chosen one, and why each was refused.

/// Most refusals that are worked out for one choice.
const LIMIT: usize = 6;
/// Most alternatives that are looked at for one choice.
const MEMBERS: usize = 200;

/// The refused alternatives of one choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RefusedAlternatives {
    /// Best first: neighbours that were refused by the same kind of rules are one group.
    pub groups: Vec<RefusedGroup>,
    /// Further ones without an explanation: a bound was reached.
    pub unexplained: Vec<VarId>,
}

/// Alternatives that were refused alike.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedGroup {
    /// Best first; at least one.
    pub members: Vec<VarId>,
    /// Why the first one was refused. The rules about the others differ in the bundle and in ranges only.
    pub refusal: Refusal,
}

impl Refusal {
    /// The rules as an argument. It takes the picks and the refused alternative for granted.
    #[must_use]
    pub fn lines(&self, problem: &Problem) -> Vec<Line> {
        let granted: Vec<VarId> = [self.refused].into_iter().chain(self.picks.iter().copied()).collect();
        reasoning(problem, &self.facts, &granted)
    }
}

/// Why the choice at this position of a resolution's picks did not end with a better alternative.
///
/// # Errors
/// When the search for a reason reaches a bound.
///
/// # Panics
/// When `at` is out of range.
pub fn refused_alternatives(problem: &Problem, picks: &[Pick], at: usize) -> Result<RefusedAlternatives, GaveUp> {
    let mut found = RefusedAlternatives::default();
    for (index, &alternative) in picks[at].refused.iter().enumerate() {
        let fault = intrinsic_fault(problem, alternative);
        let last = found.groups.last_mut();
        if let Some(group) = last.filter(|group| is_alike(problem, &group.refusal, alternative, fault)) {
            group.members.push(alternative);
            continue;
        }
        if found.groups.len() == LIMIT || index >= MEMBERS {
            found.unexplained = picks[at].refused[index..].to_vec();
            break;
        }
        let refusal = match fault {
            Some(rule) => Refusal { refused: alternative, picks: Vec::new(), facts: vec![rule] },
            None => refusal(problem, picks, at, index)?,
        };
        found.groups.push(RefusedGroup { members: vec![alternative], refusal });
    }
    Ok(found)
}

/// Whether the rules that refused one alternative also refuse this one, those about the former exchanged for like rules
/// about the latter. `fault` is a fact that forbids it by itself.
fn is_alike(problem: &Problem, known: &Refusal, alternative: VarId, fault: Option<FactId>) -> bool {
    if let ([rule], []) = (&known.facts[..], &known.picks[..]) {
        return fault.is_some_and(|fault| pattern(problem, fault) == pattern(problem, *rule));
    }
    let Some(facts) = exchanged(problem, known, alternative).filter(|_| fault.is_none()) else { return false };
    let mut encoding = encode_only(&problem.rules, |id| facts.contains(&id));
    for &id in known.picks.iter().chain([&alternative]) {
        encoding.assume(id);
    }
    let tally = problem.tally_for_extras();
    let answer = encoding.cnf.is_satisfiable(&tally);
    problem.add_to_tally(&tally);
    answer == Ok(false)
}

fn exchanged(problem: &Problem, known: &Refusal, alternative: VarId) -> Option<BTreeSet<FactId>> {
    let about = |id: VarId| problem.facts().filter(move |(_, fact)| is_about(fact, id)).map(|(id, _)| id);
    let like = |wanted: Pattern| about(alternative).find(|&id| pattern(problem, id) == wanted);
    let facts = known
        .facts
        .iter()
        .map(|&id| if is_about(problem.fact(id), known.refused) { like(pattern(problem, id)) } else { Some(id) });
    facts.collect()
}

/// Whether the rule is about that bundle alone, or about it and what it replaces.
fn is_about(fact: &Fact, bundle: VarId) -> bool {
    match fact {
        Fact::Supersedes { upgrade, .. } => *upgrade == bundle,
        _ => subject(fact) == Some(bundle),
    }
}
