//! One resolution in one order: the chosen bundles, or why there are none.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use catalog::BundleName;
use catalog::predicate::{NotKnown, RequirementError};
use cluster::CatalogKey;
use sat::Bound;
use source::Span;
use update_graph::SortError;

use crate::collect::is_parsable;
use crate::contradiction::{Conflict, conflict};
use crate::fact::{FactId, VarId, Variable};
use crate::outcomes::RandomChoices;
use crate::pool::EntryId;
use crate::problem::Problem;
use crate::search::{Pick, Picks, Search};
use crate::snapshot::Entry;

/// The answer of a resolution.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// There is a valid set. It may contain no new bundle.
    Resolved(Resolution),
    /// There is no valid set, because of this conflict (`ConstraintsNotSatisfiable`).
    Unsolvable(Conflict),
    /// OLM refuses to resolve (`ErrorPreventedResolution`).
    Prevented(Prevented),
    /// We do not know what OLM would do.
    GaveUp(GaveUp),
}

/// The choices of a resolution.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    /// The new bundles, by identifier.
    pub selected: Vec<Selected>,
    /// All choices in the order in which they were made, including those that ended with an installed bundle.
    pub picks: Vec<Pick>,
}

/// A chosen bundle.
#[derive(Clone, Debug, PartialEq)]
pub struct Selected {
    pub id: VarId,
    /// The channel entry that was chosen.
    pub entry: Entry,
    /// The catalog that it comes from.
    pub catalog: CatalogKey,
    /// The `spec.replaces` of the new CSV: the installed CSV of its Subscription, else what the channel entry replaces.
    pub replaces: Option<BundleName>,
    /// Whether a Subscription asked for it by `startingCSV`.
    pub starting_csv: bool,
    /// The choices that ended with it; the first of them selected it.
    pub because: Vec<FactId>,
}

/// Resolves with the anchors in the given order, which has to be one of [`Problem::anchors`].
#[must_use]
pub fn resolve(problem: &Problem, anchors: &[VarId]) -> Outcome {
    if let Err(unresolvable) = &problem.solvable {
        return unresolvable.into();
    }
    let search = Search::new(&problem.rules, problem.encoding(), problem.tally_for_answer());
    let found = search.run(anchors, &mut RandomChoices::once());
    problem.add_to_tally(search.tally());
    match found {
        Ok(Some(picks)) => translate(problem, picks),
        Ok(None) => conflict(problem).map_or_else(Outcome::GaveUp, Outcome::Unsolvable),
        Err(gave_up) => Outcome::GaveUp(gave_up),
    }
}

impl From<&Unresolvable> for Outcome {
    fn from(unresolvable: &Unresolvable) -> Self {
        match unresolvable {
            Unresolvable::Prevented(prevented) => Self::Prevented(prevented.clone()),
            Unresolvable::GaveUp(gave_up) => Self::GaveUp(gave_up.clone()),
        }
    }
}

