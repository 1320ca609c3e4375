//! Patterns of facts: facts of one pattern differ only in the bundle.

use std::collections::BTreeSet;

use catalog::predicate::{Gvk, PackageName, Requirement};

use crate::fact::{Fact, FactId, VarId};
use crate::problem::Problem;

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
