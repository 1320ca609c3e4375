//! Of several at most one.

use sat::Var;

use super::{Encoding, Reason};
use crate::fact::{FactId, VarId};

/// A member that occurs twice is more than one and so can never be selected.
pub(super) fn at_most_one(encoding: &mut Encoding, members: &[VarId], fact: FactId) {
    let vars: Vec<Var> = members.iter().map(|&id| encoding.lit(id).var()).collect();
    encoding.cnf.add_at_most_one(&vars, Reason::Fact(fact));
}