/// From variables back to entries, with OLM's errors on the way.
pub(crate) fn translate(problem: &Problem, picks: Picks) -> Outcome {
    let mut selected: Vec<Selected> = Vec::new();
    let mut errors = Vec::new();
    let starts = problem.starting_csvs();
    for (id, because) in new_bundles(problem, &picks) {
        match origin(problem, id) {
            Ok(()) => selected.push(chosen(problem, &starts, id, because)),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Outcome::Prevented(Prevented { errors });
    }
    Outcome::Resolved(Resolution { selected, picks: picks.made })
}

/// The selected bundles that are not installed, by identifier, with the choices that ended with them.
fn new_bundles(problem: &Problem, picks: &Picks) -> Vec<(VarId, Vec<FactId>)> {
    let mut bundles: BTreeMap<&str, (VarId, Vec<FactId>)> = BTreeMap::new();
    for pick in &picks.made {
        let id = pick.selected;
        if problem.catalog(id).is_some_and(|key| !key.is_existing()) {
            bundles.entry(problem.name(id)).or_insert((id, Vec::new())).1.extend(pick.choice);
        }
    }
    bundles.into_values().collect()
}

/// Whether OLM finds the entry again by the parts of its identifier.
fn origin(problem: &Problem, id: VarId) -> Result<(), Obstacle> {
    let identifier = problem.name(id);
    if !is_parsable(identifier) {
        return Err(Obstacle::Identifier(identifier.into()));
    }
    match problem.pool.sharing(bundle(problem, id).0) {
        1 => Ok(()),
        count => Err(Obstacle::NotExactlyOne(count)),
    }
}

/// The entry of a bundle, and the installed CSV that it would replace.
fn bundle(problem: &Problem, id: VarId) -> (EntryId, &Option<BundleName>) {
    match &problem.rules.variables[id.0 as usize] {
        Variable::Bundle { entry, upgrades, .. } => (*entry, upgrades),
        Variable::Subscription(_) => unreachable!("only bundles have a catalog"),
    }
}

fn chosen(problem: &Problem, starts: &BTreeSet<&BundleName>, id: VarId, because: Vec<FactId>) -> Selected {
    let (entry, upgrades) = bundle(problem, id);
    let (entry, catalog) = (problem.pool.entry(entry).clone(), problem.pool.key_of(entry).clone());
    let replaces = upgrades.clone().or_else(|| entry.replaces.clone());
    let starting_csv = starts.contains(&entry.name);
    Selected { id, entry, catalog, replaces, starting_csv, because }
}

// What prevents a resolution: OLM's errors in its own words, and the limits of our own answer.

/// What prevents a resolution.
#[derive(Clone, Debug, PartialEq)]
pub enum Unresolvable {
    /// OLM refuses to resolve (`ErrorPreventedResolution`).
    Prevented(Prevented),
    /// We do not know what OLM would do.
    GaveUp(GaveUp),
}

/// OLM's errors, in the order in which it meets them. Displays its aggregate of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Prevented {
    /// At least one.
    pub errors: Vec<Obstacle>,
}

/// One error that prevents a resolution. Displays OLM's own text.
#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    /// A CatalogSource, or the installed operators, cannot be read.
    Source(CatalogKey, Box<str>),
    /// A channel that matters has no order.
    Order(SortError),
    /// A bundle that was considered has a malformed requirement.
    Requirement {
        bundle: BundleName,
        /// Where the requirement stands.
        span: Option<Span>,
        error: RequirementError,
    },
    /// The identifier of a selected bundle has a `/` too many, in its channel say.
    Identifier(Box<str>),
    /// The number of bundles of the catalog that have the identifier of a selected one, if it is not 1.
    NotExactlyOne(usize),
}

/// Why we do not know the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GaveUp {
    /// A requirement contains a CEL rule, and cel-go's answer to it is not known.
    Cel {
        bundle: BundleName,
        /// The requirement in OLM's words.
        requirement: Box<str>,
        why: NotKnown,
        /// Where it stands.
        span: Option<Span>,
    },
    /// OLM would crash on the range.
    Crash {
        bundle: BundleName,
        /// Where it stands.
        span: Option<Span>,
    },
    /// The search for an answer reached a bound.
    Solver(Bound),
    /// In some orders OLM tries the alternatives of a Subscription in vain and leaves three or more to its solver.
    LeftToSolver { subscription: Box<str> },
}

impl fmt::Display for Prevented {
    /// As `k8s.io/apimachinery` prints an aggregate: each text once, several in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut texts: Vec<String> = Vec::new();
        for error in &self.errors {
            let text = error.to_string();
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        match &texts[..] {
            [text] => f.write_str(text),
            _ => write!(f, "[{}]", texts.join(", ")),
        }
    }
}

impl std::error::Error for Prevented {}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(key, error) => write!(f, "error using catalogsource {key}: {error}"),
            Self::Order(error) => error.fmt(f),
            Self::Requirement { error, .. } => error.fmt(f),
            Self::Identifier(identifier) => write!(
                f,
                "error determining origin of operator: unable to parse identifier {identifier} for source info"
            ),
            Self::NotExactlyOne(count) => write!(f, "expected exactly one operator, got {count}"),
        }
    }
}

impl fmt::Display for GaveUp {
    /// The reason alone, without the words that the answer is not known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cel { bundle, requirement, why, .. } => {
                write!(f, "bundle `{bundle}` requires an operator {requirement}, and that rule {why}")
            }
            Self::Crash { bundle, .. } => {
                write!(f, "OLM would crash on a range of bundle `{bundle}`, expected comparators between two `||`")
            }
            Self::Solver(bound) => bound.fmt(f),
            Self::LeftToSolver { subscription } => write!(
                f,
                "in some orders OLM tries everything for Subscription `{subscription}` in vain, goes on without \
                 it, and leaves the rest to its solver, whose answer is not known"
            ),
        }
    }
}
