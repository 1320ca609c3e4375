//! What prevents a resolution: OLM's errors in its own words, and the limits of our own answer.

use std::fmt;

use catalog::BundleName;
use catalog::predicate::{NotKnown, RequirementError};
use sat::Bound;
use source::Span;
use update_graph::SortError;

use cluster::CatalogKey;

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
        /// What is wrong with it.
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
