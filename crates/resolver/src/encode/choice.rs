//! What must be selected: anchors, and one of the alternatives of what is selected.

use sat::Lit;

use super::{Encoding, Reason};
use crate::fact::{FactId, VarId};

pub(super) fn mandatory(encoding: &mut Encoding, anchor: VarId, fact: FactId) {
    let lit = encoding.lit(anchor);
    encoding.clause([lit], fact);
}

/// A subject that is one of its own alternatives is content with itself: that clause always holds and is left out.
///
/// A list that several subjects share is stated once, as what one literal demands: formulas would grow with the product of
/// those who require and those who provide.
pub(super) fn one_of(
    encoding: &mut Encoding,
    subject: VarId,
    alternatives: &[VarId],
    shared: Option<u32>,
    fact: FactId,
) {
    let subject = encoding.lit(subject);
    match shared.filter(|_| alternatives.len() > 1) {
        None => {
            encoding.one_of(alternatives, !subject, Reason::Fact(fact));
        }
        Some(_) if alternatives.iter().any(|&id| encoding.lit(id) == subject) => {}
        Some(number) => {
            let demand = demand(encoding, alternatives, number);
            encoding.clause([!subject, demand], fact);
        }
    }
}

fn demand(encoding: &mut Encoding, alternatives: &[VarId], number: u32) -> Lit {
    if let Some(demand) = encoding.shared[number as usize] {
        return demand;
    }
    let demand = encoding.cnf.add_var().positive();
    encoding.shared[number as usize] = Some(demand);
    encoding.one_of(alternatives, !demand, Reason::Shared);
    demand
}
