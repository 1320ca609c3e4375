//! Two that cannot be selected together.

use super::Encoding;
use crate::fact::{FactId, VarId};

pub(super) fn not_both(encoding: &mut Encoding, one: VarId, other: VarId, fact: FactId) {
    let lits = [!encoding.lit(one), !encoding.lit(other)];
    encoding.clause(lits, fact);
}
