//! What must be selected: anchors, and one of the alternatives of what is selected.

use super::Encoding;
use crate::fact::{FactId, VarId};

pub(super) fn mandatory(encoding: &mut Encoding, anchor: VarId, fact: FactId) {
    let lit = encoding.lit(anchor);
    encoding.clause([lit], fact);
}

/// A subject that is one of its own alternatives is content with itself: that clause always holds and is left out.
pub(super) fn one_of(encoding: &mut Encoding, subject: VarId, alternatives: &[VarId], fact: FactId) {
    let mut lits = encoding.lits(alternatives);
    lits.push(!encoding.lit(subject));
    encoding.clause(lits, fact);
}
