//! OLM's search as its comments describe it: a queue of choices, and steps back to the last choice with an alternative
//! left.
//!
//! Works on the rules alone and checks them all at every leaf; far too slow for anything but a handful of bundles.

pub(crate) mod literal;

use std::collections::{BTreeSet, VecDeque};

use resolver::{Fact, Problem, VarId};

/// What is selected in the end, or nothing if the rules cannot be met.
pub(crate) fn search(problem: &Problem) -> Option<BTreeSet<VarId>> {
    let facts: Vec<&Fact> = problem.facts().map(|(_, fact)| fact).collect();
    let anchors = problem.anchors().iter().map(|&anchor| vec![anchor]).collect();
    go_on(&facts, &BTreeSet::new(), &anchors)
}

/// Whether some selection meets all these rules and contains what is granted.
pub(crate) fn is_consistent(facts: &[&Fact], granted: &[VarId]) -> bool {
    let anchors = facts.iter().filter_map(|fact| match fact {
        Fact::Subscribed { subscription: anchor } | Fact::Freestanding { bundle: anchor } => Some(vec![*anchor]),
        _ => None,
    });
    let choices = anchors.chain(granted.iter().map(|&id| vec![id]));
    go_on(facts, &BTreeSet::new(), &choices.collect()).is_some()
}

fn go_on(facts: &[&Fact], selected: &BTreeSet<VarId>, queue: &VecDeque<Vec<VarId>>) -> Option<BTreeSet<VarId>> {
    let mut queue = queue.clone();
    let Some(choice) = queue.pop_front() else { return Some(selected.clone()) };
    if choice.iter().any(|id| selected.contains(id)) {
        return go_on(facts, selected, &queue);
    }
    for alternative in choice {
        let mut selected = selected.clone();
        selected.insert(alternative);
        if is_excluded(facts, &selected) {
            continue;
        }
        let mut queue = queue.clone();
        queue.extend(facts.iter().filter_map(|fact| choice_of(fact, alternative)));
        if let Some(found) = go_on(facts, &selected, &queue) {
            return Some(found);
        }
    }
    None
}

fn choice_of(fact: &Fact, of: VarId) -> Option<Vec<VarId>> {
    match fact {
        Fact::Wants { subscription: subject, alternatives, .. }
        | Fact::Requires { bundle: subject, alternatives, .. }
            if *subject == of =>
        {
            Some(alternatives.to_vec())
        }
        _ => None,
    }
}

/// Whether some rule forbids to select all of these.
fn is_excluded(facts: &[&Fact], selected: &BTreeSet<VarId>) -> bool {
    facts.iter().any(|fact| match fact {
        Fact::NothingFound { subscription: subject, .. } | Fact::Deprecated { bundle: subject } => {
            selected.contains(subject)
        }
        Fact::Supersedes { upgrade, installed } => selected.contains(upgrade) && selected.contains(installed),
        Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => {
            members.iter().filter(|id| selected.contains(id)).count() > 1
        }
        Fact::Subscribed { .. } | Fact::Wants { .. } | Fact::Freestanding { .. } | Fact::Requires { .. } => false,
    })
}
