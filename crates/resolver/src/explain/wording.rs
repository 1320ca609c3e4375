//! OLM's own words for facts and conflicts.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` and `solver/constraints.go`.

use std::ops::Range;

use catalog::{BundleName, ChannelName};
use cluster::CatalogKey;

use crate::contradiction::Conflict;
use crate::explain::conflicts::Conflicts;
use crate::fact::{Fact, FactId, Missing, VarId};
use crate::outcomes::RandomChoices;
use crate::problem::Problem;

/// The beginning of OLM's text for a conflict.
const BEGINNING: &str = "constraints not satisfiable: ";

/// OLM's text for a conflict, and the rule behind each part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// `constraints not satisfiable: …`, the condition message on every Subscription of the namespace.
    pub text: String,
    /// Byte ranges of the text, in its order, each with the rule of the conflict that it stands for.
    pub parts: Vec<(Range<usize>, FactId)>,
}

/// The condition message with its parts.
#[must_use]
pub fn conflict_message(problem: &Problem, conflict: &Conflict) -> Message {
    message(conflict.facts.iter().map(|&id| (fact_text(problem, same_literal(problem, id)), id)).collect())
}

/// `constraints not satisfiable: …`, the condition message on every Subscription of the namespace.
#[must_use]
pub fn conflict_text(problem: &Problem, conflict: &Conflict) -> String {
    conflict_message(problem, conflict).text
}

/// OLM sorts the texts.
fn message(mut texts: Vec<(String, FactId)>) -> Message {
    texts.sort();
    let mut text = BEGINNING.to_owned();
    let mut parts = Vec::new();
    for (at, (words, id)) in texts.iter().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        let start = text.len();
        text.push_str(words);
        parts.push((start..text.len(), *id));
    }
    Message { text, parts }
}

/// The texts that OLM may print for the same conflicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variants {
    /// Distinct; the first is [`conflict_text`] of the first conflict.
    pub texts: Vec<String>,
    /// Whether there may be more: a bound was reached.
    pub bounded: bool,
}

/// The texts that OLM may print, depending on which conflict it finds and which of several invariants with the same
/// members it names. OLM's set of rules need not be minimal, so its text may name more of
/// them.
#[must_use]
pub fn conflict_variants(problem: &Problem, conflicts: &Conflicts, limit: usize) -> Variants {
    let mut found = Variants { texts: Vec::new(), bounded: conflicts.bounded };
    for conflict in &conflicts.conflicts {
        let facts = &conflict.facts;
        let choices: Vec<Vec<FactId>> = facts.iter().map(|&id| twins(problem, id)).collect();
        let mut random = RandomChoices::default();
        loop {
            let texts = choices.iter().zip(facts).map(|(twins, &id)| {
                let twin = twins[random.decide(twins.len())];
                (fact_text(problem, twin), id)
            });
            let text = message(texts.collect()).text;
            if !found.texts.contains(&text) {
                if found.texts.len() == limit {
                    found.bounded = true;
                    return found;
                }
                found.texts.push(text);
            }
            if !random.advance() {
                break;
            }
        }
    }
    found
}

/// The rules that OLM may name for this one, first the rule that [`conflict_text`] names. OLM adds invariants of the
/// same members in an order that differs from run to run, and all other rules in a fixed order.
fn twins(problem: &Problem, id: FactId) -> Vec<FactId> {
    let named = same_literal(problem, id);
    let Some(own) = members(problem.fact(id)) else { return vec![named] };
    let others = invariants(problem).filter(|&other| other != named && members(problem.fact(other)) == Some(own));
    [named].into_iter().chain(others).collect()
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
    source::joined(ids.iter().map(|&id| problem.name(id)), usize::MAX, last)
}

/// The last rule that OLM's solver cannot distinguish from this one, because both are the same literal of its circuit.
/// OLM names that rule. Only rules of one bundle collide with each other, and invariants with invariants.
fn same_literal(problem: &Problem, id: FactId) -> FactId {
    let fact = problem.fact(id);
    let is_same = |other: &FactId| is_same_literal(fact, problem.fact(*other));
    let last = match fact {
        Fact::Requires { bundle, .. } | Fact::Deprecated { bundle } => {
            problem.rules.choices[bundle.0 as usize].iter().rev().copied().find(is_same)
        }
        Fact::OneProvider { .. } | Fact::OneOfPackage { .. } => invariants(problem).find(is_same),
        _ => None,
    };
    last.unwrap_or(id)
}

/// The rules that hold among several bundles, the last one first: they come after all others.
fn invariants(problem: &Problem) -> impl Iterator<Item = FactId> {
    let count = u32::try_from(problem.rules.facts.len()).expect("a problem has fewer than 2^32 rules");
    (0..count).rev().map(FactId).take_while(|&id| members(problem.fact(id)).is_some())
}

fn is_same_literal(a: &Fact, b: &Fact) -> bool {
    match (forbidden(a), forbidden(b)) {
        (Some(a), Some(b)) => return a == b,
        (None, None) => {}
        _ => return false,
    }
    match (a, b) {
        (Fact::Requires { alternatives: from, .. }, Fact::Requires { alternatives: to, .. }) => from == to,
        _ => members(a).is_some() && members(a) == members(b),
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

// OLM's texts taken apart: the identifiers of bundles in them.

/// `<catalog>/<catalogNamespace>/<channel>/<name>` in a text; `@existing/<namespace>//<name>` for what is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// The catalog, or the installed operators of the namespace ([`CatalogKey::is_existing`]).
    pub catalog: CatalogKey,
    /// The channel; absent for what is installed.
    pub channel: Option<ChannelName>,
    pub name: BundleName,
}

/// The identifiers in one of OLM's texts, in its order.
///
/// ```
/// let text = "@existing/ns//a.v1 and c/olm/stable/a.v2 originate from package a";
/// let found = resolver::identifiers(text);
/// assert!(found[0].catalog.is_existing() && found[0].channel.is_none());
/// assert_eq!(&text[found[1].range.clone()], "c/olm/stable/a.v2");
/// assert_eq!(found[1].name.as_str(), "a.v2");
/// ```
#[must_use]
pub fn identifiers(text: &str) -> Vec<Identifier> {
    let mut found = Vec::new();
    let mut start = 0;
    for word in text.split_inclusive([' ', ',']) {
        let bare = word.trim_end_matches([' ', ',']);
        found.extend(identifier(bare, start..start + bare.len()));
        start += word.len();
    }
    found
}

fn identifier(word: &str, range: Range<usize>) -> Option<Identifier> {
    let [catalog, namespace, channel, name] = word.split('/').collect::<Vec<_>>()[..] else { return None };
    let catalog = CatalogKey::new(catalog, namespace);
    let is_label = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c))
    };
    let is_named = (catalog.is_existing() || is_label(&catalog.name)) && is_label(namespace) && !name.is_empty();
    if !is_named || channel.is_empty() != catalog.is_existing() {
        return None;
    }
    let channel = (!channel.is_empty()).then(|| channel.into());
    Some(Identifier { range, catalog, channel, name: name.into() })
}
