//! Rules to clauses. Every clause carries the rule that it comes from.

mod choice;
mod exclusion;
mod prohibition;
mod uniqueness;

use sat::{Cnf, Lit, Var};

use crate::fact::{Fact, FactId, VarId};
use crate::problem::Rules;

/// Why a clause is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Reason {
    /// A rule of the problem.
    Fact(FactId),
    /// The preference search had picked this, or tries it; only explanations assume it.
    Picked(VarId),
    /// It says what a variable stands for that several rules use. Without those rules it demands nothing.
    Shared,
}

/// A formula whose models are the sets of bundles that the rules allow.
#[derive(Clone, Debug)]
pub(crate) struct Encoding {
    pub(crate) cnf: Cnf<Reason>,
    /// By [`VarId`].
    vars: Vec<Var>,
    /// By number of a shared list of alternatives: a literal that demands one of them.
    shared: Vec<Option<Lit>>,
}

impl Encoding {
    /// The literal that holds when the variable is selected.
    pub(crate) fn lit(&self, id: VarId) -> Lit {
        self.vars[id.0 as usize].positive()
    }

    /// Demands one of the literals.
    fn clause(&mut self, lits: impl IntoIterator<Item = Lit>, fact: FactId) {
        self.cnf.add_clause(lits, Reason::Fact(fact));
    }

    /// Demands one of the variables, or else the literal.
    fn one_of(&mut self, ids: &[VarId], or_else: Lit, reason: Reason) {
        let lits = ids.iter().map(|id| self.vars[id.0 as usize].positive());
        self.cnf.add_clause(lits.chain([or_else]), reason);
    }

    /// Demands that the variable be selected, as an assumption of an explanation.
    pub(crate) fn assume(&mut self, id: VarId) {
        let lit = self.lit(id);
        self.cnf.add_clause([lit], Reason::Picked(id));
    }
}

/// The formula of all rules.
pub(crate) fn encode(rules: &Rules) -> Encoding {
    encode_only(rules, |_| true)
}

/// The formula of the rules that are wanted.
pub(crate) fn encode_only(rules: &Rules, wanted: impl Fn(FactId) -> bool) -> Encoding {
    let mut cnf = Cnf::new();
    let vars = rules.variables.iter().map(|_| cnf.add_var()).collect();
    let mut encoding = Encoding { cnf, vars, shared: vec![None; rules.shared_lists as usize] };
    for (id, fact) in (0u32..).map(FactId).zip(&rules.facts).filter(|(id, _)| wanted(*id)) {
        add(&mut encoding, id, fact, rules.shared[id.0 as usize]);
    }
    encoding
}

fn add(encoding: &mut Encoding, id: FactId, fact: &Fact, shared: Option<u32>) {
    match fact {
        Fact::Subscribed { subscription: anchor } | Fact::Freestanding { bundle: anchor } => {
            choice::mandatory(encoding, *anchor, id);
        }
        Fact::Wants { subscription: subject, alternatives, .. }
        | Fact::Requires { bundle: subject, alternatives, .. } => {
            choice::one_of(encoding, *subject, alternatives, shared, id);
        }
        Fact::NothingFound { subscription: subject, .. } | Fact::Deprecated { bundle: subject } => {
            prohibition::never(encoding, *subject, id);
        }
        Fact::Supersedes { upgrade, installed } => exclusion::not_both(encoding, *upgrade, *installed, id),
        Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => {
            uniqueness::at_most_one(encoding, members, id);
        }
    }
}
