//! What a bundle cannot be selected for by its own fault, whatever else is wanted.

use std::collections::BTreeMap;

use crate::fact::{Fact, FactId, VarId};
use crate::pool::EntryId;
use crate::problem::{Problem, Variable};

/// The bundles that no selection contains, each with the first rule that says so.
pub(crate) struct Forbidden<'p> {
    rules: BTreeMap<VarId, FactId>,
    ids: BTreeMap<&'p str, VarId>,
}

impl<'p> Forbidden<'p> {
    pub(crate) fn of(problem: &'p Problem) -> Self {
        let mut rules = BTreeMap::new();
        for (id, fact) in problem.facts() {
            if let Some(bundle) = forbids(fact) {
                rules.entry(bundle).or_insert(id);
            }
        }
        Self { rules, ids: identifiers(problem) }
    }

    /// The first rule that forbids the bundle.
    pub(crate) fn rule(&self, bundle: VarId) -> Option<FactId> {
        self.rules.get(&bundle).copied()
    }

    /// Whether the entry is such a bundle; not if it takes no part in the problem.
    pub(crate) fn contains(&self, problem: &Problem, entry: EntryId) -> bool {
        let id = self.ids.get(problem.pool.identifier(entry).as_str());
        id.is_some_and(|id| self.rules.contains_key(id))
    }
}

/// The bundle that a rule forbids by itself.
pub(crate) fn forbids(fact: &Fact) -> Option<VarId> {
    match fact {
        Fact::Deprecated { bundle } => Some(*bundle),
        Fact::Requires { bundle, alternatives, .. } if alternatives.is_empty() => Some(*bundle),
        Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => {
            // Sorted, so that a bundle that occurs twice is next to itself.
            members.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
        }
        _ => None,
    }
}

fn identifiers(problem: &Problem) -> BTreeMap<&str, VarId> {
    let variables = (0u32..).map(VarId).zip(&problem.rules.variables);
    let bundles = variables.filter_map(|(id, variable)| match variable {
        Variable::Bundle { identifier, .. } => Some((&**identifier, id)),
        Variable::Subscription(_) => None,
    });
    bundles.collect()
}
