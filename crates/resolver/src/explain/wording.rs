//! OLM's own words for rules and contradictions.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` and `solver/constraints.go`.

use crate::explain::Conflict;
use crate::fact::{Fact, FactId, Missing, VarId};
use crate::problem::Problem;

/// `constraints not satisfiable: …`, the condition message on every Subscription of the namespace.
#[must_use]
pub fn conflict_text(problem: &Problem, conflict: &Conflict) -> String {
    let shown = conflict.facts.iter().map(|&id| fact_text(problem, same_literal(problem, id)));
    let mut texts: Vec<String> = shown.collect();
    texts.sort();
    format!("constraints not satisfiable: {}", texts.join(", "))
}

/// The rule in OLM's words.
#[must_use]
pub fn fact_text(problem: &Problem, id: FactId) -> String {
    let name = |id: &VarId| problem.name(*id);
    match problem.fact(id) {
        Fact::Subscribed { subscription } => format!("subscription {} exists", name(subscription)),
        Fact::Wants { subscription, alternatives, .. } => match &alternatives[..] {
            [] => format!("no operators found matching the criteria of subscription {}", name(subscription)),
            [only] => format!("subscription {} requires {}", name(subscription), name(only)),
            several => {
                format!(
                    "subscription {} requires at least one of {}",
                    name(subscription),
                    listed(problem, several, "or")
                )
            }
        },
        Fact::NothingFound { subscription, missing } => missing_text(problem, *subscription, *missing),
        Fact::Freestanding { bundle } => {
            format!(
                "clusterserviceversion {} exists and is not referenced by a subscription",
                bundle_name(problem, *bundle)
            )
        }
        Fact::Deprecated { bundle } => format!("bundle {} is deprecated", name(bundle)),
        Fact::Requires { bundle, requirement, .. } => {
            format!("bundle {} requires an operator {requirement}", bundle_name(problem, *bundle))
        }
        Fact::Supersedes { upgrade, installed } => format!("{} conflicts with {}", name(upgrade), name(installed)),
        Fact::OneProvider { gvk, providers } => format!("{} provide {gvk}", listed(problem, providers, "and")),
        Fact::OneOfPackage { package, bundles } => {
            format!("{} originate from package {package}", listed(problem, bundles, "and"))
        }
    }
}

fn missing_text(problem: &Problem, id: VarId, missing: Missing) -> String {
    let subscription = problem.subscription(id).expect("only a Subscription finds nothing");
    let (name, package) = (&subscription.name, &subscription.package);
    let channel = subscription.channel.as_ref().map_or("", |channel| channel.as_str());
    match missing {
        Missing::Catalog => {
            let (catalog, namespace) =
                subscription.catalog.as_ref().map_or(("", ""), |key| (&*key.name, &*key.namespace));
            format!(
                "no operators found from catalog {catalog} in namespace {namespace} referenced by subscription {name}"
            )
        }
        Missing::Package => {
            format!("no operators found in package {package} in the catalog referenced by subscription {name}")
        }
        Missing::Channel => format!(
            "no operators found in channel {channel} of package {package} in the catalog referenced by subscription {name}"
        ),
        Missing::StartingCsv => {
            let csv = subscription.starting_csv.as_ref().map_or("", |csv| csv.as_str());
            format!(
                "no operators found with name {csv} in channel {channel} of package {package} in the catalog referenced \
                 by subscription {name}"
            )
        }
    }
}

fn bundle_name(problem: &Problem, id: VarId) -> &str {
    problem.entry(id).map_or("", |entry| entry.name.as_str())
}

/// `a, b and c`
fn listed(problem: &Problem, ids: &[VarId], last: &str) -> String {
    let names: Vec<&str> = ids.iter().map(|&id| problem.name(id)).collect();
    match &names[..] {
        [before @ .., end] if !before.is_empty() => format!("{} {last} {end}", before.join(", ")),
        _ => names.concat(),
    }
}

/// The last rule that OLM's solver does not tell from this one, because it comes to the same literal of its circuit: that
/// is the one it names.
fn same_literal(problem: &Problem, id: FactId) -> FactId {
    let fact = problem.fact(id);
    let later = problem.rules.facts.iter().rposition(|other| is_same_literal(fact, other));
    later.and_then(|at| u32::try_from(at).ok()).map_or(id, FactId)
}

fn is_same_literal(a: &Fact, b: &Fact) -> bool {
    match (forbidden(a), forbidden(b)) {
        (Some(a), Some(b)) => return a == b,
        (None, None) => {}
        _ => return false,
    }
    match (a, b) {
        (Fact::Requires { bundle: a, alternatives: from, .. }, Fact::Requires { bundle: b, alternatives: to, .. }) => {
            a == b && from == to
        }
        _ => match (members(a), members(b)) {
            (Some(a), Some(b)) => a == b,
            _ => a == b,
        },
    }
}

/// The variable that a rule forbids outright.
fn forbidden(fact: &Fact) -> Option<VarId> {
    match fact {
        Fact::Deprecated { bundle } => Some(*bundle),
        Fact::Requires { bundle, alternatives, .. } if alternatives.is_empty() => Some(*bundle),
        _ => None,
    }
}

fn members(fact: &Fact) -> Option<&[VarId]> {
    match fact {
        Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => Some(members),
        _ => None,
    }
}
