//! Facts to clauses and at-most-one constraints. Each carries the fact that it comes from.

use sat::{Cnf, Lit, Var};

use crate::fact::{Fact, FactId, Rules, VarId};

/// Why a clause is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Reason {
    /// A rule of the problem.
    Fact(FactId),
    /// An explanation assumes this pick or alternative.
    Picked(VarId),
    /// Defines a variable that several rules use. Without those rules nothing is demanded.
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

pub(crate) fn encode(rules: &Rules) -> Encoding {
    encode_only(rules, |_| true)
}

pub(crate) fn encode_only(rules: &Rules, wanted: impl Fn(FactId) -> bool) -> Encoding {
    let mut cnf = Cnf::default();
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
            let anchor = encoding.lit(*anchor);
            encoding.clause([anchor], id);
        }
        Fact::Wants { subscription: subject, alternatives, .. }
        | Fact::Requires { bundle: subject, alternatives, .. } => {
            add_choice(encoding, *subject, alternatives, shared, id);
        }
        Fact::NothingFound { subscription: subject, .. } | Fact::Deprecated { bundle: subject } => {
            let subject = encoding.lit(*subject);
            encoding.clause([!subject], id);
        }
        Fact::Supersedes { upgrade, installed } => {
            let lits = [!encoding.lit(*upgrade), !encoding.lit(*installed)];
            encoding.clause(lits, id);
        }
        // A member that occurs twice is more than one and so can never be selected.
        Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => {
            let vars: Vec<Var> = members.iter().map(|&member| encoding.lit(member).var()).collect();
            encoding.cnf.add_at_most_one(&vars, Reason::Fact(id));
        }
    }
}

/// Demands one of the alternatives if the subject is selected. If the subject is one of its own alternatives, the
/// clause is always true and is left out.
///
/// A list that several subjects share is encoded once, as the demand of one literal. Otherwise the formula would grow
/// with the number of subjects times the number of alternatives.
fn add_choice(encoding: &mut Encoding, subject: VarId, alternatives: &[VarId], shared: Option<u32>, fact: FactId) {
    let subject = encoding.lit(subject);
    match shared.filter(|_| alternatives.len() > 1) {
        None => encoding.one_of(alternatives, !subject, Reason::Fact(fact)),
        Some(_) if alternatives.iter().any(|&id| encoding.lit(id) == subject) => {}
        Some(number) => {
            let demand = shared_demand(encoding, alternatives, number);
            encoding.clause([!subject, demand], fact);
        }
    }
}

/// The literal that demands one of a shared list of alternatives.
fn shared_demand(encoding: &mut Encoding, alternatives: &[VarId], number: u32) -> Lit {
    if let Some(demand) = encoding.shared[number as usize] {
        return demand;
    }
    let demand = encoding.cnf.add_var().positive();
    encoding.shared[number as usize] = Some(demand);
    encoding.one_of(alternatives, !demand, Reason::Shared);
    demand
}
