//! Of several at most one.

use super::{Encoding, Reason};
use crate::fact::{FactId, VarId};

/// A member that occurs twice is more than one and so can never be selected.
pub(super) fn at_most_one(encoding: &mut Encoding, members: &[VarId], fact: FactId) {
    let lits = encoding.lits(members);
    encoding.cnf.add_at_most_one(&lits, Reason::Fact(fact));
}
